package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/commit"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/supervise"
	"github.com/winnow/winnow/schemas"
)

// stage makes the tables of one run after the other.
type stage struct {
	*options
	run          string // the only one; empty for all
	exitWhenDone bool

	q       *queue.Queue
	blobs   *blob.Client
	metrics *metrics
	log     *slog.Logger
	stdout  io.Writer
	report  func(context.Context, blob.Store) error // see commit.Options
	lost    service.RefusedError                    // of the input, over all runs
	unmade  int64                                   // scores, likewise

	waits map[schemas.RunID]string    // what was last said about a run that another one works on
	taken map[schemas.RunID]int       // how often a run was taken over by another one
	left  map[schemas.RunID]time.Time // when a run failed that has not been done since

	released map[schemas.RunID]bool // of whose items and reports the broker is rid
}

const (
	// recheck is how long after a run was found held it is looked at again.
	recheck = 2 * time.Second
	// takeovers of one run end the patience: somebody makes the same tables with
	// another broker.
	takeovers = 3
	// leave is how long a run that failed is left alone.
	leave = time.Minute
)

// elsewhere says whether a run was left because another aggregate works on it, or
// may do so; then it is looked at again. It is logged once for each holder.
func (s *stage) elsewhere(run schemas.RunID, err error) bool {
	var held *queue.HeldError
	var taken *manifest.TakenError
	switch {
	case errors.As(err, &held):
	case errors.As(err, &taken):
		if s.taken[run]++; s.taken[run] >= takeovers {
			return false
		}
	case !errors.Is(err, queue.ErrLost):
		return false
	}
	if said := err.Error(); s.waits[run] != said {
		s.waits[run] = said
		s.log.Warn("waiting for another aggregate", "run", run, "reason", err)
	}
	return true
}

// errEnded says that there is nothing left to do.
var errEnded = errors.New("no more runs")

