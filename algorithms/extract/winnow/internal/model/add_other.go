//go:build !amd64

package model

import "github.com/winnow/winnow/algorithms/extract/winnow/internal/blocks"

// add does what addPortable does, in the quickest way that the processor has.
func add(trees []Tree, tile *blocks.Tile, sums *Sums) { addPortable(trees, tile, sums) }
