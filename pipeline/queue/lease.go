package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/schemas"
)

// DefaultLease is how long a process may send no heartbeat before its item, or its run,
// is given to another one. There are three heartbeats per lease, so that two may be lost.
const DefaultLease = 45 * time.Second

// settleWait is how long a slot waits for the broker to confirm a settlement. A broker
// that was restarted, or gave the item to another worker, does not answer. The report
// has been published by then, so the only cost is that the item is processed twice.
const settleWait = 2 * time.Second

// Puller takes items of one run and phase. It may be used by many goroutines.
type Puller struct {
	q     *Queue
	c     jetstream.Consumer
	run   schemas.RunID
	phase schemas.Phase
	lease time.Duration
}

// Pull binds to the consumer of a run's current phase, which is the last one that has a
// consumer. The error is ErrNotFound if none has: the run has not begun, or is over.
func (q *Queue) Pull(ctx context.Context, run *schemas.Run) (*Puller, error) {
	for _, phase := range slices.Backward(run.Phases) {
		c, err := q.js.Consumer(ctx, q.streamName(items), consumerName(run.ID, phase))
		if err == nil {
			return &Puller{q: q, c: c, run: run.ID, phase: phase, lease: c.CachedInfo().Config.AckWait}, nil
		}
		if err = missing(err); !errors.Is(err, ErrNotFound) {
			return nil, fmt.Errorf("queue: run %s: phase %s: %w", run.ID, phase, err)
		}
	}
	return nil, fmt.Errorf("queue: run %s: no phase has begun: %w", run.ID, ErrNotFound)
}

// Phase returns the phase whose items are pulled.
func (p *Puller) Phase() schemas.Phase { return p.phase }

// Next waits for an item. It returns nil and no error if there was none within wait. The
// error is ErrNotFound if the phase is over. If ctx has ended it is ctx's error, and an
// item that arrived too late is given back to the broker.
//
// Next removes messages that are not valid items.
func (p *Puller) Next(ctx context.Context, wait time.Duration) (*Lease, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	fctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	batch, err := p.c.Fetch(1, jetstream.FetchContext(fctx))
	if err != nil {
		return nil, p.failed(ctx, err)
	}
	for msg := range batch.Messages() {
		if ctx.Err() != nil {
			_ = msg.Nak()
			continue
		}
		it, err := schemas.DecodeItem(msg.Data())
		if err != nil {
			p.q.log.Error("queue: a message is not a valid item and is given up", "reason", err)
			_ = msg.TermWithReason(err.Error())
			continue
		}
		return p.lend(msg, it)
	}
	if err := batch.Error(); err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, jetstream.ErrNoMessages) {
		return nil, p.failed(ctx, err)
	}
	return nil, ctx.Err()
}

// listenPause is the pause before the caller may repeat a request to a consumer that exists and
// does not listen yet.
const listenPause = 20 * time.Millisecond

// failed returns the error of a request for an item. If the consumer exists and does not listen yet,
// it returns nil after listenPause: there is no item yet.
func (p *Puller) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, jetstream.ErrConsumerDeleted) {
		err = ErrNotFound
	} else if errors.Is(err, nats.ErrNoResponders) {
		// There is no responder if the consumer was deleted, while the broker elects a leader,
		// and in the moment before a new consumer listens. A request for the consumer tells
		// these cases apart.
		_, ierr := p.c.Info(ctx)
		if ierr == nil {
			select {
			case <-time.After(listenPause):
			case <-ctx.Done():
			}
			return ctx.Err()
		}
		err = missing(ierr)
	}
	return fmt.Errorf("queue: run %s: phase %s: next item: %w", p.run, p.phase, err)
}

// Lease is one item, held by this process until it is settled by exactly one of
// Done, Retry and GiveUp.
type Lease struct {
	Item schemas.Item
	// Delivered is the broker's count of deliveries, from 1. The count of attempts is
	// in schemas.Progress.
	Delivered int
	// Again is the generation of an item that was published again (see PublishItems).
	// Delivered does not include deliveries of the earlier message.
	Again string

	hold
}

