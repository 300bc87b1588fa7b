package rtdmtd

import "hash/maphash"

// costs remembers the cost of pairs of subtrees by their hashes, because the rows of a
// list mostly have equal structure and are then compared only once. It is a table with
// open addressing. Entries of earlier mappings have another turn.
type costs struct {
	slots []known
	used  int
	turn  uint32
}

type known struct {
	a, b uint64 // hashes of the subtrees
	cost int32
	turn uint32
}

const (
	// keepCosts bounds the memory that is kept for the next mapping.
	keepCosts = 1 << 14
	// cheapCosts is how many costs are remembered however few steps they took to find.
	// Beyond it only costs that took worthKeeping steps are remembered.
	cheapCosts   = 1 << 17
	worthKeeping = 32
)

// spread is a random number that scatters pairs over the table; no result depends on
// it. Pages can choose their hashes, and without it they could make them collide.
var spread = maphash.Bytes(maphash.MakeSeed(), nil) | 1

func (c *costs) reset() {
	if len(c.slots) > keepCosts {
		c.slots = nil
	}
	c.used = 0
	if c.turn++; c.turn == 0 { // after 2^32 mappings
		clear(c.slots)
		c.turn = 1
	}
}

// find returns the entry of a pair, or a free one.
func (c *costs) find(a, b uint64) *known {
	mask := uint64(len(c.slots) - 1)
	i := (a + b*spread) * spread >> 24 & mask
	for {
		k := &c.slots[i]
		if k.turn != c.turn || k.a == a && k.b == b {
			return k
		}
		i = (i + 1) & mask
	}
}

func (c *costs) get(a, b uint64) (cost int32, ok bool) {
	if c.used == 0 {
		return 0, false
	}
	k := c.find(a, b)
	return k.cost, k.turn == c.turn
}

// put remembers a cost that took the given number of steps to find.
func (c *costs) put(a, b uint64, cost int32, steps int) {
	if c.used >= cheapCosts && steps < worthKeeping {
		return
	}
	if 2*(c.used+1) > len(c.slots) {
		old := c.slots
		c.slots = make([]known, max(256, 2*len(old)))
		for _, k := range old {
			if k.turn == c.turn {
				*c.find(k.a, k.b) = k
			}
		}
	}
	*c.find(a, b) = known{a, b, cost, c.turn}
	c.used++
}
