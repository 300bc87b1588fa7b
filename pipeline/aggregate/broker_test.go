package aggregate

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

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
	if err := q.Setup(t.Context(), queue.Limits{Bytes: 64 << 20, Tenure: 3 * time.Second}); err != nil {
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
	if err := b.Idle(t.Context(), none); err != nil {
		t.Errorf("a run without consumer: %v", err)
	}
	if err := b.Ended(t.Context(), schemas.RunCanceled); err != nil {
		t.Fatal(err)
	}
	if err := b.Idle(t.Context(), none); !errors.Is(err, ErrCanceled) {
		t.Errorf("%v, want %v", err, ErrCanceled)
	}
	other := NewQueueBroker(q, "unknown")
	if err := other.Ended(t.Context(), schemas.RunDone); err != nil {
		t.Errorf("the end of a run that was forgotten: %v", err)
	}
	if err := other.Idle(t.Context(), none); !errors.Is(err, queue.ErrNotFound) {
		t.Errorf("%v, want %v", err, queue.ErrNotFound)
	}
}
