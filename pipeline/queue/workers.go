package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/schemas"
)

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
