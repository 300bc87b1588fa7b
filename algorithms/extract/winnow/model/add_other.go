//go:build !amd64

package model

import "github.com/winnow/winnow/algorithms/extract/winnow/blocks"

// add adds to the sums of each of the given tiles the values that the trees give to its
// blocks.
func add(trees []Tree, tiles []blocks.Tile, sums []Sums, which []int32) {
	for _, t := range which {
		addPortable(trees, &tiles[t], &sums[t])
	}
}
