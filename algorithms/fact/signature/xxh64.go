package signature

import "math/bits"

// Eight bytes of a text are looked at as one number, the first byte lowest.
const (
	each    uint64 = 0x0101010101010101
	highest        = 0x80 * each
	lowest7        = 0x7f * each
	capital        = 0x20 * each // makes capitals small; digits have that bit
)

// alphanumeric returns how many of the eight bytes of x, from the first on, are letters or
// digits of ASCII.
func alphanumeric(x uint64) int {
	low := x & lowest7
	letter := low | capital
	letters := (letter + (0x80-'a')*each) &^ (letter + (0x7f-'z')*each)
	digits := (low + (0x80-'0')*each) &^ (low + (0x7f-'9')*each)
	return bits.TrailingZeros64((^(letters|digits)|x)&highest) >> 3
}

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
	h := prime5 + uint64(n)
	if n >= 8 {
		h ^= bits.RotateLeft64(x*prime2, 31) * prime1
		h = bits.RotateLeft64(h, 27)*prime1 + prime4
		x = more
	}
	// Four bytes if there are as many, then up to three single ones. Every step is
	// taken, and its result is kept only if there are bytes for it.
	few := uint64(n)
	four := -(few >> 2 & 1)
	h ^= (h ^ (bits.RotateLeft64(h^x&(1<<32-1)*prime1, 23)*prime2 + prime3)) & four
	x >>= 32 & four
	h ^= (h ^ bits.RotateLeft64(h^x&0xff*prime5, 11)*prime1) & -((few | few>>1) & 1)
	h ^= (h ^ bits.RotateLeft64(h^x>>8&0xff*prime5, 11)*prime1) & -(few >> 1 & 1)
	h ^= (h ^ bits.RotateLeft64(h^x>>16&0xff*prime5, 11)*prime1) & -(few & (few >> 1) & 1)
	h = (h ^ h>>33) * prime2
	h = (h ^ h>>29) * prime3
	return h ^ h>>32
}
