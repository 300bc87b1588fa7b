package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/schemas"
)

// head returns a run's head: the run without its lists of files. A crawl may have a
// hundred thousand files, and a message may have one mebibyte. The lists are in the
// manifest, and every item names its file.
func head(run *schemas.Run) ([]byte, error) {
	h := *run
	h.Files, h.Skipped = nil, nil
	return json.Marshal(&h)
}

// CreateRun stores the head of a new run and returns its revision. The error is
// ErrExists if there is a run of that name.
func (q *Queue) CreateRun(ctx context.Context, run *schemas.Run) (uint64, error) {
	if err := run.ID.Check(); err != nil {
		return 0, fmt.Errorf("queue: %w", err)
	}
	kv, data, err := q.forRun(ctx, run)
	if err != nil {
		return 0, err
	}
	rev, err := kv.Create(ctx, token(run.ID), data)
	if errors.Is(err, jetstream.ErrKeyExists) {
		err = ErrExists
	}
	if err != nil {
		return 0, fmt.Errorf("queue: run %s: %w", run.ID, err)
	}
	return rev, nil
}

// UpdateRun replaces the head of a run and returns its new revision. The error is
// ErrConflict if rev is not the present revision: the caller should read the head again
// and decide again.
func (q *Queue) UpdateRun(ctx context.Context, run *schemas.Run, rev uint64) (uint64, error) {
	kv, data, err := q.forRun(ctx, run)
	if err != nil {
		return 0, err
	}
	rev, err = kv.Update(ctx, token(run.ID), data, rev)
	if wrongRevision(err) {
		err = ErrConflict
	}
	if err != nil {
		return 0, fmt.Errorf("queue: run %s: %w", run.ID, err)
	}
	return rev, nil
}

// Run returns the head of a run (without Files) and its revision. The error is
// ErrNotFound if there is no run of that name.
func (q *Queue) Run(ctx context.Context, id schemas.RunID) (*schemas.Run, uint64, error) {
	kv, err := q.kv(ctx, runs)
	if err != nil {
		return nil, 0, err
	}
	e, err := kv.Get(ctx, token(id))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		err = ErrNotFound
	}
	if err != nil {
		return nil, 0, fmt.Errorf("queue: run %s: %w", id, err)
	}
	run, err := schemas.DecodeRun(e.Value())
	if err != nil {
		return nil, 0, fmt.Errorf("queue: run %s: %w", id, err)
	}
	return run, e.Revision(), nil
}

// watchMin and watchMax bound the pause between two looks for heads that were
// written. A head is announced a moment before it is stored, so that the first look
// may come too early; an announcement may also be missed.
const (
	watchMin = 10 * time.Millisecond
	watchMax = 5 * time.Second
)

// WatchRuns yields the head of every run that is known, then nil, and then,
// until ctx ends, the head of every run that is new or changed. After the broker
// was away it begins anew, with all runs: it may have forgotten some. It ends with
// ctx's error, or when the broker has no bucket of runs; an unreadable head is an
// error of its own, after which it goes on.
//
// It reads the bucket message by message instead of with a consumer, because a user
// who may create a consumer may have the broker publish to any subject.
func (q *Queue) WatchRuns(ctx context.Context) iter.Seq2[*schemas.Run, error] {
	return func(yield func(*schemas.Run, error) bool) {
		subject := "$KV." + q.bucket(runs) + ".*"
		written := make(chan struct{}, 1)
		sub, err := q.nc.Subscribe(subject, func(*nats.Msg) {
			select {
			case written <- struct{}{}:
			default:
			}
		})
		if err != nil {
			yield(nil, fmt.Errorf("queue: watch runs: %w", err))
			return
		}
		defer func() { _ = sub.Unsubscribe() }()
		stream, err := q.js.Stream(ctx, "KV_"+q.bucket(runs))
		if err != nil {
			yield(nil, fmt.Errorf("queue: watch runs: %w", missing(err)))
			return
		}
		again := q.again.next()
		from, all, pause := uint64(1), false, watchMin
		for {
			msg, err := stream.GetMsg(ctx, from, jetstream.WithGetMsgSubject(subject))
			switch {
			case err == nil:
				from, pause = msg.Sequence+1, watchMin
				if msg.Header.Get("KV-Operation") != "" { // the run was removed
					continue
				}
				run, err := schemas.DecodeRun(msg.Data)
				if err != nil {
					run, err = nil, fmt.Errorf("queue: run %s: %w", msg.Subject, err)
				}
				if !yield(run, err) {
					return
				}
				continue
			case ctx.Err() != nil:
				yield(nil, ctx.Err())
				return
			case errors.Is(err, jetstream.ErrMsgNotFound):
				if !all && !yield(nil, nil) {
					return
				}
				all = true
			case Transient(err):
				from, all = 1, false
			default:
				yield(nil, fmt.Errorf("queue: watch runs: %w", err))
				return
			}
			select {
			case <-time.After(pause):
				pause = min(2*pause, watchMax)
			case <-written:
				pause = watchMin
			case <-again:
				again = q.again.next()
				from, all, pause = 1, false, watchMin
			case <-ctx.Done():
				yield(nil, ctx.Err())
				return
			}
		}
	}
}

func (q *Queue) deleteRun(ctx context.Context, id schemas.RunID) error {
	kv, err := q.kv(ctx, runs)
	if err == nil {
		err = kv.Purge(ctx, token(id))
	}
	if err != nil {
		return fmt.Errorf("queue: run %s: %w", id, err)
	}
	return nil
}

func (q *Queue) forRun(ctx context.Context, run *schemas.Run) (jetstream.KeyValue, []byte, error) {
	data, err := head(run)
	if err != nil {
		return nil, nil, fmt.Errorf("queue: run %s: %w", run.ID, err)
	}
	kv, err := q.kv(ctx, runs)
	return kv, data, err
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

func checkVersion(v int) error {
	if v != schemas.Version {
		return fmt.Errorf("version %d: this program reads version %d", v, schemas.Version)
	}
	return nil
}

// wrongRevision reports whether a conditional write found another revision.
func wrongRevision(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}
