package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/learn"
	"github.com/winnow/winnow/pipeline/payload"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

const (
	// waitOne is how long a request for an item waits when there is one job,
	// waitEach when it is one of several that must take turns.
	waitOne  = 2 * time.Second
	waitEach = 200 * time.Millisecond

	// maxRetries is how often an item is given back before it is given up. With
	// the delays below that is some four hours of something being away.
	maxRetries = 50
	retryFirst = time.Second
	retryMost  = 5 * time.Minute
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

	decoder  payload.Decoder
	page     pageRecord
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
	}
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
		ready, err := j.open(ctx, s.w)
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
			s.work(ctx, j, l)
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
	config, err := DriverConfig(&j.run.Recipe)
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
// at ctx's end: the item is finished.
func (s *slot) work(ctx context.Context, j *job, l *queue.Lease) {
	ctx = context.WithoutCancel(ctx)
	m, log := s.w.opt.Metrics, s.w.opt.Log.With("run", l.Item.Run, "item", l.Item.ID())
	m.inFlight.Inc()
	defer m.inFlight.Dec()
	if l.Delivered > 1 {
		m.redeliveries.Inc()
	}
	began := time.Now()
	c, err := begin(ctx, s.w.opt.Queue, l, s.w.opt.BrokerForgets)
	switch {
	case err != nil:
		log.Warn("item left to others", "reason", err)
		l.Abandon()
		return
	case c.hopeless():
		s.giveUp(ctx, l, c, "crash", errors.New("the worker's process ended repeatedly, at no record in particular"))
		return
	}
	if c.on {
		log.Warn("careful mode", "attempt", c.p.Attempts, "crashes", len(c.p.Crashes))
	}
	t := tally{stats: s.w.opt.Stats, phase: l.Item.Phase}
	work := s.process
	if l.Item.Phase == schemas.PhaseLearn {
		work = s.learn
	}
	done, err := work(ctx, j, l, c, &t)
	if err == nil {
		done.Attempt, done.Elapsed = c.p.Attempts, time.Since(began)
		err = l.Done(ctx, done)
		if err != nil {
			// The report may be there all the same: another attempt does no harm.
			log.Warn("item not settled", "reason", err)
			return
		}
		m.item.Observe(done.Elapsed.Seconds())
		log.Info("item done", "pages", done.Counts.Pages, "records", done.Counts.Records,
			"bytes", done.Counts.Bytes, "seconds", done.Elapsed.Seconds(), "attempt", done.Attempt)
		return
	}
	t.undo()
	s.settle(ctx, l, c, err)
}

// settle acts on the class of the error that ended an attempt.
func (s *slot) settle(ctx context.Context, l *queue.Lease, c *careful, err error) {
	log := s.w.opt.Log.With("run", l.Item.Run, "item", l.Item.ID())
	switch reason := final(err); {
	case errors.Is(err, queue.ErrConflict):
		log.Warn("item is held by another worker", "reason", err)
		l.Abandon()
	case reason != "":
		s.giveUp(ctx, l, c, reason, err)
	default:
		n, noteErr := c.retry(ctx, err)
		if n >= maxRetries {
			s.giveUp(ctx, l, c, "unreadable", err)
			return
		}
		if noteErr != nil {
			log.Debug("note", "reason", noteErr)
		}
		delay := min(retryFirst<<min(n-1, 16), retryMost)
		log.Warn("item is tried again", "after", delay.String(), "retries", n, "reason", err)
		s.w.opt.Metrics.retries.Inc()
		if err := l.Retry(delay); err != nil {
			log.Warn("give back", "reason", err)
		}
	}
}

// final is the reason for which an item is given up at once, "" if it may be
// tried again.
func final(err error) string {
	var bug *bugError
	switch {
	case errors.As(err, &bug):
		return "bug"
	case errors.Is(err, blob.ErrChanged):
		return "changed"
	case errors.Is(err, blob.ErrNotFound):
		return "missing"
	case errors.Is(err, blob.ErrTransient), queue.Transient(err):
		return ""
	case errors.Is(err, blob.ErrDenied): // by this worker's keys; another's may do
		return ""
	}
	return "unreadable"
}

func (s *slot) giveUp(ctx context.Context, l *queue.Lease, c *careful, reason string, cause error) {
	s.w.opt.Log.Error("item given up", "run", l.Item.Run, "item", l.Item.ID(), "why", reason, "reason", cause)
	s.w.opt.Metrics.deadLetters.WithLabelValues(queue.StageItem, reason).Inc()
	err := l.GiveUp(ctx, &schemas.Dead{
		Item: l.Item, Offset: l.Item.Start, Length: l.Item.Length(),
		Stage: queue.StageItem, Reason: reason, Detail: cause.Error(), Attempts: c.p.Attempts, Time: time.Now().UTC(),
	})
	if err != nil {
		s.w.opt.Log.Warn("item not settled", "run", l.Item.Run, "item", l.Item.ID(), "reason", err)
	}
}
