package aggregate

import (
	"context"
	"runtime"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/schemas/columnar"
)

// gauge is a Store at whose operations the live heap is looked at: garbage is
// collected first, so that the figure depends on neither time nor luck. Every
// operation counts, be it the only one while a table is merged.
type gauge struct {
	blob.Store
	most uint64
}

func (g *gauge) look() {
	g.most = max(g.most, liveHeap())
}

func liveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func (g *gauge) Open(ctx context.Context, name string) (blob.File, error) {
	g.look()
	return g.Store.Open(ctx, name)
}

func (g *gauge) Create(ctx context.Context, name string) (*blob.Writer, error) {
	inner, err := g.Store.Create(ctx, name)
	if err != nil {
		return nil, err
	}
	return blob.NewWriter(ctx, name, &gaugeSink{inner, g}), nil
}

type gaugeSink struct {
	inner *blob.Writer
	gauge *gauge
}

func (s *gaugeSink) Write(p []byte) (int, error) {
	s.gauge.look()
	return s.inner.Write(p)
}

func (s *gaugeSink) Commit() error {
	s.gauge.look()
	_, err := s.inner.Commit()
	return err
}

func (s *gaugeSink) Abort() error { return s.inner.Close() }

// held is the most that a whole run of so many records has in memory, beyond
// what there was before: one part, sorted in pieces of 250 rows, written in row
// groups of 2000.
func held(t testing.TB, records int) uint64 {
	store, err := blob.New(blob.Options{}).Store(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, 5000, records)
	w.disk = store
	w.begin()
	before := liveHeap()
	g := &gauge{Store: store}
	if _, err := w.aggregate(g, func(o *Options) {
		o.PartRows, o.SortRows, o.layout = 0, 250, columnar.Size{Rows: 2000, Fast: true}
	}); err != nil {
		t.Fatal(err)
	}
	runtime.KeepAlive(w)
	return g.most - min(before, g.most)
}

// Four times the pages are sorted, merged and counted in the memory of one time:
// what is open of a table is bounded, not one batch of columns per piece.
func TestMemoryDoesNotGrowWithPages(t *testing.T) {
	if testing.Short() {
		t.Skip("counts the memory of thousands of pages")
	}
	const records, slack = 1500, 2 << 20
	held(t, records) // what is made once
	one, four := held(t, records), held(t, 4*records)
	if four > one+one/4+slack {
		t.Errorf("%d kB are held for %d records, %d kB for four times as many", one>>10, records, four>>10)
	}
}

// go test -run '^$' -bench Memory -benchtime 1x ./pipeline/aggregate
//
// BenchmarkMemory is the live heap of a run of 3,000 records and of one of
// 12,000, at its highest. The ratio is the promise: what is more is that of
// fanIn open pieces to some generations of them. With pieces that were files of
// columns, 2,500 records took 4 MB and 10,000 took 190.
func BenchmarkMemory(b *testing.B) {
	var one, four uint64
	for b.Loop() {
		one, four = max(one, held(b, 3000)), max(four, held(b, 12_000))
	}
	b.ReportMetric(float64(one)/(1<<20), "live-MB-1x")
	b.ReportMetric(float64(four)/(1<<20), "live-MB-4x")
	b.ReportMetric(float64(four)/float64(one), "4x/1x")
}
