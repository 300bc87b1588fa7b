package winnow

import (
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/extract/markup"
)

// Result is the main content of a page and what the page says of itself. Its fields stay
// valid. Its methods read the page in the memory of the Extractor, so they panic once the
// Extractor was given another page; a Result of the function Extract has an Extractor of its
// own.
type Result struct {
	Text string // blocks on lines of their own; empty if nothing was found

	Title, Author     string // authors are separated by semicolons
	Site, Description string
	Language          string // that Text is written in (ISO 639); empty if that is not clear
	// Published and Modified are zero if the page does not say them. Where a page states
	// a day alone, it is midnight in UTC.
	Published, Modified time.Time

	// Confidence is the word F1 that the extractor expects of Text, from 0 to 1; 0 if it
	// does not estimate one.
	Confidence float64
	// Cut reports that the page exceeded a limit and was read up to there.
	Cut bool

	extractor *Extractor
	number    uint64 // of the page
	url       string
	page      *page.Page
	selection *page.Selection

	probabilities []algorithms.Probability
}

// set sets the field of a column of the metadata.
func (r *Result) set(column, text string) {
	switch column {
	case "title":
		r.Title = text
	case "author":
		r.Author = text
	case "site_name":
		r.Site = text
	case "description":
		r.Description = text
	case "published":
		r.Published = parseDate(text)
	case "modified":
		r.Modified = parseDate(text)
	}
}

// parseDate reads a date in one of the two forms of package metadata.
func parseDate(text string) time.Time {
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(form, text); err == nil {
			return t
		}
	}
	return time.Time{}
}

// check panics if the page of the result is not the present one.
func (r *Result) check() {
	if r.extractor.pages != r.number {
		panic("winnow: a method of a Result was called after its Extractor was given another page")
	}
}

// Markdown returns the main content as Markdown (CommonMark with the tables of GitHub),
// without HTML. It ends at 64 MiB.
func (r *Result) Markdown() string {
	r.check()
	text, _ := new(markup.Writer).Markdown(r.page, r.selection, r.url, markup.Masking{Addresses: r.extractor.opt.NoLinks})
	return string(text)
}

// HTML returns the main content as a fragment of HTML in which nothing can run: it was
// cleaned by a sanitiser.
func (r *Result) HTML() string {
	r.check()
	if r.extractor.writer == nil {
		r.extractor.writer = markup.NewWriter()
	}
	return string(r.extractor.writer.HTML(r.page, r.selection, r.url, markup.Masking{Addresses: r.extractor.opt.NoLinks}))
}
