package quality

import (
	"bytes"
	"math/bits"
	"slices"

	"github.com/winnow/winnow/algorithms"
)

// table numbers keys, which are hashes, from 1 on in the order in which they come first.
// A slot has the turn in which it was filled, so that a new turn forgets all slots at once.
type table struct {
	slots []slot
	shift uint // of a key, to its slot
	turn  uint32
	last  int32 // number
}

type slot struct {
	key    uint64
	turn   uint32
	number int32
}

// start forgets all keys and makes room for atMost others.
func (t *table) start(atMost int) {
	width := bits.Len(uint(max(2*atMost, 16) - 1))
	if size := 1 << width; cap(t.slots) < size {
		t.slots = make([]slot, size)
	} else {
		t.slots = t.slots[:size]
	}
	t.shift, t.last = uint(64-width), 0
	if t.turn++; t.turn == 0 {
		clear(t.slots[:cap(t.slots)])
		t.turn = 1
	}
}

// number returns the number of a key and whether it was known.
func (t *table) number(key uint64) (number int32, known bool) {
	mask := len(t.slots) - 1
	for i := int(key >> (t.shift & 63)); ; i++ {
		s := &t.slots[i&mask]
		if s.turn != t.turn {
			t.last++
			*s = slot{key, t.turn, t.last}
			return t.last, false
		}
		if s.key == key {
			return s.number, true
		}
	}
}

// enter is number for keys of which it cannot be predicted whether they are known: its caller
// has no branch that depends on it.
func (t *table) enter(key uint64) int32 {
	mask := len(t.slots) - 1
	for i := int(key >> (t.shift & 63)); ; i++ {
		s := &t.slots[i&mask]
		if s.turn == t.turn && s.key != key {
			continue
		}
		number := s.number
		if s.turn != t.turn {
			number = t.last + 1
		}
		t.last = max(t.last, number)
		*s = slot{key, t.turn, number}
		return number
	}
}

// parts tells whether a line or a paragraph was there before. Other than n-grams, whose
// hashes stand for them, they are compared: the key of a part does not know of the white
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

// repeats says whether m.text[from:to] was given before with the same key.
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
	filter []onceOrTwice
}

// onceOrTwice has the bits of hashes that came, and of those that came again.
type onceOrTwice struct{ once, twice uint64 }

// repetition fills in what Gopher says of n-grams.
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

// pairs finds the words at which a repeated pair may begin: those whose hash shares a bit
// with that of another pair, which one pair in 16 does by chance. There are no branches,
// because which pairs are repeated cannot be predicted.
func (m *Meter) pairs() {
	g, words := &m.grams, len(m.hashes)
	width := bits.Len(uint(max(words/4, 2) - 1))
	g.filter = algorithms.Zeros(g.filter, 1<<width)
	g.id = algorithms.Zeros(g.id, words+1) // behind the last word begins nothing
	g.key, g.at = slices.Grow(g.key[:0], words)[:words-1], slices.Grow(g.at[:0], words)[:words-1]
	for i, hash := range m.hashes[:words-1] {
		key := hash*factor + m.hashes[i+1]
		g.key[i] = key
		f, bit := &g.filter[key>>(64-width&63)], uint64(1)<<(key>>(58-width&63)&63)
		f.twice |= f.once & bit
		f.once |= bit
	}
	kept := 0
	for i, key := range g.key {
		g.at[kept] = int32(i)
		kept += int(g.filter[key>>(64-width&63)].twice >> (key >> (58 - width&63) & 63) & 1)
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
	for _, at := range g.at {
		number := g.table.enter(g.key[at])
		g.count[number]++
		g.id[at] = number
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
