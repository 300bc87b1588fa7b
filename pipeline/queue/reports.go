package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/pipeline/retry"
	"github.com/winnow/winnow/schemas"
)

// publishDone publishes a report. The generation is part of the message's id, so that
// the report of an item that was published again is not dropped as a duplicate of an
// earlier one. The item may have been published again because the shards of the earlier
// report are gone.
func (q *Queue) publishDone(ctx context.Context, d *schemas.Done, generation string) error {
	id := messageID("done", string(d.Item.Run), d.Item.Hash, string(d.Item.Phase), string(d.ID), strconv.FormatInt(d.First, 10), generation)
	return q.report(ctx, q.doneSubject(d.Item.Run), d, id, fmt.Sprintf("report of item %s", d.ID))
}

func (q *Queue) publishDead(ctx context.Context, d *schemas.Dead) error {
	d.Version = schemas.Version
	id := messageID("dead", string(d.Item.Run), d.Item.Hash, string(d.Item.Phase), string(d.Item.ID()),
		strconv.FormatInt(d.Offset, 10), d.Stage, d.Reason)
	return q.report(ctx, q.deadSubject(d.Item.Run), d, id, fmt.Sprintf("item %s given up", d.Item.ID()))
}

const (
	reportFirst = 200 * time.Millisecond
	maxReport   = 5 * time.Second
)

// report publishes a message. Errors contain what, the name of the kind of message. While the broker is not
// reachable or has no room it retries until ctx ends, because without the report the work
// would have to be repeated. The id keeps the broker from storing the message twice.
func (q *Queue) report(ctx context.Context, subject string, message any, id, what string) error {
	data, err := json.Marshal(message)
	if err != nil {
		return fmt.Errorf("queue: %s: %w", what, err)
	}
	waiting := false
	policy := retry.Policy{First: reportFirst, Longest: maxReport,
		Temporary: func(err error) (time.Duration, bool) {
			return 0, Transient(err) && !errors.Is(err, nats.ErrConnectionClosed)
		},
		Waiting: func(err error, _ time.Duration) {
			if !waiting {
				q.log.Warn("queue: the broker does not accept a report, which is retried: if its stream is full, run ingest again with a larger --nats-storage", "subject", subject, "reason", err)
			}
			waiting = true
		}}
	var last error // the reason, also when ctx ends
	err = policy.Do(ctx, func() error {
		_, last = q.js.Publish(ctx, subject, data, jetstream.WithMsgID(id))
		return last
	})
	if err == nil && waiting {
		q.log.Info("queue: the broker accepts reports again", "subject", subject)
	}
	if last != nil {
		return fmt.Errorf("queue: %s: %w", what, last)
	}
	return nil
}

// readerBeat is the interval of the heartbeats that the broker sends to a reader. A
// reader that receives nothing for two intervals creates a new consumer at its present
// position, because a broker that was killed has forgotten the old one. The client's
// default is 15 s.
const readerBeat = time.Second

// StageItem is the stage of a dead letter about a whole item. None of the item's records
// are in any table.
const StageItem = "item"

// Report is one message from the workers: the report of a finished item, a dead letter,
// or an invalid message.
type Report struct {
	Done *schemas.Done
	Dead *schemas.Dead
	// Refused is the reason why the message is invalid. Done and Dead are nil then. About is the
	// item that the message is about, if that can be read.
	Refused error
	About   *schemas.Item
	// Behind is the number of messages of this kind that followed this one when the
	// broker sent it. 0 means that the reader has caught up.
	Behind uint64
}

// Reports replays all reports of a run from its start, and continues with new ones. The
// same report may come more than once. A dead letter comes after all reports of finished
// items that the broker had at that time, so that an item which one worker finished and
// another gave up counts as finished.
type Reports struct {
	ch   chan Report
	subs []jetstream.ConsumeContext
	stop chan struct{}

	mu         sync.Mutex
	finished   uint64        // messages of finished items that were delivered
	last       uint64        // sequence number of the last of them
	progressed chan struct{} // closed and replaced after each delivery
}

