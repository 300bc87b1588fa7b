package stats

import (
	"cmp"
	"container/heap"
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
	kept pageHeap
	more int64
}

// NewLowest returns a Lowest of max pages.
func NewLowest(max int) *Lowest { return &Lowest{max: max} }

// Add adds a page.
func (l *Lowest) Add(p Page) {
	switch {
	case len(l.kept) < l.max:
		heap.Push(&l.kept, p)
		return
	case l.max > 0 && p.before(&l.kept[0]) < 0:
		l.kept[0] = p
		heap.Fix(&l.kept, 0)
	}
	l.more++
}

// Pages returns the pages that are kept, the lowest figure first.
func (l *Lowest) Pages() []Page {
	return slices.SortedFunc(slices.Values(l.kept), func(p, q Page) int { return p.before(&q) })
}

// More returns the number of pages that were added and not kept.
func (l *Lowest) More() int64 { return l.more }

// pageHeap is a heap with the highest figure on top.
type pageHeap []Page

// Len, Less, Swap, Push and Pop implement heap.Interface.
func (h pageHeap) Len() int           { return len(h) }
func (h pageHeap) Less(i, j int) bool { return h[j].before(&h[i]) < 0 }
func (h pageHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *pageHeap) Push(x any)        { *h = append(*h, x.(Page)) }
func (h *pageHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
