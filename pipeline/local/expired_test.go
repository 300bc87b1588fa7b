package local

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// messages is a log that closes a channel when it gets a certain message.
type messages struct {
	slog.Handler
	wanted string
	seen   chan struct{}
	once   sync.Once
}

func (m *messages) Enabled(context.Context, slog.Level) bool { return true }

func (m *messages) Handle(_ context.Context, r slog.Record) error {
	if r.Message == m.wanted {
		m.once.Do(func() { close(m.seen) })
	}
	return nil
}

func (m *messages) WithAttrs([]slog.Attr) slog.Handler { return m }

// TestRunGoesOnWithoutItsLock removes the lock of a run in the middle, as the broker does
// when a laptop has slept for longer than the lock is in force. The run must go on, and its
// rows must be those of another run.
func TestRunGoesOnWithoutItsLock(t *testing.T) {
	in := crawl(t, 60)
	whole := options(t.TempDir(), in, "r")
	run(t, whole)

	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	b, err := startBroker("")
	if err != nil {
		t.Fatal(err)
	}
	defer b.stop(true)
	q, err := queue.Dial(ctx, queue.Options{InProcess: b, Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()

	log := &messages{Handler: slog.DiscardHandler, wanted: lockExpired, seen: make(chan struct{})}
	opt := options(t.TempDir(), in, "r")
	opt.Log = slog.New(log)
	opt.Worker.Slots = 1
	pages := 0
	opt.Extract.BeforePage = func(string, schemas.Location) {
		if pages++; pages != 40 {
			return
		}
		if err := q.RemoveLock(ctx, "r"); err != nil {
			t.Error(err)
		}
		select {
		case <-log.seen:
		case <-ctx.Done():
			t.Error("the aggregator did not notice that it has no lock")
		}
	}
	if err := opt.withDefaults(); err != nil {
		t.Fatal(err)
	}
	if opt.Plan.Store, err = opt.Blobs.Store(ctx, opt.Plan.Out); err != nil {
		t.Fatal(err)
	}
	planned, err := Plan(ctx, opt)
	if err != nil {
		t.Fatal(err)
	}
	s, err := carryOut(ctx, &opt, q, opt.Plan.Store, planned)
	if err != nil || s.Pages != 120 {
		t.Fatalf("%+v, %v", s, err)
	}
	same(t, "without its lock", tables(t, opt.Plan.Out), tables(t, whole.Plan.Out))
}
