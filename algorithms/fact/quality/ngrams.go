package quality

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// interner gives equal parts of a text the same number, counted from 0 in order of
// first occurrence. Numbers do not depend on the seed of its hash, which is random so
// that nobody can write a text whose parts collide.
type interner struct {
	slots  []slot
	seed   maphash.Seed
	seeded bool
	keys   int32
	marked []bool // by number, for the caller
}

type slot struct {
	hash uint32
	key  span
	id   int32 // number + 1; 0 if the slot is free
}

// startInterning forgets all parts and makes room for atMost others.
func (t *interner) startInterning(atMost int) {
	if !t.seeded {
		t.seed, t.seeded = maphash.MakeSeed(), true
	}
	t.slots = sized(t.slots, 2*atMost)
	clear(t.slots)
	t.marked, t.keys = t.marked[:0], 0
}

// intern returns the number of text[key.start:key.end] and whether it was known.
func (t *interner) intern(text []byte, key span) (id int32, known bool) {
	b := text[key.start:key.end]
	h := maphash.Bytes(t.seed, b)
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := &t.slots[i]
		if s.id == 0 {
			*s = slot{uint32(h >> 32), key, t.keys + 1}
			t.keys++
			t.marked = append(t.marked, false)
			return t.keys - 1, false
		}
		if s.hash == uint32(h>>32) && bytes.Equal(text[s.key.start:s.key.end], b) {
			return s.id - 1, true
		}
	}
}

// sized returns a slice whose length is a power of two and at least n, in the memory of
// old if it suffices.
func sized[T any](old []T, n int) []T {
	size := 1 << bits.Len(uint(max(n, 16)-1))
	if cap(old) >= size {
		return old[:size]
	}
	return make([]T, size)
}

// grams numbers n-grams for one n after the other.
type grams struct {
	at     []int32 // where repeated n-grams begin, ascending
	id     []int32 // by word, the number of the n-gram that begins there; -1 if it is not repeated
	count  []int32 // by number
	pairs  []pair
	key    [2]uint64
	keyed  bool
	seen   []bool
	number []int32
}

// pair is a slot of a table from two numbers of n-grams to that of the n+1-gram.
type pair struct {
	key uint64
	id  int32 // number + 1; 0 if the slot is free
}

// repetition fills in what Gopher says of n-grams.
func (m *Meter) repetition(s *Signals, text []byte, characters float64) {
	if len(m.words) == 0 {
		return
	}
	g := &m.grams
	g.at, g.id, g.count = g.at[:0], g.id[:0], g.count[:0]
	for _, w := range m.words {
		id, known := m.intern(text, w)
		if !known {
			g.count = append(g.count, 0)
		}
		g.count[id]++
		g.id = append(g.id, id)
	}
	for i, id := range g.id {
		if g.count[id] > 1 {
			g.at = append(g.at, int32(i))
		} else {
			g.id[i] = -1
		}
	}
	if !g.keyed {
		var b [8]byte
		for i := range g.key {
			binary.LittleEndian.PutUint64(b[:], uint64(i))
			g.key[i] = maphash.Bytes(m.seed, b[:])
		}
		g.keyed = true
	}
	for n := 2; n <= 10 && n <= len(m.words); n++ {
		g.extend()
		switch {
		case n <= 4:
			s.TopNGramCharacterFraction[n-2] = float64(m.top(n)) / characters
		default:
			s.DuplicateNGramCharacterFraction[n-5] = float64(m.duplicates(n)) / characters
		}
	}
}

// extend goes on from n-grams to those of a word more. Such an n-gram can only be
// repeated if the two n-grams that it consists of are.
func (g *grams) extend() {
	g.count = g.count[:0]
	g.pairs = sized(g.pairs, 2*len(g.at))
	clear(g.pairs)
	mask := uint64(len(g.pairs) - 1)
	g.number = g.number[:0]
	for _, at := range g.at {
		if int(at)+1 >= len(g.id) || g.id[at+1] < 0 {
			g.number = append(g.number, -1)
			continue
		}
		key := uint64(g.id[at])<<32 | uint64(g.id[at+1])
		high, low := bits.Mul64(key^g.key[0], g.key[1]|1)
		for i := (high ^ low) & mask; ; i = (i + 1) & mask {
			p := &g.pairs[i]
			if p.id == 0 {
				*p = pair{key, int32(len(g.count)) + 1}
				g.count = append(g.count, 0)
			}
			if p.key == key {
				g.count[p.id-1]++
				g.number = append(g.number, p.id-1)
				break
			}
		}
	}
	g.keepRepeated(g.number)
}

// keepRepeated leaves those n-grams in at that occur more than once. Numbers are those
// of the n-grams that begin at g.at.
func (g *grams) keepRepeated(numbers []int32) {
	kept := g.at[:0]
	for i, at := range g.at {
		if id := numbers[i]; id >= 0 && g.count[id] > 1 {
			g.id[at] = id
			kept = append(kept, at)
		} else {
			g.id[at] = -1
		}
	}
	g.at = kept
}

// top returns the characters of all occurrences of the most frequent n-gram.
func (m *Meter) top(n int) int64 {
	first, most := int32(0), int32(1) // the first n-gram of the text, if none is repeated
	for _, at := range m.at {
		if c := m.count[m.id[at]]; c > most {
			first, most = at, c
		}
	}
	return int64(most) * int64(m.length[int(first)+n]-m.length[first]+int32(n-1))
}

// duplicates returns the characters of n-grams that were read before, without counting
// any twice.
func (m *Meter) duplicates(n int) int64 {
	g := &m.grams
	g.seen = append(g.seen[:0], make([]bool, len(g.count))...)
	sum, next := int64(0), int32(0)
	for _, at := range g.at {
		switch id := g.id[at]; {
		case at < next:
		case g.seen[id]:
			sum += int64(m.length[int(at)+n] - m.length[at])
			next = at + int32(n)
		default:
			g.seen[id] = true
		}
	}
	return sum
}
