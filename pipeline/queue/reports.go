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
	// Refused says why the message is no report. Done and Dead are nil then. About
	// is the item that it is about, if at least that can be read.
	Refused error
	About   *schemas.Item
	// Behind is how many reports of this kind the broker held behind this one
	// when it was sent: 0 means that the reader has caught up with the kind.
	Behind uint64

	kind string // of the stream it lay in
}

// Reports replays all reports of a run from its start, and goes on with new
// ones. The same report may come more than once. What was given up comes behind all
// reports that the broker had at that time, so that an item which was finished and
// given up by different workers counts as finished.
type Reports struct {
	ch   chan Report
	subs []jetstream.ConsumeContext
	stop chan struct{}

	mu         sync.Mutex
	finished   uint64        // messages of finished items that were delivered
	last       uint64        // sequence number of the last of them
	progressed chan struct{} // closed, and made anew, when there is another one
}

// pass counts a message of a finished item that was delivered.
func (r *Reports) pass(seq uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if seq > r.last {
		r.last = seq
		r.finished++
		close(r.progressed)
		r.progressed = make(chan struct{})
	}
}

// await waits until so many finished items were delivered, or the reader is closed.
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

// awaitFinished waits until every finished item was delivered that the broker holds
// now. While the broker does not answer it waits for that, too.
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
	for {
		held, err := q.held(ctx, done, q.doneSubject(run))
		if err == nil {
			r.await(held)
			return
		}
		if !Transient(err) && ctx.Err() == nil {
			q.log.Warn("queue: what was given up may overtake reports", "run", run, "reason", err)
		}
		if !Transient(err) || ctx.Err() != nil {
			return
		}
		select {
		case <-time.After(readerBeat):
		case <-ctx.Done():
			return
		}
	}
}

// held is how many messages of a subject a stream has.
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
			if rep.kind = kind; rep.Refused != nil {
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
				r.pass(m.Sequence.Stream)
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
		n, err := q.held(ctx, kind, subject)
		if err != nil {
			return nil, fmt.Errorf("queue: reports of run %s: %w", run, err)
		}
		held[kind] = n
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
