package corpus

import (
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/compare/align"
	"github.com/winnow/winnow/algorithms/page"
)

// Reader parses documents and finds their gold on them. The zero Reader is ready.
type Reader struct {
	page    page.Page
	words   align.Page
	aligner align.Aligner
	matches align.Matches
	gold    page.Selection
}

// Parse returns the page of d, valid until the next call.
func (r *Reader) Parse(d *Document) *page.Page {
	r.page.Parse(d.HTML, page.Options{})
	return &r.page
}

// Labels returns which of the given ascending text rows are content by the gold of d:
// those with more than two thirds of their characters in the gold, apart from blanks. d
// must be the document that was parsed last. The second result is the share of the
// gold's words that were found on the page.
func (r *Reader) Labels(d *Document, rows []page.Row) ([]bool, float64) {
	b := r.page.Body()
	r.words.Fill(&b.Table)
	r.aligner.Align(&r.matches, &r.words, []byte(d.Gold))
	r.gold.Reset()
	r.words.Select(&r.gold, b, r.matches.Page)
	labels := make([]bool, len(rows))
	at := 0
	for i, row := range rows {
		start, end := b.TextStart[row], b.TextEnd[row]
		for at < len(r.gold.Spans) && r.gold.Spans[at].End <= start {
			at++
		}
		found := 0
		for k := at; k < len(r.gold.Spans) && r.gold.Spans[k].Start < end; k++ {
			found += solid(b.Text[max(start, r.gold.Spans[k].Start):min(end, r.gold.Spans[k].End)])
		}
		labels[i] = 3*found > 2*solid(b.Text[start:end])
	}
	return labels, r.matches.Coverage()
}

// solid returns the number of characters of s that are not blanks.
func solid(s []byte) (n int) {
	for _, c := range s {
		if c > ' ' && utf8.RuneStart(c) {
			n++
		}
	}
	return n
}
