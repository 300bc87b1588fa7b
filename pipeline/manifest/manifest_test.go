package manifest_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/blob/blobtest"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/schemas"
)

func create(t *testing.T, store blob.Store) {
	t.Helper()
	m := &schemas.Manifest{Version: schemas.Version, Run: schemas.Run{Version: schemas.Version, ID: "r", Hash: "hash", Recipe: schemas.Recipe{Extractors: []schemas.Method{{Name: "plain"}}}, State: schemas.RunActive, Phases: schemas.Phases, Phase: schemas.PhaseScan,
		Files: []schemas.File{{Size: 1 << 30, Items: 1 << 20}}}}
	if err := manifest.Create(t.Context(), store, m); err != nil {
		t.Fatal(err)
	}
	if err := manifest.Create(t.Context(), store, m); !errors.Is(err, blob.ErrExists) {
		t.Fatalf("created twice: %v", err)
	}
}

func take(t *testing.T, store blob.Store, name string) *manifest.Log {
	t.Helper()
	l, err := manifest.Take(t.Context(), store, name)
	if err != nil {
		t.Fatal(err)
	}
	if !l.Exclusive {
		t.Error("the store refuses nothing")
	}
	return l
}

func part(seq int) *schemas.Change {
	return &schemas.Change{Part: &schemas.Part{Seq: seq, Files: []schemas.Shard{{Table: schemas.TableDocuments,
		Name: fmt.Sprintf("documents/part-%05d.parquet", seq), SHA256: strings.Repeat("0", 64)}}}}
}

// loads compares what is read with what the log has.
func loads(t *testing.T, store blob.Store, l *manifest.Log, parts int) {
	t.Helper()
	m, err := manifest.Load(t.Context(), store)
	if err != nil || len(m.Parts) != parts || !reflect.DeepEqual(m, l.Manifest) {
		t.Fatalf("loaded %+v, %v; want %+v with %d parts", m, err, l.Manifest, parts)
	}
}

