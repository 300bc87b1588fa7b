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
	"github.com/nats-io/nats.go"
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
	if err := q.Setup(t.Context(), queue.Limits{Bytes: 64 << 20}); err != nil {
		t.Fatal(err)
	}
	return q
}

// A run over a real queue, with a worker that loses an item on the way.
func TestRunOverTheQueue(t *testing.T) {
	q := embedded(t)
	w := newWorld(t, 60, 30)
	w.inner[6], w.inner[12] = true, true
	publishWorld(t, q, w)
	b := NewQueueBroker(q, w.run.ID)
	work, stop := context.WithCancel(t.Context())
	worked := make(chan error, 1)
	go func() { worked <- serve(work, q, w) }()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	s, err := Run(ctx, Options{Store: w.store, Broker: b, PartRows: 60, Quiet: 50 * time.Millisecond, TempDir: t.TempDir(), layout: fastLayout})
	stop()
	if failed := <-worked; err != nil || failed != nil {
		t.Fatalf("aggregator: %v; worker: %v", err, failed)
	}
	if s.Records != 30 {
		t.Errorf("%d records, want 30", s.Records)
	}
	if _, err := q.Run(t.Context(), w.run.ID); !errors.Is(err, queue.ErrNotFound) {
		t.Errorf("the broker still holds the run: %v", err)
	}
}

// serve works on items until ctx ends. The third it settles without a report.
func serve(ctx context.Context, q *queue.Queue, w *world) error {
	p, err := q.Pull(ctx, &w.run)
	for (errors.Is(err, queue.ErrNotFound) || queue.Transient(err)) && ctx.Err() == nil { // the phase has not begun
		time.Sleep(time.Millisecond)
		p, err = q.Pull(ctx, &w.run)
	}
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		l, err := p.Next(ctx, 100*time.Millisecond)
		if ctx.Err() != nil { // the run is over
			return nil
		}
		if errors.Is(err, queue.ErrNotFound) || queue.Transient(err) { // as a worker does
			n--
			time.Sleep(time.Millisecond)
			continue
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

// A broker that has lost its stream of items gets all that are waited for again, when
// there is a stream.
func TestLostStreamIsFilledAgain(t *testing.T) {
	s := natsServer(t)
	q := connect(t, s)
	w := newWorld(t, 60, 30)
	publishWorld(t, q, w)
	b := NewQueueBroker(q, w.run.ID)
	all := newLedger(&w.run, shardSet{}, nil).waiting()
	if err := b.Reconcile(t.Context(), &w.run, all); err != nil {
		t.Fatal(err)
	}
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err == nil {
		err = js.DeleteStream(t.Context(), "WINNOW_ITEMS")
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Reconcile(t.Context(), &w.run, all); !errors.Is(err, queue.ErrNotFound) {
		t.Errorf("without a stream: %v", err)
	}
	if err := q.Setup(t.Context(), queue.Limits{Bytes: 64 << 20}); err != nil {
		t.Fatal(err)
	}
	if err := b.Reconcile(t.Context(), &w.run, all); err != nil {
		t.Fatal(err)
	}
	if got, err := q.Backlog(t.Context(), w.run.ID, w.run.Phase); err != nil || got.Waiting != w.run.Items() {
		t.Errorf("%+v, %v; want %d items", got, err, w.run.Items())
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

func (c *cannotWrite) End(ctx context.Context) error {
	if err := c.refuse("end"); err != nil {
		return err
	}
	return c.broker.End(ctx)
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
	for _, operation := range []string{"reports", "publish", "reconcile", "end"} {
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

func (b *busy) End(ctx context.Context) error {
	if _, err := blob.WriteAll(ctx, b.store, b.late, []byte("late")); err != nil {
		return err
	}
	return b.broker.End(ctx)
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

// A process that waits for reports is told if the broker has no room for them.
func TestFullStreamOfReportsIsTold(t *testing.T) {
	q := embedded(t)
	if err := q.Setup(t.Context(), queue.Limits{Bytes: 200 << 10}); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, 10, 100)
	publishWorld(t, q, w)
	b := NewQueueBroker(q, w.run.ID)
	none := func(yield func(*schemas.Item, error) bool) {}
	if err := b.Reconcile(t.Context(), &w.run, newLedger(&w.run, shardSet{}, nil).waiting()); err != nil {
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
