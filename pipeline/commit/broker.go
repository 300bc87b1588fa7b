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

// Broker is what a committer needs of the queue. Its errors are final unless
// queue.Transient says otherwise.
type Broker interface {
	// Lock keeps other aggregators from the run until unlock is called, or until
	// locked ends, because the lock may have expired (queue.ErrLockLost). The error is a
	// *queue.LockedError while another process has the lock.
	Lock(ctx context.Context, name string) (locked context.Context, unlock func(), err error)
	// Reports replays all reports of the run and goes on with new ones.
	Reports(ctx context.Context) (Reports, error)
	// Publish adds items to the run's work that must be run again.
	Publish(ctx context.Context, items ...*schemas.Item) error
	// Reconcile makes the broker agree with the manifest: the run's present phase is
	// known to workers, and those items are published that have no result and that the
	// broker does not hold. It may be called at any time and any number of times. The
	// error is a *FullError if workers may be unable to report.
	Reconcile(ctx context.Context, run *schemas.Run, items iter.Seq2[*schemas.Item, error]) error
	// End makes the run's end known.
	End(ctx context.Context, state schemas.RunState) error
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

// Lock implements Broker.
func (b *QueueBroker) Lock(ctx context.Context, name string) (context.Context, func(), error) {
	return b.q.Lock(ctx, b.run, name)
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
	return b.publish(ctx, func(yield func(*schemas.Item, error) bool) {
		for _, it := range items {
			if !yield(it, nil) {
				return
			}
		}
	})
}

func (b *QueueBroker) publish(ctx context.Context, items iter.Seq2[*schemas.Item, error]) error {
	_, err := b.q.PublishItems(ctx, queue.NewGeneration(), items)
	return err
}

// FullError says that a stream of the broker has no room for what workers want to
// report. That ends when somebody makes room.
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

// Reconcile implements Broker. The first call in a phase makes the phase known: it
// opens the consumer, which workers look for as soon as they see the phase, then
// writes the phase, then publishes the items. What a crash between these steps leaves
// unpublished is found by later calls, like every other lost item.
func (b *QueueBroker) Reconcile(ctx context.Context, run *schemas.Run, items iter.Seq2[*schemas.Item, error]) error {
	head, entered, err := b.enter(ctx, run)
	switch {
	case err != nil:
		return err
	case entered:
		b.missing = nil
		return b.publish(ctx, items)
	}
	if err := b.publishLost(ctx, head, items); err != nil {
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

// enter makes the run's present phase known, unless it is. head is the run as the
// broker has it.
func (b *QueueBroker) enter(ctx context.Context, run *schemas.Run) (head *schemas.Run, entered bool, err error) {
	for {
		head, revision, err := b.q.Run(ctx, b.run)
		if err != nil {
			return nil, false, err
		}
		if head.State == schemas.RunCanceled {
			return nil, false, fmt.Errorf("commit: run %s: %w", b.run, ErrCanceled)
		}
		if head.Phase == run.Phase {
			return head, false, nil
		}
		if err := b.q.Open(ctx, run, 0); err != nil {
			return nil, false, err
		}
		head.Phase = run.Phase
		if _, err := b.q.UpdateRun(ctx, head, revision); !errors.Is(err, queue.ErrConflict) {
			return head, err == nil, err
		}
	}
}

// publishLost publishes those of the items again that the broker does not hold any
// more. It does nothing while items wait for workers or are worked on: what was lost
// beside them is found when they are done.
func (b *QueueBroker) publishLost(ctx context.Context, head *schemas.Run, items iter.Seq2[*schemas.Item, error]) error {
	backlog, err := b.q.Backlog(ctx, b.run, head.Phase)
	if errors.Is(err, queue.ErrNotFound) {
		return nil // ingest has not opened the phase yet
	}
	if err != nil || backlog.Waiting+backlog.Working > 0 || head.State == schemas.RunPlanned {
		b.missing = nil
		return err
	}
	if backlog.Exhausted > 0 {
		_, err := b.q.Requeue(ctx, b.run, head.Phase)
		return err
	}
	missing, err := b.q.Missing(ctx, b.run, head.Phase, items)
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
func (b *QueueBroker) End(ctx context.Context, state schemas.RunState) error {
	for {
		head, revision, err := b.q.Run(ctx, b.run)
		if errors.Is(err, queue.ErrNotFound) {
			return nil // forgotten already
		}
		if err != nil || head.State == state {
			return err
		}
		head.State = state
		if _, err := b.q.UpdateRun(ctx, head, revision); !errors.Is(err, queue.ErrConflict) {
			return err
		}
	}
}
