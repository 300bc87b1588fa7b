package cetd

import (
	"math"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/setting"
)

// The estimate of visual importance. Every element gets a box, a range of the
// page's width, and a prior.
//
//   - An element has its parent's box. A width narrower than it (attribute or
//     inline style; percent of the parent, or pixels of a page of 1000) places it
//     at the right or left by float or align, else in the middle. Attributes win
//     over the style.
//   - The cells of a table row lie side by side in it: those with a width get
//     it, the others share the rest equally, at least 5 % of the row each, and
//     all are scaled to fill the row.
//   - The prior multiplies down the tree: 0.5 for nav, aside, footer and menu;
//     0.8 for small type; 0.5 for position absolute or fixed; 0 for a height of
//     at most one pixel.
//
// A text at the very start or end of the page has 3/4 of its importance.

// Importance are the settings of the estimate.
type Importance struct {
	PageWidth float64 // pixels
	LeastCell float64 // share of the row that a cell without a width gets at least
	SmallType float64 // pixels; smaller type is small
	Flat      float64 // pixels; what is not higher is not seen

	Aside, Small, Overlaid float64 // priors

	Top, Bottom float64 // shares of the page's characters that are its edges
	Edge        float64 // factor of the texts there
}

// DefaultImportance has the values of the reconstruction.
var DefaultImportance = Importance{
	PageWidth: 1000, LeastCell: 0.05, SmallType: 12, Flat: 1,
	Aside: 0.5, Small: 0.8, Overlaid: 0.5,
	Top: 0.05, Bottom: 0.10, Edge: 0.75,
}

func (p *Importance) settings() []setting.Setting {
	return []setting.Setting{
		setting.Float("page_width", &p.PageWidth, 1, 1e6, "width of the page in pixels"),
		setting.Float("least_cell", &p.LeastCell, 0, 1, "smallest share of a row for a cell without a width"),
		setting.Float("small_type", &p.SmallType, 0, 1000, "pixels below which type is small"),
		setting.Float("flat", &p.Flat, 0, 1000, "pixels of height up to which an element is not seen"),
		setting.Float("aside", &p.Aside, 0, 1, "prior of nav, aside, footer and menu"),
		setting.Float("small", &p.Small, 0, 1, "prior of small type"),
		setting.Float("overlaid", &p.Overlaid, 0, 1, "prior of absolute and fixed positions"),
		setting.Float("top", &p.Top, 0, 1, "share of the page's characters that is its top"),
		setting.Float("bottom", &p.Bottom, 0, 1, "share of the page's characters that is its bottom"),
		setting.Float("edge", &p.Edge, 0, 1, "factor of texts at the top and bottom"),
	}
}

// box is where an element lies: [x, x+w) of the page's width.
type box struct{ x, w, prior float64 }

// weightOf returns VI of a text in b whose middle is at the relative position place, from 0
// to 1, in the page's characters.
func (p *Importance) weightOf(b box, place float64) float64 {
	vi := b.prior * b.w * (1 - math.Abs(b.x+b.w/2-0.5))
	if place < p.Top || place >= 1-p.Bottom {
		vi *= p.Edge
	}
	return vi
}

// layout fills the boxes of all elements.
func (p *Importance) layout(boxes []box, pg *page.Page, b *page.Body) {
	boxes[0] = box{0, 1, 1}
	for i := page.Row(1); int(i) < len(boxes); i++ {
		tag := b.Tag[i]
		if tag == html.TagText {
			continue
		}
		up := b.Parent[i]
		cell := isCell(tag)
		st := styleOf(pg, b.Node[i])
		if !(cell && b.Tag[up] == html.TagTr) { // cells are placed by their row
			boxes[i] = boxes[up]
			if !cell {
				p.narrow(&boxes[i], &st)
			}
		}
		boxes[i].prior = boxes[up].prior * p.prior(&st, tag)
		if tag == html.TagTr {
			p.row(boxes, pg, b, i)
		}
	}
}

func isCell(t html.Tag) bool { return t == html.TagTd || t == html.TagTh }

// narrow reduces the width of b to that of st, if it is less.
func (p *Importance) narrow(b *box, st *style) {
	w, ok := st.width.shareOf(b.w, p.PageWidth)
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
func (p *Importance) row(boxes []box, pg *page.Page, b *page.Body, r page.Row) {
	given, open := 0.0, 0
	for k := r + 1; k < b.End[r]; k = b.End[k] {
		if !isCell(b.Tag[k]) {
			continue
		}
		st := styleOf(pg, b.Node[k])
		w, ok := st.width.shareOf(boxes[r].w, p.PageWidth)
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
		share = max(share, float64(p.LeastCell*boxes[r].w))
	}
	scale, x := 0.0, boxes[r].x
	if total := given + float64(share*float64(open)); total > 0 { // else no cells, or all of width 0
		scale = boxes[r].w / total
	}
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
func (p *Importance) prior(st *style, tag html.Tag) float64 {
	prior := 1.0
	switch tag {
	case html.TagNav, html.TagAside, html.TagFooter, html.TagMenu:
		prior = p.Aside
	}
	if tag == html.TagSmall || st.typed && st.font < p.SmallType {
		prior *= p.Small
	}
	if st.overlaid {
		prior *= p.Overlaid
	}
	if st.sized && st.height <= p.Flat {
		prior = 0
	}
	return prior
}
