// Package diff compares two runs over the same pages, as of two nights: which pages
// changed their outcome or text, which are in one of the runs only, and how the scores
// of the pages in both changed.
//
// A page is known by its package and document id, and compared for each extractor that
// both runs have. The rows of both runs are read in one order, side by side, so that
// the memory needed does not depend on the number of pages. A run may still go on: then
// what it has committed is compared.
package diff

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/schemas"
)

// Run is one of the two runs.
type Run struct {
	Store    blob.Store
	Manifest *schemas.Manifest
}

// Options choose what is compared. Empty lists mean everything that both runs have.
type Options struct {
	Extractors, Scorers []string
	Pages               int // the number of changed pages that the result names
}

// Result describes how run B differs from run A.
type Result struct {
	A          Side        `json:"a"`
	B          Side        `json:"b"`
	Extractors []Extractor `json:"extractors"` // extractors that both runs have, in the order of A
	Pages      []Page      `json:"pages"`      // the first changed pages
	Further    int64       `json:"further"`    // the number of changed pages that Pages does not have
}

// Side describes one of the runs, and what only this one has.
type Side struct {
	Run        schemas.RunID `json:"run"`
	Out        string        `json:"out"`
	Finished   bool          `json:"finished"`
	Extractors []string      `json:"only_extractors,omitempty"`
	Scorers    []string      `json:"only_scorers,omitempty"`
}

// Extractor counts the pages of one extractor. Every page of either run is in one of
// the counts Same, Outcome, Text, OnlyA and OnlyB.
type Extractor struct {
	Name    string `json:"extractor"`
	Pages   int64  `json:"pages"` // number of pages of each run
	Same    int64  `json:"same"`
	Outcome int64  `json:"outcome"` // another outcome, or another reason for it
	Text    int64  `json:"text"`    // the same outcome and another text
	OnlyA   int64  `json:"only_a"`
	OnlyB   int64  `json:"only_b"`
	// Outcomes counts the pages with another outcome: "ok > failed/timeout".
	Outcomes map[string]int64 `json:"outcomes,omitempty"`
	Scores   []Score          `json:"scores"`
}

// Changed is the share of the pages that are not the same in both runs.
func (e *Extractor) Changed() float64 {
	if e.Pages == 0 {
		return 0
	}
	return float64(e.Pages-e.Same) / float64(e.Pages)
}

// Score compares the scores of the pages that have one in both runs: F1, or the value of
// a scorer that does not compute an F1. A failed extraction counts as 0, as in the table
// of packages.
type Score struct {
	Scorer string  `json:"scorer"`
	Lower  bool    `json:"lower,omitempty"` // smaller scores are better
	Pages  int64   `json:"pages"`
	MeanA  float64 `json:"mean_a"` // these are 0 if there are no pages
	MeanB  float64 `json:"mean_b"`
	Better int64   `json:"better"` // pages whose score is better in B
	Worse  int64   `json:"worse"`

	sumA, sumB float64
}

// Fell returns by how much the mean is worse in B than in A. It is negative if the mean
// is better.
func (s *Score) Fell() float64 {
	if s.Lower {
		return s.MeanB - s.MeanA
	}
	return s.MeanA - s.MeanB
}

// Page is a page that changed, for one extractor. A and B are its outcomes, "" in the
// run that does not have the page.
type Page struct {
	Package   string `json:"package"`
	DocID     string `json:"doc_id"`
	URL       string `json:"url"`
	Extractor string `json:"extractor"`
	Change    string `json:"change"` // "outcome", "text", "only_a" or "only_b"
	A         string `json:"a"`
	B         string `json:"b"`
}

