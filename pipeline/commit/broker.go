package commit

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// Broker is the part of the queue that a committer uses. Its errors are final unless
// queue.Transient says otherwise.
type Broker interface {
	// Reports replays all reports of the run and goes on with new ones.
	Reports(ctx context.Context) (Reports, error)
	// Publish adds items to the run's work that must be run again.
	Publish(ctx context.Context, items ...*schemas.Item) error
	// Reconcile makes the broker agree with the manifest: workers get the items of the
	// run's current phase, and those are published that have no result and that the
	// broker does not hold. It may be called at any time and any number of times. The
	// error is a *FullError if workers may be unable to report, and queue.ErrNotFound if
	// the broker has lost its streams.
	Reconcile(ctx context.Context, run *schemas.Run, items iter.Seq2[*schemas.Item, error]) error
	// End removes what the broker holds for the run, which is over.
	End(ctx context.Context) error
}

// Reports is a stream of reports; queue.Reports is one.
type Reports interface {
	Next(ctx context.Context) (queue.Report, error)
	Close()
}

var _ Reports = (*queue.Reports)(nil)

// QueueBroker is the Broker of a run in a queue. One goroutine uses it.
type QueueBroker struct {
	q   *queue.Queue
	run schemas.RunID
	// missing are the items that the broker did not hold at the last call of
	// Reconcile. An item that was settled a moment ago is missing, too, until its
	// report arrives; so only an item that is missing twice was lost.
	missing map[schemas.ItemID]bool
}

// NewQueueBroker returns the Broker of a run.
func NewQueueBroker(q *queue.Queue, run schemas.RunID) *QueueBroker {
	return &QueueBroker{q: q, run: run}
}

var _ Broker = (*QueueBroker)(nil)

// Reports implements Broker.
func (b *QueueBroker) Reports(ctx context.Context) (Reports, error) {
	r, err := b.q.Reports(ctx, b.run)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Publish implements Broker. The generation makes the messages new to a broker
// that remembers the items from their first time.
func (b *QueueBroker) Publish(ctx context.Context, items ...*schemas.Item) error {
	_, err := b.q.PublishItems(ctx, queue.NewGeneration(), func(yield func(*schemas.Item, error) bool) {
		for _, it := range items {
			if !yield(it, nil) {
				return
			}
		}
	})
	return err
}

// FullError means that a stream of the broker has no room for what workers want to
// report. It lasts until an operator makes room.
type FullError struct {
	Stream queue.StreamLoad
}

func (e *FullError) Error() string {
	return fmt.Sprintf("commit: stream %s of the broker is full (%d of %d bytes): workers cannot report; make room, or run ingest again with a larger --nats-storage",
		e.Stream.Name, e.Stream.Bytes, e.Stream.Limit)
}

// nearlyFull is the percentage from which a stream counts as full: a large report
// is refused before a small one.
const nearlyFull = 95

// Reconcile implements Broker. A phase that has no consumer has not begun, or the broker
// has lost it: its items are published, and then the consumer is created. While items
// wait for workers or are worked on, nothing is done: other items that were lost are found
// when these are done.
func (b *QueueBroker) Reconcile(ctx context.Context, run *schemas.Run, items iter.Seq2[*schemas.Item, error]) error {
	backlog, err := b.q.Backlog(ctx, b.run, run.Phase)
	switch {
	case errors.Is(err, queue.ErrNotFound):
		b.missing = nil
		return b.q.StartPhase(ctx, run, items)
	case err != nil:
		return err
	case backlog.Waiting+backlog.Working > 0:
		b.missing = nil
	default:
		err = b.publishLost(ctx, run.Phase, items)
	}
	if err != nil {
		return err
	}
	load, err := b.q.Load(ctx)
	if err != nil {
		return err
	}
	for _, s := range load.Streams {
		if s.Name != "items" && s.Limit > 0 && s.Bytes > s.Limit/100*nearlyFull {
			return &FullError{s}
		}
	}
	return nil
}

// publishLost publishes those of the items again that the broker did not hold at two
// calls one after the other.
func (b *QueueBroker) publishLost(ctx context.Context, phase schemas.Phase, items iter.Seq2[*schemas.Item, error]) error {
	missing, err := b.q.Missing(ctx, b.run, phase, items)
	if err != nil {
		return err
	}
	var lost []*schemas.Item
	now := map[schemas.ItemID]bool{}
	for _, it := range missing {
		now[it.ID()] = true
		if b.missing[it.ID()] {
			lost = append(lost, it)
		}
	}
	b.missing = now
	if len(lost) == 0 {
		return nil
	}
	b.missing = nil
	return b.Publish(ctx, lost...)
}

// End implements Broker.
func (b *QueueBroker) End(ctx context.Context) error { return b.q.End(ctx, b.run) }
