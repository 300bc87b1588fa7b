package supervise

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/commit"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/panics"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/retry"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
)

const (
	// lockedWait is how long after a run was found locked it is looked at again.
	lockedWait = 2 * time.Second
	// failedWait is how long after a run failed it is looked at again.
	failedWait = time.Minute
	// releaseFor is how long a broker that does not answer is asked to delete what it holds
	// of a run.
	releaseFor = time.Minute
	// maxTakeovers of one run make it fail: somebody makes the same tables with
	// another broker, which has a lock of its own.
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

// Options of Run. Queue, Blobs and Log are needed.
type Options struct {
	Queue *queue.Queue
	Blobs *blob.Client
	Log   *slog.Logger

	// Run is the only run that is worked on; empty for all.
	Run schemas.RunID
	// Out is the output folder of Run, if this process sees it under another name than
	// ingest did.
	Out string
	// ExitWhenDone says to return when Run is over, or when no run is left to be worked
	// on.
	ExitWhenDone bool
	// RunWait is how long a supervisor that ends with Run waits until the broker knows it.
	// Then it ends with an error. Default for ever.
	RunWait time.Duration

	// Commit are the options for every run. Store, Broker and Log are set here.
	Commit commit.Options

	Begins func(run *schemas.Run) // called before a run is worked on
	Ends   func(Outcome)          // called when it is over, or failed
	// Done is called with the summary of every run whose tables were made here. Its
	// error is that of the run.
	Done func(store blob.Store, sum *stats.Summary) error
}

// Run makes the tables of runs until ctx ends or, with Options.ExitWhenDone, until
// nothing is left to do. The error says how many runs failed, or why Options.Run did.
func Run(ctx context.Context, opt Options) error {
	s := &supervisor{Options: opt, logged: map[schemas.RunID]string{}, takeovers: map[schemas.RunID]int{},
		failed: map[schemas.RunID]time.Time{}, released: map[schemas.RunID]bool{}, begun: time.Now()}
	for {
		over, err := s.watch(ctx)
		switch {
		case err != nil:
			return err
		case over && len(s.failed) > 0:
			return fmt.Errorf("runs that failed: %d, see the log", len(s.failed))
		case over:
			return nil
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// supervisor is the state of Run.
type supervisor struct {
	Options
	logged    map[schemas.RunID]string    // the last message about a run that another process works on
	takeovers map[schemas.RunID]int       // how often another process took over a run
	failed    map[schemas.RunID]time.Time // when a run failed that was not done since
	released  map[schemas.RunID]bool      // runs of which the broker holds no items and reports any more
	unwatched string                      // the last message about runs that cannot be watched
	begun     time.Time
	seen      bool // the broker knows, or has known, the run that is waited for
	told      bool // the log says that it is waited for
}

// waits reports whether a run that the broker does not know is waited for.
func (s *supervisor) waits() bool {
	return !s.seen && s.Options.Run != "" && s.ExitWhenDone && s.RunWait > 0
}

// watch works on the runs that are there and on those that come. over says that
// nothing is left to do; otherwise all runs must be looked at again.
func (s *supervisor) watch(ctx context.Context) (over bool, err error) {
	watch, stop := context.WithCancel(ctx)
	defer stop()
	lookAgain := func(after time.Duration) { time.AfterFunc(after, stop) }
	if s.waits() {
		left := s.RunWait - time.Since(s.begun)
		if left <= 0 {
			return false, fmt.Errorf("supervise: %w", queue.AbsentError{Run: s.Options.Run, Waited: s.RunWait})
		}
		lookAgain(left)
	}
	locked := false // a run is locked by another process; the watch does not report that it is released
	for head, err := range s.Queue.WatchRuns(watch) {
		switch {
		case watch.Err() != nil:
			return false, ctx.Err()
		case err != nil:
			if message := err.Error(); s.unwatched != message {
				s.unwatched = message
				s.Log.Warn("runs cannot be watched", "reason", err)
			}
			continue
		case head == nil: // all runs that were there have been seen
			s.unwatched = ""
			if s.ExitWhenDone && s.Options.Run == "" && !locked {
				return true, nil
			}
			if s.waits() && !s.told {
				s.told = true
				s.Log.Info("waiting for a run that the broker does not know yet", "run", s.Options.Run, "for", s.RunWait.String())
			}
			continue
		case s.Options.Run != "" && head.ID != s.Options.Run:
			continue
		}
		s.seen = true
		// While a run was worked on, the watch has gathered changes of this run and of
		// others: only the present state counts, or tables are made twice.
		head, forgotten := s.present(ctx, head)
		if forgotten {
			continue
		}
		if head.State != schemas.RunPlanned && head.State != schemas.RunActive {
			delete(s.failed, head.ID) // another process made its tables
			if over, err := s.ended(ctx, head); over || err != nil {
				return over, err
			}
			continue
		}
		if wait := failedWait - time.Since(s.failed[head.ID]); wait > 0 {
			lookAgain(wait)
			continue
		}
		delete(s.failed, head.ID)
		switch err := s.tables(ctx, head); {
		case ctx.Err() != nil:
			return false, ctx.Err()
		case err == nil:
			if s.Options.Run != "" && s.ExitWhenDone {
				return true, nil
			}
		case s.elsewhere(head.ID, err):
			locked = true
			lookAgain(lockedWait)
		case errors.Is(err, commit.ErrCanceled):
			s.ends(Canceled)
			s.release(ctx, head.ID)
			if s.Options.Run != "" {
				return false, err
			}
			s.Log.Info("run is canceled", "run", head.ID)
		default:
			s.ends(Failed)
			if s.Options.Run != "" {
				return false, err
			}
			s.failed[head.ID] = time.Now()
			lookAgain(failedWait) // the watch reports no change of it
			s.Log.Error("run failed", "run", head.ID, "again_in", failedWait.String(), "reason", err)
		}
	}
	return false, ctx.Err()
}

// present is a run as the broker has it now, or as it was seen if the broker does not
// answer. forgotten says that the broker has it no more.
func (s *supervisor) present(ctx context.Context, seen *schemas.Run) (head *schemas.Run, forgotten bool) {
	head, _, err := s.Queue.Run(ctx, seen.ID)
	if err != nil {
		return seen, errors.Is(err, queue.ErrNotFound)
	}
	return head, false
}

// ended does what is left to do for a run that is over. over says that it is the only
// one that was waited for.
func (s *supervisor) ended(ctx context.Context, head *schemas.Run) (over bool, err error) {
	only := s.Options.Run != ""
	switch {
	case head.State == schemas.RunDone && only && !s.ExitWhenDone:
		return false, fmt.Errorf("run %s is %s", head.ID, head.State)
	case head.State == schemas.RunDone && only:
		s.release(ctx, head.ID)
		return true, s.published(ctx, head)
	case head.State == schemas.RunDone:
		s.release(ctx, head.ID) // the process that ended it may have died before it did so
	case head.State == schemas.RunCanceled:
		s.release(ctx, head.ID)
		if only {
			return false, fmt.Errorf("run %s: %w", head.ID, commit.ErrCanceled)
		}
	case only:
		return false, fmt.Errorf("run %s is %s", head.ID, head.State)
	}
	return false, nil
}

// elsewhere says whether a run was left because another process works on it, or may
// do so. That is logged once for each such process.
func (s *supervisor) elsewhere(run schemas.RunID, err error) bool {
	var locked *queue.LockedError
	var taken *manifest.TakenError
	switch {
	case errors.As(err, &locked):
	case errors.As(err, &taken):
		if s.takeovers[run]++; s.takeovers[run] >= maxTakeovers {
			return false
		}
	case !errors.Is(err, queue.ErrLockLost):
		return false
	}
	if message := err.Error(); s.logged[run] != message {
		s.logged[run] = message
		s.Log.Warn("waiting for another aggregate", "run", run, "reason", err)
	}
	return true
}

// release has the broker delete the items and reports of a run that is over. It is tried
// again for a while: a cluster that has just lost a broker needs some seconds to elect others.
func (s *supervisor) release(ctx context.Context, run schemas.RunID) {
	if s.released[run] {
		return
	}
	logged := false
	policy := retry.Policy{
		First: 100 * time.Millisecond, Longest: 5 * time.Second, For: releaseFor,
		Temporary: func(err error) (time.Duration, bool) { return 0, queue.Transient(err) },
		Waiting: func(err error, _ time.Duration) {
			if !logged {
				s.Log.Warn("the broker does not delete the items and reports of a run that is over; trying again", "run", run, "reason", err)
				logged = true
			}
		},
	}
	if err := policy.Do(ctx, func() error { return s.Queue.Release(ctx, run) }); err != nil {
		s.Log.Warn("the run is over, but the broker still holds its items and reports", "run", run, "reason", err)
		return
	}
	s.released[run] = true
}

// published verifies that a run that the broker calls done has its tables: somebody
// may have removed the output folder and run ingest again.
func (s *supervisor) published(ctx context.Context, head *schemas.Run) error {
	store, err := s.store(ctx, head)
	if err != nil {
		return err
	}
	m, err := manifest.Load(ctx, store)
	switch {
	case errors.Is(err, blob.ErrNotFound) || err == nil && m.Finished.IsZero():
		return ingest.OverError{Run: head.ID, State: head.State, Out: store.URL()}
	case err != nil:
		return fmt.Errorf("run %s: %s: %w", head.ID, store.URL(), err)
	}
	return nil
}

// store is the output folder of a run.
func (s *supervisor) store(ctx context.Context, head *schemas.Run) (blob.Store, error) {
	out := head.Out
	if s.Out != "" {
		out = s.Out
	}
	return s.Blobs.Store(ctx, out)
}

// tables makes the tables of a run and ends it.
func (s *supervisor) tables(ctx context.Context, head *schemas.Run) error {
	store, err := s.store(ctx, head)
	if err != nil {
		return err
	}
	level := slog.LevelInfo
	if s.logged[head.ID] != "" { // tried again every few seconds while another process has the run
		level = slog.LevelDebug
	}
	s.Log.Log(ctx, level, "run", "run", head.ID, "items", head.Sealed.Items, "bytes", head.Sealed.Bytes, "out", store.URL())
	if s.Begins != nil {
		s.Begins(head)
	}
	opt := s.Commit
	opt.Store, opt.Broker, opt.Log = store, commit.NewQueueBroker(s.Queue, head.ID), s.Log
	var sum *stats.Summary
	err = panics.Call(func() (err error) { // a defect that one run meets leaves the others going
		sum, err = commit.Run(ctx, opt)
		return err
	})
	var panicked *panics.Error
	if errors.As(err, &panicked) {
		s.Log.Error("panic while the tables of a run were made", "run", head.ID, "reason", panicked.Value, "stack", string(panicked.Stack))
		return fmt.Errorf("run %s: panic: %v (the stack is in the log)", head.ID, panicked.Value)
	}
	if err != nil {
		return err
	}
	if s.Options.Done != nil { // before Ends: who sees that the run has ended also sees its figures
		err = s.Options.Done(store, sum)
	}
	s.ends(Done)
	s.release(ctx, head.ID)
	return err
}

func (s *supervisor) ends(o Outcome) {
	if s.Ends != nil {
		s.Ends(o)
	}
}
