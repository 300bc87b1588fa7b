package winnow

import (
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// choose fills s.in: the blocks whose probability is high enough, and the code that follows
// them. Code has few of the words that the trees know, and none of its sentences, so it is left
// out where all around it is chosen.
func (s *state) choose(b *page.Table) {
	s.in = s.in[:0]
	before := false // the last block with words is chosen
	for i := range s.blocks.Blocks {
		k := &s.blocks.Blocks[i]
		chosen := k.Words > 0 && (s.prediction.P[i] >= s.prediction.From || before && inPre(b, k.Cont))
		s.in = append(s.in, chosen)
		if k.Words > 0 {
			before = chosen
		}
	}
}

// preDepth is how many elements of a highlighter are between pre and a line at most.
const preDepth = 6

// inPre reports whether the element r is pre or in one.
func inPre(b *page.Table, r page.Row) bool {
	for range preDepth {
		if b.Tag[r] == html.TagPre {
			return true
		}
		r = b.Parent[r]
	}
	return false
}
