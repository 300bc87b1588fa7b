package lcs

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// wide says that the processor adds eight words at once (AVX-512).
var wide = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ

// narrow is the number of words below which stepsByWord is as fast as strideWide.
const narrow = 12

// steps does the steps of up to 64 items, whose rows are dense, over the words v of V from
// word from on, in the fastest way available.
func (m *Masks) steps(v []uint64, from int, e []int32) {
	if !wide || len(v) < narrow || len(e) == 1 {
		m.stepsByWord(v, from, e)
		return
	}
	var carries uint64
	for n := len(v); n > 0; n = len(v) {
		if n > 40 {
			n = 32
		} else if n > 32 {
			n = 24 // because eight words must not be left alone
		}
		carries = strideWide(&v[0], &m.dense[from], &e[0], len(e), &m.row[0], n, carries)
		v, from = v[n:], from+n
	}
}

// strideWide does the steps of up to 64 items over 9 to 32 words, which stay in registers
// meanwhile. The masks of the items begin at dense[row.at]. Bit j of carries is what item j
// carries into the first word, and bit j of the result what it carries out of the last one.
//
//go:noescape
func strideWide(v, dense *uint64, e *int32, items int, rows *row, words int, carries uint64) uint64

// strideWide reads rows of this size.
var _ [12]byte = [unsafe.Sizeof(row{})]byte{}
