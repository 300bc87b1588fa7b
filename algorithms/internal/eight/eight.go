// Package eight looks at eight bytes of a text as one number, the first byte lowest, so that
// a few operations say something of all of them.
//
// A mask of such a number has the highest bit of each byte that it is about.
package eight

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

const (
	Each    uint64 = 0x0101010101010101 // times a byte: eight of it
	Highest        = 0x80 * Each
	Lowest7        = 0x7f * Each
)

// Load returns the eight bytes that b begins with.
func Load(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// LoadShort returns the bytes of b, at most seven, followed by fill.
func LoadShort(b []byte, fill byte) uint64 {
	x := uint64(fill) * Each << (8 * len(b) & 63)
	switch n := len(b); {
	case n >= 4:
		x |= uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))<<(8*(n-4)&63)
	case n > 0:
		x |= uint64(b[0]) | uint64(b[n/2])<<(8*(n/2)&63) | uint64(b[n-1])<<(8*(n-1)&63)
	}
	return x
}

// First returns the number of the first byte of a mask, 8 if there is none.
func First(mask uint64) int { return bits.TrailingZeros64(mask) >> 3 }

// Blanks returns the mask of the blanks and control characters: of the bytes up to a blank.
func Blanks(x uint64) uint64 { return ^(x&Lowest7 + (0x7f-' ')*Each | x) & Highest }

// Wordlike returns the mask of the letters and digits of ASCII and of all bytes of other
// characters, which may be letters or not.
func Wordlike(x uint64) uint64 {
	low := x & Lowest7
	letter := low | 0x20*Each // capitals made small
	letters := (letter + (0x80-'a')*Each) &^ (letter + (0x7f-'z')*Each)
	digits := (low + (0x80-'0')*Each) &^ (low + (0x7f-'9')*Each)
	return (letters | digits | x) & Highest
}

// Bits returns a mask as a number of eight bits, the first byte lowest.
func Bits(mask uint64) uint64 { return mask >> 7 * 0x0102040810204080 >> 56 }

// Block is the number of bytes that a number has bits for, the first byte lowest.
const Block = 64

// Edges are the places at which runs of bytes begin and end, in turn, ascending.
type Edges []int32

// Append appends the edges of the runs in the block of a text that begins at at, whose bits
// are those of the bytes in runs. A run that reaches the end of the block before goes on
// if the first bit is set; the list then has no end of it yet.
func (e Edges) Append(block uint64, at int) Edges {
	open := uint64(len(e) & 1)
	changes := block ^ (block<<1 | open)
	n, end := len(e), len(e)+bits.OnesCount64(changes)
	e = slices.Grow(e, Block)[:n+Block]
	for ; n < end; n += 4 { // four at a time, the last perhaps for nothing: few loops end unforeseen
		four := e[n : n+4 : n+4]
		four[0], changes = place(at, changes)
		four[1], changes = place(at, changes)
		four[2], changes = place(at, changes)
		four[3], changes = place(at, changes)
	}
	return e[:end]
}

// place returns the place of the lowest bit, and the others.
func place(at int, set uint64) (first int32, others uint64) {
	return int32(at + bits.TrailingZeros64(set)), set & (set - 1)
}
