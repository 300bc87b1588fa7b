package lcs

import (
	"slices"
	"sort"
)

// runLength is the length of the runs that anchors are made of: long enough
// that a run which both sides have once is almost never a coincidence.
const runLength = 32

// fragment is a common run: length items from g in one sequence and e in the other.
type fragment struct{ g, e, length int32 }

// part compares pieces of a gold sequence: its own masks over the piece's
// symbols, numbered anew.
type part struct {
	masks   Masks
	scratch *Scratch // made on first use: a Scratch holds a part
	number  []int32  // new number + 1 of a symbol; 0 for none
	gold, e []int32
}

// anchored returns the length of a common subsequence of g and e that goes
// through the longest chain of fragments, exact within each gap between them
// as long as the budget of cells lasts.
func (p *part) anchored(g, e []int32, symbols, cells int) (int, Method) {
	method := Anchored
	total, gAt, eAt := 0, 0, 0
	gap := func(gEnd, eEnd int) {
		length, used, ok := p.length(g[gAt:gEnd], e[eAt:eEnd], symbols, cells)
		total += length
		cells -= used
		if !ok {
			method = Partial
		}
	}
	for _, f := range chain(fragments(g, e)) {
		// Fragments of a chain may overlap on one side.
		skip := max(gAt-int(f.g), eAt-int(f.e), 0)
		if skip >= int(f.length) {
			continue
		}
		gap(int(f.g)+skip, int(f.e)+skip)
		total += int(f.length) - skip
		gAt, eAt = int(f.g+f.length), int(f.e+f.length)
	}
	gap(len(g), len(e))
	return total, method
}

// length is the LCS length of g and e, the cells it took, and whether the
// budget was enough; if it was not, only the equal ends are counted.
func (p *part) length(g, e []int32, symbols, cells int) (length, used int, ok bool) {
	whole := Masks{gold: g}
	lo, hi, e := whole.trim(e)
	ends := lo + len(g) - hi
	g = g[lo:hi]
	switch {
	case len(g) == 0 || len(e) == 0:
		return ends, 0, true
	case len(g) > MaxItems || len(g) > cells/len(e):
		return ends, 0, false
	}
	p.number = resize(p.number, symbols)
	p.renumber(g, e)
	if p.scratch == nil {
		p.scratch = new(Scratch)
	}
	return ends + p.masks.Length(p.scratch, p.e), len(g) * len(e), true
}

// renumber makes the masks of g over its own symbols and p.e the items of e by
// the same numbers, -1 for those that g lacks.
func (p *part) renumber(g, e []int32) {
	p.gold, p.e = p.gold[:0], p.e[:0]
	next := int32(0)
	for _, c := range g {
		if p.number[c] == 0 {
			next++
			p.number[c] = next
		}
		p.gold = append(p.gold, p.number[c]-1)
	}
	for _, c := range e {
		n := int32(0)
		if uint32(c) < uint32(len(p.number)) {
			n = p.number[c]
		}
		p.e = append(p.e, n-1)
	}
	for _, c := range g {
		p.number[c] = 0
	}
	p.masks.Build(p.gold, int(next))
}

// fragments returns the common runs of at least runLength items that begin with
// a run which both sequences have exactly once, in the order of g.
func fragments(g, e []int32) []fragment {
	if len(g) < runLength || len(e) < runLength {
		return nil
	}
	table := newRuns(len(g) - runLength + 1)
	eachRun(g, func(at int32, hash uint64) { meet(&table.slot(hash, true).g, at) })
	eachRun(e, func(at int32, hash uint64) {
		if s := table.slot(hash, false); s != nil {
			meet(&s.e, at)
		}
	})
	var out []fragment
	covered := int32(0) // of g, by the fragment before
	eachRun(g, func(at int32, hash uint64) {
		s := table.slot(hash, false)
		if at < covered || s.g <= 0 || s.e <= 0 {
			return
		}
		i, j := at, s.e-1
		for int(i) < len(g) && int(j) < len(e) && g[i] == e[j] {
			i, j = i+1, j+1
		}
		if i-at >= runLength { // else two runs with one hash
			out = append(out, fragment{at, s.e - 1, i - at})
			covered = i
		}
	})
	return out
}

// eachRun calls f for every run of runLength items with a rolling hash.
func eachRun(s []int32, f func(at int32, hash uint64)) {
	const base = 0x9E3779B97F4A7C15 // odd; products wrap at 2^64
	var hash, drop uint64 = 0, 1    // drop: base^runLength
	for range runLength {
		drop *= base
	}
	item := func(c int32) uint64 { return (uint64(uint32(c)) + 1) * 0xD6E8FEB86659FD93 }
	for i, c := range s {
		hash = hash*base + item(c)
		if i >= runLength {
			hash -= drop * item(s[i-runLength])
		}
		if i >= runLength-1 {
			f(int32(i-runLength+1), hash)
		}
	}
}

// runs is a hash table of runs. Places are kept plus one.
type runs struct{ slots []run }

type run struct {
	hash uint64
	g, e int32 // 0: not met; -1: met more than once
}

func newRuns(n int) runs {
	size := 1
	for size < 2*n {
		size *= 2
	}
	return runs{make([]run, size)}
}

// slot is the slot of hash; nil if there is none and none is wanted.
func (t runs) slot(hash uint64, want bool) *run {
	mask := uint64(len(t.slots) - 1)
	for i := (hash ^ hash>>29) * 0xBF58476D1CE4E5B9 >> 20 & mask; ; i = (i + 1) & mask {
		s := &t.slots[i]
		switch {
		case s.g == 0:
			if !want {
				return nil
			}
			s.hash = hash
			return s
		case s.hash == hash:
			return s
		}
	}
}

// meet notes place at in *side.
func meet(side *int32, at int32) {
	if *side == 0 {
		*side = at + 1
	} else {
		*side = -1
	}
}

// chain is the longest subsequence of fs that goes up on both sides; fs goes up
// on the side of g. Among equally long chains it is the one whose ends come
// earliest (patience sorting).
func chain(fs []fragment) []fragment {
	if len(fs) == 0 {
		return nil
	}
	var ends []int32 // ends[k]: the fragment that ends a chain of k+1 with the smallest e
	before := make([]int32, len(fs))
	for i, f := range fs {
		k := sort.Search(len(ends), func(k int) bool { return fs[ends[k]].e >= f.e })
		before[i] = -1
		if k > 0 {
			before[i] = ends[k-1]
		}
		if k == len(ends) {
			ends = append(ends, int32(i))
		} else {
			ends[k] = int32(i)
		}
	}
	out := make([]fragment, 0, len(ends))
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		out = append(out, fs[i])
	}
	slices.Reverse(out)
	return out
}
