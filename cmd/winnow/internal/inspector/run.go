package inspector

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/cmd/winnow/internal/pages"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/extract/process"
	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/pipeline/worker/records"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// Run shows pages of a run: it reads them again from the inputs, by the location
// that the table of pages has, and runs the extractors of the run on them.
// It may be used by several goroutines at a time.
type Run struct {
	store blob.Store
	m     *schemas.Manifest
	blobs *blob.Client
	namer records.Namer
	// methods are those of the run that learn from the pages of a site.
	methods []template.Method

	mu     sync.Mutex // guards what follows: one page is processed at a time
	driver *process.Driver
}

// NewRun returns a Run that shows the pages of the run in store with extractors of the list.
// blobs reads its inputs.
func NewRun(ctx context.Context, blobs *blob.Client, store blob.Store, m *schemas.Manifest, extractors []*algorithms.Extractor) (*Run, error) {
	r := &Run{store: store, m: m, blobs: blobs, namer: records.Namer{Run: &m.Run}}
	var err error
	if r.namer.Side, err = records.OpenGold(ctx, &worker.Job{Run: &m.Run, Blobs: blobs}); err != nil {
		return nil, err
	}
	chosen, err := recipe.FindExtractors(&m.Run.Recipe, extractors)
	if err != nil {
		return nil, err
	}
	r.methods = template.Methods(chosen)
	config, err := recipe.DriverConfig(&m.Run.Recipe)
	if err != nil {
		return nil, err
	}
	if config.Scorers, err = choose.Scorers(suite.Scorers(), schemas.DefaultScorer); err != nil {
		return nil, err
	}
	config.Timing, config.Extractors = "", chosen
	if r.driver, err = process.NewDriver(config); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *Run) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.driver.Close()
}

// View returns the view of a page of which the table of pages has a row.
func (r *Run) View(ctx context.Context, row *schemas.Page) (v *View, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	found := errors.New("found")
	for i := range r.m.Run.Files {
		f := &r.m.Run.Files[i]
		if f.URL != row.File || f.Refused != "" {
			continue
		}
		err := r.read(ctx, f, row, func(p *pages.Page, site string) error {
			in := Input(p)
			var err error
			if in.Template, err = r.templates(ctx, site, in.URL); err != nil {
				return err
			}
			result, err := r.driver.Page(ctx, in)
			if err != nil {
				return fmt.Errorf("%s: %w", p.ID, err)
			}
			if v, err = NewView(p, result, r.driver.Aligner); err != nil {
				return err
			}
			v.Facts = append(v.Facts, r.rules(row)...)
			return found
		})
		if err != nil && !errors.Is(err, found) {
			return nil, err
		}
		if v != nil {
			return v, nil
		}
	}
	return nil, fmt.Errorf("%s of %s is no longer at offset %d of %s", row.DocID, row.Package, row.Offset, row.File)
}

// read calls do for the page at the location of the row, if the file has it there.
func (r *Run) read(ctx context.Context, f *schemas.File, row *schemas.Page, do func(p *pages.Page, site string) error) error {
	src, err := source.Open(ctx, r.blobs, r.store, f.Stored(), f.Selection)
	if err != nil {
		return err
	}
	defer src.Close()
	in := new(source.WARC)
	if err := in.Reset(src, source.Range{Start: row.Offset, End: row.Offset + 1, First: row.Offset}, source.OptionsOf(&r.m.Run.Recipe, f.URL)); err != nil {
		return err
	}
	named := schemas.FileRange{Stored: f.Stored(), Private: f.Private, Name: f.Name, Selection: f.Selection, Split: f.Split}
	for p, err := range source.Pages(ctx, f.URL, in) {
		var lost *source.Failure
		switch {
		case errors.As(err, &lost): // another record of the unit
			continue
		case err != nil:
			return err
		case p.Location != (schemas.Location{Offset: row.Offset, Ordinal: row.Ordinal}):
			continue
		}
		who := r.namer.Identify(&named, p)
		if who.ID != row.DocID || who.Package != row.Package {
			return nil
		}
		p.Gold = who.Gold
		return do(&pages.Page{Page: p, Package: who.Package, ID: who.ID}, who.Site)
	}
	return nil
}

