package blocks

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestDot compares the products of the processor's wide instructions with those of the
// definition, for random tiles and for the largest values that there are.
func TestDot(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for round := range 20 {
		var tile Tile
		var weights [Lanes]uint32
		for f := range tile {
			for lane := range tile[f] {
				tile[f][lane] = uint8(rng.Uint32())
				if round == 0 {
					tile[f][lane] = 255
				}
			}
		}
		for lane := range weights {
			weights[lane] = rng.Uint32N(maxWeight + 1)
			if round == 0 {
				weights[lane] = maxWeight
			}
		}
		n := rng.IntN(len(tile) + 1)
		got, want := make([]uint32, n+1), make([]uint32, n+1)
		got[n], want[n] = 7, 7 // not to be written
		dot(&tile, &weights, got[:n])
		dotPortable(&tile, &weights, want[:n])
		if !slices.Equal(got, want) {
			t.Fatalf("%d columns: %v, want %v", n, got, want)
		}
	}
}
