package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/winnow/winnow/pipeline/panics"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

const (
	// waitOne is how long a request for an item waits if there is one job. waitEach is
	// how long it waits if there are several, which take turns.
	waitOne  = 2 * time.Second
	waitEach = 200 * time.Millisecond
)

// slot works on one item at a time, by means of the Runner of its job.
type slot struct {
	w       *worker
	turn    int // index of the job whose turn it is
	job     *job
	runner  Runner // runner made by job
	spoiled bool   // something was left running, see Attempt.LeftRunning
}

// loop takes items until ctx ends or there will be no more. It returns errors that a
// retry cannot help.
func (s *slot) loop(ctx context.Context) error {
	defer s.drop()
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

// errSpoiled ends a worker whose process is then started again.
var errSpoiled = errors.New("worker: an extractor or scorer did not return from a page (see the log): this process ends after its present items and has to be started again")

// round asks every job for an item once, and works on the items that it gets.
func (s *slot) round(ctx context.Context, jobs []*job) error {
	wait := waitEach
	if len(jobs) == 1 {
		wait = waitOne
	}
	idle, rest := true, pause
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
			s.w.opt.Log.Error("run is left alone", "run", j.Run.ID, "reason", err)
			s.w.drop(j)
		}
		if !ready {
			rest = min(rest, j.waits())
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
			s.w.renew(j)
		case err != nil:
			s.w.opt.Log.Warn("next item", "run", j.Run.ID, "reason", err)
		case l != nil:
			idle = false
			j.gate.settled(trial, s.work(ctx, j, l))
		default:
			idle = false // Next has waited
		}
		if ctx.Err() != nil {
			return nil
		}
	}
	if idle {
		select {
		case <-time.After(rest):
		case <-ctx.Done():
		}
	}
	return nil
}

// use makes the slot ready for a job's items.
func (s *slot) use(j *job) (err error) {
	if s.job == j {
		return nil
	}
	s.drop()
	if s.runner, err = j.newRunner(); err != nil {
		return fmt.Errorf("worker: run %s: %w", j.Run.ID, err)
	}
	s.job = j
	return nil
}

// drop releases the memory and the processes of the last job.
func (s *slot) drop() {
	if s.runner != nil {
		s.runner.Close()
	}
	s.job, s.runner = nil, nil
}

// work carries out one item and settles it. An item that was begun is finished even if
// ctx ends. The result is the fault of this machine that ended the attempt, or nil.
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
	if crash := c.itemDead(); crash != nil {
		s.giveUp(ended, l, c, "crash", fmt.Errorf("the worker's process ended %d times while it was %s and did nothing else, on %s",
			crash.Alone, crash.Step, strings.Join(crash.Workers, ", ")))
		return nil
	}
	if c.on {
		log.Warn("an earlier attempt was not settled: a crash journal is kept", "attempt", c.p.Attempts, "crashes", len(c.p.Crashes))
	}
	a := &Attempt{
		Item: &l.Item, Number: c.p.Attempts, Job: &j.Job, Log: log.With("attempt", c.p.Attempts),
		slot: s, lease: l, journal: c, name: newName(), told: tally{stats: s.w.opt.Stats, phase: l.Item.Phase},
	}
	done, err := s.attempt(ctx, j, a)
	if err != nil {
		a.told.undo()
		if isAny(err, full) {
			s.clear(ctx, j, a)
		}
		return s.settle(ended, j, l, c, err)
	}
	done.Attempt, done.Ended, done.Elapsed = c.p.Attempts, time.Now().UTC().Truncate(time.Millisecond), time.Since(began)
	for _, sh := range done.Shards {
		m.outputBytes.WithLabelValues(string(sh.Table)).Add(float64(sh.Bytes))
	}
	reporting, cancel := lingering(ended)
	defer cancel()
	if err = l.Done(reporting, done); err != nil {
		// The broker may have the report nevertheless. Another attempt does no harm.
		log.Warn("item not settled", "reason", err)
		return nil
	}
	m.item.Observe(done.Elapsed.Seconds())
	log.Debug("item done", "pages", done.Counts.Pages, "records", done.Counts.Records,
		"bytes", done.Counts.Bytes, "seconds", done.Elapsed.Seconds(), "attempt", done.Attempt)
	return nil
}

// clear deletes the shards that an attempt has written. No report names them. They would
// be deleted at the end of the run, but each further attempt would fill a full disk more.
func (s *slot) clear(ctx context.Context, j *job, a *Attempt) {
	shards, err := j.Store.List(ctx, a.ShardPrefix())
	for _, sh := range shards {
		err = errors.Join(err, j.Store.Delete(ctx, sh.Name))
	}
	if err != nil {
		a.Log.Debug("shards of a failed attempt are left behind", "reason", err)
	}
}

// attempt makes one attempt at an item. If earlier attempts ended the process between
// records, the worker does nothing else meanwhile. A panic of the task is a defect of
// the program, which a retry would meet again.
func (s *slot) attempt(ctx context.Context, j *job, a *Attempt) (d *schemas.Done, err error) {
	if a.journal.suspicious() {
		s.w.alone.Lock()
		defer s.w.alone.Unlock()
		if err := a.journal.solitary(ctx, s.w.opt.Rest); err != nil {
			return nil, err
		}
	}
	defer a.unlock()
	err = panics.Call(func() (err error) {
		if err = s.use(j); err == nil {
			d, err = s.runner.Run(ctx, a)
		}
		return err
	})
	if errors.As(err, new(*panics.Error)) {
		s.drop()
	}
	return d, err
}