// Runs compares run b with run a.
func Runs(ctx context.Context, a, b Run, o Options) (*Result, error) {
	r := &Result{Pages: []Page{}, Extractors: []Extractor{}}
	ra, rb := &a.Manifest.Run.Recipe, &b.Manifest.Run.Recipe
	extractors, onlyA, onlyB := both(ra.Extractors, rb.Extractors, o.Extractors)
	scorers, scorersA, scorersB := both(ra.Scorers, rb.Scorers, o.Scorers)
	if len(extractors) == 0 {
		return nil, fmt.Errorf("diff: run %s and run %s have no extractor in common: there is nothing to compare", a.Manifest.Run.ID, b.Manifest.Run.ID)
	}
	r.A, r.B = describe(a, onlyA, scorersA), describe(b, onlyB, scorersB)
	c := comparison{result: r, pages: o.Pages, at: map[string]int{}}
	var names, scorerNames []string
	for _, s := range scorers {
		scorerNames = append(scorerNames, s.Name)
	}
	for i, m := range extractors {
		e := Extractor{Name: m.Name, Scores: make([]Score, len(scorers))}
		for j, s := range scorers {
			e.Scores[j] = Score{Scorer: s.Name, Lower: s.Lower}
		}
		r.Extractors = append(r.Extractors, e)
		names, c.at[m.Name] = append(names, m.Name), i
	}
	left, right := a.open(ctx, names, scorerNames), b.open(ctx, names, scorerNames)
	defer left.stop()
	defer right.stop()
	if err := c.merge(left, right); err != nil {
		return nil, fmt.Errorf("diff: %w", err)
	}
	for i := range r.Extractors {
		for j := range r.Extractors[i].Scores {
			if s := &r.Extractors[i].Scores[j]; s.Pages > 0 {
				s.MeanA, s.MeanB = s.sumA/float64(s.Pages), s.sumB/float64(s.Pages)
			}
		}
	}
	return r, nil
}

func describe(r Run, extractors, scorers []string) Side {
	return Side{r.Manifest.Run.ID, r.Store.URL(), !r.Manifest.Finished.IsZero(), extractors, scorers}
}

// both returns the methods of a that b has too, and the names of those that only one of
// them has. If wanted is not empty, only the methods that it names are compared.
func both(a, b []schemas.Method, wanted []string) (common []schemas.Method, onlyA, onlyB []string) {
	has := func(list []schemas.Method, name string) bool {
		return slices.ContainsFunc(list, func(m schemas.Method) bool { return m.Name == name })
	}
	for _, m := range a {
		switch {
		case len(wanted) > 0 && !slices.Contains(wanted, m.Name):
		case has(b, m.Name):
			common = append(common, m)
		default:
			onlyA = append(onlyA, m.Name)
		}
	}
	for _, m := range b {
		if (len(wanted) == 0 || slices.Contains(wanted, m.Name)) && !has(a, m.Name) {
			onlyB = append(onlyB, m.Name)
		}
	}
	return common, onlyA, onlyB
}

// Regressions lists what is worse than allowed: means that fell by more than fall, and
// extractors of which a larger share of the pages than changed is not the same. NaN
// allows everything.
func (r *Result) Regressions(fall, changed float64) []string {
	var found []string
	for i := range r.Extractors {
		e := &r.Extractors[i]
		if share := e.Changed(); share > changed {
			found = append(found, fmt.Sprintf("%s: %.2f%% of the pages changed, %.2f%% are allowed", e.Name, 100*share, 100*changed))
		}
		for j := range e.Scores {
			if s := &e.Scores[j]; s.Pages > 0 && s.Fell() > fall {
				found = append(found, fmt.Sprintf("%s: mean %s went from %.4f to %.4f, worse by more than %g", e.Name, s.Scorer, s.MeanA, s.MeanB, fall))
			}
		}
	}
	return found
}

// value returns the score of a row that belongs to a document with that outcome, or NaN
// if there is none.
func value(row *schemas.ScoreRow, outcome, mean string) float64 {
	switch {
	case row.Reason == "" && mean == string(algorithms.MeanValue):
		return row.Value
	case row.Reason == "":
		return row.F1
	case row.Reason == string(algorithms.ReasonNoAnswer) && outcome == string(algorithms.Failed):
		return 0
	}
	return math.NaN()
}
