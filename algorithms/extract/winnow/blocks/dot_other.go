//go:build !amd64

package blocks

// dot computes the same as dotPortable, which is the only way on this processor.
func dot(tile *Tile, weights *[Lanes]uint32, sums []uint32) { dotPortable(tile, weights, sums) }
