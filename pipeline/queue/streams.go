package queue

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/schemas"
)

const (
	runs  = "RUNS"
	items = "ITEMS"
	done  = "DONE"
	dead  = "DEAD"

	access   = "access"
	progress = "progress"

	// duplicates is how long the broker remembers message ids. It has to cover the
	// retries of a publisher. Later duplicates are found by means of the manifest. Long
	// windows cost the broker memory.
	duplicates = 10 * time.Minute

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
}

func (l Limits) withDefaults() Limits {
	if l.Replicas == 0 {
		l.Replicas = 1
	}
	if l.Bytes == 0 {
		l.Bytes = 7 << 28
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
			Name: q.streamName(runs), Subjects: []string{q.prefix + ".runs.*"},
			Description: "winnow: runs that are not finished",
			Retention:   jetstream.WorkQueuePolicy, MaxBytes: l.share(2),
		},
		{
			Name: q.streamName(items), Subjects: []string{q.prefix + ".items.>"},
			Description: "winnow: items to be worked on",
			Retention:   jetstream.WorkQueuePolicy, MaxBytes: l.share(34),
		},
		{
			Name: q.streamName(done), Subjects: []string{q.prefix + ".done.>"},
			Description: "winnow: reports of finished items",
			Retention:   jetstream.LimitsPolicy, MaxBytes: l.share(55),
		},
		{
			Name: q.streamName(dead), Subjects: []string{q.prefix + ".dead.>"},
			Description: "winnow: records and items given up",
			Retention:   jetstream.LimitsPolicy, MaxBytes: l.share(4), MaxAge: deadAge,
		},
	}
	// The bucket that workers write to is created as a stream, because the client's
	// key-value buckets allow roll-ups: a header of one message would remove all others.
	// Entries of finished items are of no use. The maximum age removes the
	// entries of a run that was never released.
	streams = append(streams, jetstream.StreamConfig{
		Name: "KV_" + q.bucket(progress), Subjects: []string{"$KV." + q.bucket(progress) + ".>"}, Description: "winnow: progress of failing items",
		MaxMsgsPerSubject: 1, MaxBytes: l.share(2), MaxAge: 30 * 24 * time.Hour, DenyDelete: true,
	})
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
	secrets := jetstream.KeyValueConfig{Bucket: q.bucket(access), Description: "winnow: access to private files", History: 1, MaxBytes: l.share(2),
		Storage: jetstream.FileStorage, Replicas: l.Replicas}
	if _, err := q.js.CreateOrUpdateKeyValue(ctx, secrets); err != nil {
		return fmt.Errorf("queue: bucket %s: %w", secrets.Bucket, err)
	}
	return nil
}

// StartPhase publishes items of a run's current phase and then creates the phase's
// consumer, from which workers pull: if there is one, all items were
// published. It removes the items and consumers of the other phases. Called again it
// publishes only what the broker does not hold.
func (q *Queue) StartPhase(ctx context.Context, run *schemas.Run, items iter.Seq2[*schemas.Item, error]) error {
	held, err := q.heldItems(ctx, run.ID, run.Phase)
	if err != nil {
		return err
	}
	wanted := 0
	lacking := func(yield func(*schemas.Item, error) bool) {
		for it, err := range items {
			if err == nil && held[it.ID()] {
				continue
			}
			if wanted++; !yield(it, err) {
				return
			}
		}
	}
	n, err := q.PublishItems(ctx, "", lacking)
	// The broker remembers the ids of messages for some minutes longer than the messages,
	// for example those of a run of this name that was deleted.
	if err == nil && n < wanted {
		if held, err = q.heldItems(ctx, run.ID, run.Phase); err == nil {
			_, err = q.PublishItems(ctx, NewGeneration(), lacking)
		}
	}
	if err != nil {
		return err
	}
	for _, other := range run.Phases {
		if other != run.Phase {
			if err := q.endPhase(ctx, run.ID, other); err != nil {
				return err
			}
		}
	}
	return q.open(ctx, run)
}

