package driver

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/page"
)

// Config describes what a Driver runs, and within which bounds.
type Config struct {
	Extractors []*algorithms.Extractor // distinct names
	Scorers    []*algorithms.Scorer
	Facts      []*fact.Fact // distinct names

	Page page.Options

	// SuperlinearBytes is the size of HTML above which extractors of cost
	// algorithms.Superlinear are skipped; default 1 MiB.
	SuperlinearBytes int
	// ScoreBytes is the length of a text, gold or extracted, above which nothing is
	// scored (algorithms.ReasonTooLong); default DefaultScoreBytes.
	ScoreBytes int
	// Budget is the memory for scoring that this driver shares with others of the
	// process, so that large pages are scored one after the other instead of all at
	// once; nil for no bound.
	Budget Budget
	// TextTime bounds one program (Extractor.Command) on one page; default 30 s.
	TextTime time.Duration
	// MethodTime is the time on one page after which an extractor or scorer of Winnow's
	// own is assumed never to return; default DefaultMethodTime. If it is negative, no time
	// is watched and everything runs in the goroutine that calls Page.
	MethodTime time.Duration
	// Timing is how often each extractor runs; default Single.
	Timing Timing
	// Isolate runs programs (Extractor.Command) where they can be killed. It is needed if
	// there are any.
	Isolate Isolate
	// Align finds the spans of a text on a page; nil leaves the answers of programs
	// without spans.
	Align func(dst *page.Selection, b *page.Body, text string)
}

// Budget is an amount of memory in bytes that several drivers share.
type Budget interface {
	Size() int64 // all memory there is
	// Acquire waits until n ≤ Size bytes are free and takes them. The error is
	// ctx's, and nothing is taken then.
	Acquire(ctx context.Context, n int64) error
	Release(n int64)
}

// DefaultScoreBytes admits texts of a million characters and bounds the memory of
// scorers: the largest structure, the automaton of longest common substrings, takes 80
// bytes for each character of the gold. Scorers that compare sequences are exact up to a
// quarter of that length (lcs.DefaultCells).
const DefaultScoreBytes = 2 << 20

// Isolate runs the program of e on a page within limit. The errors ErrTime, ErrMemory,
// ErrCrash and ErrAnswer name how it may have ended; ErrDeclined means that it leaves the page out,
// ErrNoProcess means that it did not begin; others are the program's own.
type Isolate func(ctx context.Context, e *algorithms.Extractor, in Input, limit time.Duration) (Answer, error)

// Answer is what a program found.
type Answer struct {
	Text string
	// Took is the time that the program took for the page, without that of starting it. It
	// is set whether or not there is an error.
	Took time.Duration
}

// How a program can end besides answering.
var (
	ErrTime   = errors.New("driver: out of time")
	ErrMemory = errors.New("driver: out of memory")
	ErrCrash  = errors.New("driver: process ended")
	ErrAnswer = errors.New("driver: not an answer") // breaks the rules of the protocol
	// ErrDeclined means that the program leaves this page out, which is its decision.
	ErrDeclined = errors.New("driver: declined")
	// ErrNoProcess means that the program could not be started. The page is not the cause
	// and has no result.
	ErrNoProcess = errors.New("driver: no process for an extractor")
)

// PanicError is a panic outside of any extractor, fact and scorer, as in parsing or in the
// columns of the page. The page has no result.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("driver: page: panic: %v", e.Value) }

// Driver runs a suite on pages, one at a time.
type Driver struct {
	config    Config
	now       func() int64 // nanoseconds, monotonic
	plan      *plan
	result    Result
	rows      []Extraction // rows of result
	workspace *workspace
	overdue   chan struct{} // tests send on it to end the time of the current step
}

