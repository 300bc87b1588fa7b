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

// DefaultLockExpiry is how long the lock of a run stays in force after its holder
// renewed it last.
const DefaultLockExpiry = 15 * time.Second

// ErrLockLost says that this process no longer has the lock of a run: it could not
// renew the lock in time, or the lock was removed.
var ErrLockLost = errors.New("the lock of the run is lost: it was not renewed in time, or was removed")

// LockedError says that another process has the lock of a run.
type LockedError struct {
	Run    schemas.RunID
	Holder string
	Since  time.Time
	Expiry time.Duration // after the last renewal
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("queue: lock run %s: another aggregator has the lock (%s, since %s): end that aggregator, or wait: if it is dead, its lock expires %v after the last renewal",
		e.Run, e.Holder, e.Since.Format(time.RFC3339), e.Expiry)
}

// lockEntry is the value of a lock's key in the bucket.
type lockEntry struct {
	Version int       `json:"version"`
	Name    string    `json:"name"`
	ID      string    `json:"id"`
	Since   time.Time `json:"since"`
}

// Lock gives this process the exclusive right to commit a run. It keeps the lock until
// unlock is called or the returned context ends: with ErrLockLost when the broker may
// have given the lock to another process. While another process has the lock the error
// is a *LockedError. name is shown to people.
//
// The lock is a key that only its holder writes (by revision) and that the broker
// removes when it was not written for the lock's expiry. It keeps two processes from
// doing the same work. That they cannot both commit it is ensured by the manifest.
func (q *Queue) Lock(ctx context.Context, run schemas.RunID, name string) (locked context.Context, unlock func(), err error) {
	kv, expiry, err := q.locks(ctx)
	if err != nil {
		return nil, nil, err
	}
	own := lockEntry{Version: schemas.Version, Name: name, ID: rand.Text(), Since: time.Now().UTC().Truncate(time.Second)}
	data, err := json.Marshal(&own)
	if err != nil {
		return nil, nil, fmt.Errorf("queue: lock run %s: %w", run, err)
	}
	l := &lock{q: q, kv: kv, run: run, own: own, data: data, expiry: expiry}
	if err := l.acquire(ctx); err != nil {
		if ctx.Err() != nil { // the broker may have created the key nevertheless
			l.forsake(context.WithoutCancel(ctx))
		}
		return nil, nil, err
	}
	locked, lose := context.WithCancelCause(ctx)
	renewing, stop := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := l.renew(renewing); err != nil {
			lose(err)
		}
	}()
	return locked, func() {
		stop()
		<-done
		lose(context.Canceled)
		l.release(context.WithoutCancel(ctx))
	}, nil
}

// lock is the lock of a run that this process has or tries to get. One goroutine uses
// it at a time.
type lock struct {
	q      *Queue
	kv     jetstream.KeyValue
	run    schemas.RunID
	own    lockEntry
	data   []byte // own, encoded
	expiry time.Duration

	revision uint64
	renewed  time.Time // when the request was sent that renewed the lock last
}

// expiring reports whether the lock may soon belong to another process.
func (l *lock) expiring() bool { return time.Since(l.renewed) > l.expiry*3/5 }

// acquire creates the key if no process has the lock.
func (l *lock) acquire(ctx context.Context) error {
	for {
		now := time.Now()
		revision, err := l.kv.Create(ctx, token(l.run), l.data)
		if err == nil {
			l.revision, l.renewed = revision, now
			return nil
		}
		if !errors.Is(err, jetstream.ErrKeyExists) {
			return fmt.Errorf("queue: lock run %s: %w", l.run, err)
		}
		e, err := l.kv.Get(ctx, token(l.run))
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			continue // the lock was released between the two requests
		}
		var holder lockEntry
		if err == nil {
			err = json.Unmarshal(e.Value(), &holder)
		}
		if err != nil {
			return fmt.Errorf("queue: lock run %s: %w", l.run, err)
		}
		if holder.ID == l.own.ID { // the answer to an earlier request was lost
			l.revision, l.renewed = e.Revision(), now
			return nil
		}
		return &LockedError{Run: l.run, Holder: holder.Name, Since: holder.Since, Expiry: l.expiry}
	}
}

