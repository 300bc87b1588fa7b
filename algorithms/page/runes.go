package page

import (
	"encoding/binary"
	"math/bits"
)

// RuneCount returns the number of characters of s, which must be valid UTF-8. It reads
// eight bytes at a time, which utf8.RuneCount cannot do because it checks for errors.
func RuneCount(s []byte) int {
	// A character has one byte that is not of the form 10xxxxxx.
	n := len(s)
	for ; len(s) >= 8; s = s[8:] {
		x := binary.LittleEndian.Uint64(s)
		n -= bits.OnesCount64(x & (^x << 1) & 0x8080808080808080)
	}
	for _, c := range s {
		if c&0xC0 == 0x80 {
			n--
		}
	}
	return n
}
