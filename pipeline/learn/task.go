package learn

import (
	"context"
	"errors"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/pipeline/worker/records"
	"github.com/winnow/winnow/schemas"
)

// Options are the options of the tasks. Extractors are required.
type Options struct {
	// Extractors are all extractors that a recipe may name.
	Extractors []*algorithms.Extractor

	Metrics *Metrics // default: metrics that are not exported

	// BeforeSite is called before a site is learned, in the slot that learns it. Tests
	// use it to end the process at a site.
	BeforeSite func(site string)
}

func (o Options) withDefaults() Options {
	if o.Metrics == nil {
		o.Metrics = NewMetrics(nil)
	}
	if o.BeforeSite == nil {
		o.BeforeSite = func(string) {}
	}
	return o
}

// run holds what both tasks need to know about a run. The slots share it, and it does not
// change.
type run struct {
	opt     Options
	job     *worker.Job
	methods []template.Method
	linked  bool     // one of the extractors follows links
	agents  []string // schemas.Learn.Agents
	reading page.Options
}

func open(opt Options, j *worker.Job) (*run, error) {
	r := &j.Run.Recipe
	if r.Learn == nil {
		return nil, errors.New("the recipe says nothing about learning")
	}
	if err := template.CheckSites(r.Learn); err != nil {
		return nil, err
	}
	extractors, err := recipe.FindExtractors(r, opt.Extractors)
	if err != nil {
		return nil, err
	}
	config, err := recipe.DriverConfig(r)
	if err != nil {
		return nil, err
	}
	w := &run{opt: opt, job: j, methods: template.Methods(extractors), reading: config.Page, agents: r.Learn.Agents}
	w.linked = template.Linked(w.methods)
	return w, nil
}

func (w *run) engine() *Engine { return NewEngine(w.methods, w.reading) }

// Tasks returns what a worker does in each phase of a run. The task of the phase extract is
// given.
func Tasks(opt Options, extract worker.Task) map[schemas.Phase]worker.Task {
	opt = opt.withDefaults()
	return map[schemas.Phase]worker.Task{
		schemas.PhaseScan: newScan(opt), schemas.PhaseLearn: newLearn(opt), schemas.PhaseExtract: extract,
	}
}

// newScan returns the task of the phase scan.
func newScan(opt Options) worker.Task {
	return func(ctx context.Context, j *worker.Job) (func() (worker.Runner, error), error) {
		w, err := open(opt, j)
		if err != nil {
			return nil, err
		}
		side, err := records.OpenGold(ctx, j)
		if err != nil {
			return nil, err
		}
		return func() (worker.Runner, error) {
			return &scanRunner{run: w, namer: records.Namer{Run: j.Run, Side: side}, engine: w.engine()}, nil
		}, nil
	}
}

// newLearn returns the task of the phase learn.
func newLearn(opt Options) worker.Task {
	return func(_ context.Context, j *worker.Job) (func() (worker.Runner, error), error) {
		w, err := open(opt, j)
		if err != nil {
			return nil, err
		}
		earlier, err := template.OpenEarlier(j.Context(), j.Blobs, j.Run.Recipe.Learn)
		if err != nil {
			return nil, err
		}
		return func() (worker.Runner, error) {
			return &learnRunner{run: w, earlier: earlier, engine: w.engine()}, nil
		}, nil
	}
}