// workspace holds the memory of extractors and scorers. It belongs to one goroutine at
// a time and is left to that goroutine if an extractor does not return (see watch.go).
type workspace struct {
	config *Config
	plan   *plan
	now    func() int64

	page        page.Page
	pass        algorithms.Pass
	template    algorithms.Template // the template given to pass, if there is one
	trial       algorithms.Trial
	gold        algorithms.Gold
	extractions []Extraction
	again       Extraction     // result of executions that only measure time
	placed      page.Selection // location of the gold on the page, for oracles

	parseNS, featureNS int64 // for the current page
	featureBegan       int64
	large              bool // no memory of the current page is kept: see isLarge

	values  []fact.Value        // values of facts, as plan.finds lists them
	unfound []algorithms.Reason // reason of each find, NoReason if it succeeded
	details []string            // details of each find that failed, for the log
	factNS  int64               // for the current page
	links   fact.Links          // for the current page
	main    int                 // index of the extraction that is Subject.Main, or -1

	noProcess error // why a program could not be run
	reserved  int64 // memory of Config.Budget for the current page

	watched
}

// New checks the extractors and returns a Driver for them.
func New(c Config) (*Driver, error) {
	seen := make(map[string]bool, len(c.Extractors))
	for _, e := range c.Extractors {
		if seen[e.Name] {
			return nil, fmt.Errorf("driver: extractor %s is chosen twice", e.Name)
		}
		seen[e.Name] = true
	}
	if c.SuperlinearBytes <= 0 {
		c.SuperlinearBytes = 1 << 20
	}
	if c.ScoreBytes <= 0 {
		c.ScoreBytes = DefaultScoreBytes
	}
	if c.TextTime <= 0 {
		c.TextTime = 30 * time.Second
	}
	if c.MethodTime == 0 {
		c.MethodTime = DefaultMethodTime
	}
	if c.Timing != "" && !slices.Contains(Timings, c.Timing) {
		return nil, fmt.Errorf("driver: no timing %q; there are: %v", c.Timing, Timings)
	}
	clear(seen)
	for _, f := range c.Facts {
		if seen[f.Name] {
			return nil, fmt.Errorf("driver: fact %s is chosen twice", f.Name)
		}
		seen[f.Name] = true
	}
	began := time.Now()
	d := &Driver{config: c, now: func() int64 { return int64(time.Since(began)) }}
	var err error
	if d.plan, err = newPlan(c.Extractors); err != nil {
		return nil, err
	}
	d.plan.finds, d.plan.values = planFacts(c.Facts, d.plan)
	d.workspace = d.newWorkspace()
	return d, nil
}

func (d *Driver) newWorkspace() *workspace {
	h := &workspace{config: &d.config, plan: d.plan, now: func() int64 { return d.now() }, extractions: make([]Extraction, len(d.plan.order)),
		values: make([]fact.Value, d.plan.values), unfound: make([]algorithms.Reason, len(d.plan.finds)), details: make([]string, len(d.plan.finds))}
	for i, e := range d.plan.order {
		x := &h.extractions[i]
		if x.Extractor = e; !d.plan.listed[i] {
			continue // nothing of this extraction is scored
		}
		x.Scores = make([]Scored, len(d.config.Scorers))
		for j, s := range d.config.Scorers {
			x.Scores[j].Scorer = s
		}
	}
	h.newPass()
	return h
}

// These are the size of HTML, and that size times the number of extractors, above both
// of which no memory of a page is kept for the next one. An extractor's working memory is
// then only kept until the extractor returns: the memory of thirty extractors together
// would be several times that of the page. For one or two extractors the memory is kept
// up to a larger page, because asking for it again costs time and theirs is small.
const (
	largePage = 1 << 20
	largeWork = 4 << 20
)

// isLarge reports whether no memory of a page with size bytes of HTML is kept.
func (p *plan) isLarge(size int) bool {
	return size > largePage && size > largeWork/max(1, len(p.order))
}

// newPass replaces all features and scratch buffers, because after a panic any of them
// may be incomplete.
func (h *workspace) newPass() {
	h.pass = algorithms.Pass{}
	h.pass.SetTimer(func(begin bool) {
		if begin {
			h.featureBegan = h.now()
		} else {
			h.featureNS += h.now() - h.featureBegan
		}
	})
}

