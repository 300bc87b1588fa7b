package extract

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/pipeline/extract/markup"
	"github.com/winnow/winnow/pipeline/extract/process"
	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/recipe/keep"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/pipeline/worker/records"
	"github.com/winnow/winnow/schemas"
)

// maxTemplates is the default of Options.TemplateBytes.
const maxTemplates = 256 << 20

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
	// slots, and the files of hosts; default 256 MiB each.
	TemplateBytes int64
	// ScoreMemory bounds what scoring pages takes at once, over all slots, in bytes:
	// slots with large pages wait for each other. Default 512 MiB.
	ScoreMemory int64

	Metrics *Metrics // default: counted but not shown

	// BeforePage is called before a page is worked on, with its file and location, in
	// the slot that works on it. Tests end the process at a page with it.
	BeforePage func(file string, at schemas.Location)
}

// New returns the task of the phase extract.
func New(opt Options) worker.Task {
	if opt.TemplateBytes <= 0 {
		opt.TemplateBytes = maxTemplates
	}
	if opt.ScoreMemory <= 0 {
		opt.ScoreMemory = maxScore
	}
	if opt.Metrics == nil {
		opt.Metrics = NewMetrics(nil)
	}
	if opt.BeforePage == nil {
		opt.BeforePage = func(string, schemas.Location) {}
	}
	scoring := newBudget(opt.ScoreMemory) // shared by all slots
	return func(ctx context.Context, j *worker.Job) (func() (worker.Runner, error), error) {
		w := &work{opt: opt, job: j, namer: records.Namer{Run: j.Run}, markup: markup.NewWriter()}
		if err := w.open(ctx); err != nil {
			return nil, err
		}
		w.config.Budget = scoring
		return w.newRunner, nil
	}
}

// work is the task, open for one run. The slots share it, and it does not change.
type work struct {
	opt    Options
	job    *worker.Job
	config driver.Config
	mask   markup.Masking
	markup *markup.Writer
	filter *keep.Filter                     // nil if all texts are kept
	hashes map[*algorithms.Extractor]string // recipe.ConfigHash
	namer  records.Namer
	cache  *template.Cache // nil if no extractor learns
	files  *template.Cache // templates of the files of hosts; nil if the run does not read them

	captures []capture // pages that earlier runs have extracted, by address
}

// open prepares what the recipe of the run asks for.
func (w *work) open(ctx context.Context) error {
	r := &w.job.Run.Recipe
	var err error
	if w.config, err = recipe.DriverConfig(r); err != nil {
		return err
	}
	if w.config.Extractors, w.config.Scorers, err = recipe.Find(r, w.opt.Extractors, w.opt.Scorers); err != nil {
		return err
	}
	if w.config.Facts, err = recipe.FindFacts(r, w.opt.Facts); err != nil {
		return err
	}
	w.mask.Addresses = r.Links == schemas.LinksOff
	if len(r.Mask) > 0 {
		if w.opt.Mask == nil {
			return errors.New("extract: this program cannot mask what the recipe wants masked in texts")
		}
		if w.mask.Find, err = w.opt.Mask(r.Mask); err != nil {
			return fmt.Errorf("extract: %w", err)
		}
		for kind, scheme := range map[string]string{"email": "mailto", "phone": "tel"} {
			if slices.Contains(r.Mask, kind) {
				w.mask.Schemes = append(w.mask.Schemes, scheme)
			}
		}
	}
	if r.Keep != "" {
		if w.filter, err = keep.New([]string{r.Keep}, r.Facts); err != nil {
			return fmt.Errorf("extract: the filter of the recipe: %w", err)
		}
	}
	w.hashes = make(map[*algorithms.Extractor]string, len(w.config.Extractors))
	for _, e := range w.config.Extractors {
		w.hashes[e] = recipe.ConfigHash(e)
	}
	if w.namer.Side, err = records.OpenGold(ctx, w.job); err != nil {
		return err
	}
	if err := w.openCaptures(ctx); err != nil || r.Learn == nil {
		return err
	}
	if err := template.CheckSites(r.Learn); err != nil {
		return err
	}
	return w.openTemplates(ctx)
}

// runner implements worker.Runner: what one slot needs, used again for every page.
type runner struct {
	*work
	driver    *process.Driver
	reader    records.Reader
	consensus *consensus      // nil if there is one extractor
	evaluator *keep.Evaluator // nil if all texts are kept
	apply     applying
}

func (w *work) newRunner() (worker.Runner, error) {
	r := &runner{work: w, consensus: newConsensus(w.config.Extractors)}
	if w.filter != nil {
		r.evaluator = w.filter.Evaluator()
	}
	var err error
	if r.driver, err = process.NewDriver(w.config); err != nil {
		return nil, err
	}
	return r, nil
}

// Close implements worker.Runner.
func (r *runner) Close() { r.driver.Close() }

// attempt is one try to extract the pages of one item.
type attempt struct {
	*worker.Attempt
	r      *runner
	shards *shards
	counts schemas.Counts
	ahead  ahead

	unchanged int64 // pages that are not extracted again
}

// Run implements worker.Runner.
func (r *runner) Run(ctx context.Context, wa *worker.Attempt) (done *schemas.Done, err error) {
	a := &attempt{Attempt: wa, r: r}
	if r.consensus != nil {
		clear(r.consensus.sums) // an attempt that failed may have left some
	}
	defer a.ahead.wait()
	a.shards = newShards(ctx, wa)
	defer a.shards.discard()
	if wa.Job.Run.Recipe.Records {
		r.reader.Named = a.shards.records.add
	}
	if err := a.read(ctx); err != nil {
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
	if a.unchanged > 0 {
		a.counts.NotHTML = map[string]int64{schemas.KindUnchanged: a.unchanged}
	}
	done = r.reader.Report(a.counts, published)
	r.opt.Metrics.item(&done.Counts)
	return done, nil
}

// read reads the item to its end and appends the rows of its pages and failures.
func (a *attempt) read(ctx context.Context) error {
	in := &a.r.reader
	if err := in.Open(ctx, a.Attempt); err != nil {
		return err
	}
	defer in.Close()
	for {
		step, err := in.Next(ctx)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
		case step == source.Candidate:
			_, err = in.Decode(ctx)
		case step == source.Ready:
			a.lookAhead(ctx, in.Ahead())
			a.r.opt.BeforePage(a.Item.File.URL, in.Page().Location)
			err = a.page(ctx, in.Page())
		case step == source.Failed:
			err = a.shards.failures.Append(in.Failure())
		}
		if err != nil {
			return err
		}
	}
}

// lookAhead loads the templates of the site of the next page, and the files of its host,
// while the current one is worked on.
func (a *attempt) lookAhead(ctx context.Context, next string) {
	if a.r.files != nil && next != "" {
		origin, _ := website.Origin(next)
		a.ahead.fetch(ctx, a.r.files, origin)
	}
	if by := a.Job.Run.Recipe.SiteBy; a.r.cache != nil && by != schemas.ByPackage && next != "" {
		a.ahead.fetch(ctx, a.r.cache, records.Site(by, "", next))
	}
}
