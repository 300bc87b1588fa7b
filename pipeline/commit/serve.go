package commit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/panics"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
)

const (
	// listEvery is how often runs are looked for.
	listEvery = time.Second
	// failedWait is how long after a run failed it is worked on again.
	failedWait = time.Minute
	// maxTakeovers of one run make it fail: another process makes the same tables with another
	// broker, which has leases of its own.
	maxTakeovers = 3
	// maxRuns is how many runs are worked on at a time, so that a run which waits for its
	// workers or its bucket does not delay the next. It bounds the memory: a run holds the
	// reports of a part and, while a part is sorted, some 60 MB (package extsort).
	maxRuns = 8
)

// Outcome is the outcome of a run that this process worked on.
type Outcome string

// All outcomes.
const (
	Done     Outcome = "done"
	Failed   Outcome = "failed"
	Canceled Outcome = "canceled"
)

// Outcomes lists all values of Outcome.
var Outcomes = []Outcome{Done, Failed, Canceled}

// ServeOptions are the options of Serve. Queue, Blobs and Log are needed.
type ServeOptions struct {
	Queue *queue.Queue
	Blobs *blob.Client
	Log   *slog.Logger

	// Run is the only run that is worked on; empty for all.
	Run schemas.RunID
	// Out is the output folder of Run, if this process sees it under another name than
	// ingest did.
	Out string
	// ExitWhenDone makes Serve return when Run is over, or when no run is left.
	ExitWhenDone bool

	// Commit are the options for every run. Store, Broker and Log are set here. Its
	// functions are called by several goroutines, one for each run.
	Commit Options

	// The functions below are called by the goroutine of Serve alone.

	Begins func(run *schemas.Run) // called before a run is worked on; may be nil
	Ends   func(Outcome)          // called when it is over, or failed; may be nil
	// Done is called with the summary of every run whose tables were made here. Its
	// error is that of the run.
	Done func(store blob.Store, sum *stats.Summary) error
}

// Serve makes the tables of the runs that the broker holds, at most maxRuns at a time, each
// while it has the lease of the run. It returns when ctx ends or, with ExitWhenDone, when
// nothing is left to do, and after all work on runs has ended. A fault of one run does not affect
// the others: a run that failed, or met a defect of this program, is given back to
// the broker for a minute. The error says how many runs failed, or why Options.Run did.
func Serve(ctx context.Context, opt ServeOptions) error {
	s := &serving{ServeOptions: opt, active: map[schemas.RunID]bool{}, results: make(chan result),
		logged: map[schemas.RunID]string{}, takeovers: map[schemas.RunID]int{}, failed: map[schemas.RunID]bool{}}
	list := opt.Queue.NewRunList()
	unlisted := ""
	for ctx.Err() == nil {
		_, err := list.Refresh(ctx)
		switch {
		case ctx.Err() != nil:
			continue
		case err == nil:
			unlisted = ""
			if stop, err := s.round(ctx, list.Runs); stop || err != nil {
				return err // no run is active
			}
		case err.Error() != unlisted:
			unlisted = err.Error()
			s.Log.Warn("runs cannot be listed", "reason", err)
		}
		select {
		case r := <-s.results:
			done, err := s.end(ctx, r)
			if s.Run != "" && ctx.Err() == nil && (err != nil || done && s.ExitWhenDone) {
				return err
			}
		case <-time.After(listEvery):
		case <-ctx.Done():
		}
	}
	for len(s.active) > 0 {
		_, _ = s.end(ctx, <-s.results)
	}
	return ctx.Err()
}

// serving is the state of Serve, which one goroutine uses. The goroutines of the runs send
// it their results, so that the functions of ServeOptions are not called at the same time.
type serving struct {
	ServeOptions
	active    map[schemas.RunID]bool // runs that are worked on here
	results   chan result
	logged    map[schemas.RunID]string // the last message about a run that another process has
	takeovers map[schemas.RunID]int    // how often another process took over a run
	failed    map[schemas.RunID]bool   // runs that failed here and were not done since
	seen      *schemas.Run             // the only run, if the broker holds it or has held it
}

// result is the result of the work on a run.
type result struct {
	run   *schemas.Run
	store blob.Store
	sum   *stats.Summary
	err   error
}

// round leases the runs that it can and begins to work on them. It reports whether there is
// nothing left to do.
func (s *serving) round(ctx context.Context, runs []*schemas.Run) (stop bool, err error) {
	elsewhere, listed := false, false
	for _, run := range runs {
		if s.Run != "" && run.ID != s.Run {
			continue
		}
		s.seen, listed = run, true
		if !s.active[run.ID] && (len(s.active) == maxRuns || !s.lease(ctx, run)) && !s.failed[run.ID] {
			elsewhere = true
		}
	}
	switch {
	case len(s.active) > 0 || ctx.Err() != nil:
		return false, nil
	case s.Run != "" && !listed:
		return s.absent(ctx)
	case s.Run != "" || !s.ExitWhenDone || elsewhere:
		return false, nil
	case len(s.failed) > 0:
		return true, fmt.Errorf("runs that failed: %d, see the log", len(s.failed))
	}
	return true, nil
}

