package commit

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
)

// Two aggregators work on one run over a real broker, because the first sleeps for longer
// than its lease and never notices. The second takes the run over in the middle, and the
// first can commit nothing more. The tables are those of one aggregator.
func TestTwoAggregatorsOnOneRun(t *testing.T) {
	one := newWorld(t, 60, 150).begin()
	mustAggregate(t, one)
	want := one.tables(one.store)
	s := natsServer(t)
	q := connect(t, s)
	w := newWorld(t, 60, 150)
	publishWorld(t, q, w)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	work, stop := context.WithCancel(ctx)
	worked := make(chan error, 1)
	defer func() { stop(); <-worked }()
	go func() { worked <- serve(work, q, w) }()

	options := func(name string, progress func(Progress)) Options {
		return Options{Store: w.store, Broker: NewQueueBroker(connect(t, s), w.run.ID), Name: name,
			PartRows: 60, Quiet: 50 * time.Millisecond, TempDir: t.TempDir(), layout: fastLayout, Progress: progress}
	}
	asleep, taken := make(chan struct{}), make(chan struct{})
	first := make(chan error, 1)
	var once, takes sync.Once
	go func() {
		_, err := Run(ctx, options("first", func(p Progress) {
			if p.Parts >= 2 {
				once.Do(func() { close(asleep); until(ctx, taken) })
			}
		}))
		first <- err
	}()
	until(ctx, asleep)
	_, err := Run(ctx, options("second", func(Progress) { takes.Do(func() { close(taken) }) }))
	if err != nil {
		t.Fatal(err)
	}
	var lost *manifest.TakenError
	if err := <-first; !errors.As(err, &lost) || lost.Aggregator.Name != "second" {
		t.Errorf("the first one ends with %v, want that the second took over", err)
	}
	if got := w.tables(w.store); !reflect.DeepEqual(got, want) {
		t.Errorf("%d documents, %d scores, %d texts; want %d, %d, %d", len(got.documents), len(got.scores), len(got.texts),
			len(want.documents), len(want.scores), len(want.texts))
	}
	onlyNamed(t, w)
}

// until waits for an event, or for the end of the test.
func until(ctx context.Context, event <-chan struct{}) {
	select {
	case <-event:
	case <-ctx.Done():
	}
}

// onlyNamed verifies that the folder holds the files of the manifest and no others.
func onlyNamed(t *testing.T, w *world) {
	t.Helper()
	m, err := tables.Manifest(t.Context(), w.store)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{schemas.ManifestFile: true, schemas.PackagesFile: true, schemas.SpeedFile: true, schemas.AgreementFile: true, schemas.FailuresFile: true, schemas.SuccessFile: true}
	for _, p := range m.Parts {
		for _, f := range p.Files {
			want[f.Name] = true
		}
	}
	for _, name := range names(w.store) {
		if !want[name] {
			t.Errorf("%s is left behind", name)
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("%s is missing", name)
	}
	if len(m.Aggregators) != 2 {
		t.Errorf("made by %v, want two", m.Aggregators)
	}
}

// publishWorld writes a world's manifest and publishes its run.
func publishWorld(t *testing.T, q *queue.Queue, w *world) {
	t.Helper()
	if err := manifest.Create(t.Context(), w.store, &schemas.Manifest{Version: schemas.Version, Run: w.run}); err != nil {
		t.Fatal(err)
	}
	if err := q.PublishRun(t.Context(), &w.run); err != nil {
		t.Fatal(err)
	}
}
