package substring

import "math"

// Gold is the gold side. The zero Gold is that of the empty sequence. It builds its
// indexes on first use, so it is not safe for concurrent use.
type Gold struct {
	items     []int32
	symbols   int
	notes     [len(strides)]notes
	automaton automaton
	built     bool
}

// stride holds the distances between the positions that are indexed and those that are
// looked up, and the length of the pieces there.
type stride struct{ gold, other, piece int }

// strides are ordered by need. The two steps of a stride have no common divisor.
var strides = [...]stride{
	{1, 1, 1},
	{1, 1, 4},
	{1, 1, 8},
	{3, 2, 8},
	{2, 1, 16},
	{3, 2, 16},
	{4, 3, 16},
	{8, 7, 16},
	{16, 15, 16},
	{32, 31, 16},
	{64, 63, 16},
}

// first is the index of the stride to begin with. Most texts of one page share enough
// for it.
const first = 7

// need returns the length from which no shared substring is missed: of a·b consecutive
// positions, one is sampled on both sides.
func (s stride) need() int { return s.gold*s.other - 1 + s.piece }

// notes holds the indexed positions of the gold, in lists by hash.
type notes struct {
	made bool
	head []int32 // by hash: number of a location, plus one; 0 for none
	next []int32 // by number: the next one of the same hash, plus one
}

// Build makes g the gold side of items, which are 0 ≤ id < symbols. The slice is
// kept and must not change while g is in use. Memory of an earlier build is used
// again.
func (g *Gold) Build(items []int32, symbols int) {
	g.items, g.symbols, g.built = items, symbols, false
	for i := range g.notes {
		g.notes[i].made = false
	}
}

// budget is the number of comparisons for each item of both sides after which the
// automaton is used.
const budget = 8

// Longest is the length of the longest substring that items shares with the
// gold. Items outside the symbols of the gold match nothing.
func (g *Gold) Longest(items []int32) int {
	s := search{gold: g.items, other: items, left: budget*(len(g.items)+len(items)) + 1<<12, diagonal: math.MinInt}
	// In each round the strides down to the current one are finished: no shared
	// substring that is as long as they need is longer than the best.
	for at := first; ; {
		at = s.scan(g, at)
		if s.left < 0 {
			return g.ask(items)
		}
		if s.best+1 >= strides[at].need() {
			return s.best
		}
		for strides[at].need() > s.best+1 {
			at--
		}
	}
}

// ask finds the longest substring with the automaton.
func (g *Gold) ask(items []int32) int {
	if !g.built {
		g.automaton.Build(g.items, g.symbols)
		g.built = true
	}
	return g.automaton.Longest(items)
}

// search is one call of Longest.
type search struct {
	gold, other []int32
	best        int
	left        int // comparisons that may still be made

	// The substring found last: other[begin:end], on this diagonal.
	diagonal, begin, end int
}

// scan looks up locations from the front, with longer strides as soon as the best
// substring allows them. It returns the stride that it used last.
func (s *search) scan(g *Gold, at int) int {
	stride, table := strides[at], g.noted(at)
	for i := 0; i+stride.piece <= len(s.other) && s.left >= 0; i += stride.other {
		s.extend(table, stride, i)
		if at+1 == len(strides) || s.best+1 < strides[at+1].need() {
			continue
		}
		// A longer substring that has not been found yet begins where its first
		// position that is sampled on both sides may still be ahead.
		from := max(0, i-stride.need()+stride.piece+1)
		for at+1 < len(strides) && s.best+1 >= strides[at+1].need() {
			at++
		}
		stride, table = strides[at], g.noted(at)
		i = (from+stride.other-1)/stride.other*stride.other - stride.other // the next step begins there
	}
	return at
}

// extend lengthens the pieces of the gold that are equal to the one at i as far as both
// sides are equal.
func (s *search) extend(t *notes, stride stride, i int) {
	if len(t.next) == 0 {
		return
	}
	s.left--
	for n := t.head[hash(s.other[i:i+stride.piece])&uint64(len(t.head)-1)]; n != 0; n = t.next[n-1] {
		at := int(n-1) * stride.gold
		s.left -= 4 // the location is far from the one before
		if at-i == s.diagonal && s.begin <= i && i < s.end {
			continue // a part of the substring found last
		}
		length := commonPrefix(s.gold[at:], s.other[i:])
		s.left -= length
		if length < stride.piece {
			continue // another piece with this hash
		}
		back := 0
		for back < at && back < i && s.gold[at-back-1] == s.other[i-back-1] {
			back++
		}
		s.left -= back
		s.best = max(s.best, back+length)
		s.diagonal, s.begin, s.end = at-i, i-back, i+length
		if s.left < 0 {
			return
		}
	}
}

// noted returns the notes of a stride, built on first use.
func (g *Gold) noted(at int) *notes {
	t, s := &g.notes[at], strides[at]
	if t.made {
		return t
	}
	t.made = true
	count := 0
	if len(g.items) >= s.piece {
		count = (len(g.items)-s.piece)/s.gold + 1
	}
	size := 1
	for size < 2*count {
		size *= 2
	}
	t.head, t.next = resize(t.head, size), resize(t.next, count)
	clear(t.head)
	for n := count - 1; n >= 0; n-- {
		slot := &t.head[hash(g.items[n*s.gold:][:s.piece])&uint64(size-1)]
		t.next[n] = *slot
		*slot = int32(n + 1)
	}
	return t
}

func hash(items []int32) uint64 {
	var h, g uint64 // two chains, so that one product need not wait for the other
	for len(items) >= 2 {
		h = (h + uint64(uint32(items[0]))) * 0x9E3779B97F4A7C15
		g = (g + uint64(uint32(items[1]))) * 0xD6E8FEB86659FD93
		items = items[2:]
	}
	if len(items) > 0 {
		h = (h + uint64(uint32(items[0]))) * 0x9E3779B97F4A7C15
	}
	h ^= g
	h ^= h >> 32
	h *= 0x9E3779B97F4A7C15
	return h ^ h>>29
}

// commonPrefix returns the number of equal items at the start of s and t.
func commonPrefix(s, t []int32) int {
	n := min(len(s), len(t))
	s, t = s[:n], t[:n]
	for i := range s {
		if s[i] != t[i] {
			return i
		}
	}
	return n
}

// keepItems bounds the memory of a large page that is kept for the next one: beyond it,
// a table that is eight times too large is released.
const keepItems = 1 << 20

// resize returns s with length n, its content undefined.
func resize(s []int32, n int) []int32 {
	if cap(s) < n || cap(s) > keepItems && cap(s)/8 > n {
		return make([]int32, n)
	}
	return s[:n]
}
