package queue

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/schemas"
)

// DefaultTenure is how long a run stays held by an aggregator that is silent.
const DefaultTenure = 15 * time.Second

// ErrLost says that this process no longer holds a run: it could not tell the
// broker in time that it is there, or somebody removed its mark.
var ErrLost = errors.New("the run is not held any more: the broker heard nothing in time")

// HeldError says that another process makes the tables of a run.
type HeldError struct {
	Run    schemas.RunID
	Holder string
	Since  time.Time
	Tenure time.Duration // how long it may be silent
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("queue: run %s is held by another aggregator (%s, since %s): end that one first, or wait: if it is dead the run is free %v after it was last heard of",
		e.Run, e.Holder, e.Since.Format(time.RFC3339), e.Tenure)
}

// holder is who holds a run, as the bucket has it.
type holder struct {
	Version int       `json:"version"`
	Name    string    `json:"name"`
	ID      string    `json:"id"`
	Since   time.Time `json:"since"`
}

// Hold makes this process the one that makes the tables of a run, until release
// is called or the returned context ends: with ErrLost when the broker may have
// given the run to another. While another process holds it the error is a
// *HeldError. name is for people.
//
// The mark is a key that only its owner writes (by revision) and that the broker
// forgets when it is not written for a tenure. It keeps two processes from doing
// the same work; that they cannot both commit it is the manifest's doing.
func (q *Queue) Hold(ctx context.Context, run schemas.RunID, name string) (held context.Context, release func(), err error) {
	kv, tenure, err := q.holders(ctx)
	if err != nil {
		return nil, nil, err
	}
	h := holder{Version: schemas.Version, Name: name, ID: rand.Text(), Since: time.Now().UTC().Truncate(time.Second)}
	data, err := json.Marshal(&h)
	if err != nil {
		return nil, nil, fmt.Errorf("queue: hold run %s: %w", run, err)
	}
	m := &mark{q: q, kv: kv, run: run, me: h, data: data, tenure: tenure}
	if err := m.set(ctx); err != nil {
		return nil, nil, err
	}
	held, lose := context.WithCancelCause(ctx)
	keeping, stop := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := m.keep(keeping); err != nil {
			lose(err)
		}
	}()
	return held, func() {
		stop()
		<-done
		lose(context.Canceled)
		m.remove(context.WithoutCancel(ctx))
	}, nil
}

// mark is a key that says who holds a run. One goroutine has it at a time.
type mark struct {
	q      *Queue
	kv     jetstream.KeyValue
	run    schemas.RunID
	me     holder
	data   []byte
	tenure time.Duration

	rev  uint64
	told time.Time // when the broker was last told, at the latest
}

// set writes the mark if nobody holds the run.
func (m *mark) set(ctx context.Context) error {
	for {
		now := time.Now()
		rev, err := m.kv.Create(ctx, token(m.run), m.data)
		if err == nil {
			m.rev, m.told = rev, now
			return nil
		}
		if !errors.Is(err, jetstream.ErrKeyExists) {
			return fmt.Errorf("queue: hold run %s: %w", m.run, err)
		}
		e, err := m.kv.Get(ctx, token(m.run))
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			continue // it was given up just now
		}
		var h holder
		if err == nil {
			err = json.Unmarshal(e.Value(), &h)
		}
		if err != nil {
			return fmt.Errorf("queue: hold run %s: %w", m.run, err)
		}
		if h.ID == m.me.ID { // the answer to an earlier try was lost
			m.rev, m.told = e.Revision(), now
			return nil
		}
		return &HeldError{Run: m.run, Holder: h.Name, Since: h.Since, Tenure: m.tenure}
	}
}

// keep writes the mark again and again until ctx ends. It returns ErrLost when it
// may be another's before the next try.
func (m *mark) keep(ctx context.Context) error {
	every := m.tenure / 5
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		// After a long sleep another one may have come and gone: a mark that is free
		// now is no proof that it was ours.
		if time.Since(m.told) > m.tenure*3/5 {
			return fmt.Errorf("queue: hold run %s: %w", m.run, ErrLost)
		}
		try, cancel := context.WithTimeout(ctx, every)
		now := time.Now()
		rev, err := m.kv.Update(try, token(m.run), m.data, m.rev)
		switch {
		case err == nil:
			m.rev, m.told = rev, now
		case wrongRevision(err):
			// An update whose answer was lost; or the mark is forgotten, or another's.
			err = m.again(try)
		}
		cancel()
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, ErrLost):
			return err
		case time.Since(m.told) > m.tenure*3/5:
			return fmt.Errorf("queue: hold run %s: %w", m.run, ErrLost)
		case err != nil:
			m.q.log.Debug("queue: hold", "run", m.run, "reason", err)
		}
	}
}

// again finds the mark of this process that it did not hear of having written.
func (m *mark) again(ctx context.Context) error {
	now := time.Now()
	e, err := m.kv.Get(ctx, token(m.run))
	var h holder
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		err = ErrLost
	case err == nil:
		if err = json.Unmarshal(e.Value(), &h); err == nil && h.ID != m.me.ID {
			err = fmt.Errorf("%w: %s holds it", ErrLost, h.Name)
		}
	}
	if err != nil {
		return fmt.Errorf("queue: hold run %s: %w", m.run, err)
	}
	m.rev, m.told = e.Revision(), now
	return nil
}

// remove gives the run up at once instead of after a tenure.
func (m *mark) remove(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, settleWait)
	defer cancel()
	if err := m.kv.Delete(ctx, token(m.run), jetstream.LastRevision(m.rev)); err != nil {
		m.q.log.Debug("queue: hold ends", "run", m.run, "reason", err)
	}
}

// holders opens the bucket of marks. A queue that was set up by an older program
// has none yet: it is made like that of the runs.
func (q *Queue) holders(ctx context.Context) (jetstream.KeyValue, time.Duration, error) {
	kv, err := q.kv(ctx, holding)
	if errors.Is(err, ErrNotFound) {
		var info *jetstream.StreamInfo
		s, serr := q.js.Stream(ctx, "KV_"+q.bucket(runs))
		if err = serr; err == nil {
			info = s.CachedInfo()
			kv, err = q.js.CreateKeyValue(ctx, q.holdersConfig(Limits{Replicas: info.Config.Replicas}.withDefaults()))
		}
		if err != nil {
			err = fmt.Errorf("queue: bucket %s: %w", q.bucket(holding), missing(err))
		}
	}
	if err != nil {
		return nil, 0, err
	}
	status, err := kv.Status(ctx)
	if err != nil {
		return nil, 0, fmt.Errorf("queue: bucket %s: %w", q.bucket(holding), err)
	}
	return kv, status.TTL(), nil
}

func (q *Queue) holdersConfig(l Limits) jetstream.KeyValueConfig {
	return jetstream.KeyValueConfig{Bucket: q.bucket(holding), Description: "winnow: who makes the tables of a run", History: 1,
		MaxBytes: l.share(1), TTL: l.Tenure, Storage: jetstream.FileStorage, Replicas: l.Replicas}
}

// Free removes the mark of a run, whosever it is: for a run whose holder is known
// to be dead.
func (q *Queue) Free(ctx context.Context, run schemas.RunID) error {
	kv, err := q.kv(ctx, holding)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err == nil {
		err = kv.Purge(ctx, token(run))
	}
	if err != nil {
		return fmt.Errorf("queue: run %s: %w", run, err)
	}
	return nil
}
