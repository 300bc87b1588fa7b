package commit

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// ErrCanceled says that someone ended the run before it was done.
var ErrCanceled = errors.New("the run was canceled")

// Broker is what the aggregator needs of the queue. Its errors are final unless
// queue.Transient says otherwise.
type Broker interface {
	// Hold keeps other aggregators from the run until release is called, or held
	// ends because that is not sure any more (queue.ErrLost). It is a
	// *queue.HeldError while another one works on it.
	Hold(ctx context.Context, name string) (held context.Context, release func(), err error)
	// Reports replays all reports of the run and goes on with new ones.
	Reports(ctx context.Context) (Reports, error)
	// Publish adds items to the run's work: to be run again from another start,
	// or because their result was lost.
	Publish(ctx context.Context, items ...*schemas.Item) error
	// Idle is called when nothing was reported for a while, with the items that are
	// waited for. It looks whether they are still with the broker.
	Idle(ctx context.Context, waiting iter.Seq2[*schemas.Item, error]) error
	// Enter makes the run's present phase known and publishes its items, unless
	// that was done before. It may be called at any time and any number of times.
	Enter(ctx context.Context, run *schemas.Run, items iter.Seq2[*schemas.Item, error]) error
	// Ended makes the run's end known.
	Ended(ctx context.Context, state schemas.RunState) error
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
	// phase is the present one.
	phase schemas.Phase
	// missing are the items that the broker did not hold at the last look. One
	// that was settled a moment ago is missing, too, until its report arrives;
	// so only what is missing twice was lost.
	missing map[schemas.ItemID]bool
}

// NewQueueBroker returns the Broker of a run.
func NewQueueBroker(q *queue.Queue, run schemas.RunID) *QueueBroker {
	return &QueueBroker{q: q, run: run, phase: schemas.PhaseExtract}
}

var _ Broker = (*QueueBroker)(nil)

// Hold implements Broker.
func (b *QueueBroker) Hold(ctx context.Context, name string) (context.Context, func(), error) {
	return b.q.Hold(ctx, b.run, name)
}

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

// FullError says that a stream of the broker has no room for what workers want to
// report. That ends when somebody makes room.
type FullError struct {
	Stream queue.StreamLoad
}

func (e *FullError) Error() string {
	return fmt.Sprintf("aggregate: stream %s of the broker is full (%d of %d bytes): workers cannot report; make room, or run ingest again with a larger --nats-storage",
		e.Stream.Name, e.Stream.Bytes, e.Stream.Limit)
}

// Idle implements Broker. The error is a *FullError if nothing may have been
// reported for want of room.
func (b *QueueBroker) Idle(ctx context.Context, waiting iter.Seq2[*schemas.Item, error]) error {
	if err := b.lookForLost(ctx, waiting); err != nil {
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

// nearlyFull is the percentage from which a stream counts as full: a large report
// is refused before a small one.
const nearlyFull = 95

// lookForLost publishes items again that the broker does not hold any more. As
// long as items are waiting or worked on it does nothing: what is lost among them
// is found when they are done.
func (b *QueueBroker) lookForLost(ctx context.Context, waiting iter.Seq2[*schemas.Item, error]) error {
	head, _, err := b.q.Run(ctx, b.run)
	if err != nil {
		return err
	}
	if head.State == schemas.RunCanceled {
		return fmt.Errorf("aggregate: run %s: %w", b.run, ErrCanceled)
	}
	log, err := b.q.Backlog(ctx, b.run, b.phase)
	if errors.Is(err, queue.ErrNotFound) {
		return nil // the phase is not open yet
	}
	if err != nil || log.Waiting+log.Working > 0 || head.State == schemas.RunPlanned {
		b.missing = nil
		return err
	}
	if log.Exhausted > 0 {
		_, err := b.q.Requeue(ctx, b.run, b.phase)
		return err
	}
	gone, err := b.q.Missing(ctx, b.run, b.phase, waiting)
	if err != nil {
		return err
	}
	var lost []*schemas.Item
	now := map[schemas.ItemID]bool{}
	for _, it := range gone {
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

// Enter implements Broker. The head of the run is written between the consumer,
// which workers look for as soon as they see it, and the items. Whoever finds it
// written publishes nothing: what was lost by a crash in between, Idle finds.
func (b *QueueBroker) Enter(ctx context.Context, run *schemas.Run, items iter.Seq2[*schemas.Item, error]) error {
	b.phase, b.missing = run.Phase, nil
	if err := b.q.Open(ctx, run, 0); err != nil {
		return err
	}
	for {
		head, rev, err := b.q.Run(ctx, b.run)
		if err != nil {
			return err
		}
		if head.State == schemas.RunCanceled {
			return fmt.Errorf("aggregate: run %s: %w", b.run, ErrCanceled)
		}
		if head.Phase == run.Phase {
			return nil
		}
		head.Phase = run.Phase
		if _, err = b.q.UpdateRun(ctx, head, rev); errors.Is(err, queue.ErrConflict) {
			continue
		}
		if err == nil {
			_, err = b.q.PublishItems(ctx, "", items)
		}
		return err
	}
}

// Ended implements Broker.
func (b *QueueBroker) Ended(ctx context.Context, state schemas.RunState) error {
	for {
		head, rev, err := b.q.Run(ctx, b.run)
		if errors.Is(err, queue.ErrNotFound) {
			return nil // forgotten already
		}
		if err != nil || head.State == state {
			return err
		}
		head.State = state
		if _, err := b.q.UpdateRun(ctx, head, rev); !errors.Is(err, queue.ErrConflict) {
			return err
		}
	}
}
