package blocks

// dotPortable sets sums[f] to the sum of the blocks' values of feature f, each multiplied
// by the weight of its block.
func dotPortable(tile *Tile, weights *[Lanes]uint32, sums []uint32) {
	for f := range sums {
		column := &tile[f&255]
		var sum uint32
		for lane := range column {
			sum += weights[lane] * uint32(column[lane])
		}
		sums[f] = sum
	}
}
