package fastcontentextractor

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/site/internal/block"
	"github.com/winnow/winnow/algorithms/site/internal/vector"
)

// pageWork bounds the cost of comparing one page, see vector.Search.Left.
const pageWork = 1 << 22

type scratch struct {
	search vector.Search
	sum    vector.Sum
	at     []int32 // place of each block's path in P; -1 if it is not there
	below  []bool  // a block inside has a path in P
	taken  []bool
	own    []bool // the block's own leaves are content
	keep   []bool
}

func (s *scratch) resize(blocks, leaves int) {
	s.at = slices.Grow(s.at[:0], blocks)[:blocks]
	s.below = slices.Grow(s.below[:0], blocks)[:blocks]
	s.taken = slices.Grow(s.taken[:0], blocks)[:blocks]
	s.own = slices.Grow(s.own[:0], blocks)[:blocks]
	s.keep = slices.Grow(s.keep[:0], leaves)[:leaves]
	clear(s.below)
}

func (p Params) run(pass *algorithms.Pass) error {
	t, err := canon.Of(pass)
	if err != nil || t.Len() == 0 {
		return err
	}
	blocks, vectors := p.read(pass)
	learned := pass.Template.Value.(*template)
	s := algorithms.Scratch[scratch](pass)
	s.resize(blocks.Len(), len(t.Leaves))
	s.search.Left = pageWork
	if !s.take(blocks, learned) {
		pass.Notes = append(pass.Notes, algorithms.NoteNoMatch)
	}
	compare := s.compareAtomic
	if p.Compare == Whole {
		compare = s.compareWhole
	}
	if !compare(blocks, vectors, learned) {
		return algorithms.ErrPageTooLarge
	}
	for leaf, b := range blocks.Of {
		s.keep[leaf] = s.own[b]
	}
	t.Select(pass, s.keep)
	return nil
}

// take marks the blocks that are extracted, and reports whether the page has any.
func (s *scratch) take(blocks *block.Blocks, learned *template) (some bool) {
	for b := range blocks.Len() {
		at, in := slices.BinarySearch(learned.paths, path(blocks, b))
		s.at[b] = -1
		if in {
			s.at[b] = int32(at)
			some = true
		}
	}
	for b := blocks.Len() - 1; b > 0; b-- {
		if s.at[b] >= 0 || s.below[b] {
			s.below[blocks.Parent[b]] = true
		}
	}
	// The page itself is not extracted; only its own leaves may be.
	s.taken[0], s.own[0] = false, s.at[0] >= 0
	for b := 1; b < blocks.Len(); b++ {
		s.taken[b] = s.at[b] >= 0 || s.below[b] && s.taken[blocks.Parent[b]]
		s.own[b] = s.taken[b]
	}
	return some
}

// compareAtomic drops the own leaves of blocks that are similar to a template block at
// their path. ok is false if that takes too much work.
func (s *scratch) compareAtomic(blocks *block.Blocks, vectors *vector.Page, learned *template) (ok bool) {
	for b := range blocks.Len() {
		v := vectors.Block[b]
		if !s.own[b] || v < 0 || s.at[b] < 0 {
			continue
		}
		if !learned.index.Each(&s.search, vectors.View(int(v)),
			func(i int32) bool { return learned.at[i] != s.at[b] },
			func(int32) (enough bool) { s.own[b] = false; return true }) {
			return false
		}
	}
	return true
}

// compareWhole drops extracted blocks that are, as a whole, similar to any template
// block. ok is false if that takes too much work.
func (s *scratch) compareWhole(blocks *block.Blocks, vectors *vector.Page, learned *template) (ok bool) {
	for b := int32(0); int(b) < blocks.Len(); {
		end := b + 1
		if b > 0 && s.taken[b] {
			end = blocks.End[b]
		}
		s.sum.Reset()
		for i := b; i < end; i++ {
			if v := vectors.Block[i]; s.own[i] && v >= 0 {
				s.sum.Add(vectors.View(int(v)))
			}
		}
		if sum, some := s.sum.View(); some {
			if !learned.index.Each(&s.search, sum,
				func(int32) bool { return false },
				func(int32) (enough bool) { clear(s.own[b:end]); return true }) {
				return false
			}
		}
		b = end
	}
	return true
}
