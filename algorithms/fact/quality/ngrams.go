package quality

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// interner gives equal parts of a text the same number, counted from 1 in order of
// first occurrence. Numbers do not depend on the keys of its hashes, which are random so
// that nobody can write a text whose parts collide.
type interner struct {
	table
	seed   maphash.Seed
	secret [2]uint64
	seeded bool
	parts  []span // by number, where the part is first
	marked []bool // by number, for the caller
}

// startInterning forgets all parts and makes room for atMost others.
func (t *interner) startInterning(atMost int) {
	if !t.seeded {
		t.seed, t.seeded = maphash.MakeSeed(), true
		for i := range t.secret {
			t.secret[i] = maphash.Comparable(t.seed, i) | 1
		}
	}
	t.start(atMost)
	t.parts, t.marked = append(t.parts[:0], span{}), append(t.marked[:0], false)
}

// hash mixes a key with random numbers.
func (t *interner) hash(key uint64) uint64 {
	high, low := bits.Mul64(key^t.secret[0], t.secret[1])
	return high ^ low
}

// intern returns the number of a part of text and whether it was known. The key of a part
// of up to eight bytes, as most words are, is these bytes themselves.
func (t *interner) intern(text []byte, part span) (number int32, known bool) {
	size := part.end - part.start
	var key uint64
	switch {
	case size > 8:
		key = maphash.Bytes(t.seed, text[part.start:part.end])
	case int(part.start)+8 <= len(text):
		key = binary.LittleEndian.Uint64(text[part.start:]) & (1<<(8*size) - 1)
	default:
		for i, c := range text[part.start:part.end] {
			key |= uint64(c) << (8 * i)
		}
	}
	hash, mask := t.hash(key), uint64(len(t.slots)-1)
	tag := t.tag(hash)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := t.slots[i]
		if s&^(1<<32-1) == tag {
			number = int32(uint32(s))
			p := t.parts[number]
			if t.keys[number] == key && p.end-p.start == size && (size <= 8 || bytes.Equal(text[p.start:p.end], text[part.start:part.end])) {
				return number, true
			}
		} else if s>>48 != t.turn {
			t.parts = append(t.parts, part)
			t.marked = append(t.marked, false)
			return t.add(i, tag, key), false
		}
	}
}

// table is a hash table with open addressing. A slot has the turn in which it was filled,
// so that a new turn forgets all slots at once, then 16 bits of the hash, and the number
// of the key. Slots are small because the table is cold in the caches on every page.
type table struct {
	slots []uint64
	keys  []uint64 // by number; numbers begin at 1
	turn  uint64   // 16 bits
}

// start forgets all slots and makes room for atMost others.
func (t *table) start(atMost int) {
	size := 1 << bits.Len(uint(max(atMost+atMost/4, 16)-1))
	if cap(t.slots) < size {
		t.slots = make([]uint64, size)
	}
	t.slots = t.slots[:size]
	t.keys = append(t.keys[:0], 0)
	if t.turn++; t.turn == 1<<16 {
		clear(t.slots[:cap(t.slots)])
		t.turn = 1
	}
}

// tag is the upper half of a slot for a hash.
func (t *table) tag(hash uint64) uint64 { return t.turn<<48 | hash>>48<<32 }

// add fills the free slot i and returns its number.
func (t *table) add(i, tag, key uint64) int32 {
	number := int32(len(t.keys))
	t.slots[i] = tag | uint64(number)
	t.keys = append(t.keys, key)
	return number
}

// grams numbers n-grams for one n after the other.
type grams struct {
	at     []int32 // where repeated n-grams begin, ascending
	id     []int32 // by word, the number of the n-gram that begins there; 0 if it is not repeated
	count  []int32 // by number
	pairs  table   // from the numbers of two n-grams to that of the n+1-gram
	seen   []bool
	number []int32
}

// repetition fills in what Gopher says of n-grams.
func (m *Meter) repetition(s *Signals, text []byte, characters float64) {
	if len(m.words) == 0 {
		return
	}
	g := &m.grams
	g.at, g.number, g.count = g.at[:0], g.number[:0], append(g.count[:0], 0)
	g.id = append(g.id[:0], make([]int32, len(m.words)+1)...) // behind the last word begins nothing
	for i, w := range m.words {
		number, known := m.intern(text, w)
		if !known {
			g.count = append(g.count, 0)
		}
		g.count[number]++
		g.at = append(g.at, int32(i))
		g.number = append(g.number, number)
	}
	for number, w := range m.parts {
		if isStopWord(text[w.start:w.end]) {
			s.StopWords += int64(g.count[number])
		}
	}
	g.keepRepeated()
	for n := 2; n <= 10 && n <= len(m.words); n++ {
		m.extend()
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
func (m *Meter) extend() {
	g := &m.grams
	t := &g.pairs
	t.start(len(g.at))
	g.count, g.number = append(g.count[:0], 0), g.number[:0]
	mask := uint64(len(t.slots) - 1)
	for _, at := range g.at {
		number := int32(0)
		if next := g.id[at+1]; next != 0 {
			key := uint64(g.id[at])<<32 | uint64(next)
			hash := m.hash(key)
			tag := t.tag(hash)
			for i := hash & mask; ; i = (i + 1) & mask {
				s := t.slots[i]
				if number = int32(uint32(s)); s&^(1<<32-1) == tag && t.keys[number] == key {
					break
				}
				if s>>48 != t.turn {
					number = t.add(i, tag, key)
					g.count = append(g.count, 0)
					break
				}
			}
			g.count[number]++
		}
		g.number = append(g.number, number)
	}
	g.keepRepeated()
}

// keepRepeated leaves those n-grams in at that occur more than once: g.number has those
// that begin at g.at. Which ones do cannot be predicted, so there are no branches.
func (g *grams) keepRepeated() {
	kept := 0
	for i, at := range g.at {
		number, repeated := g.number[i], 0
		if g.count[number] > 1 {
			repeated = 1
		}
		g.id[at] = number * int32(repeated)
		g.at[kept] = at
		kept += repeated
	}
	g.at = g.at[:kept]
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
