package stats

import (
	"cmp"
	"slices"
)

// Page is a page in a list for people, with the figure that the list is sorted by.
type Page struct {
	Package, DocID, URL string
	Bytes               int64 // bytes of HTML
	Figure              float64
}

// before orders pages by their figure, and pages with equal figures by name.
func (p *Page) before(q *Page) int {
	return cmp.Or(cmp.Compare(p.Figure, q.Figure), cmp.Compare(p.Package, q.Package), cmp.Compare(p.DocID, q.DocID))
}

// Lowest keeps the pages with the lowest figures. It may be used by one goroutine only.
type Lowest struct {
	max  int
	kept []Page // in order
	more int64
}

// NewLowest returns a Lowest of max pages.
func NewLowest(max int) *Lowest { return &Lowest{max: max} }

// Add adds a page.
func (l *Lowest) Add(p Page) {
	i, _ := slices.BinarySearchFunc(l.kept, p, func(q, p Page) int { return cmp.Or(q.before(&p), -1) }) // after its equals
	l.kept = slices.Insert(l.kept, i, p)
	if len(l.kept) > l.max {
		l.kept = l.kept[:l.max]
		l.more++
	}
}

// Pages returns the pages that are kept, the lowest figure first.
func (l *Lowest) Pages() []Page { return slices.Clone(l.kept) }

// More returns the number of pages that were added and not kept.
func (l *Lowest) More() int64 { return l.more }
