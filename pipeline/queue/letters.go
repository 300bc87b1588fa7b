package queue

import (
	"context"
	"fmt"
	"iter"

	"github.com/winnow/winnow/schemas"
)

// DeadLetters yields the dead letters that the broker holds for a run, or for all runs if run
// is "", oldest first. A message that is not a dead letter is an error, after which it
// goes on.
func (q *Queue) DeadLetters(ctx context.Context, run schemas.RunID) iter.Seq2[*schemas.Dead, error] {
	return func(yield func(*schemas.Dead, error) bool) {
		subject := q.prefix + ".dead.*"
		if run != "" {
			subject = q.deadSubject(run)
		}
		for msg, err := range q.messages(ctx, dead, subject) {
			if err != nil {
				yield(nil, fmt.Errorf("queue: dead letters: %w", err))
				return
			}
			d, err := schemas.DecodeDead(msg.Data)
			if err != nil {
				err = fmt.Errorf("queue: dead letter %d: %w", msg.Sequence, err)
			}
			if !yield(d, err) {
				return
			}
		}
	}
}
