package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/schemas"
)

const (
	items = "ITEMS"
	done  = "DONE"
	dead  = "DEAD"

	runs     = "runs"
	progress = "progress"
	holders  = "holders"
	budget   = "budget"

	// duplicates is how long the broker remembers message ids. It has to cover the
	// retries of a publisher. Later duplicates are found by means of the manifest. Long
	// windows cost the broker memory.
	duplicates = 10 * time.Minute

	// maxDeliver limits deliveries if the crash journal fails to. It is high, because
	// items are also delivered again for faults that they did not cause: items must not
	// be given up because the broker cannot write for hours.
	maxDeliver = 1000

	// deadAge is how long dead letters are kept for inspection. Without a limit the
	// stream would fill up, and then nothing could be given up. The limit must exceed
	// the duration of a run, whose aggregator counts these messages.
	deadAge = 90 * 24 * time.Hour
)

// Limits bound what the broker keeps. A stream that is full refuses new
// messages; it never deletes old ones.
type Limits struct {
	Replicas int // 1 on one machine, 3 in a cluster; default 1
	// Bytes of all streams and buckets together; default 1.75 GiB, which is enough for
	// some 1.2 million items and the reports of 400,000 items of runs that are not
	// released yet.
	Bytes int64
	// LockExpiry is how long the lock of a run stays in force after its holder renewed
	// it last; default DefaultLockExpiry. See Lock.
	LockExpiry time.Duration
}

func (l Limits) withDefaults() Limits {
	if l.Replicas == 0 {
		l.Replicas = 1
	}
	if l.Bytes == 0 {
		l.Bytes = 7 << 28
	}
	if l.LockExpiry == 0 {
		l.LockExpiry = DefaultLockExpiry
	}
	return l
}

// share returns a percentage of the bytes. The percentages reflect that a report is
// about five times as large as an item, and is kept until the run is over.
func (l Limits) share(percent int64) int64 { return l.Bytes / 100 * percent }

// Setup creates the streams and buckets, or changes the limits of those that exist. It
// may be repeated.
func (q *Queue) Setup(ctx context.Context, l Limits) error {
	l = l.withDefaults()
	streams := []jetstream.StreamConfig{
		{
			Name: q.streamName(items), Subjects: []string{q.prefix + ".items.>"},
			Description: "winnow: items to be worked on",
			Retention:   jetstream.WorkQueuePolicy, MaxBytes: l.share(30),
		},
		{
			Name: q.streamName(done), Subjects: []string{q.prefix + ".done.>"},
			Description: "winnow: reports of finished items",
			Retention:   jetstream.LimitsPolicy, MaxBytes: l.share(45),
		},
		{
			Name: q.streamName(dead), Subjects: []string{q.prefix + ".dead.>"},
			Description: "winnow: records and items given up",
			Retention:   jetstream.LimitsPolicy, MaxBytes: l.share(4), MaxAge: deadAge,
		},
	}
	// The buckets that workers write to are created as streams, because the client's
	// key-value buckets allow roll-ups: a header of one message would remove all others.
	// Entries of finished items and sites are of no use. The maximum age removes the
	// entries of a run that was never released.
	for _, b := range []struct {
		kind, description string
		share             int64
	}{
		{progress, "winnow: progress of failing items", 2},
		{templates, "winnow: copies of learned templates", 14},
		{budget, "winnow: until when requests to servers are reserved", 1},
	} {
		streams = append(streams, jetstream.StreamConfig{
			Name: "KV_" + q.bucket(b.kind), Subjects: []string{"$KV." + q.bucket(b.kind) + ".>"}, Description: b.description,
			MaxMsgsPerSubject: 1, MaxBytes: l.share(b.share), MaxAge: 30 * 24 * time.Hour, DenyDelete: true,
		})
	}
	for _, c := range streams {
		c.Storage = jetstream.FileStorage
		c.Discard = jetstream.DiscardNew
		c.Duplicates = duplicates
		c.Replicas = l.Replicas
		c.AllowDirect = true
		if _, err := q.js.CreateOrUpdateStream(ctx, c); err != nil {
			return fmt.Errorf("queue: stream %s: %w", c.Name, err)
		}
	}
	buckets := []jetstream.KeyValueConfig{
		{Bucket: q.bucket(runs), Description: "winnow: runs", History: 1, MaxBytes: l.share(3)},
		q.locksConfig(l),
	}
	for _, c := range buckets {
		c.Storage = jetstream.FileStorage
		c.Replicas = l.Replicas
		if _, err := q.js.CreateOrUpdateKeyValue(ctx, c); err != nil {
			return fmt.Errorf("queue: bucket %s: %w", c.Bucket, err)
		}
	}
	return nil
}