// delivered counts a message of a finished item that was delivered.
func (r *Reports) delivered(seq uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if seq > r.last {
		r.last = seq
		r.finished++
		close(r.progressed)
		r.progressed = make(chan struct{})
	}
}

// await waits until n reports of finished items were delivered, or the reader is closed.
func (r *Reports) await(n uint64) {
	for {
		r.mu.Lock()
		finished, progressed := r.finished, r.progressed
		r.mu.Unlock()
		if finished >= n {
			return
		}
		select {
		case <-progressed:
		case <-r.stop:
			return
		}
	}
}

// awaitFinished waits until all reports of finished items that the broker holds now were
// delivered. While the broker does not answer it retries.
func (q *Queue) awaitFinished(r *Reports, run schemas.RunID) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-r.stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	policy := retry.Policy{First: readerBeat, Longest: readerBeat,
		Temporary: func(err error) (time.Duration, bool) { return 0, Transient(err) }}
	var held uint64
	err := policy.Do(ctx, func() (err error) {
		held, err = q.held(ctx, done, q.doneSubject(run))
		return err
	})
	switch {
	case err == nil:
		r.await(held)
	case ctx.Err() == nil:
		q.log.Warn("queue: dead letters may be delivered before earlier reports", "run", run, "reason", err)
	}
}

// held returns the number of messages of a subject in a stream.
func (q *Queue) held(ctx context.Context, kind, subject string) (uint64, error) {
	s, err := q.js.Stream(ctx, q.streamName(kind))
	if err != nil {
		return 0, missing(err)
	}
	info, err := s.Info(ctx, jetstream.WithSubjectFilter(subject))
	if err != nil {
		return 0, missing(err)
	}
	return info.State.Subjects[subject], nil
}

// Reports opens a reader; close it after use.
func (q *Queue) Reports(ctx context.Context, run schemas.RunID) (*Reports, error) {
	r := &Reports{ch: make(chan Report, 64), stop: make(chan struct{}), progressed: make(chan struct{})}
	open := func(kind, subject string, decode func([]byte) Report) error {
		c, err := q.js.OrderedConsumer(ctx, q.streamName(kind), jetstream.OrderedConsumerConfig{
			FilterSubjects: []string{subject},
			DeliverPolicy:  jetstream.DeliverAllPolicy,
		})
		if err != nil {
			return fmt.Errorf("queue: reports of run %s: %w", run, missing(err))
		}
		sub, err := c.Consume(func(msg jetstream.Msg) {
			rep := decode(msg.Data())
			if rep.Refused != nil {
				rep.About = schemas.About(msg.Data())
			}
			m, err := msg.Metadata()
			if err == nil {
				rep.Behind = m.NumPending
			}
			if kind == dead {
				q.awaitFinished(r, run)
			}
			select {
			case r.ch <- rep:
			case <-r.stop:
			}
			if err == nil && kind == done {
				r.delivered(m.Sequence.Stream)
			}
		}, jetstream.PullMaxMessages(256), jetstream.PullExpiry(10*time.Second), jetstream.PullHeartbeat(readerBeat))
		if err != nil {
			return fmt.Errorf("queue: reports of run %s: %w", run, err)
		}
		r.subs = append(r.subs, sub)
		return nil
	}
	err := open(done, q.doneSubject(run), func(data []byte) Report {
		d, err := schemas.DecodeDone(data)
		return Report{Done: d, Refused: err}
	})
	if err == nil {
		err = open(dead, q.deadSubject(run), func(data []byte) Report {
			d, err := schemas.DecodeDead(data)
			return Report{Dead: d, Refused: err}
		})
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Next waits for a report, or for ctx to end.
func (r *Reports) Next(ctx context.Context) (Report, error) {
	select {
	case rep := <-r.ch:
		return rep, nil
	case <-ctx.Done():
		return Report{}, ctx.Err()
	}
}

// Close ends the reader.
func (r *Reports) Close() {
	close(r.stop)
	for _, s := range r.subs {
		s.Stop()
		<-s.Closed()
	}
}
