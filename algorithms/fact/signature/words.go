package signature

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/internal/eight"
)

// width is the number of words in a shingle.
const width = 5

// base is the B of a shingle's hash.
const base uint64 = 0x9E3779B97F4A7C15

// splitMix is the output function of SplitMix64.
func splitMix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// AppendShingles appends the hashes of the shingles of text to dst, in the order of the
// text, each as often as it occurs.
func (s *Signer) AppendShingles(dst []uint64, text []byte) []uint64 {
	s.readWords(text)
	sum := uint64(0)
	for _, w := range s.words[:min(width-1, len(s.words))] {
		sum = sum*base + w
	}
	if 0 < len(s.words) && len(s.words) < width {
		return append(dst, splitMix(sum))
	}
	n := len(dst)
	dst = slices.Grow(dst, len(s.words))[:n+max(0, len(s.words)-width+1)]
	oldest := base // the factor of the first word in the sum of a shingle
	for range width - 2 {
		oldest *= base
	}
	for i := range dst[n:] {
		words := (*[width]uint64)(s.words[i:])
		sum = sum*base + words[width-1]
		dst[n+i] = splitMix(sum)
		sum -= words[0] * oldest
	}
	return dst
}

// readWords sets s.words to the hashes of the words of text.
//
// First it finds the runs of bytes that words are in, and then their hashes, so that where
// one begins does not wait for the length of the one before. A word of up to sixteen
// letters and digits of ASCII, as most are, is read in two numbers of eight bytes and hashed
// without a branch that depends on its length: a processor that guesses a branch wrongly
// loses more time than the hash takes.
func (s *Signer) readWords(text []byte) {
	s.runs = appendRuns(s.runs[:0], text)
	words := slices.Grow(s.words[:0], len(s.runs)/2)
	for runs := s.runs; len(runs) >= 2; runs = runs[2:] {
		from, to := int(runs[0]), int(runs[1])
		if n := to - from; n <= piece && from+piece <= len(text) {
			b, mask := (*[piece]byte)(text[from:]), &masks[n]
			first, second := (eight.Load(b[:])|capital)&mask[0], (eight.Load(b[8:])|capital)&mask[1]
			if (first|second)&eight.Highest == 0 {
				words = append(words, hashPiece(uint64(n), first, second))
				continue
			}
		}
		s.words = words
		for from < to {
			from = s.word(text, from)
		}
		words = s.words
	}
	s.words = words
}

// appendRuns appends the edges of the runs of letters and digits of ASCII and of all bytes
// of other characters, which may be parts of words or not.
func appendRuns(dst eight.Edges, text []byte) eight.Edges {
	at := 0
	for ; at+eight.Block <= len(text); at += eight.Block {
		dst = dst.Append(inRuns((*[eight.Block]byte)(text[at:])), at)
	}
	var last [eight.Block]byte // with zeros after the text, at which its last run ends
	copy(last[:], text[at:])
	return dst.Append(inRuns(&last), at)
}

// inRuns returns the bits of the bytes of a block that are in a run.
func inRuns(block *[eight.Block]byte) (set uint64) {
	for i := 0; i < eight.Block; i += 8 {
		x := eight.Load(block[i:])
		set |= eight.Bits(eight.Wordlike(x)) << i
	}
	return set
}

// word reads the word at the start of text[at:], if there is one, whatever its characters
// are, and returns where it ends or, if there is none, where the next character begins.
func (s *Signer) word(text []byte, at int) int {
	s.lower = s.lower[:0]
	for at < len(text) {
		if c := text[at]; c < utf8.RuneSelf {
			l := wordByte[c]
			if l == 0 {
				if len(s.lower) == 0 {
					return at + 1
				}
				break
			}
			s.lower = append(s.lower, l)
			at++
			continue
		}
		r, n := utf8.DecodeRune(text[at:])
		k := s.kindOf(r)
		if k != within {
			if len(s.lower) > 0 {
				break
			}
			if k == alone {
				s.words = append(s.words, hashWord(text[at:at+n]))
			}
			return at + n
		}
		s.lower = utf8.AppendRune(s.lower, unicode.ToLower(r))
		at += n
	}
	if len(s.lower) > 0 {
		s.words = append(s.words, hashWord(s.lower))
	}
	return at
}

// kind says what a character is to words.
type kind uint8

const (
	between kind = iota + 1 // no part of a word
	within                  // a part of a word
	alone                   // a word by itself: of a script that is written without spaces
)

// kindOf returns the kind of r. The tables of package unicode are searched once for each
// character that a Signer meets.
func (s *Signer) kindOf(r rune) kind {
	if r >= 1<<16 {
		return kindOf(r)
	}
	if s.kinds == nil {
		s.kinds = make([]kind, 1<<16)
	}
	k := &s.kinds[r]
	if *k == 0 {
		*k = kindOf(r)
	}
	return *k
}

func kindOf(r rune) kind {
	switch {
	case r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return alone
	case unicode.In(r, unicode.L, unicode.M, unicode.N):
		return within
	}
	return between
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