// runs goes through the runs as they appear. A failed run does not keep the
// others waiting, unless it is the only one asked for.
func (s *stage) runs(ctx context.Context) error {
	for {
		err := s.watch(ctx)
		switch {
		case errors.Is(err, errEnded) && len(s.left) > 0:
			return fmt.Errorf("runs that failed: %d, see the log", len(s.left))
		case errors.Is(err, errEnded) && s.unmade > 0:
			return service.DefectError{Scores: s.unmade}
		case errors.Is(err, errEnded):
			return s.lost.Err()
		case err != nil:
			return err
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// watch makes the tables of the runs that are there and of those that come. It
// returns nil when all must be looked at again.
func (s *stage) watch(ctx context.Context) error {
	watch, stop := context.WithCancel(ctx)
	defer stop()
	held := false
	for head, err := range s.q.WatchRuns(watch) {
		if err == nil && head != nil {
			// While a run was worked on, the watch has gathered what became of it and of
			// others since: only what a run is now counts, or its tables are made twice.
			now, gone := s.present(ctx, head)
			if gone {
				continue
			}
			head = now
			if head.State != schemas.RunPlanned && head.State != schemas.RunActive {
				delete(s.left, head.ID) // somebody else did it
			}
		}
		switch {
		case watch.Err() != nil:
			return ctx.Err()
		case err != nil:
			s.log.Warn("watching runs", "reason", err)
		case head == nil && s.exitWhenDone && s.run == "" && !held:
			return errEnded // all that were there are done
		case head == nil, s.run != "" && string(head.ID) != s.run:
		case head.State == schemas.RunPlanned, head.State == schemas.RunActive:
			if wait := leave - time.Since(s.left[head.ID]); wait > 0 {
				time.AfterFunc(wait, stop)
				continue
			}
			delete(s.left, head.ID)
			err := s.tables(ctx, head)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case s.elsewhere(head.ID, err):
				held = true // and when it becomes free, that is no news to a watch
				time.AfterFunc(recheck, stop)
			case errors.Is(err, commit.ErrCanceled):
				s.metrics.runs.WithLabelValues("canceled").Inc()
				s.release(ctx, head.ID)
				if s.run != "" {
					return err
				}
				s.log.Info("run is canceled", "run", head.ID)
			case err != nil && s.run != "":
				s.metrics.runs.WithLabelValues("failed").Inc()
				return err
			case err != nil:
				s.metrics.runs.WithLabelValues("failed").Inc()
				s.left[head.ID] = time.Now()
				time.AfterFunc(leave, stop) // nothing else may happen to it
				s.log.Error("run is left alone", "run", head.ID, "for", leave.String(), "reason", err)
			case s.run != "" && s.exitWhenDone:
				return errEnded
			}
		case head.State == schemas.RunDone && s.run != "" && s.exitWhenDone:
			s.release(ctx, head.ID)
			if err := s.published(ctx, head); err != nil {
				return err
			}
			return errEnded
		case head.State == schemas.RunDone && s.run == "":
			s.release(ctx, head.ID) // whoever ended it may have died before doing so
		case head.State == schemas.RunCanceled:
			s.release(ctx, head.ID)
			if s.run != "" {
				return fmt.Errorf("run %s: %w", head.ID, commit.ErrCanceled)
			}
		case s.run != "":
			return fmt.Errorf("run %s is %s", head.ID, head.State)
		}
	}
	return ctx.Err()
}

// present is the head of a run as it is now, or as it was seen if the broker does
// not say; gone, if it is forgotten.
func (s *stage) present(ctx context.Context, seen *schemas.Run) (head *schemas.Run, gone bool) {
	head, _, err := s.q.Run(ctx, seen.ID)
	if err != nil {
		return seen, errors.Is(err, queue.ErrNotFound)
	}
	return head, false
}

// release has the broker forget what a run that is over left there. The streams
// would be full of finished runs one day, and refuse the items of the next.
func (s *stage) release(ctx context.Context, run schemas.RunID) {
	if s.released[run] {
		return
	}
	if err := s.q.Release(ctx, run); err != nil {
		s.log.Warn("run is over, but the broker still holds its items and reports", "run", run, "reason", err)
		return
	}
	s.released[run] = true
}

// published verifies that a run that the broker calls done has its tables: somebody
// may have removed the output folder, and run ingest again.
func (s *stage) published(ctx context.Context, head *schemas.Run) error {
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

func (s *stage) store(ctx context.Context, head *schemas.Run) (blob.Store, error) {
	out := head.Out
	if s.out != "" {
		out = s.out
	}
	return s.blobs.Store(ctx, out)
}

// tables makes the tables of a run and ends it.
func (s *stage) tables(ctx context.Context, head *schemas.Run) error {
	store, err := s.store(ctx, head)
	if err != nil {
		return err
	}
	s.log.Info("run", "run", head.ID, "items", head.Sealed.Items, "bytes", head.Sealed.Bytes, "out", store.URL())
	s.metrics.begin(head)
	var sum *stats.Summary
	err = supervise.Call(func() (err error) { // a defect that one run meets leaves the others going
		sum, err = commit.Run(ctx, commit.Options{
			Store: store, Broker: commit.NewQueueBroker(s.q, head.ID),
			TempDir: s.tempDir, Quiet: s.quiet, Log: s.log, Progress: s.metrics.progress, Refused: s.metrics.refused.Inc,
			Report: s.report,
		})
		return err
	})
	var panicked *supervise.PanicError
	if errors.As(err, &panicked) {
		s.log.Error("panic while making the tables of a run", "run", head.ID, "reason", panicked.Value, "stack", string(panicked.Stack))
		return fmt.Errorf("run %s: panic: %v (the stack is in the log)", head.ID, panicked.Value)
	}
	if err != nil {
		return err
	}
	s.metrics.end(sum)
	s.release(ctx, head.ID)
	s.lost = s.lost.Plus(request.Lost(sum))
	s.unmade += sum.Unmade
	if s.format == "json" {
		return sum.JSON(s.stdout)
	}
	if err := sum.Table(s.stdout, s.packages); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.stdout, "tables are in %s\n", store.URL())
	return err
}
