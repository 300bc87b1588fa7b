package page

// Span is a half-open range of bytes [Start, End) of Body.Text that begins and
// ends between two runes.
type Span struct{ Start, End int32 }

// Rows is a half-open range of rows [Start, End).
type Rows struct{ Start, End Row }

// Selection is what an extractor chose of one page (Gottron 2007: content
// extraction is a set of index pairs into the document). Spans are sorted,
// disjoint, not empty, and never touch hidden text. The zero Selection is the
// empty one: "found nothing".
type Selection struct {
	Spans []Span
	// Rows are the rows chosen by an extractor that selects nodes: sorted,
	// disjoint ranges; their visible text is exactly Spans. Nil for an extractor
	// that selects words or text.
	Rows []Rows
}

// Reset empties s and keeps its memory.
func (s *Selection) Reset() { s.Spans, s.Rows = s.Spans[:0], s.Rows[:0] }
