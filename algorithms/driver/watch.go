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

// Methods and measures of our own are bounded by what they count, not by a clock:
// the same page has the same rows on any machine. A clock is there for their defects
// alone. A method that is still busy after Config.MethodTime is taken never to come
// back; the largest pages take seconds, so no machine is slow enough for another
// answer.
//
// A goroutine cannot be stopped. So methods run in one that can be left behind with
// all that it works with, its hands: page, features, scratch memory. The driver gives
// the method's row the reason "timeout", takes new hands, parses the page again and
// goes on with the next method. The lost goroutine takes a processor until the process
// ends, so Result.Stuck says that there is one, and a worker ends after the item.
//
//	hands 1   parse, a, b, b, b, b, b … left behind
//	hands 2                          parse, c, d, scores
//
// Wrapped libraries are not run so: they are bounded by Config.TextTime, in a process
// that can be ended (Isolate).

// DefaultMethodTime is some hundred times what any method takes of the largest page.
const DefaultMethodTime = 5 * time.Minute

// watched says what hands are doing, and since when.
type watched struct {
	mu    sync.Mutex // guards the rest
	step  step
	began time.Time
	left  bool // nobody waits for it any more
}

// step is what hands do: an extractor's turn, or a scorer's on what one found.
type step struct{ extractor, scorer int }

const (
	parsing    = -1 // instead of an extractor
	extracting = -1 // instead of a scorer
)

// before reports whether s comes before o, of scorers.
func (s step) before(o step) bool {
	return s.extractor < o.extractor || s.extractor == o.extractor && s.scorer < o.scorer
}

// enter notes that s begins. It reports false if the hands have been left.
func (w *watched) enter(s step) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.step, w.began = s, time.Now()
	return !w.left
}

// renew has the time of the present step begin again.
func (w *watched) renew() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.began = time.Now()
}

// rest is the time that the present step has left of limit. If there is none, the
// hands are left, and step is where.
func (w *watched) rest(limit time.Duration) (rest time.Duration, at step) {
	w.mu.Lock()
	defer w.mu.Unlock()
	rest = limit - time.Since(w.began)
	w.left = rest <= 0
	return rest, w.step
}

// watch has work done by another goroutine. If that does not come back, stuck is where
// it was last seen.
func (d *Driver) watch(work func() error) (stuck *step, err error) {
	limit := d.config.MethodTime
	if limit < 0 {
		return nil, work()
	}
	done := make(chan error, 1) // whoever is left can still leave
	go func() { done <- work() }()
	if d.timer == nil {
		d.timer = time.NewTimer(limit)
	} else {
		d.timer.Reset(limit)
	}
	defer d.timer.Stop()
	for {
		select {
		case err := <-done:
			return nil, err
		case <-d.timer.C:
		case <-d.overdue:
			limit = 0
		}
		rest, at := d.hands.rest(limit)
		if rest <= 0 {
			return &at, nil
		}
		d.timer.Reset(rest)
	}
}

// leave gives up the present hands for new ones, which have a copy of what is done
// before at, and marks what was being done there.
func (d *Driver) leave(at step) {
	const noAnswer = "it did not come back"
	old := d.hands
	d.hands, d.result.Stuck = d.newHands(), true
	for i := range old.extractions {
		x, y := &old.extractions[i], &d.hands.extractions[i]
		if at.extractor == parsing || at.scorer == extracting && i > at.extractor {
			continue // nothing is done yet
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

// extractAll parses the page and gives every extractor its turn. The error is ctx's, a
// *PanicError or ErrTime.
func (d *Driver) extractAll(ctx context.Context, in Input) error {
	all := d.plan.order
	for from, parsed, first := 0, false, true; ; {
		if parsed && from == len(all) {
			return nil
		}
		if parsed && all[from].Text != nil {
			if err := d.hands.turn(ctx, from, in); err != nil {
				return err
			}
			from++
			continue
		}
		to := from
		for to < len(all) && all[to].Text == nil {
			to++
		}
		h, known := d.hands, parsed
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

// run parses the page unless it is known and gives the extractors from from up to to
// their turns.
func (h *hands) run(ctx context.Context, in Input, known bool, from, to int) error {
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

// turn is that of extractor i. The error is ctx's.
func (h *hands) turn(ctx context.Context, i int, in Input) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if h.large {
		defer h.pass.DropScratch()
	}
	return h.extract(ctx, i, in)
}
