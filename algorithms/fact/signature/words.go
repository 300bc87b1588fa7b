package signature

import (
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
)

// width is the number of words in a shingle.
const width = 5

// base is the B of a shingle's hash.
const base uint64 = 0x9E3779B97F4A7C15

// power is base to the power of width.
var power = func() uint64 {
	p := uint64(1)
	for range width {
		p *= base
	}
	return p
}()

// splitMix is the output function of SplitMix64.
func splitMix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// AppendShingles appends the hashes of the shingles of text to dst, in the order of the
// text, each as often as it occurs.
func (s *Signer) AppendShingles(dst []uint64, text []byte) []uint64 {
	s.words = s.words[:0]
	for at := 0; at < len(text); {
		start := at
		for at < len(text) && wordByte[text[at]] != 0 {
			at++
		}
		switch {
		case at < len(text) && text[at] >= utf8.RuneSelf:
			at = s.word(text, start)
		case at > start:
			s.lower = append(s.lower[:0], text[start:at]...)
			for i, c := range s.lower {
				s.lower[i] = wordByte[c]
			}
			s.words = append(s.words, xxhash.Sum64(s.lower))
		default:
			at++
		}
	}
	sum := uint64(0)
	for i, w := range s.words {
		sum = sum*base + w
		if i >= width {
			sum -= s.words[i-width] * power
		}
		if i >= width-1 {
			dst = append(dst, splitMix(sum))
		}
	}
	if 0 < len(s.words) && len(s.words) < width {
		dst = append(dst, splitMix(sum))
	}
	return dst
}

// word reads the word at the start of text[at:], if there is one, whatever its
// characters are, and returns where it ends or, if there is none, where the next character begins.
func (s *Signer) word(text []byte, at int) int {
	s.lower = s.lower[:0]
	for at < len(text) {
		if c := text[at]; c < utf8.RuneSelf {
			l := wordByte[c]
			if l == 0 {
				break
			}
			s.lower = append(s.lower, l)
			at++
			continue
		}
		r, n := utf8.DecodeRune(text[at:])
		if standsAlone(r) {
			if len(s.lower) > 0 {
				break
			}
			s.words = append(s.words, xxhash.Sum64(text[at:at+n]))
			return at + n
		}
		if !unicode.In(r, unicode.L, unicode.M, unicode.N) {
			if len(s.lower) == 0 {
				return at + n
			}
			break
		}
		s.lower = utf8.AppendRune(s.lower, unicode.ToLower(r))
		at += n
	}
	if len(s.lower) > 0 {
		s.words = append(s.words, xxhash.Sum64(s.lower))
	}
	return at
}

// standsAlone says whether r is of a script that is written without spaces.
func standsAlone(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// wordByte is the lower case of ASCII letters and digits, 0 for other bytes.
var wordByte = func() (lower [256]byte) {
	for c := range utf8.RuneSelf {
		if r := rune(c); unicode.IsLetter(r) || unicode.IsDigit(r) {
			lower[c] = byte(unicode.ToLower(r))
		}
	}
	return lower
}()