// Page runs everything on one page. The Result and all it points to are valid
// until the next call. The error is ctx's, when it ended between two extractors or
// while the page waited for memory, a *PanicError, ErrNoProcess, or ErrTime if the page
// could not be parsed in time; an extractor that fails is an Extraction, never an error.
func (d *Driver) Page(ctx context.Context, in Input) (*Result, error) {
	d.workspace.late = nil
	for {
		h := d.workspace
		stuck, err := d.watch(func() error { return h.run(ctx, in) })
		if h.reserved > 0 {
			d.config.Budget.Release(h.reserved)
			h.reserved = 0
		}
		if stuck != nil || errors.As(err, new(*PanicError)) {
			d.workspace = d.newWorkspace() // anything in the old one may be incomplete
		}
		switch {
		case err != nil:
			return nil, err
		case stuck == nil:
			d.result = Result{Page: &h.page, HTMLBytes: len(in.HTML), ParseNS: h.parseNS, FeatureNS: h.featureNS, Stuck: len(h.late) > 0}
			h.facts(&d.result)
			d.rows = h.extractionsInto(d.rows)
			d.result.Extractions = d.rows
			return &d.result, nil
		case stuck.extractor == parsing:
			return nil, ErrTime
		}
		d.workspace.late = append(h.late, *stuck)
	}
}

// run does all the work of a page.
func (h *workspace) run(ctx context.Context, in Input) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	h.enter(step{parsing, extracting})
	h.parse(in)
	for i := range h.plan.order {
		if err := h.turn(ctx, i, in); err != nil {
			return err
		}
	}
	if err := h.findAll(ctx, in); err != nil {
		return err
	}
	return h.scoreAll(ctx, in)
}

// drop releases the memory of the previous page.
func (h *workspace) drop() {
	h.page = page.Page{}
	h.newPass()
	for i := range h.extractions {
		x := &h.extractions[i]
		x.Text, x.Selection, x.Notes = nil, page.Selection{}, nil
	}
	h.again, h.placed = Extraction{}, page.Selection{}
}

func (h *workspace) parse(in Input) {
	if h.large {
		h.drop()
	}
	h.large = h.plan.isLarge(len(in.HTML))
	t0 := h.now()
	h.page.Parse(in.HTML, h.config.Page)
	t1 := h.now()
	h.pass.Reset(&h.page, in.URL) // fills the body table
	t2 := h.now()
	h.parseNS, h.featureNS = t1-t0, t2-t1
}

// turn runs extractor i, if it is needed. The error is ctx's, or ErrNoProcess.
func (h *workspace) turn(ctx context.Context, i int, in Input) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if h.large {
		defer h.pass.DropScratch()
	}
	x := &h.extractions[i]
	x.reset()
	switch {
	case !h.needed(i):
		x.Outcome = algorithms.Skipped // it has no row
		return nil
	case x.Extractor.Command != nil:
		h.unlimited()
	case !h.enter(step{i, extracting}):
		x.fail(algorithms.ReasonTimeout, noAnswer, nil)
		return nil
	}
	return h.extract(ctx, i, in)
}

// extract runs one extractor. The error is ctx's, or ErrNoProcess.
func (h *workspace) extract(ctx context.Context, i int, in Input) error {
	x := &h.extractions[i]
	h.noProcess = nil
	e := x.Extractor
	if e.Cost == algorithms.Superlinear && len(in.HTML) > h.config.SuperlinearBytes {
		x.Outcome, x.Reason = algorithms.Skipped, algorithms.ReasonTooLarge
		return nil
	}
	h.pass.Template = nil
	if e.Learn != nil {
		if in.Template == nil {
			x.Outcome, x.Reason = algorithms.Skipped, algorithms.ReasonNoTemplate
			return nil
		}
		t, reason := in.Template(e)
		if reason != algorithms.NoReason {
			x.Outcome, x.Reason = algorithms.Skipped, reason
			return nil
		}
		h.template = *t // the caller reuses its own for another page
		h.pass.Template = &h.template
	}
	if x.Reason = h.offer(i, in); x.Reason != algorithms.NoReason {
		x.Outcome = algorithms.Skipped
		return nil
	}
	x.ExtractNS = h.execute(ctx, x, in)
	if h.noProcess != nil {
		return h.noProcess
	}
	if e.Command != nil && x.Outcome != algorithms.Failed && x.Outcome != algorithms.Skipped && h.config.Align != nil {
		h.align(x) // the alignment is not the program's work, so its time is not counted
	}
	if x.Outcome == algorithms.Failed || x.Outcome == algorithms.Skipped {
		x.Selection.Reset()
		x.Text = x.Text[:0]
		return nil
	}
	x.finish()
	if h.config.Timing == Window {
		return h.steady(ctx, x, in)
	}
	return nil
}

