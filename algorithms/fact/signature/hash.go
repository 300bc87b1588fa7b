package signature

import (
	"math/bits"

	"github.com/winnow/winnow/algorithms/internal/eight"
)

// capital, or'ed to eight letters and digits, makes capitals small; digits have that bit.
const capital = 0x20 * eight.Each

// The first and the seventh 64 bits of the fraction of π. As bytes, the lowest first, they
// are not part of a word in UTF-8: no factor of a product is zero, and the other always
// counts.
const (
	pi1 uint64 = 0x243F6A8885A308D3
	pi7 uint64 = 0xC0AC29B7C97C50DD
)

// piece is the size of the pieces of a word that are hashed at a time.
const piece = 16

// hashWord is the hash of a word.
func hashWord(word []byte) uint64 {
	h := uint64(len(word))
	for ; len(word) > 0; word = word[min(piece, len(word)):] {
		var b [piece]byte
		copy(b[:], word)
		h = hashPiece(h, eight.Load(b[:]), eight.Load(b[8:]))
	}
	return h
}

// hashPiece returns the hash of a word up to a piece. Before is that of the pieces before,
// or the length of the word.
func hashPiece(before, first, second uint64) uint64 {
	high, low := bits.Mul64(first^pi1^before, second^pi7)
	return high ^ low
}

// masks have the bits of the first bytes of a piece, by their number.
var masks = func() (of [piece + 1][2]uint64) {
	for n := range of {
		for i := range n {
			of[n][i/8] |= 0xff << (8 * (i % 8))
		}
	}
	return of
}()
