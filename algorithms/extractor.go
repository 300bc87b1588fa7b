package algorithms

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/winnow/winnow/algorithms/page"
)

// Scope says what a method must see before it can answer.
type Scope string

const (
	PageScope Scope = "page"
	SiteScope Scope = "site"
)

// Extractor is one published main-content extraction method. It is a plain
// value; it does not change after it was made and may be shared.
type Extractor struct {
	Description

	// With returns the method with other settings; nil if it has none. Unknown
	// names and impossible values are errors that name what is allowed.
	With func(settings map[string]string) (*Extractor, error)

	// Run reads p and writes p.Out. "Found nothing" is the empty selection, not
	// an error; an error is a defect of the method itself, but for
	// ErrPageTooLarge: the page is over a bound that the method documents.
	Run func(p *Pass) error

	// Explain, of a method that judges a page piece by piece, does so again and
	// returns every piece with its reasons; nil for the others. It is for people:
	// it may take its time, and allocates.
	Explain func(p *Pass) ([]Judged, error)

	// Text is for wrapped libraries that answer with text alone, instead of Run:
	// it returns the text it found. The driver gives it a process or goroutine of
	// its own and aligns the text with the page to get spans.
	Text func(src []byte, url string) (string, error)

	// Parser, of a wrapped library that reads a parsed page, is what parses it.
	// Libraries with the same Parser that run on a page one after the other can share
	// its parse: FromParsed then gives the answer of Text, from what the Parser made,
	// which it leaves as it was.
	Parser     *Parser
	FromParsed func(parsed any, url string) (string, error)

	// Members are the extractors whose answers Run reads (Pass.Answers), of an
	// ensemble. The driver runs each of them once a page and before, whether or not it
	// was chosen; one that was not chosen has no row in the tables.
	Members []*Extractor

	// Oracle says that Run reads the page's gold (Pass.Gold): an upper bound of what
	// members can reach, no method for pages of a crawl. A page without a gold text is
	// skipped.
	Oracle bool

	// Learn makes a site-level method: Run then reads p.Template, which is never
	// nil: a page without one is skipped.
	Learn *Learner
}

// Parser parses the source of a page for wrapped libraries.
type Parser struct {
	Parse func(src []byte) (any, error)
}

// Judged is one piece of a page as a method judged it.
type Judged struct {
	Text        string
	Probability float64 // that it is content
	Chosen      bool
	Reasons     []Because // what moved it most, strongest first
}

// Because is one property of a piece and what it did.
type Because struct {
	Feature string
	Value   int     // on the feature's own scale
	Moved   float64 // log-odds; above 0 towards content
}

// Scope of the method, derived from what it and its members need.
func (e *Extractor) Scope() Scope {
	for _, x := range WithMembers([]*Extractor{e}) {
		if x.Learn != nil {
			return SiteScope
		}
	}
	return PageScope
}

// Pass is everything that one run of a method on one page may touch.
type Pass struct {
	Page *page.Page
	Body *page.Body // Page.Body(), filled
	URL  string     // of the page as archived; may be empty

	// Template is what the method learned about the page's site; nil for
	// page-level methods.
	Template *Template

	// Answers are those of the method's Members, in their order; they must not be
	// changed.
	Answers []Answer

	// Gold is where the gold text lies on the page, for a method that is an Oracle;
	// nil for the others.
	Gold *page.Selection

	// Out is the answer; empty when Run is called.
	Out page.Selection
	// Order is the order in which the text of Out is to be read, of a method whose
	// source does not keep to that of the page: spans whose union is Out's. Spans
	// that follow each other on the page are joined as they are there; where the
	// order turns back, a line ends. Empty stands for the order of the page.
	Order []page.Span
	// Text is the text of the answer, of a method that also answers with what Body
	// leaves out and Out therefore cannot hold (hidden text, noscript). Empty stands
	// for the text of Out.
	Text []byte
	// Confidence is the word F1 that the method expects of its answer, in (0,1]; 0 of
	// a method that does not say.
	Confidence float32
	// Notes are remarks on the answer that go into its row ("no_match"); from a
	// closed set that the method documents. Empty when Run is called.
	Notes []string

	features memo
	scratch  memo
}

// Reset makes p ready for a page that was just parsed into pg. Features of the
// page before are forgotten, their memory is kept.
func (p *Pass) Reset(pg *page.Page, url string) {
	p.Page, p.Body, p.URL, p.Template = pg, pg.Body(), url, nil
	p.Answers, p.Gold = p.Answers[:0], nil
	p.Clear()
	p.features.next()
}

// DropScratch gives back the working memory that methods left in p (Scratch).
func (p *Pass) DropScratch() { p.scratch = memo{} }

// Clear empties the answer, for the next method on the page.
func (p *Pass) Clear() {
	p.Out.Reset()
	p.Order, p.Notes, p.Text, p.Confidence = p.Order[:0], p.Notes[:0], p.Text[:0], 0
}

// AppendText appends the text of the answer to dst, in the order in which it is to
// be read.
func (p *Pass) AppendText(dst []byte) []byte {
	if len(p.Text) > 0 {
		return append(dst, p.Text...)
	}
	if len(p.Order) == 0 {
		return p.Out.AppendText(dst, p.Body)
	}
	start := len(dst)
	for from := 0; from < len(p.Order); {
		to := from + 1
		for to < len(p.Order) && p.Order[to].Start >= p.Order[to-1].End {
			to++
		}
		if len(dst) > start && dst[len(dst)-1] != '\n' {
			dst = append(dst, '\n')
		}
		run := page.Selection{Spans: p.Order[from:to]}
		dst = run.AppendText(dst, p.Body)
		from = to
	}
	return dst
}

// Validate says what is wrong with the answer, nil if nothing is.
func (p *Pass) Validate() error {
	if err := p.Out.Validate(p.Body); err != nil || len(p.Order) == 0 {
		return err
	}
	sorted := slices.Clone(p.Order)
	slices.SortFunc(sorted, func(a, b page.Span) int { return cmp.Compare(a.Start, b.Start) })
	var all page.Selection
	last := int32(0)
	for _, s := range sorted {
		if s.Start < last || s.End <= s.Start || int(s.End) > len(p.Body.Text) {
			return fmt.Errorf("algorithms: the order has the span %v, empty, twice or outside the text", s)
		}
		all.AddSpan(p.Body, s)
		last = s.End
	}
	if !slices.Equal(all.Spans, p.Out.Spans) {
		return errors.New("algorithms: the order is not of what is selected")
	}
	return nil
}

// SetTimer has t told when shared features are computed; see Timer.
func (p *Pass) SetTimer(t Timer) { p.features.timer = t }

// Scratch returns working memory of type T that lives as long as p: whatever
// the last method that asked for a T left there. Methods of one worker run one
// after the other, so variants of a family share it.
func Scratch[T any](p *Pass) *T { return keep[T](&p.scratch) }