// endPhase removes the consumer and the items of a phase.
func (q *Queue) endPhase(ctx context.Context, run schemas.RunID, ph schemas.Phase) error {
	err := q.js.DeleteConsumer(ctx, q.streamName(items), consumerName(run, ph))
	if err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return fmt.Errorf("queue: run %s: phase %s: consumer: %w", run, ph, err)
	}
	return q.purge(ctx, q.streamName(items), q.itemsSubject(run, ph))
}

// maxWorking bounds the items that all workers together may work on at once.
const maxWorking = 4096

// open creates the consumer of a run's current phase. The run's Lease is how long a
// worker may send no heartbeat.
func (q *Queue) open(ctx context.Context, run *schemas.Run) error {
	_, err := q.js.CreateOrUpdateConsumer(ctx, q.streamName(items), jetstream.ConsumerConfig{
		Durable:       consumerName(run.ID, run.Phase),
		Description:   fmt.Sprintf("winnow: workers of run %s, phase %s", run.ID, run.Phase),
		FilterSubject: q.itemsSubject(run.ID, run.Phase),
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       leaseOf(run),
		// The limit is not needed for fairness, because workers have only the items that
		// they work on. It must not be smaller than the number of all slots.
		MaxAckPending: maxWorking,
		// Every slot of every worker may have one request pending.
		MaxWaiting: maxWorking,
	})
	if err != nil {
		return fmt.Errorf("queue: run %s: phase %s: consumer: %w", run.ID, run.Phase, err)
	}
	return nil
}

// End removes what the broker holds for a run that is over: items and their consumers,
// reports, entries of the crash journal, access to private files, and at last
// the run itself, so that it is leased and ended again if this process dies before. Dead
// letters are kept, for inspection, and for a while the name of the output folder
// (FolderOf). The output folder is not touched. End may be repeated.
func (q *Queue) End(ctx context.Context, run schemas.RunID) error {
	for _, ph := range schemas.Phases {
		if err := q.endPhase(ctx, run, ph); err != nil {
			return err
		}
	}
	if err := q.forgetLater(ctx, run); err != nil {
		return err
	}
	for _, of := range []struct{ stream, subject string }{
		{q.streamName(done), q.doneSubject(run)},
		// Purged entries leave no markers, whose number would grow with that of all runs.
		{"KV_" + q.bucket(progress), "$KV." + q.bucket(progress) + "." + token(run) + ".>"},
		{"KV_" + q.bucket(access), "$KV." + q.bucket(access) + "." + token(run) + ".>"},
		{q.streamName(runs), q.runSubject(run)},
	} {
		if err := q.purge(ctx, of.stream, of.subject); err != nil {
			return err
		}
	}
	return nil
}

// messages yields the messages of a subject in a stream, the oldest first. It makes one request
// for each, some ten thousand in a second, and creates no consumer.
func (q *Queue) messages(ctx context.Context, kind, subject string) iter.Seq2[*jetstream.RawStreamMsg, error] {
	return func(yield func(*jetstream.RawStreamMsg, error) bool) {
		s, err := q.js.Stream(ctx, q.streamName(kind))
		if err != nil {
			yield(nil, missing(err))
			return
		}
		messagesIn(ctx, s, subject)(yield)
	}
}

// messagesIn does what messages does, for a stream that was looked up.
func messagesIn(ctx context.Context, s jetstream.Stream, subject string) iter.Seq2[*jetstream.RawStreamMsg, error] {
	return func(yield func(*jetstream.RawStreamMsg, error) bool) {
		for seq := uint64(1); ; {
			msg, err := s.GetMsg(ctx, seq, jetstream.WithGetMsgSubject(subject))
			if errors.Is(err, jetstream.ErrMsgNotFound) || !yield(msg, err) || err != nil {
				return
			}
			seq = msg.Sequence + 1
		}
	}
}

// purge removes the messages of a subject from a stream, if there is such a stream.
func (q *Queue) purge(ctx context.Context, stream, subject string) error {
	s, err := q.js.Stream(ctx, stream)
	if err == nil {
		err = s.Purge(ctx, jetstream.WithPurgeSubject(subject))
	}
	if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return fmt.Errorf("queue: purge %s: %w", subject, err)
	}
	return nil
}
