//go:build !amd64

package model

import "github.com/winnow/winnow/algorithms/extract/winnow/internal/blocks"

// add is addPortable by the quickest way that there is.
func add(trees []Tree, tile *blocks.Tile, sums *Sums) { addPortable(trees, tile, sums) }
