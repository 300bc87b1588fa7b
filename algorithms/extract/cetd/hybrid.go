package cetd

import (
	"math"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// weigh fills the boxes of elements and HC of all rows.
func (s *scratch) weigh(vi *Importance, pg *page.Page, b *page.Body) {
	n := b.Len()
	if cap(s.boxes) < n {
		s.boxes, s.hybrid = make([]box, n+n/4), make([]float64, n+n/4)
	}
	s.boxes, s.hybrid = s.boxes[:n], s.hybrid[:n]
	clear(s.hybrid)
	vi.layout(s.boxes, pg, b)

	tag, parent, end, c := b.Tag[:n], b.Parent[:n], b.End[:n], b.Chars
	boxes, hybrid := s.boxes, s.hybrid
	whole := float64(b.Sum(c, 0))
	for i, t := range tag {
		if chars := c[i+1] - c[i]; t == html.TagText && chars > 0 {
			middle := float64(c[i]) + float64(chars)/2
			hybrid[i] = vi.weightOf(boxes[parent[i]], middle/whole) * float64(chars)
		}
		// The sums of all subtrees that end here are added to their parents, so that
		// children are added in document order.
		for a := page.Row(i); a != 0 && end[a] == page.Row(i+1); a = parent[a] {
			hybrid[parent[a]] += hybrid[a]
		}
	}
}

// hybridDensity fills the density column with HTD.
func (s *scratch) hybridDensity(b *page.Body) {
	n := len(s.density)
	density, hybrid := s.density, s.hybrid[:n]
	tag, parent, end := b.Tag[:n], b.Parent[:n], b.End[:n]
	c, cl, e, lt := b.Chars, b.LinkChars, b.Elements, b.LinkTags[:n]
	rho := float64(b.Sum(cl, 0)) / hybrid[0]
	for i, t := range tag {
		next := end[i]
		chars := c[next] - c[i]
		switch {
		case t != html.TagText:
			density[i] = hybridOf(hybrid[i], chars, e[next]-e[i]-1, cl[next]-cl[i], lt[i], rho)
		case branches(parent[i], end, e):
			density[i] = hybridOf(hybrid[i], chars, 0, 0, 0, rho)
		}
	}
}

// hybridOf returns HTD for HC, C, T, LC, LT and ρ. It is negative where the argument of
// the logarithm is below 1.
func hybridOf(hc float64, chars, tags, linkChars, linkTags int32, rho float64) float64 {
	if hc == 0 {
		return 0
	}
	t, lc, lt, nl := atLeast1(tags), atLeast1(linkChars), atLeast1(linkTags), atLeast1(chars-linkChars)
	base := math.Log(math.Log(float64(hc*lc)/nl + float64(rho*hc) + math.E))
	if base <= 0 { // characters of next to no importance
		return 0
	}
	return hc / t * math.Log(hc*t/(lc*lt)) / base
}
