package page

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Span is a half-open range of bytes [Start, End) of Body.All.Text that begins and
// ends between two runes.
type Span struct{ Start, End int32 }

// Len returns the number of bytes in s.
func (s Span) Len() int { return int(s.End - s.Start) }

// Rows is a half-open range of rows [Start, End).
type Rows struct{ Start, End Row }

// Selection is what an extractor chose of one page (Gottron 2007: content
// extraction is a set of index pairs into the document). Spans are sorted,
// disjoint and not empty. The zero Selection is the empty one, which means that nothing
// was found.
//
// The Add methods build a selection from the front to the back of the page and join
// parts that only white space separates. Adding something that lies before the end of
// the selection is a defect of the caller, and panics.
type Selection struct {
	Spans []Span
	// Rows are the rows chosen by an extractor that selects nodes: sorted,
	// disjoint ranges; their visible text is exactly Spans. Nil for an extractor
	// that selects words or text.
	Rows []Rows
}

// Reset empties s and keeps its memory.
func (s *Selection) Reset() { s.Spans, s.Rows = s.Spans[:0], s.Rows[:0] }

// Empty reports whether s selects no text.
func (s *Selection) Empty() bool { return len(s.Spans) == 0 }

// Len returns the number of bytes of text in s.
func (s *Selection) Len() int {
	n := 0
	for _, sp := range s.Spans {
		n += sp.Len()
	}
	return n
}

// AddSpan adds text of b, including what is hidden or in noscript elements. An empty span
// adds nothing.
func (s *Selection) AddSpan(b *Body, sp Span) {
	if sp.Start >= sp.End {
		return
	}
	if n := len(s.Spans); n > 0 {
		last := &s.Spans[n-1]
		if sp.Start < last.End {
			panic(fmt.Sprintf("page: span %v added after %v", sp, *last))
		}
		if skipSpace(b.All.Text[:sp.Start], int(last.End)) == int(sp.Start) {
			last.End = sp.End
			return
		}
	}
	s.Spans = append(s.Spans, sp)
}

// AddWords adds the words of b.Words() from number from up to, but not including, to.
func (s *Selection) AddWords(b *Body, from, to int) {
	w := b.Words()
	if from < to && b.HiddenTexts[len(b.Tag)] == 0 {
		s.AddSpan(b, Span{w.Span[from].Start, w.Span[to-1].End})
		return
	}
	for _, sp := range w.Span[from:to] {
		s.AddSpan(b, sp)
	}
}

// AddRow adds the subtree of row r of b, as rows and as text.
func (s *Selection) AddRow(b *Body, r Row) { s.AddRows(b, Rows{r, b.End[r]}) }

// AddRows adds a range of rows of b: all its elements and texts, whether or not
// the range holds whole subtrees.
func (s *Selection) AddRows(b *Body, rows Rows) {
	if rows.Start >= rows.End {
		return
	}
	if n := len(s.Rows); n > 0 && rows.Start <= s.Rows[n-1].End {
		if rows.Start < s.Rows[n-1].End {
			panic(fmt.Sprintf("page: rows %v added after %v", rows, s.Rows[n-1]))
		}
		s.Rows[n-1].End = rows.End
	} else {
		s.Rows = append(s.Rows, rows)
	}
	s.addTexts(b, rows)
}

// addTexts adds the visible text of a range of rows.
func (s *Selection) addTexts(b *Body, rows Rows) {
	for r := rows.Start; r < rows.End; {
		end := b.End[r]
		switch {
		case b.Flags[r]&Hidden != 0 && b.Flags[r]&IsText == 0 && end <= rows.End:
			r = end // everything below is hidden
		case b.HiddenTexts[end] == b.HiddenTexts[r] && end <= rows.End:
			s.AddSpan(b, Span{b.TextStart[r], b.TextEnd[r]})
			r = end
		case b.Flags[r]&(IsText|Hidden) == IsText:
			s.AddSpan(b, Span{b.TextStart[r], b.TextEnd[r]})
			r++
		default:
			r++
		}
	}
}

// Union sets s to the union of a and c, of both spans and rows. a and c must be selections
// of one page; s must be neither of them.
func (s *Selection) Union(a, c *Selection) {
	s.Spans = unite(s.Spans[:0], a.Spans, c.Spans)
	s.Rows = unite(s.Rows[:0], a.Rows, c.Rows)
}

// Intersect sets s to the intersection of a and c. They must be selections of one page;
// s must be neither of them.
func (s *Selection) Intersect(a, c *Selection) {
	s.Spans = intersect(s.Spans[:0], a.Spans, c.Spans)
	s.Rows = intersect(s.Rows[:0], a.Rows, c.Rows)
}

// Subtract sets s to a without c. They must be selections of one page; s must be neither
// of them.
func (s *Selection) Subtract(a, c *Selection) {
	s.Spans = subtract(s.Spans[:0], a.Spans, c.Spans)
	s.Rows = subtract(s.Rows[:0], a.Rows, c.Rows)
}

// Validate returns an error that describes why s is not a valid selection of b, or nil if it is one.
func (s *Selection) Validate(b *Body) error {
	prev := int32(-1)
	for i, sp := range s.Spans {
		switch {
		case sp.Start < 0 || sp.End > int32(len(b.All.Text)) || sp.Start >= sp.End:
			return fmt.Errorf("page: span %d %v is empty or outside the text of %d bytes", i, sp, len(b.All.Text))
		case sp.Start <= prev:
			return fmt.Errorf("page: span %d %v touches or precedes the one before, which ends at %d", i, sp, prev)
		case !boundary(b.All.Text, sp.Start) || !boundary(b.All.Text, sp.End):
			return fmt.Errorf("page: span %d %v cuts a character", i, sp)
		}
		prev = sp.End
	}
	last := Row(-1)
	for i, r := range s.Rows {
		if r.Start < 0 || int(r.End) > b.Len() || r.Start >= r.End || r.Start <= last {
			return fmt.Errorf("page: rows %d %v are empty, out of order or outside the %d rows", i, r, b.Len())
		}
		last = r.End
	}
	if len(s.Rows) > 0 {
		var want Selection
		for _, r := range s.Rows {
			want.AddRows(b, r)
		}
		if !slices.Equal(want.Spans, s.Spans) {
			return errors.New("page: spans are not the text of the rows")
		}
	}
	return nil
}

// boundary reports whether position i of text lies between two runes.
func boundary(text []byte, i int32) bool {
	return int(i) == len(text) || utf8.RuneStart(text[i])
}
