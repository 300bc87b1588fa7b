package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/schemas"
)

// Heads returns the heads of all runs that the broker knows, the oldest first.
func (q *Queue) Heads(ctx context.Context) ([]*schemas.Run, error) {
	var heads []*schemas.Run
	for run, err := range q.WatchRuns(ctx) {
		if err != nil {
			return nil, err
		}
		if run == nil { // all runs that are known have been seen
			break
		}
		heads = append(heads, run)
	}
	slices.SortStableFunc(heads, func(a, b *schemas.Run) int { return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID)) })
	return heads, nil
}

// ErrOver says that a run has ended.
var ErrOver = errors.New("the run is over")

// Over reports whether a run has ended, in whatever way.
func Over(state schemas.RunState) bool {
	return state == schemas.RunDone || state == schemas.RunFailed || state == schemas.RunCanceled
}

// Cancel ends a run: workers and aggregators leave it alone from now on, and its items are
// removed. What is committed stays. The error is ErrOver if the run has ended.
func (q *Queue) Cancel(ctx context.Context, id schemas.RunID) error {
	for {
		head, rev, err := q.Run(ctx, id)
		if err != nil {
			return err
		}
		if Over(head.State) {
			return fmt.Errorf("queue: run %s is %s: %w", id, head.State, ErrOver)
		}
		head.State = schemas.RunCanceled
		if _, err := q.UpdateRun(ctx, head, rev); !errors.Is(err, ErrConflict) {
			return err
		}
	}
}

// Workers returns the names of the workers whose reports the broker holds, sorted. The
// reports of a run are removed when it is over. A report that cannot be read is left out.
func (q *Queue) Workers(ctx context.Context, run schemas.RunID) ([]string, error) {
	s, err := q.js.Stream(ctx, q.streamName(done))
	if err != nil {
		return nil, fmt.Errorf("queue: workers of run %s: %w", run, missing(err))
	}
	workers := []string{}
	for seq := uint64(1); ; {
		msg, err := s.GetMsg(ctx, seq, jetstream.WithGetMsgSubject(q.doneSubject(run)))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return workers, nil
		}
		if err != nil {
			return nil, fmt.Errorf("queue: workers of run %s: %w", run, err)
		}
		seq = msg.Sequence + 1
		d, err := schemas.DecodeDone(msg.Data)
		if err != nil {
			continue
		}
		if i, there := slices.BinarySearch(workers, d.Worker); !there {
			workers = slices.Insert(workers, i, d.Worker)
		}
	}
}
