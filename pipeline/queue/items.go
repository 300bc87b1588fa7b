package queue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/schemas"
)

const (
	// maxPending bounds the messages that were published and not yet acknowledged by
	// the broker. With synchronous storage a larger number exceeds the client's
	// stall limit.
	maxPending = 256
	stallWait  = 30 * time.Second

	// ackWait is how long an item waits for the broker's acknowledgement. Without a bound
	// an item would wait for ever if the broker that leads the stream is lost after it
	// took the item: the client is connected to another broker of the cluster, and
	// notices nothing.
	ackWait = 15 * time.Second

	// headerAgain marks an item that was published before. Its delivery count does not
	// include the deliveries of the earlier message.
	headerAgain = "Winnow-Again"
)

// PublishItems adds items to the work of their run and phase and returns how many the
// broker accepted. An item that is published twice within some minutes is added once.
// generation is "" when a run is published for the first time. A caller that publishes
// items again because they were lost gives a new generation (NewGeneration), because the
// broker remembers a message's id longer than the message.
//
// It stops at the first error of the sequence or the broker. Calling it again
// from the start is safe.
func (q *Queue) PublishItems(ctx context.Context, generation string, seq iter.Seq2[*schemas.Item, error]) (int, error) {
	window := make([]jetstream.PubAckFuture, 0, maxPending)
	names := make([]schemas.ItemID, 0, maxPending)
	n := 0
	settle := func() error {
		for i, f := range window {
			select {
			case ack := <-f.Ok():
				if !ack.Duplicate {
					n++
				}
			case err := <-f.Err():
				return fmt.Errorf("queue: publish item %s: %w", names[i], err)
			case <-ctx.Done():
				return fmt.Errorf("queue: publish item %s: %w", names[i], ctx.Err())
			}
		}
		window, names = window[:0], names[:0]
		return nil
	}
	for it, err := range seq {
		if err != nil {
			return n, err
		}
		msg, err := q.itemMessage(it, generation)
		if err != nil {
			return n, err
		}
		f, err := q.js.PublishMsgAsync(msg, jetstream.WithMsgID(itemMessageID(it, generation)), jetstream.WithStallWait(stallWait))
		if err != nil {
			return n, fmt.Errorf("queue: publish item %s: %w", it.ID(), err)
		}
		window, names = append(window, f), append(names, it.ID())
		if len(window) == maxPending {
			if err := settle(); err != nil {
				return n, err
			}
		}
	}
	return n, settle()
}

func (q *Queue) itemMessage(it *schemas.Item, generation string) (*nats.Msg, error) {
	data, err := json.Marshal(it)
	if err != nil {
		return nil, fmt.Errorf("queue: item %s: %w", it.ID(), err)
	}
	msg := nats.NewMsg(q.itemsSubject(it.Run, it.Phase))
	msg.Data = data
	if generation != "" {
		msg.Header.Set(headerAgain, generation)
	}
	return msg, nil
}

func itemMessageID(it *schemas.Item, generation string) string {
	return messageID("item", string(it.Run), it.Hash, string(it.Phase), string(it.ID()), generation)
}

// messageID is a short name for a message made of everything that identifies it.
func messageID(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		// Lengths keep ("a", "bc") and ("ab", "c") apart.
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Backlog counts the items of a phase that the broker holds.
type Backlog struct {
	Waiting int // not delivered yet, or to be delivered again
	Working int // delivered and not settled
	Again   int // items of Working that were delivered more than once
}

// Backlog asks the broker for the state of a phase.
func (q *Queue) Backlog(ctx context.Context, run schemas.RunID, ph schemas.Phase) (Backlog, error) {
	s, err := q.js.Stream(ctx, q.streamName(items))
	if err != nil {
		return Backlog{}, fmt.Errorf("queue: backlog of %s: %w", run, missing(err))
	}
	c, err := s.Consumer(ctx, consumerName(run, ph))
	if err != nil {
		return Backlog{}, fmt.Errorf("queue: backlog of %s: %w", run, missing(err))
	}
	ci := c.CachedInfo()
	return Backlog{Waiting: int(ci.NumPending), Working: ci.NumAckPending, Again: ci.NumRedelivered}, nil
}

func missing(err error) error {
	if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) ||
		errors.Is(err, jetstream.ErrConsumerDoesNotExist) || errors.Is(err, jetstream.ErrMsgNotFound) {
		return ErrNotFound
	}
	return err
}

// Missing returns those of the wanted items that the broker does not hold, because they
// were lost or never published. An item that is settled during the call is returned
// as well. Callers should therefore leave items that were reported out of want, and
// publish an item again only if it is missing twice or no other item makes progress.
func (q *Queue) Missing(ctx context.Context, run schemas.RunID, ph schemas.Phase, want iter.Seq2[*schemas.Item, error]) ([]*schemas.Item, error) {
	held, err := q.heldItems(ctx, run, ph)
	if err != nil {
		return nil, err
	}
	var out []*schemas.Item
	for it, err := range want {
		if err != nil {
			return nil, err
		}
		if !held[it.ID()] {
			out = append(out, it)
		}
	}
	return out, nil
}

// heldItems returns the items of a phase that the broker holds.
func (q *Queue) heldItems(ctx context.Context, run schemas.RunID, ph schemas.Phase) (map[schemas.ItemID]bool, error) {
	held := make(map[schemas.ItemID]bool)
	for msg, err := range q.messages(ctx, items, q.itemsSubject(run, ph)) {
		if err != nil {
			return nil, fmt.Errorf("queue: list items of %s: %w", run, err)
		}
		if it, err := schemas.DecodeItem(msg.Data); err == nil {
			held[it.ID()] = true
		}
	}
	return held, nil
}

// NewGeneration returns a new generation for items that are published again: see
// PublishItems.
func NewGeneration() string { return strconv.FormatInt(time.Now().UnixNano(), 36) }