// renew writes the key periodically until ctx ends. It returns ErrLockLost when
// another process may get the lock before the next attempt.
func (l *lock) renew(ctx context.Context) error {
	every := l.expiry / 5
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		// If the process was suspended for long, another process may have acquired and
		// released the lock meanwhile. That the key is free does not prove that this
		// process had the lock all the time.
		if l.expiring() {
			return fmt.Errorf("queue: lock run %s: %w", l.run, ErrLockLost)
		}
		attempt, cancel := context.WithTimeout(ctx, every)
		now := time.Now()
		revision, err := l.kv.Update(attempt, token(l.run), l.data, l.revision)
		switch {
		case err == nil:
			l.revision, l.renewed = revision, now
		case wrongRevision(err):
			// The answer to an update was lost, or the lock expired or has another holder.
			err = l.verify(attempt)
		}
		cancel()
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, ErrLockLost):
			return err
		case l.expiring():
			return fmt.Errorf("queue: lock run %s: %w", l.run, ErrLockLost)
		case err != nil:
			l.q.log.Debug("queue: lock not renewed", "run", l.run, "reason", err)
		}
	}
}

// verify reads the key and takes over its revision if this process wrote it. It returns
// ErrLockLost if the key is gone or has another holder.
func (l *lock) verify(ctx context.Context) error {
	now := time.Now()
	e, err := l.kv.Get(ctx, token(l.run))
	var holder lockEntry
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		err = ErrLockLost
	case err == nil:
		if err = json.Unmarshal(e.Value(), &holder); err == nil && holder.ID != l.own.ID {
			err = fmt.Errorf("%w: %s has it", ErrLockLost, holder.Name)
		}
	}
	if err != nil {
		return fmt.Errorf("queue: lock run %s: %w", l.run, err)
	}
	l.revision, l.renewed = e.Revision(), now
	return nil
}

// forsake releases the lock if the broker gives it to this process after all. A request
// whose caller has gone may still be on its way, and a question whether the key exists
// could overtake it. Another request to create the key cannot: the broker carries out
// those of one connection in their order.
func (l *lock) forsake(ctx context.Context) {
	bounded, cancel := context.WithTimeout(ctx, settleWait)
	defer cancel()
	if l.acquire(bounded) == nil {
		l.release(ctx)
	}
}

// release deletes the key, so that other processes need not wait until it expires.
func (l *lock) release(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, settleWait)
	defer cancel()
	if err := l.kv.Delete(ctx, token(l.run), jetstream.LastRevision(l.revision)); err != nil {
		l.q.log.Debug("queue: lock not released, it will expire", "run", l.run, "reason", err)
	}
}

// locks opens the bucket of locks and returns their expiry. If the bucket is missing it
// is created with as many replicas as the bucket of runs has.
func (q *Queue) locks(ctx context.Context) (jetstream.KeyValue, time.Duration, error) {
	kv, err := q.kv(ctx, holders)
	if errors.Is(err, ErrNotFound) {
		var info *jetstream.StreamInfo
		s, serr := q.js.Stream(ctx, "KV_"+q.bucket(runs))
		if err = serr; err == nil {
			info = s.CachedInfo()
			kv, err = q.js.CreateKeyValue(ctx, q.locksConfig(Limits{Replicas: info.Config.Replicas}.withDefaults()))
		}
		if err != nil {
			err = fmt.Errorf("queue: bucket %s: %w", q.bucket(holders), missing(err))
		}
	}
	if err != nil {
		return nil, 0, err
	}
	status, err := kv.Status(ctx)
	if err != nil {
		return nil, 0, fmt.Errorf("queue: bucket %s: %w", q.bucket(holders), err)
	}
	return kv, status.TTL(), nil
}

func (q *Queue) locksConfig(l Limits) jetstream.KeyValueConfig {
	return jetstream.KeyValueConfig{Bucket: q.bucket(holders), Description: "winnow: locks of runs, with their holders", History: 1,
		MaxBytes: l.share(1), TTL: l.LockExpiry, Storage: jetstream.FileStorage, Replicas: l.Replicas}
}

// RemoveLock removes the lock of a run, whoever has it. It is for a run whose lock
// holder is known to be dead.
func (q *Queue) RemoveLock(ctx context.Context, run schemas.RunID) error {
	kv, err := q.kv(ctx, holders)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err == nil {
		err = kv.Purge(ctx, token(run))
	}
	if err != nil {
		return fmt.Errorf("queue: remove the lock of run %s: %w", run, err)
	}
	return nil
}
