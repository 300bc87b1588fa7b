package page

import (
	"cmp"
	"slices"
)

// AddTexts adds the visible text of a range of rows of b, but not the rows themselves. It
// is for extractors that select text. Hidden text is skipped.
func (s *Selection) AddTexts(b *Body, rows Rows) { s.addTexts(b, rows) }

// AddSource adds visible text of b at any position. It is for extractors that choose words
// in source order, which is not always the order of Text, because the parser moves text
// out of tables. After the last addition SortSource must be called.
func (s *Selection) AddSource(b *Body, sp Span) {
	if n := len(s.Spans); n > 0 && sp.Start < s.Spans[n-1].End {
		if sp.Start < sp.End {
			s.Spans = append(s.Spans, sp)
		}
		return
	}
	s.AddSpan(b, sp)
}

// AddTokens is AddSource for the words among the tokens from number from up to, but not
// including, to. Words that did not reach the body are skipped.
func (s *Selection) AddTokens(b *Body, k *Tokens, from, to int) {
	kind := k.Kind[from:to]
	text := k.Text[from:to]
	for i, t := range kind {
		if t == TokenWord {
			s.AddSource(b, text[i])
		}
	}
}

// SortSource makes s a valid selection of b after AddSource and AddTokens.
func (s *Selection) SortSource(b *Body) {
	for i := 1; i < len(s.Spans); i++ {
		if s.Spans[i].Start < s.Spans[i-1].End {
			s.sort(b)
			return
		}
	}
}

func (s *Selection) sort(b *Body) {
	slices.SortFunc(s.Spans, func(x, y Span) int { return cmp.Compare(x.Start, y.Start) })
	spans := s.Spans
	s.Spans = s.Spans[:0]
	for _, sp := range spans { // the reading position is never less than the writing position
		if n := len(s.Spans); n > 0 && sp.Start < s.Spans[n-1].End {
			s.Spans[n-1].End = max(s.Spans[n-1].End, sp.End)
			continue
		}
		s.AddSpan(b, sp)
	}
}
