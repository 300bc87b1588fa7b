package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/learn"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/schemas"
)

const (
	// waitOne is how long a request for an item waits when there is one job,
	// waitEach when it is one of several that must take turns.
	waitOne  = 2 * time.Second
	waitEach = 200 * time.Millisecond
)

// slot works on one item at a time. All that a page needs belongs to it and is
// used again for the next.
type slot struct {
	w       *worker
	number  int
	turn    int // whose turn it is among the jobs
	job     *job
	driver  *driver.Driver // of job
	engine  *learn.Engine  // of job, in the phases before extract
	apply   applying
	isolate driver.Isolate
	close   func()
	align   func(dst *page.Selection, b *page.Body, text string)

	consensus *consensus // of job; nil if there is one extractor

	spoiled  bool // something was left running, see leftBehind
	in       source.WARC
	outcomes map[outcomeKey]string
}

func newSlot(w *worker, number int) *slot {
	s := &slot{w: w, number: number, close: func() {}}
	if w.opt.Isolate != nil {
		s.isolate, s.close = w.opt.Isolate()
	}
	if w.opt.Align != nil {
		s.align = w.opt.Align()
	}
	return s
}

// loop takes items until ctx ends or there will be none any more. The error is
// one that no waiting helps.
func (s *slot) loop(ctx context.Context) error {
	defer s.close()
	for {
		jobs, over, changed := s.w.state()
		if over || ctx.Err() != nil {
			return nil
		}
		if len(jobs) == 0 {
			s.drop()
			select {
			case <-changed:
			case <-ctx.Done():
			}
			continue
		}
		if err := s.round(ctx, jobs); err != nil {
			return err
		}
		if s.spoiled && s.w.opt.Restarted {
			return errSpoiled
		}
	}
}

// errSpoiled ends a worker that is started again then.
var errSpoiled = errors.New("worker: a method did not come back from a page (see the log); this process ends after its items, to be started again")

// leftBehind notes that something on the page did not come back, and leaves it the page.
func (s *slot) leftBehind(p *source.Page) {
	s.spoiled, p.HTML = true, nil
}

// round asks every job for an item once, and works on what it gets.
func (s *slot) round(ctx context.Context, jobs []*job) error {
	wait := waitEach
	if len(jobs) == 1 {
		wait = waitOne
	}
	idle := true
	for range jobs {
		s.turn++
		j := jobs[s.turn%len(jobs)]
		free, trial, err := j.gate.pass(ctx)
		if err != nil {
			return err
		}
		if !free {
			continue
		}
		ready, f, err := j.open(ctx, s.w)
		if !ready {
			j.gate.settled(trial, f)
		}
		if err != nil && ctx.Err() == nil {
			if s.w.opt.Run != "" {
				return err
			}
			s.w.opt.Log.Error("run is left alone", "run", j.run.ID, "reason", err)
			s.w.drop(j)
		}
		if !ready {
			continue
		}
		l, err := j.puller.Next(j.ctx, wait)
		if l == nil {
			j.gate.settled(trial, nil)
		}
		switch {
		case j.ctx.Err() != nil && l == nil:
			return nil // the job or the worker ends
		case errors.Is(err, queue.ErrNotFound):
			// The phase is over and its consumer gone; the head will say so. If it
			// does not, the consumer was lost, and comes back with a reconciliation.
			j.reopen()
		case err != nil:
			s.w.opt.Log.Warn("next item", "run", j.run.ID, "reason", err)
		case l != nil:
			idle = false
			j.gate.settled(trial, s.work(ctx, j, l))
		default:
			idle = false // it has waited
		}
		if ctx.Err() != nil {
			return nil
		}
	}
	if idle {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
	return nil
}

// reopen has the job look for its consumer again.
func (j *job) reopen() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.opened, j.after = false, time.Now().Add(pause)
}

// use makes the slot ready for a job's methods.
func (s *slot) use(j *job) error {
	if s.job == j {
		return nil
	}
	s.drop()
	config, err := recipe.DriverConfig(&j.run.Recipe)
	if err != nil {
		return fmt.Errorf("run %s: %w", j.run.ID, err)
	}
	if j.phase != schemas.PhaseExtract {
		s.job, s.engine = j, learn.NewEngine(j.methods, config.Page)
		return nil
	}
	config.Extractors, config.Scorers, config.Isolate, config.Align = j.extractors, j.scorers, s.isolate, s.align
	config.Budget = s.w.scoring
	d, err := driver.New(config)
	if err != nil {
		return fmt.Errorf("worker: run %s: %w", j.run.ID, err)
	}
	s.job, s.driver, s.consensus = j, d, newConsensus(j.extractors)
	return nil
}

// drop gives the memory of the last job's methods back.
func (s *slot) drop() {
	s.job, s.driver, s.engine, s.apply, s.consensus = nil, nil, nil, applying{}, nil
}

// work carries out one item and settles it. Once it has begun it does not look
// at ctx's end: the item is finished. The fault is this machine's, nil if it met none.
func (s *slot) work(ctx context.Context, j *job, l *queue.Lease) *fault {
	ended := ctx
	ctx = context.WithoutCancel(ctx)
	m, log := s.w.opt.Metrics, s.w.opt.Log.With("run", l.Item.Run, "item", l.Item.ID())
	m.inFlight.Inc()
	defer m.inFlight.Dec()
	if l.Delivered > 1 {
		m.redeliveries.Inc()
	}
	began := time.Now()
	c, err := begin(ctx, s.w.opt.Queue, l, s.w.opt.Name, s.w.opt.BrokerForgets)
	if err != nil {
		log.Warn("item left to others", "reason", err)
		l.Abandon()
		return nil
	}
	if crash := c.hopeless(); crash != nil {
		s.giveUp(ended, l, c, "crash", fmt.Errorf("the worker's process ended %d times while it read on from offset %d and did nothing else, on %s",
			crash.Alone, crash.Location.Offset, strings.Join(crash.Workers, ", ")))
		return nil
	}
	if c.on {
		log.Warn("an earlier attempt was not settled: a crash journal is kept", "attempt", c.p.Attempts, "crashes", len(c.p.Crashes))
	}
	t := tally{stats: s.w.opt.Stats, phase: l.Item.Phase}
	done, err := s.attempt(ctx, j, l, c, &t)
	if err != nil {
		t.undo()
		return s.settle(ended, j, l, c, err)
	}
	done.Attempt, done.Elapsed = c.p.Attempts, time.Since(began)
	reporting, cancel := lingering(ended)
	defer cancel()
	if err = l.Done(reporting, done); err != nil {
		// The report may be there all the same: another attempt does no harm.
		log.Warn("item not settled", "reason", err)
		return nil
	}
	m.item.Observe(done.Elapsed.Seconds())
	log.Info("item done", "pages", done.Counts.Pages, "records", done.Counts.Records,
		"bytes", done.Counts.Bytes, "seconds", done.Elapsed.Seconds(), "attempt", done.Attempt)
	return nil
}

// attempt makes one attempt at an item, alone if earlier ones ended the process between
// its records.
func (s *slot) attempt(ctx context.Context, j *job, l *queue.Lease, c *journal, t *tally) (*schemas.Done, error) {
	if c.suspicious() {
		s.w.alone.Lock()
		defer s.w.alone.Unlock()
		if err := c.solitary(ctx, s.w.opt.Rest); err != nil {
			return nil, err
		}
	}
	if l.Item.Phase == schemas.PhaseLearn {
		return s.learn(ctx, j, l, c, t)
	}
	return s.process(ctx, j, l, c, t)
}