// rules returns which of the robots that the run names may fetch a page, and which may not. It
// returns nothing for the rows of winnow serve, whose index leaves out facts to stay small.
func (r *Run) rules(row *schemas.Page) (out []detail) {
	columns := r.m.Run.Recipe.PageColumns()
	for i, v := range row.Facts {
		if c := columns[i].Name; v.Known && (c == "robots_allows" || c == "robots_disallows") {
			out = append(out, detail{c, v.Text})
		}
	}
	return out
}

// Find returns the rows of the pages that a user may mean, the first ones of many.
func (r *Run) Find(ctx context.Context, pkg, doc string) (rows []schemas.Page, err error) {
	for row, err := range tables.TableRows(ctx, r.store, columnar.PagesOf(&r.m.Run.Recipe), r.m) {
		if err != nil {
			return nil, err
		}
		if pkg != "" && row.Package != pkg || doc != row.DocID && doc != row.URL && doc != row.Package+"/"+row.DocID {
			continue
		}
		if rows = append(rows, *row); len(rows) > pages.MostCandidates {
			return rows, nil
		}
	}
	return rows, nil
}

// Consensus is the name by which the agreement with most other extractors is chosen
// instead of a scorer. It needs no gold.
const Consensus = "consensus"

// worst returns the pages on which an extractor is worst by a scorer, or loses most to
// another extractor, the worst first.
func (r *Run) worst(ctx context.Context, o *Site) ([]stats.Page, error) {
	lowest := stats.NewLowest(o.Worst)
	page, rival := stats.Page{Figure: math.NaN()}, 0.0 // the page whose rows are being read, and the other extractor's figure
	add := func() {
		figure := page.Figure - rival
		if o.Lower {
			figure = -figure
		}
		if !math.IsNaN(figure) {
			listed := page
			listed.Figure = figure
			lowest.Add(listed)
		}
	}
	row := func(pkg, doc, extractor string, figure float64) {
		if pkg != page.Package || doc != page.DocID {
			add()
			page, rival = stats.Page{Package: strings.Clone(pkg), DocID: strings.Clone(doc), Figure: math.NaN()}, 0
			if o.Against != "" {
				rival = math.NaN()
			}
		}
		switch extractor {
		case o.Extractor:
			page.Figure = figure
		case o.Against:
			rival = figure
		}
	}
	for i := range r.m.Parts { // a part has all rows of a page, one after the other
		p := &r.m.Parts[i]
		if o.Scorer == Consensus {
			for d, err := range tables.PartRows(ctx, r.store, columnar.DocumentColumns(nil, "package", "doc_id", "extractor", "consensus_f1"), p) {
				if err != nil {
					return nil, err
				}
				row(d.Package, d.DocID, d.Extractor, d.ConsensusF1)
			}
			continue
		}
		for s, err := range tables.PartRows(ctx, r.store, columnar.Scores, p) {
			if err != nil {
				return nil, err
			}
			if s.Scorer == o.Scorer && s.Reason == "" {
				row(s.Package, s.DocID, s.Extractor, s.Headline())
			}
		}
	}
	add()
	pages := lowest.Pages()
	for i := range pages {
		if o.Lower {
			pages[i].Figure = -pages[i].Figure
		}
	}
	return pages, nil
}

// locate returns the rows of the table of pages for a list of pages, in its order.
func (r *Run) locate(ctx context.Context, pages []stats.Page) ([]schemas.Page, error) {
	at := map[[2]string]int{}
	for i, p := range pages {
		at[[2]string{p.Package, p.DocID}] = i
	}
	out := make([]schemas.Page, len(pages))
	for row, err := range tables.TableRows(ctx, r.store, columnar.PagesOf(&r.m.Run.Recipe), r.m) {
		if err != nil {
			return nil, err
		}
		if i, wanted := at[[2]string{row.Package, row.DocID}]; wanted {
			out[i] = *row
		}
	}
	for i := range out {
		if out[i].File == "" {
			return nil, fmt.Errorf("%s of %s has no row in the table of pages", pages[i].DocID, cmp.Or(pages[i].Package, "no package"))
		}
	}
	return out, nil
}