func TestChangesAreReadAndSealed(t *testing.T) {
	store := new(blobtest.Memory)
	create(t, store)
	l := take(t, store, "a")
	end := time.Unix(1e9, 0).UTC()
	for i, c := range []*schemas.Change{
		{Phase: schemas.PhaseExtract, Templates: &schemas.Templates{Sites: 3}},
		part(0),
		{Part: part(1).Part, Dead: []schemas.Dead{{Version: schemas.Version, Item: l.Manifest.Run.Item(0, 0), Stage: "item", Reason: "crash"}}},
		{Totals: &schemas.Counts{Records: 7}, Finished: end, Time: end}, // tried before: its time stays
	} {
		if err := l.Append(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		loads(t, store, l, max(0, min(i, 2)))
		if committed := l.Manifest.Committed; committed.IsZero() || committed.Equal(end) != (i == 3) {
			t.Errorf("change %d was committed at %v", i, committed)
		}
	}
	for range 2 {
		if err := l.Seal(t.Context()); err != nil {
			t.Fatal(err)
		}
		loads(t, store, l, 2)
	}
	if n := len(store.Files()); n != 1 {
		t.Errorf("%d files, want run.json alone", n)
	}
	m := l.Manifest
	if m.Run.Phase != schemas.PhaseExtract || m.Templates.Sites != 3 || len(m.Dead) != 1 || m.Totals.Records != 7 ||
		m.Run.State != schemas.RunDone || !m.Finished.Equal(end) || len(m.Aggregators) != 1 || m.Aggregators[0].Name != "a" {
		t.Errorf("%+v", m)
	}
	if again := take(t, store, "b"); again.Term != 0 || !reflect.DeepEqual(again.Manifest, m) {
		t.Errorf("taken in term %d: %+v", again.Term, again.Manifest)
	}
}

// A process that lost the log can commit nothing, and is told who has it: before the
// other's first part, after it, and when the log is sealed and all names are free
// again.
func TestOnlyTheLastToTakeCommits(t *testing.T) {
	for parts := range 4 {
		t.Run(fmt.Sprint(parts), func(t *testing.T) {
			store := new(blobtest.Memory)
			create(t, store)
			old := take(t, store, "old")
			if err := old.Append(t.Context(), part(0)); err != nil {
				t.Fatal(err)
			}
			l := take(t, store, "new")
			for i := range parts {
				if err := l.Append(t.Context(), part(i+1)); err != nil {
					t.Fatal(err)
				}
			}
			if parts == 3 {
				if err := l.Append(t.Context(), &schemas.Change{Finished: time.Unix(1e9, 0).UTC()}); err != nil {
					t.Fatal(err)
				}
				if err := l.Seal(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			before := store.Files()
			var taken *manifest.TakenError
			if err := old.Check(t.Context()); !errors.As(err, &taken) || taken.Aggregator.Name != "new" {
				t.Errorf("check: %v, want that new has it", err)
			}
			if err := l.Check(t.Context()); parts < 3 && err != nil {
				t.Errorf("check of the one that has it: %v", err)
			}
			for range 2 {
				var taken *manifest.TakenError
				if err := old.Append(t.Context(), part(1)); !errors.As(err, &taken) || taken.Aggregator.Name != "new" || taken.Term != 2 {
					t.Fatalf("%v, want that new has it", err)
				}
			}
			if !reflect.DeepEqual(store.Files(), before) || len(old.Manifest.Parts) != 1 {
				t.Error("the old one changed something")
			}
			loads(t, store, l, parts+1)
		})
	}
}

// However many believe to be the only one: every part is committed once, by the
// one that had the log then.
func TestManyTakeOneLog(t *testing.T) {
	store, err := blob.New(blob.Options{}).Store(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	create(t, store)
	const want = 40
	var mu sync.Mutex // guards committed
	committed := map[int]int{}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for {
				l, err := manifest.Take(context.Background(), store, fmt.Sprint(i))
				if err != nil {
					t.Error(err)
					return
				}
				for len(l.Manifest.Parts) < want {
					seq := len(l.Manifest.Parts)
					if err = l.Append(context.Background(), part(seq)); err != nil {
						break
					}
					mu.Lock()
					committed[seq]++
					mu.Unlock()
				}
				var taken *manifest.TakenError
				if err == nil {
					return
				}
				if !errors.As(err, &taken) {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	m, err := manifest.Load(t.Context(), store)
	if err != nil || len(m.Parts) != want || len(committed) != want {
		t.Fatalf("%d parts, %d committed, %v; want %d", len(m.Parts), len(committed), err, want)
	}
	for i, p := range m.Parts {
		if p.Seq != i || committed[i] != 1 {
			t.Errorf("part %d stands at place %d, committed %d times", p.Seq, i, committed[i])
		}
	}
}

// A change whose answer was lost is found by writing it again; one that was never
// written is written then.
func TestAppendAgainAfterALostAnswer(t *testing.T) {
	for _, after := range []bool{false, true} {
		for n := int64(1); n <= 3; n++ {
			store := new(blobtest.Memory)
			create(t, store)
			flaky := &lossy{Store: store}
			l := take(t, flaky, "a")
			flaky.n, flaky.after = n, after
			c := part(0)
			first := l.Append(t.Context(), c)
			if err := l.Append(t.Context(), c); first != nil && err != nil {
				t.Fatalf("n=%d after=%v: %v, then %v", n, after, first, err)
			}
			if first == nil {
				continue // the fault hit what came later
			}
			loads(t, store, l, 1)
		}
	}
}

// lossy is a store whose n-th write or look fails, done or not.
type lossy struct {
	blob.Store
	n     int64
	after bool
	ops   atomic.Int64
}

func (s *lossy) fails(op func() error) error {
	if s.n == 0 || s.ops.Add(1) != s.n {
		return op()
	}
	if s.after {
		if err := op(); err != nil {
			return err
		}
	}
	return fmt.Errorf("no answer: %w", blob.ErrTransient)
}

func (s *lossy) CreateNew(ctx context.Context, name string) (*blob.Writer, error) {
	w, err := s.Store.CreateNew(ctx, name)
	if err != nil {
		return nil, err
	}
	return blob.NewWriter(ctx, name, &lossySink{w, s}), nil
}

func (s *lossy) Stat(ctx context.Context, name string) (info blob.Info, err error) {
	err = s.fails(func() (err error) {
		info, err = s.Store.Stat(ctx, name)
		return err
	})
	return info, err
}

type lossySink struct {
	*blob.Writer
	s *lossy
}

func (k *lossySink) Commit() error {
	return k.s.fails(func() error {
		_, err := k.Writer.Commit()
		return err
	})
}

func (k *lossySink) Abort() error { return k.Writer.Close() }

// A log that misses a change is no manifest, and the error says which change that is. Files
// of others are neither read nor deleted.
func TestGap(t *testing.T) {
	store := new(blobtest.Memory)
	create(t, store)
	l := take(t, store, "a")
	for i := range 3 {
		if err := l.Append(t.Context(), part(i)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"0.json", "00000000.json.bak", "notes.txt"} {
		if _, err := blob.WriteAll(t.Context(), store, schemas.CommitsFolder+"/"+name, nil); err != nil {
			t.Fatal(err)
		}
	}
	loads(t, store, l, 3)
	if err := store.Delete(t.Context(), schemas.ChangeName(2)); err != nil {
		t.Fatal(err)
	}
	m, err := manifest.Load(t.Context(), store)
	if err == nil || !strings.Contains(err.Error(), "a change is missing: the folder has commits/00000003.json where commits/00000002.json must be: ") {
		t.Errorf("%+v, %v", m, err)
	}
	if err := l.Append(t.Context(), &schemas.Change{Finished: time.Unix(1e9, 0).UTC()}); err != nil {
		t.Fatal(err)
	}
	if err := l.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(store.Files()); n != 4 {
		t.Errorf("%d files are left, want run.json and the three of others", n)
	}
}

// What a run writes of its manifest grows with the run, not with its square.
func TestManifestCostsWhatItSays(t *testing.T) {
	cost := func(parts int) int64 {
		store := &counting{Store: new(blobtest.Memory)}
		create(t, store)
		l := take(t, store, "a")
		for i := range parts {
			c := part(i)
			for j := range 50 {
				c.Part.Items = append(c.Part.Items, schemas.Commit{ID: schemas.ItemID(fmt.Sprintf("f00000-i%05d", 50*i+j)), Seq: 50*i + j, Next: 1 << 30})
			}
			if err := l.Append(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Append(t.Context(), &schemas.Change{Finished: time.Unix(1e9, 0).UTC()}); err != nil {
			t.Fatal(err)
		}
		if err := l.Seal(t.Context()); err != nil {
			t.Fatal(err)
		}
		return store.written
	}
	n, twice := cost(100), cost(200)
	t.Logf("%d bytes for 100 parts, %d for 200", n, twice)
	if n == 0 || float64(twice) > 2.05*float64(n) {
		t.Errorf("%d bytes for 100 parts, %d for 200", n, twice)
	}
}

// counting counts the bytes that are written.
type counting struct {
	blob.Store
	written int64
}

func (s *counting) Create(ctx context.Context, name string) (*blob.Writer, error) {
	return s.count(ctx, name, s.Store.Create)
}

func (s *counting) CreateNew(ctx context.Context, name string) (*blob.Writer, error) {
	return s.count(ctx, name, s.Store.CreateNew)
}

func (s *counting) count(ctx context.Context, name string, create func(context.Context, string) (*blob.Writer, error)) (*blob.Writer, error) {
	w, err := create(ctx, name)
	if err != nil {
		return nil, err
	}
	return blob.NewWriter(ctx, name, &countingSink{w, s}), nil
}

type countingSink struct {
	*blob.Writer
	s *counting
}

func (k *countingSink) Write(p []byte) (int, error) {
	n, err := k.Writer.Write(p)
	k.s.written += int64(n)
	return n, err
}

func (k *countingSink) Commit() error {
	_, err := k.Writer.Commit()
	return err
}

func (k *countingSink) Abort() error { return k.Writer.Close() }
