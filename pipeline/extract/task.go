package extract

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/pipeline/extract/markup"
	"github.com/winnow/winnow/pipeline/extract/process"
	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/recipe/keep"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/source/payload"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/pipeline/worker/records"
	"github.com/winnow/winnow/schemas"
)

// templatesMax is the default of Options.TemplateBytes.
const templatesMax = 256 << 20

// Options of the task. Extractors are needed.
type Options struct {
	// Extractors, Scorers and Facts are all that a recipe may name.
	Extractors []*algorithms.Extractor
	Scorers    []*algorithms.Scorer
	Facts      []*fact.Fact

	// Mask returns a function that reports what the recipe wants masked (Recipe.Mask) in a
	// text, in order, and what is written instead. Nil refuses recipes that mask something.
	Mask func(kinds []string) (func(text []byte, found func(start, end int, mask string)), error)

	// TemplateBytes bounds the templates of sites that are held ready, over all
	// slots; default 256 MiB.
	TemplateBytes int64
	// ScoreMemory bounds what scoring pages takes at once, over all slots, in bytes:
	// slots with large pages wait for each other. Default 512 MiB.
	ScoreMemory int64

	Metrics *Metrics // default: counted, shown nowhere

	// BeforePage is called before a page is worked on, with its file and location, in
	// the slot that works on it. Tests end the process at a page with it.
	BeforePage func(file string, at schemas.Location)
}

// task implements worker.Task.
type task struct {
	opt     Options
	scoring *budget // of all slots
}

// New returns the task of the phase extract.
func New(opt Options) worker.Task {
	if opt.TemplateBytes <= 0 {
		opt.TemplateBytes = templatesMax
	}
	if opt.ScoreMemory <= 0 {
		opt.ScoreMemory = scoreMax
	}
	if opt.Metrics == nil {
		opt.Metrics = NewMetrics(nil)
	}
	if opt.BeforePage == nil {
		opt.BeforePage = func(string, schemas.Location) {}
	}
	return &task{opt: opt, scoring: newBudget(opt.ScoreMemory)}
}

// work is the task, open for one run. The slots share it, and it does not change.
type work struct {
	*task
	job        *worker.Job
	extractors []*algorithms.Extractor
	scorers    []*algorithms.Scorer
	facts      []*fact.Fact
	mask       markup.Masking
	markup     *markup.Writer
	filter     *keep.Filter                     // nil if all texts are kept
	config     map[*algorithms.Extractor]string // recipe.ConfigHash
	namer      records.Namer
	cache      *template.Cache // nil if the run does not learn
}

// Open implements worker.Task.
func (t *task) Open(ctx context.Context, j *worker.Job) (func() (worker.Runner, error), error) {
	w := &work{task: t, job: j, namer: records.Namer{Run: j.Run}, markup: markup.NewWriter()}
	r := &j.Run.Recipe
	var err error
	if w.extractors, w.scorers, err = recipe.Find(r, t.opt.Extractors, t.opt.Scorers); err != nil {
		return nil, err
	}
	if w.facts, err = recipe.FindFacts(r, t.opt.Facts); err != nil {
		return nil, err
	}
	w.mask.Addresses = r.Links == schemas.LinksOff
	if len(r.Mask) > 0 {
		if t.opt.Mask == nil {
			return nil, errors.New("extract: this program cannot mask what the recipe wants masked in texts")
		}
		if w.mask.Find, err = t.opt.Mask(r.Mask); err != nil {
			return nil, fmt.Errorf("extract: %w", err)
		}
		for kind, scheme := range map[string]string{"email": "mailto", "phone": "tel"} {
			if slices.Contains(r.Mask, kind) {
				w.mask.Schemes = append(w.mask.Schemes, scheme)
			}
		}
	}
	if r.Keep != "" {
		if w.filter, err = keep.New([]string{r.Keep}, r.Facts); err != nil {
			return nil, fmt.Errorf("extract: the filter of the recipe: %w", err)
		}
	}
	w.config = make(map[*algorithms.Extractor]string, len(w.extractors))
	for _, e := range w.extractors {
		w.config[e] = recipe.ConfigHash(e)
	}
	if w.namer.Side, err = records.OpenGold(ctx, j); err != nil {
		return nil, err
	}
	if r.Learn != nil {
		if err := template.CheckSites(r.Learn); err != nil {
			return nil, err
		}
		if err := w.openTemplates(ctx); err != nil {
			return nil, err
		}
	}
	return w.newRunner, nil
}

// runner implements worker.Runner: what one slot needs, used again for every page.
type runner struct {
	*work
	driver    *process.Driver
	reader    records.Reader
	consensus *consensus      // nil if there is one extractor
	evaluator *keep.Evaluator // nil if all texts are kept
	apply     applying
	outcomes  map[outcomeKey]string
}

func (w *work) newRunner() (worker.Runner, error) {
	config, err := recipe.DriverConfig(&w.job.Run.Recipe)
	if err != nil {
		return nil, err
	}
	r := &runner{work: w, consensus: newConsensus(w.extractors)}
	if w.filter != nil {
		r.evaluator = w.filter.Evaluator()
	}
	config.Extractors, config.Scorers, config.Facts, config.Budget = w.extractors, w.scorers, w.facts, w.scoring
	if r.driver, err = process.NewDriver(config); err != nil {
		return nil, err
	}
	return r, nil
}

// Close implements worker.Runner.
func (r *runner) Close() { r.driver.Close() }

// attempt is one try to extract the pages of one item. It implements records.Visitor.
type attempt struct {
	*worker.Attempt
	r      *runner
	shards *shards
	counts schemas.Counts
	ahead  ahead
}

// Run implements worker.Runner.
func (r *runner) Run(ctx context.Context, wa *worker.Attempt) (done *schemas.Done, err error) {
	a := &attempt{Attempt: wa, r: r}
	if r.consensus != nil {
		clear(r.consensus.sums) // of an attempt that did not end
	}
	defer a.ahead.wait()
	a.shards = newShards(ctx, wa)
	defer a.shards.discard()
	account, err := r.reader.Read(ctx, wa, &a.counts, a)
	if err != nil {
		if errors.Is(err, driver.ErrNoProcess) { // too many processes or files, no memory
			err = worker.MachineError(err)
		}
		return nil, err
	}
	if err := a.writeAgreement(); err != nil {
		return nil, err
	}
	published, err := a.shards.publish()
	if err != nil {
		return nil, err
	}
	done = records.Report(wa, account, &a.counts, published)
	r.opt.Metrics.item(&done.Counts)
	return done, nil
}

// Skip implements records.Visitor: every record that may be a page is decoded.
func (a *attempt) Skip(*warc.Record) string { return "" }

// Decoded implements records.Visitor.
func (a *attempt) Decoded(*warc.Record, *payload.Document) error { return nil }

// Failure implements records.Visitor.
func (a *attempt) Failure(_ context.Context, f *schemas.Failure) error {
	return a.shards.failures.Append(f)
}

// Page implements records.Visitor. While a page is worked on, the templates of the site
// of the next one are loaded.
func (a *attempt) Page(ctx context.Context, p *source.Page, refuse func(reason, detail string) error) error {
	if by := a.Job.Run.Recipe.SiteBy; a.r.cache != nil && by != schemas.ByPackage {
		if next := a.r.reader.Next(); next != "" {
			a.ahead.fetch(ctx, a.r.cache, records.Site(by, "", next))
		}
	}
	a.r.opt.BeforePage(a.Item.File.URL, p.Location)
	return a.page(ctx, p, refuse)
}
