package canon

import (
	"encoding/binary"
	"unicode/utf8"
)

// Classes of the first byte of a character, for isNormal.
const (
	unsure  = iota // may be white space, or may change in NFC
	ascii          // no blank, no control but U+007F
	blank          // U+0020
	latin1         // U+0080 to U+00BF: two of them are white space
	two            // two bytes, and normal whatever the second is
	general        // three bytes, U+2000 to U+2FFF: quotes and dashes are among them
	three          // three bytes, and normal whatever they are
)

// begins has the class of a character by its first byte. Characters are normal if NFC
// leaves them unchanged beside any other character: they are never the second part of a
// composition.
var begins = func() (t [256]uint8) {
	for c := '!'; c < utf8.RuneSelf; c++ {
		t[c] = ascii
	}
	t[' '], t[0xC2], t[0xE2] = blank, latin1, general
	for _, c := range []byte{0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xCB, 0xCF, 0xD0, 0xD1} {
		t[c] = two // Latin, some of Greek, Cyrillic
	}
	for _, c := range []byte{0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEB, 0xEC} {
		t[c] = three // Han, most of Hangul
	}
	return t
}()

// isNormal reports whether s is surely in NFC with white space folded, that is, with
// single blanks as its only white space. s is valid UTF-8 and begins and ends with
// characters that are not white space. Texts of most languages are normal already, so
// they need no work.
func isNormal(s []byte) bool {
	for i := 0; i < len(s); {
		for len(s)-i >= 8 && isPrintable(binary.LittleEndian.Uint64(s[i:])) {
			i += 7 // the last byte is looked at again, with the one after it
		}
		switch c := s[i]; begins[c] {
		case ascii:
			i++
		case blank:
			if i++; i < len(s) && s[i] == ' ' {
				return false
			}
		case latin1:
			if c := s[i+1]; c == 0x85 || c == 0xA0 {
				return false
			}
			i += 2
		case two:
			i += 2
		case general:
			if s[i+1] != 0x80 || isGeneralSpace(s[i+2]) {
				return false
			}
			i += 3
		case three:
			i += 3
		default:
			return false
		}
	}
	return true
}

// isGeneralSpace reports whether U+2000 to U+203F are white space, by their last byte.
func isGeneralSpace(c byte) bool {
	return c <= 0x8A || c == 0xA8 || c == 0xA9 || c == 0xAF
}

// isPrintable reports whether the eight bytes of v are ASCII without controls (except
// U+007F) and without two consecutive blanks. It may return false for some that are.
func isPrintable(v uint64) bool {
	const (
		ones = 0x0101010101010101
		high = 0x8080808080808080
	)
	x := v ^ ' '*ones
	blanks := (x - ones) & ^x & high // and perhaps '!' after a blank
	other := (v - ' '*ones) | v
	return other&high == 0 && blanks&(blanks<<8) == 0
}
