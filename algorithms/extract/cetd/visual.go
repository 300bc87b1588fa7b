package cetd

import (
	"math"

	"github.com/winnow/winnow/algorithms/page"
)

// The estimate of visual importance. Every element gets a box, a range of the
// page's width, and a prior.
//
//   - An element has its parent's box. A width narrower than it (attribute or
//     inline style; percent of the parent, or pixels of a page of 1000) places it
//     at the right or left by float or align, else in the middle.
//   - The cells of a table row lie side by side in it: those with a width get
//     it, the others share the rest equally, at least 5 % of the row each, and
//     all are scaled to fill the row.
//   - The prior multiplies down the tree: 0.5 for nav, aside, footer and menu;
//     0.8 for small type; 0.5 for position absolute or fixed; 0 for a height of
//     at most one pixel.
//
// A text at the very start or end of the page has 3/4 of its importance.
const (
	pageWidth = 1000 // pixels
	leastCell = 0.05 // of the row
	smallType = 12   // pixels; smaller type is small

	priorAside    = 0.5
	priorSmall    = 0.8
	priorOverlaid = 0.5

	pageTop    = 0.05 // of the page's characters
	pageBottom = 0.90
	edgeShare  = 0.75
)

// box is where an element lies: [x, x+w) of the page's width.
type box struct{ x, w, prior float64 }

// importance is VI of a text in b, the middle of which lies at place, from 0 to
// 1, in the page's characters.
func (b box) importance(place float64) float64 {
	vi := b.prior * b.w * (1 - math.Abs(b.x+b.w/2-0.5))
	if place < pageTop || place >= pageBottom {
		vi *= edgeShare
	}
	return vi
}

// layout fills the boxes of all elements.
func layout(boxes []box, pg *page.Page, b *page.Body) {
	boxes[0] = box{0, 1, 1}
	for i := page.Row(1); int(i) < len(boxes); i++ {
		tag := b.Tag[i]
		if tag == page.TagText {
			continue
		}
		up := b.Parent[i]
		cell := isCell(tag)
		st := styleOf(pg, b.Node[i])
		if !(cell && b.Tag[up] == page.TagTr) { // cells are placed by their row
			boxes[i] = boxes[up]
			if !cell {
				boxes[i].narrow(&st)
			}
		}
		boxes[i].prior = boxes[up].prior * st.prior(tag)
		if tag == page.TagTr {
			row(boxes, pg, b, i)
		}
	}
}

func isCell(t page.Tag) bool { return t == page.TagTd || t == page.TagTh }

// narrow gives b the width of st, if it is less.
func (b *box) narrow(st *style) {
	w, ok := st.width.of(b.w)
	if !ok || w >= b.w {
		return
	}
	switch st.side {
	case right:
		b.x += b.w - w
	case middle:
		b.x += (b.w - w) / 2
	}
	b.w = w
}

// row places the cells of the table row r side by side.
func row(boxes []box, pg *page.Page, b *page.Body, r page.Row) {
	given, open := 0.0, 0
	for k := r + 1; k < b.End[r]; k = b.End[k] {
		if !isCell(b.Tag[k]) {
			continue
		}
		st := styleOf(pg, b.Node[k])
		w, ok := st.width.of(boxes[r].w)
		if !ok {
			w = -1
			open++
		} else {
			given += w
		}
		boxes[k].w = w
	}
	share := 0.0
	if open > 0 {
		share = max(boxes[r].w-given, 0) / float64(open)
		share = max(share, float64(leastCell*boxes[r].w))
	}
	total := given + float64(share*float64(open))
	if total <= 0 {
		return // no cells, or all of width 0
	}
	scale, x := boxes[r].w/total, boxes[r].x
	for k := r + 1; k < b.End[r]; k = b.End[k] {
		if !isCell(b.Tag[k]) {
			continue
		}
		w := boxes[k].w
		if w < 0 {
			w = share
		}
		boxes[k].x, boxes[k].w = x, w*scale
		x += boxes[k].w
	}
}

// prior is the factor of an element.
func (st *style) prior(tag page.Tag) float64 {
	p := 1.0
	switch tag {
	case page.TagNav, page.TagAside, page.TagFooter, page.TagMenu:
		p = priorAside
	}
	if tag == page.TagSmall || st.font > 0 && st.font < smallType {
		p *= priorSmall
	}
	if st.overlaid {
		p *= priorOverlaid
	}
	if st.flat {
		p = 0
	}
	return p
}
