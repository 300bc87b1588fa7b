package commit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

func embedded(t *testing.T) *queue.Queue {
	t.Helper()
	return connect(t, natsServer(t))
}

// natsServer starts a broker in this process.
func natsServer(t *testing.T) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{DontListen: true, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("server does not start")
	}
	return s
}

// connect is a connection of its own, as every process has one.
func connect(t *testing.T, s *server.Server) *queue.Queue {
	t.Helper()
	q, err := queue.Dial(t.Context(), queue.Options{InProcess: s})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	if err := q.Setup(t.Context(), queue.Limits{Bytes: 64 << 20, LockExpiry: 3 * time.Second}); err != nil {
		t.Fatal(err)
	}
	return q
}

// A run over a real queue, with a worker that loses an item on the way.
func TestRunOverTheQueue(t *testing.T) {
	q := embedded(t)
	w := newWorld(t, 60, 30)
	w.inner[6], w.inner[12] = true, true
	m := schemas.Manifest{Version: schemas.Version, Run: w.run}
	data, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := blob.WriteAll(t.Context(), w.store, schemas.ManifestFile, data); err != nil {
		t.Fatal(err)
	}
	if _, err := q.CreateRun(t.Context(), &w.run); err != nil {
		t.Fatal(err)
	}
	if err := q.Open(t.Context(), &w.run, 0); err != nil {
		t.Fatal(err)
	}
	b := NewQueueBroker(q, w.run.ID)
	var items []*schemas.Item
	for s := range w.run.Files[0].Items {
		it := w.run.Item(0, s)
		items = append(items, &it)
	}
	if err := b.Publish(t.Context(), items...); err != nil {
		t.Fatal(err)
	}

	work, stop := context.WithCancel(t.Context())
	worked := make(chan error, 1)
	go func() { worked <- serve(work, q, w) }()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	s, err := Run(ctx, Options{Store: w.store, Broker: b, PartRows: 60, Quiet: 50 * time.Millisecond, TempDir: t.TempDir(), layout: fastLayout})
	stop()
	if err != nil {
		t.Fatal(err)
	}
	if err := <-worked; err != nil {
		t.Fatal(err)
	}
	if s.Records != 30 {
		t.Errorf("%d records, want 30", s.Records)
	}
	head, _, err := q.Run(t.Context(), w.run.ID)
	if err != nil || head.State != schemas.RunDone {
		t.Errorf("the run's state is %s, %v; want %s", head.State, err, schemas.RunDone)
	}
}

// serve works on items until ctx ends. The third it settles without a report.
func serve(ctx context.Context, q *queue.Queue, w *world) error {
	p, err := q.Pull(ctx, &w.run)
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		l, err := p.Next(ctx, 100*time.Millisecond)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		if l == nil {
			n--
			continue
		}
		d := w.process(&l.Item, n)
		if n == 3 {
			d = &schemas.Done{Version: schemas.Version, Item: schemas.Item{Run: "other"}, ID: "x"}
		}
		if err := l.Done(ctx, d); err != nil && ctx.Err() == nil {
			return err
		}
	}
}

func TestCanceledRunIsNoticed(t *testing.T) {
	q := embedded(t)
	w := newWorld(t, 60, 30)
	if _, err := q.CreateRun(t.Context(), &w.run); err != nil {
		t.Fatal(err)
	}
	b := NewQueueBroker(q, w.run.ID)
	none := func(yield func(*schemas.Item, error) bool) {}
	if err := b.Reconcile(t.Context(), &w.run, none); err != nil {
		t.Errorf("a run without consumer: %v", err)
	}
	if err := b.End(t.Context(), schemas.RunCanceled); err != nil {
		t.Fatal(err)
	}
	if err := b.Reconcile(t.Context(), &w.run, none); !errors.Is(err, ErrCanceled) {
		t.Errorf("%v, want %v", err, ErrCanceled)
	}
	other := NewQueueBroker(q, "unknown")
	if err := other.End(t.Context(), schemas.RunDone); err != nil {
		t.Errorf("the end of a run that was forgotten: %v", err)
	}
	if err := other.Reconcile(t.Context(), &w.run, none); !errors.Is(err, queue.ErrNotFound) {
		t.Errorf("%v, want %v", err, queue.ErrNotFound)
	}
}

// cannotWrite is a broker that refuses every operation a number of times, as one
// does whose disk is full.
type cannotWrite struct {
	broker
	refusals map[string]int
}

const refusalsEach = 12

func (c *cannotWrite) refuse(operation string) error {
	if c.refusals[operation]++; c.refusals[operation] <= refusalsEach {
		return fmt.Errorf("%s: %w", operation, &jetstream.APIError{Code: 503, ErrorCode: 10077, Description: "maximum bytes exceeded"})
	}
	return nil
}

