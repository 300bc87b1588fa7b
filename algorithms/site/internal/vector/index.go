package vector

import (
	"cmp"
	"slices"
)

// Index finds the vectors of a Set that are similar to a given one. Neither the Index
// nor the Set may change after NewIndex.
type Index struct {
	set *Set
	eps int

	rank     map[uint32]int32 // rank of each feature; the feature that fewest vectors have is 0
	from     []int32          // by rank, into postings
	postings []int32          // vectors that have the feature in their prefix
}

// NewIndex makes an index of s for cosines above eps percent.
func NewIndex(s *Set, eps int) *Index {
	x := &Index{set: s, eps: eps}
	x.order()
	x.from = make([]int32, len(x.rank)+1)
	var prefix []ranked
	for i := range s.Len() {
		for _, f := range x.prefix(&prefix, s.View(i)) {
			x.from[f.rank()+1]++
		}
	}
	for r := 1; r < len(x.from); r++ {
		x.from[r] += x.from[r-1]
	}
	x.postings = make([]int32, x.from[len(x.from)-1])
	at := slices.Clone(x.from)
	for i := range s.Len() {
		for _, f := range x.prefix(&prefix, s.View(i)) {
			x.postings[at[f.rank()]] = int32(i)
			at[f.rank()]++
		}
	}
	return x
}

// order ranks the features by how many vectors have them.
func (x *Index) order() {
	number := make(map[uint32]int32)
	for _, id := range x.set.ids {
		number[id]++
	}
	ids := make([]uint32, 0, len(number))
	for id := range number {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(number[a], number[b]), cmp.Compare(a, b))
	})
	for r, id := range ids {
		number[id] = int32(r)
	}
	x.rank = number
}

// ranked is a feature of a vector: its rank, and in the lower half the square of
// its count. Numbers sort faster than structs.
type ranked uint64

func (f ranked) rank() int32    { return int32(f >> 32) }
func (f ranked) square() uint64 { return uint64(uint32(f)) }

// prefix returns as many known features of v, in their order, as are needed so that the
// rest weighs no more than eps of v. Features that no vector of the set has come before
// all others.
func (x *Index) prefix(scratch *[]ranked, v View) []ranked {
	known, rest := (*scratch)[:0], uint64(0)
	for i, id := range v.IDs {
		if r, ok := x.rank[id]; ok {
			f := ranked(r)<<32 | ranked(v.Counts[i])*ranked(v.Counts[i])
			known = append(known, f)
			rest += f.square()
		}
	}
	*scratch = known
	e := uint64(x.eps) * uint64(x.eps)
	light := func() bool { return rest*100*100 <= e*v.Square }
	if light() {
		return nil
	}
	slices.Sort(known)
	for i, f := range known {
		if rest -= f.square(); light() {
			return known[:i+1]
		}
	}
	return known
}

// Search is the working memory of one searcher.
type Search struct {
	// Left is the work that may still be done. A step is a vector that was found or a
	// feature that was compared. The caller sets it.
	Left int

	known []ranked
	seen  []uint32 // by vector: turn in which it was met
	turn  uint32
}

// Each calls take with the number of every vector of the set that is similar to v, in
// no particular order, until take returns false. Vectors for which skip is true are
// skipped before they are compared: comparing is most of the work, and a caller that
// asks on which pages something occurs need not compare vectors that occur on no other
// page. ok is false if the work exceeded its budget.
func (x *Index) Each(s *Search, v View, skip func(i int32) bool, take func(i int32) (enough bool)) (ok bool) {
	if len(s.seen) < x.set.Len() || s.turn == ^uint32(0) {
		s.seen = append(s.seen[:0], make([]uint32, x.set.Len())...)
		s.turn = 0
	}
	s.turn++
	for _, f := range x.prefix(&s.known, v) {
		list := x.postings[x.from[f.rank()]:x.from[f.rank()+1]]
		if s.Left -= len(list); s.Left < 0 {
			return false
		}
		for _, i := range list {
			if s.seen[i] == s.turn || skip(i) {
				continue
			}
			s.seen[i] = s.turn
			w := x.set.View(int(i))
			if s.Left -= len(v.IDs) + len(w.IDs); s.Left < 0 {
				return false
			}
			if Similar(v, w, x.eps) && take(i) {
				return true
			}
		}
	}
	return true
}

// Pages returns the union of the masks of the vectors that are similar to v. It stops
// when enough returns true. The result then depends on the order in which vectors were
// found, but whether it is enough does not.
func (x *Index) Pages(s *Search, v View, masks []uint64, enough func(pages uint64) bool) (pages uint64, ok bool) {
	ok = x.Each(s, v,
		func(i int32) bool { return masks[i]&^pages == 0 },
		func(i int32) bool {
			pages |= masks[i]
			return enough(pages)
		})
	return pages, ok
}
