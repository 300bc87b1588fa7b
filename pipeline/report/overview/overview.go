package overview

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
)

// File is the name of the page in the output folder.
const File = "report.html"

// Options choose what the page shows. The zero Options suit any run.
type Options struct {
	Scorer   string // the scorer that ranks; default: Recipe.DefaultScorer
	Packages int    // number of packages that are shown in full, the largest ones; default 20
	Pages    int    // number of pages of least agreement, of pages of least confidence by extractor, and of failures; default 20
	// Work bounds the tests between extractors. The unit is the addition of one page's
	// score, over all replicates and packages. Default 1e10, which takes some ten
	// seconds. Packages beyond the bound have no tests.
	Work int64
	// Rows bounds the rows of documents that are read to find single pages. Default 20
	// million. The report of a larger run has no lists of single pages.
	Rows int64
	// Inspector is the address of a page that shows a document, relative to that of the
	// report. Documents then lead there, as they do where winnow serve serves the report.
	// Without it the page has no links to anything else.
	Inspector string
}

func (o *Options) withDefaults() {
	if o.Packages <= 0 {
		o.Packages = 20
	}
	if o.Pages <= 0 {
		o.Pages = 20
	}
	if o.Work <= 0 {
		o.Work = 1e10
	}
	if o.Rows <= 0 {
		o.Rows = 20e6
	}
}

// ErrNoTables means that a run lacks the tables packages or speed.
var ErrNoTables = errors.New("it has no tables packages and speed: the run is not finished, or an earlier version made it")

// Write makes the page of the run in store and writes it there.
func Write(ctx context.Context, store blob.Store, o Options) error {
	page, err := Render(ctx, store, o)
	if err != nil {
		return err
	}
	_, err = blob.WriteAll(ctx, store, File, page)
	return err
}

// Render returns the page of the run in store.
func Render(ctx context.Context, store blob.Store, o Options) ([]byte, error) {
	o.withDefaults()
	v, err := gather(ctx, store, &o)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := layout.Execute(&out, v); err != nil {
		return nil, fmt.Errorf("overview: %w", err)
	}
	return out.Bytes(), nil
}

// gather reads the tables.
func gather(ctx context.Context, store blob.Store, o *Options) (*view, error) {
	m, err := tables.Manifest(ctx, store)
	if err != nil {
		return nil, err
	}
	rows, err := tables.Packages(ctx, store)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, fmt.Errorf("overview: %s: %w", store.URL(), ErrNoTables)
	}
	if err != nil {
		return nil, err
	}
	v := newView(m)
	v.Inspector, v.Result = o.Inspector, stats.NewResult(rows, m.Run.Recipe.ScorersToShow())
	v.left = o.Work
	if v.Scorer, err = choose(&m.Run.Recipe, o.Scorer); err != nil {
		return nil, err
	}
	if o.Scorer != "" {
		v.Result = stats.NewResult(rows, []schemas.Method{v.Scorer})
	}
	shown := v.packages(rows, o.Packages)
	matrices, err := readMatrices(ctx, store, shown)
	if err != nil {
		return nil, err
	}
	if err := v.compare(ctx, store); err != nil {
		return nil, err
	}
	if err := v.readScores(ctx, store, m, o); err != nil {
		return nil, err
	}
	for i := range v.Packages {
		p := &v.Packages[i]
		p.agree(matrices[p.Name], m.Run.Recipe.Extractors)
		p.rank()
		p.correlate()
	}
	v.heat()
	v.fillData(matrices)
	if err := v.failures(ctx, store, o.Pages); err != nil {
		return nil, err
	}
	if m.Templates != nil {
		if v.Learned, err = readLearned(ctx, store, m); err != nil {
			return nil, err
		}
	}
	if err := v.documents(ctx, store, m, o); err != nil {
		return nil, err
	}
	v.Cards = v.cards()
	return v, nil
}

// choose returns the scorer that ranks, or the zero Method if the run has none.
func choose(r *schemas.Recipe, name string) (schemas.Method, error) {
	if name == "" {
		return r.DefaultScorer(), nil
	}
	for _, m := range r.Scorers {
		if m.Name == name {
			return m, nil
		}
	}
	return schemas.Method{}, fmt.Errorf("overview: the run has no scorer %q", name)
}
