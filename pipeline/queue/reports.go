package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/schemas"
)

// publishDone publishes a report. What is reported after an item was published
// again must not be taken for a repetition of what was reported before: the
// first report may be why (its shards are gone).
func (q *Queue) publishDone(ctx context.Context, d *schemas.Done, generation string) error {
	data, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("queue: report of item %s: %w", d.ID, err)
	}
	id := messageID("done", string(d.Item.Run), d.Item.Hash, string(d.Item.Phase), string(d.ID), strconv.FormatInt(d.First, 10), generation)
	if err := q.report(ctx, q.doneSubject(d.Item.Run), data, id); err != nil {
		return fmt.Errorf("queue: report of item %s: %w", d.ID, err)
	}
	return nil
}

const (
	reportFirst = 200 * time.Millisecond
	reportMost  = 5 * time.Second
)

// report publishes a message, again and again until ctx ends while the broker is away
// or has no room: what it is about is done, and would have to be done again without
// it. The id keeps it single.
func (q *Queue) report(ctx context.Context, subject string, data []byte, id string) error {
	waits := false
	for wait := reportFirst; ; wait = min(2*wait, reportMost) {
		_, err := q.js.Publish(ctx, subject, data, jetstream.WithMsgID(id))
		if err == nil && waits {
			q.log.Info("queue: the broker takes reports again", "subject", subject)
		}
		if err == nil || !Transient(err) || errors.Is(err, nats.ErrConnectionClosed) || ctx.Err() != nil {
			return err
		}
		if !waits {
			waits = true
			q.log.Warn("queue: the broker does not take a report, which waits: if its stream is full, run ingest again with a larger --nats-storage", "subject", subject, "reason", err)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return err
		}
	}
}

func (q *Queue) publishDead(ctx context.Context, d *schemas.Dead) error {
	d.Version = schemas.Version
	data, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("queue: item %s given up: %w", d.Item.ID(), err)
	}
	id := messageID("dead", string(d.Item.Run), d.Item.Hash, string(d.Item.Phase), string(d.Item.ID()),
		strconv.FormatInt(d.Offset, 10), d.Stage, d.Reason)
	if err := q.report(ctx, q.deadSubject(d.Item.Run), data, id); err != nil {
		return fmt.Errorf("queue: item %s given up: %w", d.Item.ID(), err)
	}
	return nil
}

// readerBeat is how often the broker says that it is there. A reader that hears
// nothing for two of them begins a new consumer where it is: a broker that was
// killed has forgotten the old one. The client's default is 15 s.
const readerBeat = time.Second

// StageItem is the stage of a Dead that stands for a whole item: none of its
// records are in any table.
const StageItem = "item"

// Report is one message of the workers: a finished item, or something that was
// given up, or a message that is neither.
type Report struct {
	Done *schemas.Done
	Dead *schemas.Dead
	// Refused says why the message is no report. Done and Dead are nil then.
	Refused error
	// Behind is how many reports of this kind the broker held behind this one
	// when it was sent: 0 means that the reader has caught up with the kind.
	Behind uint64

	kind string // of the stream it lay in
}

// Reports replays all reports of a run from its start, and goes on with new
// ones. The same report may come more than once; items and records given up
// come in no order relative to finished ones.
type Reports struct {
	ch   chan Report
	subs []jetstream.ConsumeContext
	stop chan struct{}
}

// Reports opens a reader; close it after use.
func (q *Queue) Reports(ctx context.Context, run schemas.RunID) (*Reports, error) {
	r := &Reports{ch: make(chan Report, 64), stop: make(chan struct{})}
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
			rep.kind = kind
			if m, err := msg.Metadata(); err == nil {
				rep.Behind = m.NumPending
			}
			select {
			case r.ch <- rep:
			case <-r.stop:
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

// Reported returns the items of a run that the broker holds a report of, or
// that were given up as a whole, at this moment.
func (q *Queue) Reported(ctx context.Context, run schemas.RunID) (map[schemas.ItemID]bool, error) {
	held := map[string]uint64{}
	for kind, subject := range map[string]string{done: q.doneSubject(run), dead: q.deadSubject(run)} {
		s, err := q.js.Stream(ctx, q.streamName(kind))
		if err != nil {
			return nil, fmt.Errorf("queue: reports of run %s: %w", run, missing(err))
		}
		info, err := s.Info(ctx, jetstream.WithSubjectFilter(subject))
		if err != nil {
			return nil, fmt.Errorf("queue: reports of run %s: %w", run, missing(err))
		}
		held[kind] = info.State.Subjects[subject]
	}
	ids := make(map[schemas.ItemID]bool, held[done])
	if held[done]+held[dead] == 0 {
		return ids, nil
	}
	r, err := q.Reports(ctx, run)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for held[done] > 0 || held[dead] > 0 {
		rep, err := r.Next(ctx)
		if err != nil {
			return nil, fmt.Errorf("queue: reports of run %s: %w", run, err)
		}
		switch {
		case rep.Done != nil:
			ids[rep.Done.ID] = true
		case rep.Dead != nil && rep.Dead.Stage == StageItem:
			ids[rep.Dead.Item.ID()] = true
		}
		if rep.Behind == 0 {
			held[rep.kind] = 0
		}
	}
	return ids, nil
}
