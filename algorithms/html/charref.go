package html

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

//go:generate go run ./internal/gentables -out entities.go entities
//go:generate go run ./internal/gentables -out tagtable.go tags

// decoding determines how the bytes of the source become character data.
type decoding uint8

const (
	decodeRefs  decoding = 1 << iota // character references are decoded …
	decodeAttr                       // … by the rule for attribute values
	nulDropped                       // NUL is left out
	nulReplaced                      // NUL becomes U+FFFD; with neither it is kept
)

const replacement = "\uFFFD"

// appendDecoded appends s to dst as character data: line ends become "\n",
// NUL and references are treated as d says (standard, 13.2.3.5 and 13.2.5.72).
func appendDecoded(dst, s []byte, d decoding) []byte {
	for i := 0; i < len(s); {
		j := nextEncoded(s, i)
		dst = append(dst, s[i:j]...)
		if j == len(s) {
			break
		}
		i = j + 1
		switch s[j] {
		case '\r':
			dst = append(dst, '\n')
			if i < len(s) && s[i] == '\n' {
				i++
			}
		case 0:
			switch {
			case d&nulReplaced != 0:
				dst = append(dst, replacement...)
			case d&nulDropped == 0:
				dst = append(dst, 0)
			}
		default: // '&'
			n := 0
			if d&decodeRefs != 0 {
				dst, n = appendReference(dst, s[j:], d&decodeAttr != 0)
			}
			if n == 0 {
				dst, n = append(dst, '&'), 1
			}
			i = j + n
		}
	}
	return dst
}

// appendReference appends the characters of the reference that s begins with
// ("&…") and returns its length in s, 0 if it is not one.
func appendReference(dst, s []byte, attr bool) ([]byte, int) {
	if len(s) < 3 {
		if len(s) < 2 || s[1] == '#' {
			return dst, 0
		}
	}
	if s[1] == '#' {
		return appendNumericReference(dst, s)
	}
	// A name is a run of letters and digits; only legacy names may end before
	// the run does, and only names with a semicolon are longer than six.
	end := 1
	for end < len(s) && end <= longestReference && classOf[s[end]]&(chLetter|chDigit) != 0 {
		end++
	}
	if end == 1 {
		return dst, 0
	}
	if end < len(s) && s[end] == ';' {
		if i := referenceIndex(s[1:end]); i >= 0 {
			return appendReferenceValue(dst, i), end + 1
		}
	}
	if attr {
		// Without its semicolon a name counts only if what follows cannot
		// belong to it: "?a=1&copy=2" is an address.
		if end <= longestLegacy+1 && (end == len(s) || s[end] != '=' && classOf[s[end]]&(chLetter|chDigit) == 0) {
			if i := referenceIndex(s[1:end]); i >= 0 && i < legacyReferences {
				return appendReferenceValue(dst, i), end
			}
		}
		return dst, 0
	}
	for end = min(end, longestLegacy+1); end > 2; end-- {
		if i := referenceIndex(s[1:end]); i >= 0 && i < legacyReferences {
			return appendReferenceValue(dst, i), end
		}
	}
	return dst, 0
}

// The longest names in bytes, without "&" and ";". A test compares them with
// the table.
const (
	longestReference = 31
	longestLegacy    = 6
)

// referenceIndex returns the number of a named reference, -1 if there is none.
func referenceIndex(name []byte) int {
	const mask = uint32(len(referenceSlots) - 1)
	for s := nameHash(name) & mask; referenceSlots[s] != 0; s = (s + 1) & mask {
		i := int(referenceSlots[s]) - 1
		if referenceNames[referenceNameEnd[i]:referenceNameEnd[i+1]] == string(name) {
			return i
		}
	}
	return -1
}

func appendReferenceValue(dst []byte, i int) []byte {
	return append(dst, referenceValues[referenceValueEnd[i]:referenceValueEnd[i+1]]...)
}

// nameHash is FNV-1a, folded once. internal/gentables has the same function.
func nameHash(name []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range name {
		h = (h ^ uint32(c)) * 16777619
	}
	return h ^ h>>15
}

// appendNumericReference does the same for "&#…" and "&#x…".
func appendNumericReference(dst, s []byte) ([]byte, int) {
	i, base := 2, rune(10)
	if s[2]|0x20 == 'x' {
		i, base = 3, 16
	}
	first, r := i, rune(0)
	for ; i < len(s); i++ {
		d := digit(s[i], base)
		if d < 0 {
			break
		}
		if r <= utf8.MaxRune {
			r = r*base + d
		}
	}
	if i == first {
		return dst, 0
	}
	if i < len(s) && s[i] == ';' {
		i++
	}
	switch {
	case 0x80 <= r && r <= 0x9F:
		r = windows1252[r-0x80]
	case r == 0 || r > utf8.MaxRune || 0xD800 <= r && r <= 0xDFFF:
		r = utf8.RuneError
	}
	return utf8.AppendRune(dst, r), i
}

// digit is the value of c in base 10 or 16, -1 if it is not a digit.
func digit(c byte, base rune) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case base == 16 && 'a' <= c|0x20 && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return -1
}

// windows1252 has the characters that the numbers 80 to 9F refer to (standard, 13.2.5.80).
var windows1252 = [32]rune{
	0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
	0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
	0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
	0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
}

// isPlain reports whether s is unchanged by every decoding. oddLines is true if the
// document has carriage returns or NUL at all.
func isPlain(s []byte, oddLines bool) bool {
	if !oddLines {
		return bytes.IndexByte(s, '&') < 0
	}
	return nextEncoded(s, 0) == len(s)
}

// nextEncoded returns where the first of &, carriage return and NUL in s[i:]
// stands, len(s) if there is none. It reads eight bytes at a time.
func nextEncoded(s []byte, i int) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x80 * ones
	)
	// A byte of w is 0 where its high bit is set in (w-ones)&^w&highs. The bit may also
	// be set in a byte above one that is 0, but only the lowest one counts.
	for ; i+8 <= len(s); i += 8 {
		nul := binary.LittleEndian.Uint64(s[i:])
		cr, amp := nul^('\r'*ones), nul^('&'*ones)
		found := ((nul-ones)&^nul | (cr-ones)&^cr | (amp-ones)&^amp) & highs
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(s) && classOf[s[i]]&chEncoded == 0 {
		i++
	}
	return i
}
