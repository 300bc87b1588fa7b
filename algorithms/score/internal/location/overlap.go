package location

import "github.com/winnow/winnow/algorithms/page"

// EachText calls f for every part of a text row that lies in spans, in order.
func (p *Page) EachText(spans []page.Span, f func(r page.Row, part page.Span)) {
	next := 0
	for _, s := range spans {
		for next < len(p.Texts) && p.Body.TextEnd[p.Texts[next]] <= s.Start {
			next++
		}
		for k := next; k < len(p.Texts) && p.Body.TextStart[p.Texts[k]] < s.End; k++ {
			r := p.Texts[k]
			f(r, page.Span{Start: max(s.Start, p.Body.TextStart[r]), End: min(s.End, p.Body.TextEnd[r])})
		}
	}
}

// EachWords calls f for every range of words that lie wholly in a span.
func EachWords(words, spans []page.Span, f func(from, to int)) {
	next := 0
	for _, s := range spans {
		for next < len(words) && words[next].Start < s.Start {
			next++
		}
		from := next
		for next < len(words) && words[next].End <= s.End {
			next++
		}
		if next > from {
			f(from, next)
		}
	}
}

// Solid returns the number of characters of a span that are not white space.
func (p *Page) Solid(s page.Span) int32 { return p.SolidBefore[s.End] - p.SolidBefore[s.Start] }

// Units returns the length of a span in UTF-16 units.
func (p *Page) Units(s page.Span) int32 { return p.UnitsBefore[s.End] - p.UnitsBefore[s.Start] }

// Text returns the span of a text row.
func (p *Page) Text(r page.Row) page.Span {
	return page.Span{Start: p.Body.TextStart[r], End: p.Body.TextEnd[r]}
}
