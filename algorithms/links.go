package algorithms

import "github.com/winnow/winnow/algorithms/page"

// Links are the links of a page, in the order of the page. Their strings are ranges of
// Text, so that a page with a hundred links takes two allocations and no more.
type Links struct {
	Text []byte
	List []Link
}

// Link is a link of a page to another.
type Link struct {
	Target page.Span // absolute address
	Anchor page.Span // what a reader sees of the link; may be empty
	Rel    page.Span // relations of the link, in lower case; may be empty
	InMain bool      // see Subject.Main
}

// Reset empties l and keeps its memory.
func (l *Links) Reset() { l.Text, l.List = l.Text[:0], l.List[:0] }
