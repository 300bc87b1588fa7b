package page

import (
	"unicode"
	"unicode/utf8"
)

// WordMode determines which sequences of characters are words.
type WordMode uint8

const (
	// WordsByScript: a maximal run of characters that are not white space, but
	// every base character of a script that is written without blanks (Han,
	// Hiragana, Katakana, Thai, Lao, Khmer, Myanmar) is, with the marks that
	// follow it, a word of its own.
	WordsByScript WordMode = iota
	// WordsBySpace: a maximal run of characters that are not white space.
	WordsBySpace
)

// Byte classes of the fast paths over ASCII.
const (
	bytePlain = iota
	byteSpace // ASCII white space
	byteMulti // part of a character beyond ASCII
)

// byteClasses has the class of every byte. White space means the characters with the
// Unicode property White_Space and the separators U+001C to U+001F.
var byteClasses = func() (t [256]uint8) {
	for _, c := range "\t\n\v\f\r \x1c\x1d\x1e\x1f" {
		t[c] = byteSpace
	}
	for c := utf8.RuneSelf; c < 256; c++ {
		t[c] = byteMulti
	}
	return t
}()

// runeClass is the class of a character beyond ASCII.
type runeClass uint8

const (
	runePlain runeClass = iota
	runeSpace
	runeBase // base character that is a word of its own
)

// unspaced holds the scripts that are written without blanks between words.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// classify returns the class of the character r beyond ASCII. The most frequent ranges
// are decided without the tables.
func classify(r rune) runeClass {
	switch {
	case r < 0x0E00:
		if r == 0x85 || r == 0xA0 {
			return runeSpace
		}
		return runePlain
	case 0x4E00 <= r && r <= 0x9FFF, 0x3041 <= r && r <= 0x3096, 0x30A1 <= r && r <= 0x30FA:
		return runeBase
	case 0xAC00 <= r && r <= 0xD7A3: // Hangul is written with blanks
		return runePlain
	case 0x1D00 <= r && r < 0x2E80: // from Latin to punctuation and symbols
		if r <= 0x200A && r >= 0x2000 || r == 0x2028 || r == 0x2029 || r == 0x202F || r == 0x205F {
			return runeSpace
		}
		return runePlain
	case r == 0x1680, r == 0x3000:
		return runeSpace
	}
	if unicode.In(r, unspaced...) && !isMark(r) {
		return runeBase
	}
	return runePlain
}

// isMark reports whether r is a combining mark (category M).
func isMark(r rune) bool {
	switch {
	case r < 0x0300, 0x2100 <= r && r < 0x2C00, 0x3030 <= r && r < 0x3099, 0x309B <= r && r < 0xA000, 0xAC00 <= r && r < 0xFB00:
		return false
	}
	return unicode.Is(unicode.M, r)
}

// decode returns the class and length of the character beyond ASCII that s
// begins with.
func decode(s []byte) (runeClass, int) {
	switch c := s[0]; {
	case 0xC3 <= c && c <= 0xDF && len(s) > 1:
		return runePlain, 2 // U+00C0 to U+07FF: no white space, no unspaced script
	case 0xE5 <= c && c <= 0xE9 && len(s) > 2:
		return runeBase, 3 // U+5000 to U+9FFF: Han
	}
	r, n := decodeRune(s)
	return classify(r), n
}

// decodeRune does the same as utf8.DecodeRune, but faster for three-byte characters of
// valid UTF-8.
func decodeRune(s []byte) (rune, int) {
	if len(s) > 2 && s[0]&0xF0 == 0xE0 {
		return rune(s[0]&0x0F)<<12 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return utf8.DecodeRune(s)
}

// spaceLen returns the length of the white space character that s begins with, or 0 if
// it begins with another character.
func spaceLen(s []byte) int {
	if len(s) == 0 {
		return 0
	}
	switch byteClasses[s[0]] {
	case byteSpace:
		return 1
	case byteMulti:
		// All white space beyond ASCII begins with one of these bytes.
		if c := s[0]; c == 0xC2 || 0xE1 <= c && c <= 0xE3 {
			if r, n := utf8.DecodeRune(s); classify(r) == runeSpace {
				return n
			}
		}
	}
	return 0
}

// skipSpace returns the position of the first character of s from i on that is
// not white space.
func skipSpace(s []byte, i int) int {
	for i < len(s) && byteClasses[s[i]] == byteSpace {
		i++
	}
	if i < len(s) && s[i] >= utf8.RuneSelf {
		return skipWideSpace(s, i)
	}
	return i
}

// skipWideSpace is skipSpace for an s[i] beyond ASCII.
func skipWideSpace(s []byte, i int) int {
	for i < len(s) {
		n := spaceLen(s[i:])
		if n == 0 {
			break
		}
		i += n
	}
	return i
}

// trimSpaceEnd returns the position at which the white space at the end of s begins.
func trimSpaceEnd(s []byte) int {
	for len(s) > 0 {
		r, n := rune(s[len(s)-1]), 1
		if r >= utf8.RuneSelf {
			if r, n = utf8.DecodeLastRune(s); classify(r) != runeSpace {
				break
			}
		} else if byteClasses[r] != byteSpace {
			break
		}
		s = s[:len(s)-n]
	}
	return len(s)
}

// wordEnd returns the end of the word that begins at s[i], which is not white
// space.
func wordEnd(s []byte, i int, mode WordMode) int {
	start := i
	for i < len(s) {
		c := s[i]
		if c < utf8.RuneSelf {
			if byteClasses[c] == byteSpace {
				return i
			}
			i++
			continue
		}
		cls, n := decode(s[i:])
		switch cls {
		case runeSpace:
			return i
		case runeBase:
			if mode == WordsBySpace {
				break
			}
			if i > start {
				return i
			}
			return skipMarks(s, i+n)
		}
		i += n
	}
	return i
}

// skipMarks returns the position of the first character of s from i on that is
// not a combining mark.
func skipMarks(s []byte, i int) int {
	for i < len(s) && s[i] >= utf8.RuneSelf {
		if c := s[i]; 0xE4 <= c && c <= 0xE9 {
			break // U+4000 to U+9FFF: no marks
		}
		r, n := decodeRune(s[i:])
		if !isMark(r) {
			break
		}
		i += n
	}
	return i
}
