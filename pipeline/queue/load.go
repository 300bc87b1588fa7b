package queue

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// Load is the amount of data that the broker holds for all runs together.
type Load struct {
	Backlog      Backlog
	WorkingLimit int // items that may be worked on at once
	Streams      []StreamLoad
}

// StreamLoad is how full a stream is.
type StreamLoad struct {
	Name  string // "items", "done" or "dead"
	Bytes int64
	Limit int64 // size at which it refuses messages
}

// Load asks the broker for the amount of data that it holds. Streams that do not exist are left out.
func (q *Queue) Load(ctx context.Context) (Load, error) {
	var l Load
	for _, kind := range []string{items, done, dead} {
		s, err := q.js.Stream(ctx, q.streamName(kind))
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			continue
		}
		if err != nil {
			return Load{}, fmt.Errorf("queue: stream %s: %w", q.streamName(kind), err)
		}
		info := s.CachedInfo()
		l.Streams = append(l.Streams, StreamLoad{strings.ToLower(kind), int64(info.State.Bytes), info.Config.MaxBytes})
		if kind != items {
			continue
		}
		consumers := s.ListConsumers(ctx)
		for c := range consumers.Info() {
			l.Backlog.Waiting += int(c.NumPending)
			l.Backlog.Working += c.NumAckPending
			l.Backlog.Again += c.NumRedelivered
			l.WorkingLimit += c.Config.MaxAckPending
		}
		if err := consumers.Err(); err != nil {
			return Load{}, fmt.Errorf("queue: stream %s: consumers: %w", q.streamName(kind), err)
		}
	}
	return l, nil
}
