package bevendorff

// pair is a gold sentence and an extracted one, by number.
type pair struct{ gold, other int32 }

// pairs holds the positions that gold sentences have in common with extracted ones, for
// the pairs that were compared on a page. Most extractions of a page have most of their
// sentences in common, so most pairs occur again.
type pairs struct {
	slots []slot // a power of two, at most half full
	count int
	bits  []uint64
}

// slot holds a pair. Its field at is the index of the pair's positions in bits plus
// one, or 0 if the slot is free.
type slot struct {
	pair
	at int32
}

// keepPairs bounds the memory of a page, which is 16 to 40 bytes a pair. Pairs beyond
// the bound are compared each time.
const keepPairs = 1 << 18

// keepSlots is the largest table that is kept for the next page.
const keepSlots = 1 << 15

func (k *pairs) reset() {
	if len(k.slots) > keepSlots {
		*k = pairs{}
		return
	}
	clear(k.slots)
	k.count, k.bits = 0, k.bits[:0]
}

// place returns the slot that holds p, or the free slot where p belongs.
func (k *pairs) place(p pair) *slot {
	mask := uint64(len(k.slots) - 1)
	h := (uint64(uint32(p.gold))<<32 | uint64(uint32(p.other))) * 0x9E3779B97F4A7C15
	for i := (h ^ h>>32) & mask; ; i = (i + 1) & mask {
		if s := &k.slots[i]; s.at == 0 || s.pair == p {
			return s
		}
	}
}

// find returns the positions of p, which take the given number of words.
func (k *pairs) find(p pair, words int) ([]uint64, bool) {
	if len(k.slots) == 0 {
		return nil, false
	}
	at := k.place(p).at
	if at == 0 {
		return nil, false
	}
	return k.bits[at-1:][:words], true
}

// keep stores the positions of p, which must not be stored yet.
func (k *pairs) keep(p pair, positions []uint64) {
	if k.count == keepPairs || len(k.bits)+len(positions) > 2*keepPairs {
		return
	}
	if k.count*2 >= len(k.slots) {
		old := k.slots
		k.slots = make([]slot, max(1<<10, 2*len(old)))
		for _, s := range old {
			if s.at != 0 {
				*k.place(s.pair) = s
			}
		}
	}
	*k.place(p) = slot{p, int32(len(k.bits)) + 1}
	k.bits = append(k.bits, positions...)
	k.count++
}
