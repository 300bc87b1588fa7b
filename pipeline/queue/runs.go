package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/schemas"
)

// ErrOther means that the broker holds another run of the same name.
var ErrOther = errors.New("the broker holds another run of this name")

// head returns a run's head: the run without its lists of files. A crawl may have a
// hundred thousand files, and a message may have one mebibyte. The lists are in the
// manifest, and every item names its file.
func head(run *schemas.Run) ([]byte, error) {
	h := *run
	h.Files, h.Skipped = nil, nil
	return json.Marshal(&h)
}

// PublishRun adds a run to the work of the aggregators, unless the broker holds it. The
// message is the head of the run as it was planned, and never changes. The error is
// ErrOther if the broker holds a run of this name with another plan or output folder.
func (q *Queue) PublishRun(ctx context.Context, run *schemas.Run) error {
	fault := func(err error) error { return fmt.Errorf("queue: publish run %s: %w", run.ID, err) }
	if err := run.ID.Check(); err != nil {
		return fault(err)
	}
	data, err := head(run)
	if err != nil {
		return fault(err)
	}
	for {
		_, err := q.js.Publish(ctx, q.runSubject(run.ID), data, jetstream.WithExpectLastSequencePerSubject(0))
		if err == nil {
			return nil
		}
		if !wrongRevision(err) {
			return fault(err)
		}
		old, err := q.Run(ctx, run.ID)
		switch {
		case errors.Is(err, ErrNotFound):
			continue // it has just ended
		case err != nil:
			return err
		case old.Hash != run.Hash || old.Out != run.Out || old.Sealed != run.Sealed:
			return fault(fmt.Errorf("%w, with output in %s", ErrOther, old.Out))
		}
		return nil
	}
}

// Run returns the head of an unfinished run, without Files. The error is ErrNotFound if
// the broker holds no such run: it is over, or was never published.
func (q *Queue) Run(ctx context.Context, id schemas.RunID) (*schemas.Run, error) {
	run, _, err := q.runMessage(ctx, id)
	return run, err
}

func (q *Queue) runMessage(ctx context.Context, id schemas.RunID) (*schemas.Run, *jetstream.RawStreamMsg, error) {
	s, err := q.js.Stream(ctx, q.streamName(runs))
	var msg *jetstream.RawStreamMsg
	if err == nil {
		msg, err = s.GetLastMsgForSubject(ctx, q.runSubject(id))
	}
	if err != nil {
		return nil, nil, fmt.Errorf("queue: run %s: %w", id, missing(err))
	}
	run, err := schemas.DecodeRun(msg.Data)
	if err != nil {
		return nil, nil, fmt.Errorf("queue: run %s: %w", id, err)
	}
	return run, msg, nil
}

// RunList is the list of all unfinished runs. One goroutine uses it.
type RunList struct {
	Runs []*schemas.Run // the oldest first

	q     *Queue
	known bool
	msgs  uint64 // state of the stream when it was listed
	last  uint64
}

// NewRunList returns an empty list.
func (q *Queue) NewRunList() *RunList { return &RunList{q: q} }

// Refresh reads the list again, and reports whether it may have changed. That it has not
// costs one request. After an error the list is as it was.
func (l *RunList) Refresh(ctx context.Context) (changed bool, err error) {
	s, err := l.q.js.Stream(ctx, l.q.streamName(runs))
	if err != nil {
		return false, fmt.Errorf("queue: list runs: %w", missing(err))
	}
	state := s.CachedInfo().State
	if l.known && state.Msgs == l.msgs && state.LastSeq == l.last {
		return false, nil
	}
	var list []*schemas.Run
	read := uint64(0)
	for msg, err := range messagesIn(ctx, s, l.q.prefix+".runs.*") {
		if err != nil {
			return false, fmt.Errorf("queue: list runs: %w", err)
		}
		read++
		run, err := schemas.DecodeRun(msg.Data)
		if err != nil {
			l.q.log.Error("queue: a message is not a valid run", "subject", msg.Subject, "reason", err)
			continue
		}
		list = append(list, run)
	}
	// A broker that follows another one answers reads, too, and may be out of date.
	if read != state.Msgs {
		return false, fmt.Errorf("queue: list runs: %d of %d were read: %w", read, state.Msgs, context.DeadlineExceeded)
	}
	l.Runs, l.known, l.msgs, l.last = list, true, state.Msgs, state.LastSeq
	return true, nil
}

// ErrLeaseLost means that the broker does not hold the run any more that this process has
// leased: it was removed, or the broker has lost its data.
var ErrLeaseLost = errors.New("the broker does not hold the leased run any more")

// metadataOut is where the consumer of a run has the URL of the run's output folder.
const metadataOut = "winnow-out"

// rememberFor is how long the broker remembers the output folder of a run that is over.
const rememberFor = time.Hour

