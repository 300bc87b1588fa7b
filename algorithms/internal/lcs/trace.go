package lcs

import "slices"

// Pair is a position in each of two sequences where they have the same item.
type Pair struct{ G, E int32 }

// maxTrace is the most words of V, for all items of e together, of a walk that is not
// divided. A table stores fewer, but a divided walk takes another of the longest
// subsequences.
const maxTrace = 8 << 20

// traceCells is the most cells that Trace computes, equal ends left out. They take some
// seconds.
const traceCells = 1 << 34

// Trace appends to dst the pairs of one longest common subsequence of g and e, in
// order. The items of g are 0 ≤ id < symbols. Of all longest ones it takes the one that
// a walk from the end finds which pairs items where they are equal, and otherwise
// leaves out an item of g unless that would lose a pair.
//
// Where V after every item of e would take more than 64 MB it divides e in two and
// g where the two halves have most in common (Hirschberg 1975), and may then take
// another of the longest ones. Beyond traceCells it appends nothing and reports
// false.
func Trace(dst []Pair, g, e []int32, symbols int) (pairs []Pair, ok bool) {
	whole := Masks{gold: g}
	if lo, hi, rest := whole.trim(e); len(rest) > 0 && hi-lo > traceCells/len(rest) {
		return dst, false
	}
	var t tracer
	t.number = make([]int32, symbols)
	return t.trace(dst, g, e, 0, 0), true
}

type tracer struct {
	part
	table Table
}

// trace appends the pairs of g and e, which begin at g0 and e0 of the whole.
func (t *tracer) trace(dst []Pair, g, e []int32, g0, e0 int) []Pair {
	whole := Masks{gold: g}
	lo, hi, rest := whole.trim(e)
	for i := range lo {
		dst = append(dst, Pair{int32(g0 + i), int32(e0 + i)})
	}
	if mid := g[lo:hi]; len(mid) > 0 && len(rest) > 0 {
		if words := (len(mid) + 63) / 64; words*len(rest) <= maxTrace || len(rest) == 1 {
			dst = t.walk(dst, mid, rest, g0+lo, e0+lo)
		} else {
			half := len(rest) / 2
			cut := t.split(mid, rest[:half], rest[half:])
			dst = t.trace(dst, mid[:cut], rest[:half], g0+lo, e0+lo)
			dst = t.trace(dst, mid[cut:], rest[half:], g0+lo+cut, e0+lo+half)
		}
	}
	for i := hi; i < len(g); i++ {
		dst = append(dst, Pair{int32(g0 + i), int32(e0 + lo + len(rest) + i - hi)})
	}
	return dst
}

// walk fills the table and goes back from the end.
func (t *tracer) walk(dst []Pair, g, e []int32, g0, e0 int) []Pair {
	t.renumber(g, e)
	t.table.Fill(&t.masks, t.e, len(g))
	first := len(dst)
	for i, j := len(g), len(e); i > 0 && j > 0; {
		switch {
		case t.gold[i-1] == t.e[j-1]:
			i, j = i-1, j-1
			dst = append(dst, Pair{int32(g0 + i), int32(e0 + j)})
		case t.table.Gain(i, j) != 0:
			j-- // item i-1 adds one here, and not by a pair with j-1
		default:
			i--
		}
	}
	slices.Reverse(dst[first:])
	return dst
}

// split returns the smallest position of g at which LCS(g[:cut], first) + LCS(g[cut:],
// second) is largest.
func (t *tracer) split(g, first, second []int32) int {
	n := len(g)
	forward := t.prefixes(g, first)
	backward := t.prefixes(reversed(g), reversed(second))
	best, cut := int32(-1), 0
	for i := 0; i <= n; i++ {
		if sum := forward[i] + backward[n-i]; sum > best {
			best, cut = sum, i
		}
	}
	return cut
}

// prefixes are the LCS lengths of every prefix of g with e.
func (t *tracer) prefixes(g, e []int32) []int32 {
	t.renumber(g, e)
	v := make([]uint64, t.masks.words)
	fill(v)
	for _, c := range t.e {
		t.masks.step(v, c)
	}
	out := make([]int32, len(g)+1)
	for i := range g {
		out[i+1] = out[i] + int32(^v[i>>6]>>(i&63)&1)
	}
	return out
}

func reversed(s []int32) []int32 {
	out := make([]int32, len(s))
	for i, c := range s {
		out[len(s)-1-i] = c
	}
	return out
}
