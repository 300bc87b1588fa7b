package web2text

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/score/internal/location"
)

// blocks holds the texts of a page that the scorer counts.
type blocks struct {
	rows    []page.Row
	need    []int32 // smallest number of units that makes each of them content
	skipped []bool  // by row: in an element that the program skips
}

var blocksOf = &algorithms.GoldFeature[blocks]{Name: "blocks of Web2Text", Compute: func(dst *blocks, g *algorithms.Gold) {
	p := location.Of(g)
	dst.rows, dst.need, dst.skipped = dst.rows[:0], dst.need[:0], dst.skipped[:0]
	for r, tag := range p.Body.Tag {
		// The page text has no text of the other elements that the program skips.
		skipped := tag == html.TagTextarea || tag == html.TagVideo || r > 0 && dst.skipped[p.Body.Parent[r]]
		dst.skipped = append(dst.skipped, skipped)
		if p.Body.Flags[r]&page.IsText != 0 && !skipped {
			dst.rows = append(dst.rows, page.Row(r))
			dst.need = append(dst.need, need(p.Units(trimmed(p, page.Row(r)))))
		}
	}
}}

// need is the least number of covered units that makes a block of n content.
func need(n int32) int32 { return 2*max(n, 1)/3 + 1 }

// trimmed is the span of a text without the blanks at its ends.
func trimmed(p *location.Page, r page.Row) page.Span {
	s := p.Text(r)
	for s.Start < s.End && isBlank(p.Body.Text[s.Start]) {
		s.Start++
	}
	for s.Start < s.End && isBlank(p.Body.Text[s.End-1]) {
		s.End--
	}
	return s
}

func isBlank(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// cover is the number of units of each text row that spans cover, blanks at its
// ends aside.
func cover(dst []int32, p *location.Page, spans []page.Span) []int32 {
	dst = algorithms.Zeros(dst, p.Body.Len())
	p.EachText(spans, func(r page.Row, part page.Span) {
		whole := trimmed(p, r)
		part.Start, part.End = max(part.Start, whole.Start), min(part.End, whole.End)
		if part.Start < part.End {
			dst[r] += p.Units(part)
		}
	})
	return dst
}