// execute runs x's extractor once and returns its own time in nanoseconds,
// without that of features it was the first to ask for.
func (h *workspace) execute(ctx context.Context, x *Extraction, in Input) int64 {
	if x.Extractor.Command != nil {
		return h.runCommand(ctx, x, in)
	}
	features, began := h.featureNS, h.now()
	h.runOwn(x)
	return max(0, h.now()-began-(h.featureNS-features))
}

// runOwn calls one of Winnow's own extractors and takes its selection.
func (h *workspace) runOwn(x *Extraction) {
	defer func() {
		if v := recover(); v != nil {
			x.fail(algorithms.ReasonPanic, fmt.Sprint(v), debug.Stack())
			src, url := h.pass.Page, h.pass.URL
			h.newPass()
			h.pass.Reset(src, url)
		}
	}()
	h.pass.Clear()
	switch err := x.Extractor.Run(&h.pass); {
	case errors.Is(err, algorithms.ErrPageTooLarge):
		x.Outcome, x.Reason = algorithms.Skipped, algorithms.ReasonTooLarge
		return
	case err != nil:
		x.fail(algorithms.ReasonError, err.Error(), nil)
		return
	}
	x.Notes = append(x.Notes, h.pass.Notes...)
	x.Confidence = h.pass.Confidence
	if h.pass.Template != nil {
		x.Cluster = h.pass.Template.Cluster
	}
	if err := h.pass.Validate(); err != nil {
		x.fail(algorithms.ReasonInvalid, err.Error(), nil)
		return
	}
	x.Text = h.pass.AppendText(x.Text[:0])
	// Swap instead of copying: each Extraction keeps its own buffers.
	x.Selection, h.pass.Out = h.pass.Out, x.Selection
	x.Probabilities, h.pass.Probabilities = h.pass.Probabilities, x.Probabilities
	x.HasSelection = true
}

// runCommand runs a program and returns the time that it took in nanoseconds.
func (h *workspace) runCommand(ctx context.Context, x *Extraction, in Input) int64 {
	answer, err := h.config.Isolate(ctx, x.Extractor, in, h.config.TextTime)
	switch {
	case err == nil:
		x.Text = append(x.Text[:0], answer.Text...)
	case errors.Is(err, ErrNoProcess):
		h.noProcess = err
	case errors.Is(err, ErrDeclined):
		x.Outcome, x.Reason, x.Detail = algorithms.Skipped, algorithms.ReasonDeclined, err.Error()
	case errors.Is(err, ErrAnswer):
		x.fail(algorithms.ReasonInvalid, err.Error(), nil)
	case errors.Is(err, ErrTime):
		x.fail(algorithms.ReasonTimeout, err.Error(), nil)
	case errors.Is(err, ErrMemory):
		x.fail(algorithms.ReasonMemory, err.Error(), nil)
	case errors.Is(err, ErrCrash):
		x.fail(algorithms.ReasonCrash, err.Error(), nil)
	default:
		x.fail(algorithms.ReasonError, err.Error(), nil)
	}
	return answer.Took.Nanoseconds()
}

// align finds x's text on the page. A text that cannot be aligned is still an
// answer: it has no spans.
func (h *workspace) align(x *Extraction) {
	defer func() {
		if v := recover(); v != nil {
			x.Selection.Reset()
			x.HasSelection, x.Aligned = false, false
			x.Detail = fmt.Sprintf("align: %v\n%s", v, debug.Stack())
		}
	}()
	h.config.Align(&x.Selection, h.pass.Body, string(x.Text))
	if err := x.Selection.Validate(h.pass.Body); err != nil {
		panic(err)
	}
	x.HasSelection, x.Aligned = true, true
}
