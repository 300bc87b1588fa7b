package queue

import (
	"context"
	"fmt"
	"slices"

	"github.com/winnow/winnow/schemas"
)

// Workers returns the names of the workers whose reports the broker holds, sorted. The
// reports of a run are removed when it is over. A report that cannot be read is left out.
func (q *Queue) Workers(ctx context.Context, run schemas.RunID) ([]string, error) {
	workers := []string{}
	for msg, err := range q.messages(ctx, done, q.doneSubject(run)) {
		if err != nil {
			return nil, fmt.Errorf("queue: workers of run %s: %w", run, err)
		}
		d, err := schemas.DecodeDone(msg.Data)
		if err != nil {
			continue
		}
		if i, there := slices.BinarySearch(workers, d.Worker); !there {
			workers = slices.Insert(workers, i, d.Worker)
		}
	}
	return workers, nil
}
