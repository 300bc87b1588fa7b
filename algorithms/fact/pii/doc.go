// Package pii counts what in a text may identify a person: e-mail addresses, IP
// addresses, phone numbers, account numbers and card numbers. It finds what has the
// published form and, where there is one, the right checksum:
//
//   - email: an address as HTML's "valid e-mail address" has it (a local part of up to 64
//     characters, labels of up to 63), whose domain has a dot and ends in letters.
//   - ip: four decimal numbers up to 255 with dots between them, which are not part of a
//     longer such number; or an IPv6 address (RFC 4291) with at least two colons.
//   - phone: a number in the international form of ITU-T E.123, + and 7 to 15 digits that
//     may be grouped; or one of the North American plan with its separators,
//     (201) 555-0123 or 201-555-0123, whose area and exchange begin with 2 to 9.
//   - iban: ISO 13616, 15 to 34 characters in groups of four or none, remainder 1 modulo 97.
//   - card: ISO/IEC 7812, 13 to 19 digits beginning with 2 to 6, perhaps in groups, with the
//     check digit of Luhn.
//
// Masker replaces findings in a text.
//
// # Limits
//
// Names and postal addresses are not looked for, national forms of phone numbers other than
// North America's are not found, and version numbers of four parts are taken for IP
// addresses: counts are for choosing what to look at, not a proof of absence.
//
// Linear in the text: every candidate has a bounded length.
//
// This package is internal to Winnow and may change in any release.
package pii
