package queue

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/schemas"
)

// DeadLetters yields the dead letters that the broker holds for a run, or for all runs if run
// is "", oldest first. It makes one request for each, and creates no consumer. A message
// that is not a dead letter is an error, after which it goes on.
func (q *Queue) DeadLetters(ctx context.Context, run schemas.RunID) iter.Seq2[*schemas.Dead, error] {
	return func(yield func(*schemas.Dead, error) bool) {
		subject := q.prefix + ".dead.*"
		if run != "" {
			subject = q.deadSubject(run)
		}
		s, err := q.js.Stream(ctx, q.streamName(dead))
		if err != nil {
			yield(nil, fmt.Errorf("queue: dead letters: %w", missing(err)))
			return
		}
		for seq := uint64(1); ; {
			msg, err := s.GetMsg(ctx, seq, jetstream.WithGetMsgSubject(subject))
			if errors.Is(err, jetstream.ErrMsgNotFound) {
				return
			}
			if err != nil {
				yield(nil, fmt.Errorf("queue: dead letters: %w", err))
				return
			}
			seq = msg.Sequence + 1
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