func (c *cannotWrite) Lock(ctx context.Context, name string) (context.Context, func(), error) {
	if err := c.refuse("lock"); err != nil {
		return nil, nil, err
	}
	return c.broker.Lock(ctx, name)
}

func (c *cannotWrite) Reports(ctx context.Context) (Reports, error) {
	if err := c.refuse("reports"); err != nil {
		return nil, err
	}
	return c.broker.Reports(ctx)
}

func (c *cannotWrite) Publish(ctx context.Context, items ...*schemas.Item) error {
	if err := c.refuse("publish"); err != nil {
		return err
	}
	return c.broker.Publish(ctx, items...)
}

func (c *cannotWrite) Reconcile(ctx context.Context, run *schemas.Run, waiting iter.Seq2[*schemas.Item, error]) error {
	if err := c.refuse("reconcile"); err != nil {
		return err
	}
	return c.broker.Reconcile(ctx, run, waiting)
}

func (c *cannotWrite) End(ctx context.Context, state schemas.RunState) error {
	if err := c.refuse("end"); err != nil {
		return err
	}
	return c.broker.End(ctx, state)
}

// A broker that cannot write costs time, and no item: the aggregator waits, however
// often it is refused, and says so.
func TestBrokerThatCannotWriteIsWaitedFor(t *testing.T) {
	w := newWorld(t, 50, 40)
	w.lost[itemKey{0, 3}] = true
	w.begin()
	if err := w.store.Delete(t.Context(), w.log[1].Done.Shards[0].Name); err != nil { // its item must be published again
		t.Fatal(err)
	}
	full := &cannotWrite{broker{w}, map[string]int{}}
	var log bytes.Buffer
	s := mustAggregate(t, w, func(o *Options) {
		o.Broker, o.pause, o.Log = full, time.Microsecond, slog.New(slog.NewTextHandler(&log, nil))
	})
	if s.Records != 40 || s.Dead != 0 {
		t.Errorf("%d records, %d items dead; want 40 and none", s.Records, s.Dead)
	}
	for _, operation := range []string{"lock", "reports", "publish", "reconcile", "end"} {
		if n := full.refusals[operation]; n <= refusalsEach {
			t.Errorf("%s was tried %d times", operation, n)
		}
	}
	if !strings.Contains(log.String(), "maximum bytes exceeded") || !strings.Contains(log.String(), "waiting") {
		t.Errorf("the log does not say what is waited for: %s", log.String())
	}
}

// busy is a broker whose workers still attempt items, which the queue has twice, until they
// hear of the end.
type busy struct {
	broker
	late string // the shard that such an attempt writes
}

func (b *busy) End(ctx context.Context, state schemas.RunState) error {
	if _, err := blob.WriteAll(ctx, b.store, b.late, []byte("late")); err != nil {
		return err
	}
	return b.broker.End(ctx, state)
}

// What attempts write that go on until the end of the run does not stay.
func TestLateAttemptsLeaveNothing(t *testing.T) {
	w := newWorld(t, 50, 10)
	w.begin()
	b := &busy{broker{w}, w.log[0].Done.Shards[0].Name}
	mustAggregate(t, w, func(o *Options) { o.Broker = b })
	for name := range w.store.Files() {
		if hasFolder(name, schemas.ShardFolder) {
			t.Errorf("left %s", name)
		}
	}
}

// Whoever waits for reports that find no room in the broker is told so.
func TestFullStreamOfReportsIsTold(t *testing.T) {
	q := embedded(t)
	if err := q.Setup(t.Context(), queue.Limits{Bytes: 200 << 10}); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, 10, 100)
	publishWorld(t, q, w)
	b := NewQueueBroker(q, w.run.ID)
	none := func(yield func(*schemas.Item, error) bool) {}
	if err := b.Reconcile(t.Context(), &w.run, none); err != nil {
		t.Fatal(err)
	}
	p, err := q.Pull(t.Context(), &w.run)
	if err != nil {
		t.Fatal(err)
	}
	var full *FullError
	for n := 0; !errors.As(err, &full); n++ {
		if err != nil || n == 100 {
			t.Fatalf("after %d reports: %v", n, err)
		}
		l, err2 := p.Next(t.Context(), time.Minute)
		if err2 != nil || l == nil {
			t.Fatal(l, err2)
		}
		d := &schemas.Done{Version: schemas.Version, Item: l.Item, ID: l.Item.ID(), Worker: strings.Repeat("x", 1<<10)}
		if err := l.Done(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		err = b.Reconcile(t.Context(), &w.run, none)
	}
	if !strings.Contains(full.Error(), "--nats-storage") {
		t.Error(full)
	}
}
