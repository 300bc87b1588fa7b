package driver

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// Winnow's own extractors and scorers limit their work by counting, not by a clock, so
// that the same page has the same rows on every machine. The clock only catches defects:
// an extractor that is still running after Config.MethodTime is assumed never to return.
// The largest pages take seconds, so no machine is slow enough for this to be wrong.
//
// A goroutine cannot be stopped. Extractors therefore run in a goroutine that can be
// abandoned together with its workspace: page, features and scratch memory. The driver
// gives the extractor's row the reason "timeout", creates a new workspace, parses the page
// again and continues with the next extractor. The abandoned goroutine occupies a
// processor until the process ends, so Result.Stuck reports it, and a worker exits after
// the item.
//
//	workspace 1   parse, a, b, b, b, b, b … abandoned
//	workspace 2                          parse, c, d, scores
//
// Programs (Extractor.Command) do not run this way: they are limited by Config.TextTime, in a
// process that can be killed (Isolate).

// DefaultMethodTime is about a hundred times what any extractor needs for the largest
// page.
const DefaultMethodTime = 5 * time.Minute

// watched records what the goroutine of a workspace is doing, and since when.
type watched struct {
	mu    sync.Mutex // guards the rest
	step  step
	began time.Time
	left  bool // the workspace was abandoned
}

// step is one unit of work: running an extractor, a find of a fact, or a scorer on one
// extraction.
type step struct{ extractor, scorer int }

const (
	parsing    = -1 // in place of the number of an extractor
	extracting = -1 // in place of the number of a scorer
)

// before reports whether the scoring step s comes before o.
func (s step) before(o step) bool {
	return s.extractor < o.extractor || s.extractor == o.extractor && s.scorer < o.scorer
}

// enter records that s begins. It reports false if the workspace was abandoned.
func (w *watched) enter(s step) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.step, w.began = s, time.Now()
	return !w.left
}

// renew restarts the time of the present step.
func (w *watched) renew() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.began = time.Now()
}

// rest returns how much of limit the present step has left. If nothing is left, rest
// abandons the workspace and returns its step in at.
func (w *watched) rest(limit time.Duration) (rest time.Duration, at step) {
	w.mu.Lock()
	defer w.mu.Unlock()
	rest = limit - time.Since(w.began)
	w.left = rest <= 0
	return rest, w.step
}

// hand is a goroutine that does the work of one page. It does all of it, so that its
// stack grows only once.
type hand struct {
	work chan func() error
	done chan error
}

func newHand() *hand {
	h := &hand{make(chan func() error), make(chan error, 1)} // buffered: an abandoned goroutine can still end
	go func() {
		for work := range h.work {
			h.done <- work()
		}
	}()
	return h
}

// release lets the goroutine of the page end, as soon as its present work has returned.
func (d *Driver) release() {
	if d.hand != nil {
		close(d.hand.work)
		d.hand = nil
	}
}

// watch runs work in another goroutine. If work does not return in time, stuck is its
// step.
func (d *Driver) watch(work func() error) (stuck *step, err error) {
	limit := d.config.MethodTime
	if limit < 0 {
		return nil, work()
	}
	if d.hand == nil {
		d.hand = newHand()
	}
	d.hand.work <- work
	if d.timer == nil {
		d.timer = time.NewTimer(limit)
	} else {
		d.timer.Reset(limit)
	}
	defer d.timer.Stop()
	for {
		select {
		case err := <-d.hand.done:
			return nil, err
		case <-d.timer.C:
		case <-d.overdue:
			limit = 0
		}
		rest, at := d.workspace.rest(limit)
		if rest <= 0 {
			d.release()
			return &at, nil
		}
		d.timer.Reset(rest)
	}
}

// leave replaces the present workspace by a new one with a copy of all results before
// the step at, and gives that step the reason "timeout".
func (d *Driver) leave(at step) {
	const noAnswer = "it did not return"
	old := d.workspace
	d.workspace, d.result.Stuck = d.newWorkspace(), true
	d.workspace.takeFacts(old, at)
	for i := range old.extractions {
		x, y := &old.extractions[i], &d.workspace.extractions[i]
		if at.extractor == parsing || at.scorer == extracting && i > at.extractor {
			continue // this extraction has no result yet
		}
		if at.scorer == extracting && i == at.extractor {
			y.fail(algorithms.ReasonTimeout, noAnswer, nil)
			continue
		}
		scores := y.Scores
		*y = *x
		y.Scores = scores
		y.Text, y.Notes = bytes.Clone(x.Text), slices.Clone(x.Notes)
		y.Selection = page.Selection{Spans: slices.Clone(x.Selection.Spans), Rows: slices.Clone(x.Selection.Rows)}
		for j := range scores {
			switch done := (step{i, j}); {
			case at.scorer == extracting:
			case done.before(at):
				scores[j] = x.Scores[j]
			case done == at:
				scores[j].Score, scores[j].Err = algorithms.Score{Reason: algorithms.ReasonTimeout}, noAnswer
			}
		}
	}
}

// extractAll parses the page and runs every extractor. The error is ctx's, a
// *PanicError or ErrTime.
func (d *Driver) extractAll(ctx context.Context, in Input) error {
	all := d.plan.order
	for from, parsed, first := 0, false, true; ; {
		if parsed && from == len(all) {
			return nil
		}
		if parsed && all[from].Command != nil {
			if err := d.workspace.turn(ctx, from, in); err != nil {
				return err
			}
			from++
			continue
		}
		to := from
		for to < len(all) && all[to].Command == nil {
			to++
		}
		h, known := d.workspace, parsed
		at, err := d.watch(func() error { return h.run(ctx, in, known, from, to) })
		switch {
		case err != nil:
			return err
		case at == nil:
			from, parsed = to, true
		default:
			if d.leave(*at); at.extractor == parsing {
				return ErrTime
			}
			from, parsed = at.extractor+1, false
		}
		if parsed && first {
			d.result.ParseNS, first = h.parseNS, false
		}
	}
}

// run parses the page, unless known says that the workspace already holds it, and runs
// the extractors [from, to).
func (h *workspace) run(ctx context.Context, in Input, known bool, from, to int) error {
	if !known {
		if !h.enter(step{parsing, extracting}) {
			return nil
		}
		if err := h.parse(in); err != nil {
			return err
		}
	}
	for i := from; i < to && h.enter(step{i, extracting}); i++ {
		if err := h.turn(ctx, i, in); err != nil {
			return err
		}
	}
	return nil
}

// turn runs extractor i. The only error it returns is ctx's.
func (h *workspace) turn(ctx context.Context, i int, in Input) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if h.large {
		defer h.pass.DropScratch()
	}
	if !h.needed(i) {
		h.extractions[i].reset()
		h.extractions[i].Outcome = algorithms.Skipped // it has no row
		return nil
	}
	return h.extract(ctx, i, in)
}
