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
	// maxTakeovers of one run make it fail: somebody makes the same tables with another
	// broker, which has leases of its own.
	maxTakeovers = 3
)

// Outcome is what became of a run that was worked on here.
type Outcome string

// All outcomes.
const (
	Done     Outcome = "done"
	Failed   Outcome = "failed"
	Canceled Outcome = "canceled"
)

// Outcomes are all of them.
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
	// ExitWhenDone says to return when Run is over, or when no run is left.
	ExitWhenDone bool

	// Commit are the options for every run. Store, Broker and Log are set here.
	Commit Options

	Begins func(run *schemas.Run) // called before a run is worked on; may be nil
	Ends   func(Outcome)          // called when it is over, or failed; may be nil
	// Done is called with the summary of every run whose tables were made here. Its
	// error is that of the run.
	Done func(store blob.Store, sum *stats.Summary) error
}

// Serve makes the tables of the runs that the broker holds, one after the other, each
// while it has the lease of the run. It returns when ctx ends or, with ExitWhenDone, when
// nothing is left to do. What one run meets leaves the others going: a run that failed,
// or met a defect of this program, is given back to the broker for a minute. The error
// says how many runs failed, or why Options.Run did.
func Serve(ctx context.Context, opt ServeOptions) error {
	s := &serving{ServeOptions: opt, logged: map[schemas.RunID]string{}, takeovers: map[schemas.RunID]int{}, failed: map[schemas.RunID]bool{}}
	list := opt.Queue.NewRunList()
	unlisted := ""
	for {
		_, err := list.Refresh(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			unlisted = ""
		case err.Error() != unlisted:
			unlisted = err.Error()
			s.Log.Warn("runs cannot be listed", "reason", err)
		}
		if err == nil {
			next, err := s.round(ctx, list.Runs)
			if next == stop || err != nil {
				return err
			}
			if next == again {
				continue
			}
		}
		select {
		case <-time.After(listEvery):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// serving is the state of Serve.
type serving struct {
	ServeOptions
	logged    map[schemas.RunID]string // the last message about a run that another process has
	takeovers map[schemas.RunID]int    // how often another process took over a run
	failed    map[schemas.RunID]bool   // runs that failed here and were not done since
	seen      *schemas.Run             // the only run, if the broker holds it or has held it
}

// next is what follows a round.
type next int

const (
	wait  next = iota // and look for runs again
	again             // look for runs at once
	stop
)

// round works on the runs that it can lease, and returns after the first that is over.
func (s *serving) round(ctx context.Context, runs []*schemas.Run) (next, error) {
	elsewhere, listed := false, false
	for _, run := range runs {
		if s.Run != "" && run.ID != s.Run {
			continue
		}
		s.seen, listed = run, true
		done, err := s.lease(ctx, run)
		switch {
		case ctx.Err() != nil:
			return stop, ctx.Err()
		case err != nil && s.Run != "":
			return stop, err
		case done && s.Run != "" && s.ExitWhenDone:
			return stop, nil
		case done:
			return again, nil
		case !s.failed[run.ID]:
			elsewhere = true
		}
	}
	switch {
	case s.Run != "" && !listed:
		return s.absent(ctx)
	case s.Run != "" || !s.ExitWhenDone || elsewhere:
		return wait, nil
	case len(s.failed) > 0:
		return stop, fmt.Errorf("runs that failed: %d, see the log", len(s.failed))
	}
	return stop, nil
}

// absent is the end of a round in which the broker does not hold the only run: it is
// over, or will be published.
func (s *serving) absent(ctx context.Context) (next, error) {
	if !s.ExitWhenDone {
		return wait, nil
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
			return stop, err
		}
		over, err := manifest.Over(ctx, store)
		if over || errors.As(err, new(*manifest.EndedError)) {
			return stop, err
		}
	}
	return wait, nil
}

// lease works on a run if no other process has it. done reports whether the run is over. The
// error is that of a run that failed here, or was canceled.
func (s *serving) lease(ctx context.Context, run *schemas.Run) (done bool, err error) {
	l, err := s.Queue.TakeRun(ctx, run)
	if err != nil {
		s.waiting(run, err)
		return false, nil
	}
	if l == nil {
		if !s.failed[run.ID] {
			s.waiting(run, errors.New("another aggregator has leased the run"))
		}
		return false, nil
	}
	delete(s.failed, run.ID)
	err = s.tables(l, run)
	if err != nil && l.Held.Err() != nil && ctx.Err() == nil {
		err = context.Cause(l.Held)
	}
	var ended *manifest.EndedError
	var taken *manifest.TakenError
	switch {
	case err == nil:
		l.Abandon() // the broker holds it no more
		return true, nil
	case ctx.Err() != nil:
		return false, l.Retry(0)
	case errors.As(err, &taken):
		// It is not given back, because that would end the lease of the other process.
		l.Abandon()
		if s.takeovers[run.ID]++; s.takeovers[run.ID] < maxTakeovers {
			s.waiting(run, err)
			return false, nil
		}
	case errors.Is(err, queue.ErrLeaseLost):
		l.Abandon()
		s.waiting(run, err)
		return false, nil
	case errors.As(err, &ended):
		l.Abandon()
		s.ends(map[bool]Outcome{true: Canceled, false: Failed}[ended.State == schemas.RunCanceled])
		s.Log.Warn("run has ended without tables", "run", run.ID, "reason", err)
		return true, err
	case s.Run != "":
		err = errors.Join(err, l.Retry(0))
	default:
		if err := l.Retry(failedWait); err != nil {
			s.Log.Warn("run could not be given back", "reason", err)
		}
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
func (s *serving) tables(l *queue.RunLease, run *schemas.Run) error {
	ctx := l.Held
	store, err := s.store(ctx, run)
	if err != nil {
		return err
	}
	s.Log.Info("run", "run", run.ID, "items", run.Sealed.Items, "bytes", run.Sealed.Bytes, "out", store.URL())
	if s.Begins != nil {
		s.Begins(run)
	}
	opt := s.Commit
	opt.Store, opt.Broker, opt.Log = store, leasedBroker{NewQueueBroker(s.Queue, run.ID), l}, s.Log
	var sum *stats.Summary
	err = panics.Call(func() (err error) { // a defect that one run meets leaves the others going
		sum, err = Run(ctx, opt)
		return err
	})
	var panicked *panics.Error
	if errors.As(err, &panicked) {
		s.Log.Error("panic while the tables of a run were made", "run", run.ID, "reason", panicked.Value, "stack", string(panicked.Stack))
		return fmt.Errorf("run %s: panic: %v (the stack is in the log)", run.ID, panicked.Value)
	}
	if err != nil {
		return err
	}
	if s.Done != nil { // before Ends: who sees that the run has ended also sees its figures
		err = s.Done(store, sum)
	}
	s.ends(Done)
	return err
}

func (s *serving) ends(o Outcome) {
	if s.Ends != nil {
		s.Ends(o)
	}
}
