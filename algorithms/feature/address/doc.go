// Package address puts the addresses by which a page is linked, and those it links to,
// into one canonical form, so that two of them can be compared.
//
//	canonical form   host[:port]/path[?query]
//
//	HTTP://WWW.Example.org:80/a/./b/../c#top    www.example.org/a/c
//	https://example.org?x=1                     example.org/?x=1
//	http://example.org/höhe                     example.org/h%C3%B6he
//
// The scheme is dropped, the host is in lower case and in ASCII, a default port is
// dropped, dot segments are resolved, the fragment is removed, and the query is
// kept. Further choices:
//
//   - user and password are dropped, as is the dot that may end a host;
//   - bytes that no address may have (controls, blanks, quotes, angle brackets, what
//     is beyond ASCII) are percent-encoded, and a backslash is a slash, as browsers
//     do before they ask for a page: a crawl has the address in that form;
//   - tabs and line ends are removed, white space at both ends is trimmed.
//
// An address that is not of the web (mailto, javascript, urn, data) has no canonical
// form. It is left unchanged except that its fragment is removed.
//
// Resolving allocates nothing unless a host is not ASCII.
//
// This package is internal to Winnow and may change in any release.
package address
