// Package anchor finds runs that two sequences of item numbers have in common. Each
// begins with a piece that occurs exactly once on both sides. The runs form a chain
// that ascends on both sides and has the most items.
//
//	A   a b c X d e f g h Y i j k        unique pieces of 3: abc def efg fgh ijk
//	B   d e f g h Z a b c i j k          fragments: (0,6,3) (4,0,5) (10,9,3)
//	                                     chain:     (4,0,5) (10,9,3)
//
// It is the divide step of comparisons that are too long for a table (package
// lcs) and of alignments of texts that are mostly alike (package align). Time
// and memory are linear in the items, 16 bytes an item of A.
package anchor

import (
	"cmp"
	"math/bits"
	"slices"
)

// Fragment is a common run: Length items from A in one sequence and from B in
// the other.
type Fragment struct{ A, B, Length int32 }

// Finder holds the working memory. The zero Finder is ready.
type Finder struct {
	slots  []run
	found  []Fragment
	byB    []int32 // the fragments in the order of B
	items  []int32 // by fragment: of the best chain that ends with it
	before []int32 // … and the fragment before it there
	best   []int32 // tree of fragments whose chains have the most items
	chain  []Fragment
}

// run is a hash table entry. Positions are stored plus one.
type run struct {
	hash uint64
	a, b int32 // 0: not met; -1: met more than once
}

// keepSlots is the largest table that is kept for the next call.
const keepSlots = 1 << 20

// Chain returns the chain of fragments of at least piece items that has the most items.
// Each fragment is extended to the right as far as possible. Two neighbours may overlap
// on one side. The slice is valid until the next call.
func (f *Finder) Chain(a, b []int32, piece int) []Fragment {
	f.fragments(a, b, piece)
	if len(f.slots) > keepSlots {
		f.slots = nil
	}
	f.longest()
	return f.chain
}

// fragments fills found in the order of a.
func (f *Finder) fragments(a, b []int32, piece int) {
	f.found = f.found[:0]
	if len(a) < piece || len(b) < piece {
		return
	}
	size := 1 << bits.Len(uint(2*len(a)))
	if cap(f.slots) < size {
		f.slots = make([]run, size)
	}
	f.slots = f.slots[:size]
	clear(f.slots)
	each(a, piece, func(at int32, hash uint64) {
		s := f.slot(hash)
		s.hash = hash
		meet(&s.a, at)
	})
	each(b, piece, func(at int32, hash uint64) {
		if s := f.slot(hash); s.a != 0 {
			meet(&s.b, at)
		}
	})
	covered := int32(0) // items of a that the previous fragment covers
	each(a, piece, func(at int32, hash uint64) {
		s := f.slot(hash)
		if at < covered || s.a <= 0 || s.b <= 0 {
			return
		}
		i, j := int(at), int(s.b-1)
		for i < len(a) && j < len(b) && a[i] == b[j] {
			i, j = i+1, j+1
		}
		if length := int32(i) - at; int(length) >= piece { // else two pieces with one hash
			f.found = append(f.found, Fragment{at, s.b - 1, length})
			covered = int32(i)
		}
	})
}

// each calls f for every piece with a rolling hash.
func each(s []int32, piece int, f func(at int32, hash uint64)) {
	const base = 0x9E3779B97F4A7C15 // odd; products wrap at 2^64
	var hash, drop uint64 = 0, 1    // drop: base^piece
	for range piece {
		drop *= base
	}
	item := func(c int32) uint64 { return (uint64(uint32(c)) + 1) * 0xD6E8FEB86659FD93 }
	for i, c := range s {
		hash = hash*base + item(c)
		if i >= piece {
			hash -= drop * item(s[i-piece])
		}
		if i >= piece-1 {
			f(int32(i-piece+1), hash)
		}
	}
}

// slot returns the slot of hash, or the free one where it belongs.
func (f *Finder) slot(hash uint64) *run {
	mask := uint64(len(f.slots) - 1)
	for i := (hash ^ hash>>29) * 0xBF58476D1CE4E5B9 >> 20 & mask; ; i = (i + 1) & mask {
		if s := &f.slots[i]; s.a == 0 || s.hash == hash {
			return s
		}
	}
}

// meet stores position at in *side.
func meet(side *int32, at int32) {
	if *side == 0 {
		*side = at + 1
	} else {
		*side = -1
	}
}

// longest fills chain with the subsequence of found that ascends on both sides and has
// the most items, counted twice where two neighbours overlap. Of several it takes the
// one that ends earliest in B.
//
// For each prefix of B it stores the best chain that ends there, in a binary indexed
// tree over the ranks of B, so that a fragment costs the logarithm of their number.
func (f *Finder) longest() {
	f.chain = f.chain[:0]
	n := len(f.found)
	f.byB = slices.Grow(f.byB[:0], n)[:n]
	f.before = slices.Grow(f.before[:0], n)[:n]
	f.items = slices.Grow(f.items[:0], n)[:n]
	f.best = slices.Grow(f.best[:0], n+1)[:n+1]
	for i := range f.byB {
		f.byB[i] = int32(i)
	}
	slices.SortFunc(f.byB, func(x, y int32) int { return cmp.Compare(f.found[x].B, f.found[y].B) })
	rank := f.before // until the fragment is looked at
	for k, i := range f.byB {
		rank[i] = int32(k)
	}
	for k := range f.best {
		f.best[k] = none
	}
	last := none
	for i, x := range f.found {
		at := rank[i]
		before := none // with the most items of the chains that end before x on both sides
		for k := at; k > 0; k -= k & -k {
			before = f.longer(before, f.best[k])
		}
		f.before[i], f.items[i] = before, x.Length
		if before != none {
			f.items[i] += f.items[before]
		}
		for k := at + 1; int(k) <= n; k += k & -k {
			f.best[k] = f.longer(f.best[k], int32(i))
		}
		last = f.longer(last, int32(i))
	}
	for i := last; i != none; i = f.before[i] {
		f.chain = append(f.chain, f.found[i])
	}
	slices.Reverse(f.chain)
}

// none means that there is no fragment.
const none = int32(-1)

// longer returns the one of two fragments whose chain has more items, or the earlier
// one in B if both have as many.
func (f *Finder) longer(x, y int32) int32 {
	if x == none || y != none && (f.items[y] > f.items[x] || f.items[y] == f.items[x] && f.found[y].B < f.found[x].B) {
		return y
	}
	return x
}

// Gaps calls match for the part of each fragment of chain that does not overlap
// with what came before, and gap for what lies between (either side may be
// empty), all in order: together they cover [0, a) and [0, b).
func Gaps(chain []Fragment, a, b int, match func(Fragment), gap func(aFrom, aTo, bFrom, bTo int)) {
	i, j := 0, 0
	for _, f := range chain {
		skip := max(i-int(f.A), j-int(f.B), 0)
		if skip >= int(f.Length) {
			continue
		}
		f = Fragment{f.A + int32(skip), f.B + int32(skip), f.Length - int32(skip)}
		gap(i, int(f.A), j, int(f.B))
		match(f)
		i, j = int(f.A+f.Length), int(f.B+f.Length)
	}
	gap(i, a, j, b)
}
