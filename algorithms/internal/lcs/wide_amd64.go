package lcs

import "golang.org/x/sys/cpu"

// wide says that the processor adds eight words at once (AVX-512).
var wide = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ

// narrow is the number of words below which four is as fast as fourWide.
const narrow = 6

// fourSteps does what four does in the fastest way available.
func fourSteps(v, a, b, c, d []uint64) {
	if !wide || len(v) < narrow {
		four(v, a, b, c, d)
		return
	}
	a, b, c, d = a[:len(v)], b[:len(v)], c[:len(v)], d[:len(v)]
	fourWide(&v[0], &a[0], &b[0], &c[0], &d[0], len(v))
}

// fourWide does what four does over n words, eight at a time. For many words it takes a
// third of the time.
//
//go:noescape
func fourWide(v, a, b, c, d *uint64, n int)
