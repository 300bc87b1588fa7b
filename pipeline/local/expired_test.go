package local

import (
	"context"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// TestRunGoesOnWithoutItsLease ends the lease of a run in the middle, as the broker does
// when a laptop has slept for longer than the lease. The run must go on, and its rows must
// be those of another run.
func TestRunGoesOnWithoutItsLease(t *testing.T) {
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

	opt := options(t.TempDir(), in, "r")
	opt.Worker.Slots = 1
	pages := 0
	opt.Extract.BeforePage = func(string, schemas.Location) {
		if pages++; pages != 40 {
			return
		}
		if err := q.EndLease(ctx, "r"); err != nil {
			t.Error(err)
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
	same(t, "without its lease", tables(t, opt.Plan.Out), tables(t, whole.Plan.Out))
}
