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
	holding  = "holders"

	// duplicates is how long the broker remembers message ids. It only has to
	// outlive a publisher's own retries; what comes later is caught by the
	// manifest. Long windows cost the broker memory.
	duplicates = 10 * time.Minute

	// maxDeliver is the fence behind the crash journal. It is far away, because items
	// are also delivered again for faults that are not theirs: a broker that cannot
	// write for hours must not make it give items up.
	maxDeliver = 1000

	// deadAge is how long what was given up is kept for a look at it. Without an
	// end the stream would be full one day, and from then on nothing could be given
	// up; it must outlive the run, whose aggregator counts these messages.
	deadAge = 90 * 24 * time.Hour
)

// Limits bound what the broker keeps. A stream that is full refuses new
// messages; it never deletes old ones.
type Limits struct {
	Replicas int // 1 on one machine, 3 in a cluster; default 1
	// Bytes of all streams and buckets together; default 1.75 GiB, which is some 1.2 million items and 400,000 reports that
	// nobody has forgotten yet.
	Bytes int64
	// Tenure is how long a run stays held by an aggregator that is silent; default
	// DefaultTenure. See Hold.
	Tenure time.Duration
}

func (l Limits) withDefaults() Limits {
	if l.Replicas == 0 {
		l.Replicas = 1
	}
	if l.Bytes == 0 {
		l.Bytes = 7 << 28
	}
	if l.Tenure == 0 {
		l.Tenure = DefaultTenure
	}
	return l
}

// share is a part of the bytes, in percent: a report is about five times as
// large as an item, and stays until the run is over.
func (l Limits) share(percent int64) int64 { return l.Bytes / 100 * percent }

// Setup makes the streams and buckets, or brings those that are there to these
// limits. It may be repeated.
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
	// What workers write has no roll-up, which the client's own key-value buckets
	// have: a header of one message would remove all others. Entries of items and
	// sites that are over are of no use; their age bounds what a run that was never
	// released leaves.
	for _, b := range []struct {
		kind, description string
		share             int64
	}{
		{progress, "winnow: progress of failing items", 2},
		{templates, "winnow: copies of learned templates", 15},
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
		q.holdersConfig(l),
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

// Open makes the consumer of a run's present phase, from which workers pull.
// The run's Lease is how long a worker may be silent; concurrent bounds the
// items that may be worked on at once, over all workers (0: 4096).
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
		// No measure of fairness between workers, which hold what they work on and
		// nothing more, but a fence: all must fit.
		MaxAckPending: concurrent,
		// Every slot of every worker may have one request waiting.
		MaxWaiting: max(512, concurrent),
	})
	if err != nil {
		return fmt.Errorf("queue: run %s: phase %s: consumer: %w", run.ID, run.Phase, err)
	}
	return nil
}

// Release removes what a run that is over holds in the broker: items, reports,
// markers, templates and consumers. Its head stays, so that who waits for the end
// sees it, and what was given up stays for a look at it. The manifest and the
// tables are not touched. It may be repeated.
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

// Forget removes all that the broker holds of a run: what Release does, and the
// run's head.
func (q *Queue) Forget(ctx context.Context, run schemas.RunID) error {
	if err := q.Release(ctx, run); err != nil {
		return err
	}
	if err := q.Free(ctx, run); err != nil {
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