// hold is a leased message, whose heartbeats go on until it is settled or left.
type hold struct {
	q     *Queue
	msg   jetstream.Msg
	what  string // what the message is, for errors and the log
	stop  context.CancelFunc
	beat  sync.WaitGroup
	ended func() // called after the last heartbeat; may be nil
}

func (p *Puller) lend(msg jetstream.Msg, it *schemas.Item) (*Lease, error) {
	meta, err := msg.Metadata()
	if err != nil {
		return nil, fmt.Errorf("queue: item %s: %w", it.ID(), err)
	}
	l := &Lease{Item: *it, Delivered: int(meta.NumDelivered), Again: msg.Headers().Get(headerAgain)}
	l.hold.begin(p.q, msg, "item "+string(it.ID()), p.lease/3, nil)
	return l, nil
}

// begin starts the heartbeats. verify, unless it is nil, is called after each.
func (h *hold) begin(q *Queue, msg jetstream.Msg, what string, every time.Duration, verify func(context.Context)) {
	ctx, stop := context.WithCancel(context.Background())
	h.q, h.msg, h.what, h.stop = q, msg, what, stop
	h.beat.Go(func() { h.heartbeat(ctx, every, verify) })
}

// heartbeat tells the broker that the message is being worked on. The broker does not
// answer, so a process may lose a lease without noticing. Shards and reports therefore
// have names that allow an item to be processed twice.
func (h *hold) heartbeat(ctx context.Context, every time.Duration, verify func(context.Context)) {
	t := time.NewTicker(max(every, time.Millisecond))
	defer t.Stop()
	for {
		select {
		case <-t.C:
			if err := h.msg.InProgress(); err != nil {
				h.q.log.Debug("queue: heartbeat", "of", h.what, "reason", err)
			}
			if verify != nil {
				verify(ctx)
			}
		case <-ctx.Done():
			return
		}
	}
}

// endHeartbeat ends the heartbeat. It is called before any settlement, because a
// heartbeat after it would refer to a message that no longer exists.
func (h *hold) endHeartbeat() {
	h.stop()
	h.beat.Wait()
	if h.ended != nil {
		h.ended()
	}
}

// Done publishes the report of the finished item and settles it. If it returns
// an error the item may be delivered again; nothing else needs to be done.
func (l *Lease) Done(ctx context.Context, d *schemas.Done) error {
	if err := l.q.publishDone(ctx, d, l.Again); err != nil {
		l.Abandon()
		return err
	}
	return l.settle(ctx)
}

// settle acknowledges the item and waits for the broker to confirm that.
func (h *hold) settle(ctx context.Context) error {
	h.endHeartbeat()
	ctx, cancel := context.WithTimeout(ctx, settleWait)
	defer cancel()
	if err := h.msg.DoubleAck(ctx); err != nil {
		return fmt.Errorf("queue: settle %s: %w", h.what, err)
	}
	return nil
}

// Retry gives the item, or the run, back. It is delivered again after delay at the
// earliest.
func (h *hold) Retry(delay time.Duration) error {
	h.endHeartbeat()
	var err error
	if delay > 0 {
		err = h.msg.NakWithDelay(delay)
	} else {
		err = h.msg.Nak()
	}
	if err != nil {
		return fmt.Errorf("queue: give back %s: %w", h.what, err)
	}
	return nil
}

// GiveUp publishes a dead letter for the whole item, and settles the item.
func (l *Lease) GiveUp(ctx context.Context, d *schemas.Dead) error {
	if err := l.q.publishDead(ctx, d); err != nil {
		l.Abandon()
		return err
	}
	// The item is acknowledged rather than terminated, because the broker confirms only
	// acknowledgements. A work queue removes the message in both cases.
	return l.settle(ctx)
}

// GiveUpRecord publishes a dead letter for one record of the item. The lease continues.
func (l *Lease) GiveUpRecord(ctx context.Context, d *schemas.Dead) error {
	return l.q.publishDead(ctx, d)
}

// Abandon leaves the item, or the run, unsettled. It is for a process that found that
// another one has it. If none has, it is delivered again when the lease expires.
func (h *hold) Abandon() { h.endHeartbeat() }