// aggregators is the consumer by which aggregators lease a run.
func (q *Queue) aggregators(run schemas.RunID, lease time.Duration, out string) jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{
		Durable:       aggregatorsName(run),
		Description:   fmt.Sprintf("winnow: aggregators of run %s", run),
		FilterSubject: q.runSubject(run),
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       lease,
		MaxAckPending: 1,
		Metadata:      map[string]string{metadataOut: out},
	}
}

// FolderOf returns the output folder of a run that an aggregator has leased, also for an
// hour after the run is over, so that a program that begins late can look there. The error
// is ErrNotFound if the broker does not remember it.
func (q *Queue) FolderOf(ctx context.Context, id schemas.RunID) (string, error) {
	c, err := q.js.Consumer(ctx, q.streamName(runs), aggregatorsName(id))
	if err == nil {
		return c.CachedInfo().Config.Metadata[metadataOut], nil
	}
	return "", fmt.Errorf("queue: output folder of run %s: %w", id, missing(err))
}

// forgetLater makes the broker delete the consumer of a finished run after rememberFor.
func (q *Queue) forgetLater(ctx context.Context, id schemas.RunID) error {
	c, err := q.js.Consumer(ctx, q.streamName(runs), aggregatorsName(id))
	if err == nil {
		config := c.CachedInfo().Config
		config.InactiveThreshold = rememberFor
		_, err = q.js.UpdateConsumer(ctx, q.streamName(runs), config)
	}
	if err = missing(err); err != nil && !errors.Is(err, ErrNotFound) {
		return fmt.Errorf("queue: end run %s: %w", id, err)
	}
	return nil
}

// RunLease is a run that this process has leased. It keeps two processes from the same
// work; that they cannot both commit is ensured by the manifest. It ends by Retry or
// Abandon, also after the end of the run (End).
type RunLease struct {
	Run *schemas.Run // head of the run
	// Held ends with the context of TakeRun, by the end of the lease, and with
	// ErrLeaseLost.
	Held context.Context
	hold
}

// TakeRun leases a run. It returns nil and no error if another process has it, or has
// given it back for a while.
func (q *Queue) TakeRun(ctx context.Context, run *schemas.Run) (*RunLease, error) {
	fault := func(err error) error { return fmt.Errorf("queue: lease run %s: %w", run.ID, missing(err)) }
	c, err := q.js.Consumer(ctx, q.streamName(runs), aggregatorsName(run.ID))
	if errors.Is(err, jetstream.ErrConsumerNotFound) || err == nil && c.CachedInfo().Config.InactiveThreshold != 0 {
		// There is none, or one of a run of this name that is over.
		c, err = q.js.CreateOrUpdateConsumer(ctx, q.streamName(runs), q.aggregators(run.ID, leaseOf(run), run.Out))
	}
	if err != nil {
		return nil, fault(err)
	}
	batch, err := c.FetchNoWait(1)
	if err != nil {
		return nil, fault(err)
	}
	if msg, ok := <-batch.Messages(); ok { // the batch has at most one message
		meta, err := msg.Metadata()
		if err != nil {
			return nil, fault(err)
		}
		held, lose := context.WithCancelCause(ctx)
		l := &RunLease{Run: run, Held: held}
		l.hold.begin(q, msg, "run "+string(run.ID), leaseOf(run)/3, func(beating context.Context) {
			_, now, err := q.runMessage(beating, run.ID)
			if errors.Is(err, ErrNotFound) || err == nil && (now.Sequence != meta.Sequence.Stream || !now.Time.Equal(meta.Timestamp)) {
				lose(fmt.Errorf("queue: run %s: %w", run.ID, ErrLeaseLost))
			}
		})
		l.ended = func() { lose(context.Canceled) }
		return l, nil
	}
	if err := batch.Error(); err != nil && !errors.Is(err, jetstream.ErrNoMessages) {
		return nil, fault(err)
	}
	return nil, nil
}

// End removes what the broker holds for the run, which is over: see Queue.End. It does not
// end Held, and may be repeated.
func (l *RunLease) End(ctx context.Context) error {
	l.stop() // or a heartbeat would find that the broker does not hold the run
	l.beat.Wait()
	return l.q.End(ctx, l.Run.ID)
}

// EndLease frees a run at once whose process has ended while it had the lease.
func (q *Queue) EndLease(ctx context.Context, id schemas.RunID) error {
	err := q.js.DeleteConsumer(ctx, q.streamName(runs), aggregatorsName(id))
	if err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return fmt.Errorf("queue: end the lease of run %s: %w", id, err)
	}
	return nil
}

// leaseOf is how long a process may send no heartbeat for what it has leased of a run.
func leaseOf(run *schemas.Run) time.Duration {
	if run.Lease <= 0 {
		return DefaultLease
	}
	return run.Lease
}

// kv opens a bucket. The error is ErrNotFound if Setup was not called.
func (q *Queue) kv(ctx context.Context, kind string) (jetstream.KeyValue, error) {
	kv, err := q.js.KeyValue(ctx, q.bucket(kind))
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("queue: bucket %s: %w", q.bucket(kind), err)
	}
	return kv, nil
}

// wrongRevision reports whether a conditional write found another revision.
func wrongRevision(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}
