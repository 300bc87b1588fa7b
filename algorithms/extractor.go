package algorithms

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/winnow/winnow/algorithms/page"
)

// Scope is what an extractor must see before it can answer.
type Scope string

const (
	PageScope Scope = "page"
	SiteScope Scope = "site"
)

// Extractor is one published main-content extraction method. It is a plain
// value; it does not change after it was made and may be shared.
type Extractor struct {
	Description

	// With returns the extractor with other settings; it is nil if there are none.
	// Unknown names and impossible values are errors that say what is allowed.
	With func(settings map[string]string) (*Extractor, error)

	// Run reads p and writes p.Out. "Found nothing" is the empty selection, not an
	// error. An error is a defect of the extractor itself, except ErrPageTooLarge: the
	// page exceeds a bound that the extractor documents.
	Run func(p *Pass) error

	// Explain runs the extractor again and returns every piece of the page with the
	// reasons for its decision. It is nil for extractors that do not decide piece by piece.
	// Its output is for people, so it may be slow and allocate.
	Explain func(p *Pass) ([]Decision, error)

	// Curves measures the page again, with the code of Run, and returns what was measured
	// and what Run selects by it. It is nil for extractors that measure nothing along the
	// page. Its output is for people, so it may allocate.
	Curves func(p *Pass) []Curve

	// Command takes the place of Run for an extractor that is another project's program:
	// the program and its arguments. It returns only text, which the driver aligns with the
	// page to get spans.
	Command []string

	// Members are the extractors whose answers an ensemble's Run reads (Pass.Answers).
	// The driver runs each of them once on each page, before the ensemble, whether or not
	// it was chosen; a member that was not chosen has no row in the tables.
	Members []*Extractor

	// Needs reports whether the ensemble reads the answer of its next member, from the
	// answers of the members before that one. The driver does not run a member that was not
	// chosen for a page on which no ensemble needs it. Nil means that all are needed.
	Needs func(before []Answer) bool

	// TrainedOn names the gold test packages that the model of the extractor was trained on.
	// Its scores on these packages are better than on pages that it has not seen, and tables
	// and reports say so.
	TrainedOn []string

	// Oracle means that Run reads the page's gold (Pass.Gold). An oracle shows the upper
	// bound of what its members can reach and is of no use for a crawl; a page without a
	// gold text is skipped.
	Oracle bool

	// Learn makes this a site-level extractor. Run then reads p.Template, which is never
	// nil, because pages without a template are skipped.
	Learn *Learner
}

// Decision is what an extractor decided about one piece of a page, and why.
type Decision struct {
	page.Span           // part of Body.All.Text
	Probability float64 // probability that the piece is content
	Chosen      bool
	Evidence    []Evidence // the features that changed the probability most, strongest first
}

// Evidence is one feature of a piece and how it changed the probability.
type Evidence struct {
	Feature string  `json:"feature"`
	Value   int     `json:"value"`    // on the feature's own scale
	LogOdds float64 `json:"log_odds"` // how much it changed the log-odds; above 0 towards content
}

// Scope is derived from what the extractor and its members need.
func (e *Extractor) Scope() Scope {
	for _, x := range WithMembers([]*Extractor{e}) {
		if x.Learn != nil {
			return SiteScope
		}
	}
	return PageScope
}

// AllTrainedOn returns the packages in TrainedOn of the extractor and of its members, in
// alphabetical order.
func (e *Extractor) AllTrainedOn() []string {
	var names []string
	for _, x := range WithMembers([]*Extractor{e}) {
		names = append(names, x.TrainedOn...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Pass is everything that one run of an extractor on one page may touch.
type Pass struct {
	Page *page.Page
	Body *page.Body // Page.Body(), filled
	URL  string     // address of the page as archived; may be empty

	// Template is what the extractor learned about the page's site; nil for
	// page-level extractors.
	Template *Template

	// Answers are those of the extractor's Members, in their order; they must not be
	// changed.
	Answers []Answer

	// Gold is the location of the gold text on the page, for an extractor that is an Oracle;
	// nil for the others.
	Gold *page.Selection

	// Out is the answer; empty when Run is called.
	Out page.Selection
	// Order is the reading order of the text of Out if the extractor's source does not
	// keep the order of the page: spans whose union is Out's. Consecutive spans are joined
	// as they are on the page; where the order goes backwards, a line ends. Empty means the
	// order of the page.
	Order []page.Span
	// Confidence is the word F1 that the extractor expects of its answer, in (0,1]; 0 if
	// it does not estimate one.
	Confidence float32
	// Probabilities are those with which parts of the page's text are content, in the order
	// of the page; empty if the extractor does not estimate them.
	Probabilities []Probability
	// Notes are remarks on the answer that go into its row ("no_match"); from a
	// closed set that the extractor documents. Empty when Run is called.
	Notes []string

	features memo
	scratch  memo
}

// Probability is how probable it is that a part of a page's text is content.
type Probability struct {
	page.Span // part of Body.All.Text
	P         float32
}

// Reset prepares p for the page that was just parsed into pg. It forgets the features of
// the previous page and keeps their memory.
func (p *Pass) Reset(pg *page.Page, url string) {
	p.Page, p.Body, p.URL, p.Template = pg, pg.Body(), url, nil
	p.Answers, p.Gold = p.Answers[:0], nil
	p.Clear()
	p.features.next()
}

// DropScratch releases the working memory that extractors left in p (Scratch).
func (p *Pass) DropScratch() { p.scratch = memo{} }

// Clear empties the answer, for the next extractor on the page.
func (p *Pass) Clear() {
	p.Out.Reset()
	p.Order, p.Notes, p.Confidence, p.Probabilities = p.Order[:0], p.Notes[:0], 0, p.Probabilities[:0]
}

// AppendText appends the text of the answer to dst, in reading order.
func (p *Pass) AppendText(dst []byte) []byte {
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

// Validate returns an error that describes what is wrong with the answer, nil if nothing is.
func (p *Pass) Validate() error {
	if err := p.Out.Validate(p.Body); err != nil || len(p.Order) == 0 {
		return err
	}
	sorted := slices.Clone(p.Order)
	slices.SortFunc(sorted, func(a, b page.Span) int { return cmp.Compare(a.Start, b.Start) })
	var all page.Selection
	last := int32(0)
	for _, s := range sorted {
		if s.Start < last || s.End <= s.Start || int(s.End) > len(p.Body.All.Text) {
			return fmt.Errorf("algorithms: the reading order has the span %v, which is empty, repeated or outside the text", s)
		}
		all.AddSpan(p.Body, s)
		last = s.End
	}
	if !slices.Equal(all.Spans, p.Out.Spans) {
		return errors.New("algorithms: the reading order does not cover exactly the selected text")
	}
	return nil
}

// SetTimer calls t when the computation of shared features begins and ends; see Timer.
func (p *Pass) SetTimer(t Timer) { p.features.timer = t }

// Scratch returns working memory of type T that lives as long as p. It holds whatever
// the last extractor that asked for a T left there. Extractors of one pass run one after
// the other, so the variants of a family share it.
func Scratch[T any](p *Pass) *T { return keep[T](&p.scratch) }
