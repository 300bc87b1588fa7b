//go:build !amd64

package model

import "github.com/winnow/winnow/algorithms/extract/winnow/internal/blocks"

// add computes the same as addPortable, which is the only way on this processor.
func add(trees []Tree, tile *blocks.Tile, sums *Sums) { addPortable(trees, tile, sums) }
