package quality

import (
	"bytes"
	"math/bits"
	"slices"

	"github.com/winnow/winnow/algorithms"
)

// table numbers keys, which are hashes, from 1 on in the order in which they come first.
type table struct {
	slots []int32  // numbers, each where its key leads to or after; 0 in free slots
	keys  []uint64 // by number
	shift uint     // a key shifted right by it is the first slot to try
}

// start forgets all keys and makes room for atMost others.
func (t *table) start(atMost int) {
	width := bits.Len(uint(max(4*atMost, 16) - 1))
	t.slots = algorithms.Zeros(t.slots, 1<<width)
	t.keys = slices.Grow(t.keys[:0], atMost+2)[:1] // none has number 0
	t.shift = uint(64 - width)
}

// number returns the number of a key and whether it was known.
func (t *table) number(key uint64) (number int32, known bool) {
	mask := len(t.slots) - 1
	for i := int(key >> (t.shift & 63)); ; i++ {
		slot := &t.slots[i&mask]
		if *slot == 0 {
			*slot = int32(len(t.keys))
			t.keys = append(t.keys, key)
			return *slot, false
		}
		if t.keys[*slot] == key {
			return *slot, true
		}
	}
}

// numbers sets number[at] to the number of key[at], for each at of a list, as the method
// number does. Whether a key is known cannot be predicted, so no branch depends on it: a
// key is compared with the one in its slot or, if that is free, with itself.
func (t *table) numbers(number []int32, key []uint64, list []int32) {
	slots, mask, shift := t.slots, len(t.slots)-1, t.shift&63
	next := int32(len(t.keys))
	keys := t.keys[:int(next)+len(list)+1]
	for _, at := range list {
		k := key[at]
		keys[next] = k
		i := int(k>>shift) & mask
		found := slots[i]
		if found == 0 {
			found = next
		}
		for keys[found] != k {
			i = (i + 1) & mask
			if found = slots[i]; found == 0 {
				found = next
			}
		}
		slots[i] = found
		number[at] = found
		next = max(next, found+1)
	}
	t.keys = keys[:next]
}

// parts tells whether a line or a paragraph was there before. Other than n-grams, whose
// hashes represent them, they are compared: the key of a part does not include the white
// space between its words.
type parts struct {
	table
	spans []span // by number
}

type span struct{ from, to int }

func (p *parts) start(atMost int) {
	p.table.start(atMost)
	p.spans = append(p.spans[:0], span{})
}

// repeats reports whether m.text[from:to] was given before with the same key.
func (m *Meter) repeats(p *parts, key uint64, from, to int) bool {
	for {
		number, known := p.number(key)
		if !known {
			p.spans = append(p.spans, span{from, to})
			return false
		}
		if s := p.spans[number]; bytes.Equal(m.text[s.from:s.to], m.text[from:to]) {
			return true
		}
		key = m.mix(key ^ 1)
	}
}

// grams counts n-grams for one n after the other. An n-gram is known by a hash of the
// hashes of its words: of a million different ones, two have the same hash once in thirty
// million texts.
type grams struct {
	table
	key    []uint64 // by word, the hash of the n-gram that begins there
	at     []int32  // where repeated n-grams begin, ascending
	id     []int32  // by word, the number of the n-gram that begins there; 0 if it is not repeated
	count  []int32  // by number
	seen   []bool   // by number
	filter []uint8  // by the first bits of a key: 0 before it comes, 1 when it came once, then more
}

// repetition fills in Gopher's signals of n-grams.
func (m *Meter) repetition(s *Signals, characters float64) {
	words := len(m.hashes)
	if words < 2 {
		return
	}
	m.pairs()
	for n := 2; n <= 10 && n <= words; n++ {
		if m.countAll(n); n <= 4 {
			s.TopNGramCharacterFraction[n-2] = float64(m.top(n)) / characters
		} else {
			s.DuplicateNGramCharacterFraction[n-5] = float64(m.duplicates(n)) / characters
		}
	}
}

// pairs finds the words at which a repeated pair may begin: those whose hash shares a place
// of the filter with that of another pair, which about one pair in ten does by chance. There
// are no branches, because which pairs are repeated cannot be predicted.
func (m *Meter) pairs() {
	g, words := &m.grams, len(m.hashes)
	width := bits.Len(uint(8*words - 1))
	g.filter = algorithms.Zeros(g.filter, 1<<width)
	g.id = algorithms.Zeros(g.id, words+1) // after the last word begins nothing
	g.key, g.at = slices.Grow(g.key[:0], words)[:words-1], slices.Grow(g.at[:0], words)[:words-1]
	filter, shift := g.filter, uint(64-width)&63
	hash := m.hashes[0]
	for i, next := range m.hashes[1:words] {
		key := hash*factor + next
		hash = next
		g.key[i] = key
		f := &filter[key>>shift]
		*f = 2**f | 1
	}
	kept := 0
	for i, key := range g.key {
		g.at[kept] = int32(i)
		kept += int(filter[key>>shift] >> 1 & 1)
	}
	g.at = g.at[:kept]
}

// countAll counts the n-grams that begin at g.at and keeps those that are repeated. For
// n above 2, g.at has the repeated n-grams of a word less: an n-gram can only be repeated
// if both that it consists of are. Which are kept is decided without a branch.
func (m *Meter) countAll(n int) {
	g := &m.grams
	if n > 2 {
		kept := 0
		for _, at := range g.at {
			both := min(g.id[at+1], 1)
			g.id[at] *= both // the number of a word less until this one has its own
			g.key[at] = g.key[at]*factor + m.hashes[min(int(at)+n, len(m.hashes))-1]
			g.at[kept] = at
			kept += int(both)
		}
		g.at = g.at[:kept]
	}
	g.start(len(g.at))
	g.count = algorithms.Zeros(g.count, len(g.at)+1)
	g.table.numbers(g.id, g.key, g.at)
	for _, at := range g.at {
		g.count[g.id[at]]++
	}
	kept := 0
	for _, at := range g.at {
		repeated := min(g.count[g.id[at]]-1, 1)
		g.id[at] *= repeated
		g.at[kept] = at
		kept += int(repeated)
	}
	g.at = g.at[:kept]
}

// top returns the characters of all occurrences of the most frequent n-gram, the first of
// the text if none is repeated.
func (m *Meter) top(n int) int64 {
	first, most := int32(0), int32(1)
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
	if len(g.at) == 0 {
		return 0
	}
	g.seen = algorithms.Zeros(g.seen, len(g.count))
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
