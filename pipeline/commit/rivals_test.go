package commit

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
)

// rival is the broker of an aggregator that renews its lock through a connection of
// its own, which a test may cut.
type rival struct {
	*QueueBroker
	lockQueue *queue.Queue
	deaf      bool                 // the aggregator does not notice that it lost the lock
	held      chan context.Context // if not nil, receives the context of the lock
}

func (r *rival) Lock(ctx context.Context, name string) (context.Context, func(), error) {
	held, release, err := r.lockQueue.Lock(ctx, r.run, name)
	if err == nil && r.held != nil {
		r.held <- held
	}
	if err == nil && r.deaf {
		held = ctx
	}
	return held, release, err
}

// Two aggregators work on one run over a real broker. The second waits, until the
// first is cut off from the broker in the middle of the run: it then goes on,
// whether or not the first one notices. The tables are those of one aggregator.
func TestTwoAggregatorsOnOneRun(t *testing.T) {
	one := newWorld(t, 60, 150).begin()
	mustAggregate(t, one)
	want := one.tables(one.store)
	for _, deaf := range []bool{false, true} {
		name := "the first notices"
		if deaf {
			name = "the first never notices"
		}
		t.Run(name, func(t *testing.T) {
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

			options := func(name string, lockQueue *queue.Queue, deaf bool) Options {
				return Options{Store: w.store, Broker: &rival{QueueBroker: NewQueueBroker(connect(t, s), w.run.ID), lockQueue: lockQueue, deaf: deaf}, Name: name,
					PartRows: 60, Quiet: 50 * time.Millisecond, TempDir: t.TempDir(), layout: fastLayout}
			}
			var wg sync.WaitGroup
			defer wg.Wait()
			begun, cut, taken := make(chan struct{}), make(chan struct{}), make(chan struct{})
			first := make(chan error, 1)
			lockQueue := connect(t, s)
			o := options("first", lockQueue, deaf)
			held := make(chan context.Context, 1)
			o.Broker.(*rival).held = held
			var once sync.Once
			o.Progress = func(p Progress) {
				if p.Parts < 2 {
					return
				}
				// It stops here, in the middle of the run, until the broker heard nothing of
				// it for too long; the deaf one sleeps on until it was replaced.
				once.Do(func() {
					close(begun)
					until(ctx, cut)
					until(ctx, (<-held).Done())
					if deaf {
						until(ctx, taken)
					}
				})
			}
			wg.Go(func() {
				_, err := Run(ctx, o)
				first <- err
			})
			select {
			case <-begun:
			case <-ctx.Done():
				t.Fatal("the first one commits nothing")
			}

			o = options("second", connect(t, s), false)
			waited := 0
			o.Progress = func(Progress) {
				select {
				case <-taken:
				default:
					close(taken)
				}
			}
			for {
				_, err := Run(ctx, o)
				var locked *queue.LockedError
				if errors.As(err, &locked) {
					if waited++; locked.Holder != "first" || !strings.Contains(err.Error(), "end that aggregator") {
						t.Fatal(err)
					}
					if waited == 1 {
						lockQueue.Close()
						close(cut)
					}
					time.Sleep(20 * time.Millisecond)
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				break
			}
			if waited == 0 {
				close(cut)
				t.Error("the second did not wait")
			}
			err := <-first
			var lost *manifest.TakenError
			switch {
			case deaf && (!errors.As(err, &lost) || lost.Aggregator.Name != "second"):
				t.Errorf("the first one ends with %v, want that the second took over", err)
			case !deaf && !errors.Is(err, queue.ErrLockLost) && !errors.As(err, &lost):
				t.Errorf("the first one ends with %v", err)
			}
			if got := w.tables(w.store); !reflect.DeepEqual(got, want) {
				t.Errorf("%d documents, %d scores, %d texts; want %d, %d, %d", len(got.documents), len(got.scores), len(got.texts),
					len(want.documents), len(want.scores), len(want.texts))
			}
			onlyNamed(t, w)
		})
	}
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
	want := map[string]bool{schemas.ManifestFile: true, schemas.PackagesFile: true, schemas.AgreementFile: true, schemas.FailuresFile: true, schemas.SuccessFile: true}
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

// publishWorld makes a world's run known and publishes its items.
func publishWorld(t *testing.T, q *queue.Queue, w *world) {
	t.Helper()
	if err := manifest.Create(t.Context(), w.store, &schemas.Manifest{Version: schemas.Version, Run: w.run}); err != nil {
		t.Fatal(err)
	}
	if _, err := q.CreateRun(t.Context(), &w.run); err != nil {
		t.Fatal(err)
	}
	if err := q.Open(t.Context(), &w.run, 0); err != nil {
		t.Fatal(err)
	}
	var items []*schemas.Item
	for s := range w.run.Files[0].Items {
		it := w.run.Item(0, s)
		items = append(items, &it)
	}
	if err := NewQueueBroker(q, w.run.ID).Publish(t.Context(), items...); err != nil {
		t.Fatal(err)
	}
}
