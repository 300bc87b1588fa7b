package blocks

import "github.com/winnow/winnow/algorithms/internal/cpu"

// wide reports whether the processor multiplies eight numbers at once (AVX2).
var wide = cpu.AVX2

// dot computes the same as dotPortable, in the fastest way that the processor has.
func dot(tile *Tile, weights *[Lanes]uint32, sums []uint32) {
	if !wide || len(sums) == 0 {
		dotPortable(tile, weights, sums)
		return
	}
	dotWide(tile, weights, &sums[0], len(sums))
}

// dotWide does what dotPortable does for the first n ≥ 1 columns.
//
//go:noescape
func dotWide(tile *Tile, weights *[Lanes]uint32, sums *uint32, n int)