// Open creates the consumer of a run's present phase, from which workers pull. The run's
// Lease is how long a worker may send no heartbeat. concurrent bounds the items that all
// workers together may work on at once (0: 4096).
func (q *Queue) Open(ctx context.Context, run *schemas.Run, concurrent int) error {
	if concurrent <= 0 {
		concurrent = 4096
	}
	lease := run.Lease
	if lease <= 0 {
		lease = DefaultLease
	}
	_, err := q.js.CreateOrUpdateConsumer(ctx, q.streamName(items), jetstream.ConsumerConfig{
		Durable:       consumerName(run.ID, run.Phase),
		Description:   fmt.Sprintf("winnow: workers of run %s, phase %s", run.ID, run.Phase),
		FilterSubject: q.itemsSubject(run.ID, run.Phase),
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       lease,
		MaxDeliver:    maxDeliver,
		// The limit is not needed for fairness, because workers have only the items that
		// they work on. It must not be smaller than the number of all slots.
		MaxAckPending: concurrent,
		// Every slot of every worker may have one request pending.
		MaxWaiting: max(512, concurrent),
	})
	if err != nil {
		return fmt.Errorf("queue: run %s: phase %s: consumer: %w", run.ID, run.Phase, err)
	}
	return nil
}

// Release removes what the broker holds of a run that is over: items, reports, entries
// of the crash journal, access to private files, templates and consumers. The run's head
// is kept, so that processes that wait for the end of the run see it, and so are dead
// letters, for inspection. The manifest and the tables are not touched. Release may be
// repeated.
func (q *Queue) Release(ctx context.Context, run schemas.RunID) error {
	for _, ph := range []schemas.Phase{schemas.PhaseScan, schemas.PhaseLearn, schemas.PhaseExtract} {
		err := q.js.DeleteConsumer(ctx, q.streamName(items), consumerName(run, ph))
		if err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
			return fmt.Errorf("queue: run %s: phase %s: consumer: %w", run, ph, err)
		}
		if err := q.purge(ctx, items, q.itemsSubject(run, ph)); err != nil {
			return err
		}
	}
	if err := q.purge(ctx, done, q.doneSubject(run)); err != nil {
		return err
	}
	if err := q.clearProgress(ctx, run); err != nil {
		return err
	}
	if err := q.clearAccess(ctx, run); err != nil {
		return err
	}
	return q.deleteTemplates(ctx, run)
}

// Forget removes everything that the broker holds of a run except dead letters: what
// Release removes, the lock, and the run's head.
func (q *Queue) Forget(ctx context.Context, run schemas.RunID) error {
	if err := q.Release(ctx, run); err != nil {
		return err
	}
	if err := q.RemoveLock(ctx, run); err != nil {
		return err
	}
	return q.deleteRun(ctx, run)
}

func (q *Queue) purge(ctx context.Context, kind, subject string) error {
	s, err := q.js.Stream(ctx, q.streamName(kind))
	if err == nil {
		err = s.Purge(ctx, jetstream.WithPurgeSubject(subject))
	}
	if err != nil {
		return fmt.Errorf("queue: purge %s: %w", subject, err)
	}
	return nil
}
