package model

import (
	"github.com/winnow/winnow/algorithms/extract/winnow/blocks"
	"github.com/winnow/winnow/algorithms/internal/cpu"
)

var (
	// wide reports whether the processor compares 32 bytes at once (AVX2).
	wide = cpu.AVX2
	// masks reports whether it also has 32 registers, and masks that say to which bytes an
	// instruction applies (AVX-512).
	masks = cpu.AVX512
)

// add computes the same as addPortable for each of the given tiles, in the fastest way
// that the processor has.
func add(trees []Tree, tiles []blocks.Tile, sums []Sums, which []int32) {
	if len(trees) == 0 {
		return
	}
	for ; masks && len(which) >= 2; which = which[2:] {
		a, b := which[0], which[1]
		addPair(&trees[0], len(trees), &tiles[a], &tiles[b], &sums[a], &sums[b])
	}
	for _, t := range which {
		if wide {
			addWide(&trees[0], len(trees), &tiles[t], &sums[t], &odd)
		} else {
			addPortable(trees, &tiles[t], &sums[t])
		}
	}
}

// odd has the value 2i+1 in all bytes of its row i. This is the number of the right one
// of the two leaves below the i-th node of the lowest level.
var odd = func() (t [1 << (Depth - 1)][blocks.Lanes]uint8) {
	for i := range t {
		for lane := range t[i] {
			t[i][lane] = uint8(2*i + 1)
		}
	}
	return t
}()

// addWide does what addPortable does, for n ≥ 1 trees and all blocks of the tile at
// once, in a tenth of the time.
//
//go:noescape
func addWide(trees *Tree, n int, tile *blocks.Tile, sums *Sums, odd *[1 << (Depth - 1)][blocks.Lanes]uint8)

// addPair does what addPortable does, for n ≥ 1 trees and all blocks of two different
// tiles at once, in three quarters of the time that addWide takes for the two.
//
//go:noescape
func addPair(trees *Tree, n int, a, b *blocks.Tile, sumsA, sumsB *Sums)