// absent is the end of a round in which the broker does not hold the only run: it is
// over, or will be published.
func (s *serving) absent(ctx context.Context) (stop bool, err error) {
	if !s.ExitWhenDone {
		return false, nil
	}
	run := &schemas.Run{ID: s.Run}
	if s.seen != nil {
		run = s.seen
	} else {
		run.Out, _ = s.Queue.FolderOf(ctx, s.Run)
	}
	if run.Out != "" {
		store, err := s.store(ctx, run)
		if err != nil {
			return true, err
		}
		over, err := manifest.Over(ctx, store)
		if over || errors.As(err, new(*manifest.EndedError)) {
			return true, err
		}
	}
	return false, nil
}

// lease begins to work on a run if no other process has it, and reports whether it did.
func (s *serving) lease(ctx context.Context, run *schemas.Run) bool {
	l, err := s.Queue.TakeRun(ctx, run)
	if err != nil {
		s.waiting(run, err)
		return false
	}
	if l == nil {
		if !s.failed[run.ID] {
			s.waiting(run, errors.New("another aggregator has leased the run"))
		}
		return false
	}
	delete(s.failed, run.ID)
	s.active[run.ID] = true
	if s.Begins != nil {
		s.Begins(run)
	}
	go func() {
		r := result{run: run}
		r.store, r.sum, r.err = s.tables(l, run)
		if r.err != nil && l.Held.Err() != nil && ctx.Err() == nil {
			r.err = context.Cause(l.Held)
		}
		if err := s.release(ctx, l, r.err); err != nil {
			s.Log.Warn("run could not be given back", "run", run.ID, "reason", err)
		}
		s.results <- r
	}()
	return true
}

// release ends the lease of a run that was worked on with this error.
func (s *serving) release(ctx context.Context, l *queue.RunLease, err error) error {
	switch {
	case err == nil, errors.Is(err, queue.ErrLeaseLost), errors.As(err, new(*manifest.EndedError)):
		l.Abandon() // the broker holds it no more
		return nil
	case errors.As(err, new(*manifest.TakenError)):
		l.Abandon() // to give it back would end the lease of the other process
		return nil
	case ctx.Err() != nil || s.Run != "":
		return l.Retry(0)
	}
	return l.Retry(failedWait)
}

// end takes the result of the work on a run. done reports whether the run is over. The
// error is that of a run that failed here, or was canceled.
func (s *serving) end(ctx context.Context, r result) (done bool, err error) {
	run, err := r.run, r.err
	delete(s.active, run.ID)
	if err == nil {
		if s.Done != nil { // before Ends, so that the figures of a run are visible when its end is
			err = s.Done(r.store, r.sum)
		}
		if err == nil {
			s.ends(Done)
			return true, nil
		}
	}
	var ended *manifest.EndedError
	var taken *manifest.TakenError
	switch {
	case r.err != nil && ctx.Err() != nil:
		return false, ctx.Err()
	case errors.Is(err, queue.ErrLeaseLost):
		s.waiting(run, err)
		return false, nil
	case errors.As(err, &taken):
		if s.takeovers[run.ID]++; s.takeovers[run.ID] < maxTakeovers {
			s.waiting(run, err)
			return false, nil
		}
	case errors.As(err, &ended):
		s.ends(map[bool]Outcome{true: Canceled, false: Failed}[ended.State == schemas.RunCanceled])
		s.Log.Warn("run has ended without tables", "run", run.ID, "reason", err)
		return true, err
	}
	s.ends(Failed)
	s.failed[run.ID] = true
	if s.Run == "" {
		s.Log.Error("run failed", "run", run.ID, "again_in", failedWait.String(), "reason", err)
	}
	return false, err
}

// waiting logs, once for each reason, why a run is left to others.
func (s *serving) waiting(run *schemas.Run, reason error) {
	if message := reason.Error(); s.logged[run.ID] != message {
		s.logged[run.ID] = message
		s.Log.Warn("waiting for a run", "run", run.ID, "reason", reason)
	}
}

// store is the output folder of a run.
func (s *serving) store(ctx context.Context, run *schemas.Run) (blob.Store, error) {
	if s.Out != "" {
		return s.Blobs.Store(ctx, s.Out)
	}
	return s.Blobs.Store(ctx, run.Out)
}

// leasedBroker is the Broker of a run that this process has leased.
type leasedBroker struct {
	*QueueBroker
	lease *queue.RunLease
}

// End implements Broker.
func (b leasedBroker) End(ctx context.Context) error { return b.lease.End(ctx) }

// tables makes the tables of a run.
func (s *serving) tables(l *queue.RunLease, run *schemas.Run) (blob.Store, *stats.Summary, error) {
	ctx := l.Held
	store, err := s.store(ctx, run)
	if err != nil {
		return nil, nil, err
	}
	s.Log.Info("run", "run", run.ID, "items", run.Sealed.Items, "bytes", run.Sealed.Bytes, "out", store.URL())
	opt := s.Commit
	opt.Store, opt.Broker, opt.Log = store, leasedBroker{NewQueueBroker(s.Queue, run.ID), l}, s.Log
	var sum *stats.Summary
	err = panics.Call(func() (err error) { // a defect in one run must not end the others
		sum, err = Run(ctx, opt)
		return err
	})
	var panicked *panics.Error
	if errors.As(err, &panicked) {
		s.Log.Error("panic while the tables of a run were made", "run", run.ID, "reason", panicked.Value, "stack", string(panicked.Stack))
		err = fmt.Errorf("run %s: panic: %v (the stack is in the log)", run.ID, panicked.Value)
	}
	return store, sum, err
}

func (s *serving) ends(o Outcome) {
	if s.Ends != nil {
		s.Ends(o)
	}
}
