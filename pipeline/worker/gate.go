package worker

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/winnow/winnow/schemas"
)

const (
	probeFirst = time.Second
	maxProbe   = time.Minute
)

// gate is the circuit breaker of a job. While a fault of this machine or of the output
// lasts it keeps the slots from taking items, because every item would fail. During that
// time one slot at a time repeats the failed operation, with growing delay. When that
// succeeds the slot takes one item as a trial. When the trial does not meet the fault
// again, the gate lets all slots take items.
type gate struct {
	run    schemas.RunID
	log    *slog.Logger
	health *Health
	limit  time.Duration // after which a fault ends the worker; 0: never

	mu     sync.Mutex
	cause  error // nil while there is no fault
	probe  func(context.Context) error
	since  time.Time
	next   time.Time // when to probe next
	delay  time.Duration
	trying bool // a slot is probing, or working on the trial item
	over   bool // the job has ended
}

// pass reports whether a slot may take an item, and whether the item is a trial, after
// which the slot must call settled. An error ends the worker.
func (g *gate) pass(ctx context.Context) (ok, trial bool, err error) {
	g.mu.Lock()
	if g.cause == nil {
		g.mu.Unlock()
		return true, false, nil
	}
	if g.limit > 0 && time.Since(g.since) > g.limit {
		defer g.mu.Unlock()
		return false, false, fmt.Errorf("worker: run %s: no work is possible since %s: %w", g.run, g.since.Format(time.RFC3339), g.cause)
	}
	if g.trying || time.Now().Before(g.next) {
		g.mu.Unlock()
		return false, false, nil
	}
	g.trying = true
	probe := g.probe
	g.mu.Unlock()
	if probe != nil {
		if err := probe(ctx); err != nil {
			g.settled(true, &fault{err: err, probe: probe})
			return false, false, nil
		}
	}
	return true, true, nil
}

// settled records the result of an attempt at an item, or that there was no item. f is
// the fault of the machine that ended the attempt, nil if there was none.
func (g *gate) settled(trial bool, f *fault) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if trial {
		g.trying = false
	}
	switch {
	case f != nil && (g.cause == nil || trial):
		if g.cause == nil {
			g.since, g.delay = time.Now(), 0
			g.log.Warn("no more items are taken: this machine or the output is at fault", "run", g.run, "reason", f.err)
		}
		g.cause, g.probe = f.err, f.probe
		g.delay = min(max(2*g.delay, probeFirst), maxProbe)
		g.next = time.Now().Add(g.delay)
	case f == nil && trial:
		g.log.Info("items are taken again: the fault is over", "run", g.run, "after", time.Since(g.since).Round(time.Second).String())
		g.cause, g.probe = nil, nil
	default:
		return
	}
	if !g.over {
		g.health.set(g.run, g.cause)
	}
}

// end removes the fault of a job that is over from the worker's health.
func (g *gate) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.over = true
	g.health.set(g.run, nil)
}

// Health records why a worker takes no items. The zero Health is ready for use.
type Health struct {
	mu     sync.Mutex
	faults map[schemas.RunID]error
}

// Ready returns the fault for which no items of some run are taken, nil if there is
// none.
func (h *Health) Ready() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for run, err := range h.faults {
		return fmt.Errorf("worker: run %s: no items are taken: %w", run, err)
	}
	return nil
}

func (h *Health) set(run schemas.RunID, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil {
		delete(h.faults, run)
		return
	}
	if h.faults == nil {
		h.faults = map[schemas.RunID]error{}
	}
	h.faults[run] = err
}
