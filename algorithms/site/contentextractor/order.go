package contentextractor

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/site/internal/block"
)

// The values of Params.Order, which say in what order the selected text is.
const (
	OrderPage  = "page"  // the order of the page
	OrderPaper = "paper" // the order in which the page is cut into blocks
)

// arrange puts the kept leaves into the order in which the paper puts out blocks.
func (p Params) arrange(pass *algorithms.Pass, t *canon.Tree, blocks *block.Blocks, s *scratch) {
	tags := block.ClassicTags
	if p.HTML5 {
		tags = block.HTML5Tags
	}
	for _, b := range s.cutter.Order(blocks, t, tags) {
		s.one.Reset()
		for _, leaf := range blocks.Leaves(int(b)) {
			if s.keep[leaf] {
				s.one.AddTexts(pass.Body, t.Leaves[leaf].Rows)
			}
		}
		pass.Order = append(pass.Order, s.one.Spans...)
	}
}

// arranged is the working memory of arrange.
type arranged struct {
	cutter block.Cutter
	one    page.Selection // selection of a single block
}
