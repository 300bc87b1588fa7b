package signature

import (
	"math/bits"

	"github.com/winnow/winnow/algorithms/internal/eight"
)

// capital, or'ed to eight letters and digits, makes capitals small; digits have that bit.
const capital = 0x20 * eight.Each

// The primes of XXH64.
const (
	prime1 uint64 = 0x9E3779B185EBCA87
	prime2 uint64 = 0xC2B2AE3D27D4EB4F
	prime3 uint64 = 0x165667B19E3779F9
	prime4 uint64 = 0x85EBCA77C2B2AE63
	prime5 uint64 = 0x27D4EB2F165667C5
)

// hashShort is the XXH64 of n bytes, fewer than sixteen: of the first n of x, and of more
// if n is above eight. What is behind them is ignored.
func hashShort(x, more uint64, n int) uint64 {
	// Eight bytes if there are as many, then four, then up to three single ones. Every step
	// is taken, and its result is kept only if there are bytes for it.
	h := prime5 + uint64(n)
	if next := bits.RotateLeft64(h^bits.RotateLeft64(x*prime2, 31)*prime1, 27)*prime1 + prime4; n >= 8 {
		h = next
	}
	if n >= 8 {
		x = more
	}
	if next := bits.RotateLeft64(h^x&(1<<32-1)*prime1, 23)*prime2 + prime3; n&4 != 0 {
		h = next
	}
	if next := x >> 32; n&4 != 0 {
		x = next
	}
	n &= 3
	if next := bits.RotateLeft64(h^x&0xff*prime5, 11) * prime1; n > 0 {
		h = next
	}
	if next := bits.RotateLeft64(h^x>>8&0xff*prime5, 11) * prime1; n > 1 {
		h = next
	}
	if next := bits.RotateLeft64(h^x>>16&0xff*prime5, 11) * prime1; n > 2 {
		h = next
	}
	h = (h ^ h>>33) * prime2
	h = (h ^ h>>29) * prime3
	return h ^ h>>32
}
