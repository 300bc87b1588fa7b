package commit

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// gauge is a Store at whose operations the live heap is looked at: garbage is
// collected first, so that the figure depends on neither time nor luck. Every
// operation counts, be it the only one while a table is merged.
type gauge struct {
	blob.Store
	most uint64
}

func (g *gauge) measure() {
	g.most = max(g.most, liveHeap())
}

func liveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func (g *gauge) Open(ctx context.Context, name string) (blob.File, error) {
	g.measure()
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
	s.gauge.measure()
	return s.inner.Write(p)
}

func (s *gaugeSink) Commit() error {
	s.gauge.measure()
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
	again(t, func() string {
		one, four := held(t, records), held(t, 4*records)
		if four <= one+one/4+slack {
			return ""
		}
		return fmt.Sprintf("%d kB are held for %d records, %d kB for four times as many", one>>10, records, four>>10)
	})
}

// perFile is the live heap, at its highest, that a file of one page adds to a run
// in which every file is a package: the difference between two runs.
func perFile(t testing.TB, few, many int) int64 {
	measure := func(files int) uint64 {
		records := make([]int, files)
		for i := range records {
			records[i] = 1
		}
		w := newWorld(t, 5000, records...)
		w.byFile = true
		w.run.Recipe.Extractors, w.run.Recipe.Scorers, w.run.Recipe.Texts = w.run.Recipe.Extractors[:1], nil, ""
		w.begin()
		messages := make([][]byte, len(w.log))
		for i := range w.log {
			messages[i] = mustJSON(w.log[i].Done)
		}
		w.log = nil
		before := liveHeap()
		g := &rareGauge{gauge{Store: w.store}, files / 8, 0}
		if _, err := w.aggregate(g, func(o *Options) {
			o.Broker, o.PartRows, o.SortRows = &messageBroker{broker{w}, messages}, 0, 250
		}); err != nil {
			t.Fatal(err)
		}
		return g.most - min(before, g.most)
	}
	measure(few) // what is made once
	return (int64(measure(many)) - int64(measure(few))) / int64(many-few)
}

// rareGauge looks at the heap every so many operations.
type rareGauge struct {
	gauge
	every, ops int
}

func (g *rareGauge) tick() {
	if g.ops++; g.ops%g.every == 0 {
		g.measure()
	}
}

func (g *rareGauge) Open(ctx context.Context, name string) (blob.File, error) {
	g.tick()
	return g.Store.Open(ctx, name)
}

func (g *rareGauge) Create(ctx context.Context, name string) (*blob.Writer, error) {
	g.measure()
	return g.Store.Create(ctx, name)
}

func (g *rareGauge) Delete(ctx context.Context, name string) error {
	g.tick()
	return g.Store.Delete(ctx, name)
}

// messageBroker hands over reports that it holds as the messages they came in.
type messageBroker struct {
	broker
	messages [][]byte
}

func (b *messageBroker) Reports(context.Context) (Reports, error) {
	return &messageReader{b.messages}, nil
}

type messageReader struct{ left [][]byte }

func (r *messageReader) Next(ctx context.Context) (queue.Report, error) {
	if len(r.left) == 0 {
		<-ctx.Done()
		return queue.Report{}, ctx.Err()
	}
	d, err := schemas.DecodeDone(r.left[0])
	r.left = r.left[1:]
	return queue.Report{Done: d, Refused: err}, nil
}

func (r *messageReader) Close() {}

// A hundred thousand files of one page each fit into the memory that the aggregator
// is given in deploy.
func TestMemoryPerFile(t *testing.T) {
	if testing.Short() {
		t.Skip("aggregates thousands of files")
	}
	again(t, func() string {
		if n := perFile(t, 200, 800); n > 4500 {
			return fmt.Sprintf("a file of one page adds %d bytes of live heap", n)
		}
		return ""
	})
}

// again measures up to three times until there is nothing to complain about: the heap also
// has what the end of an earlier test still holds, so a single figure can only be too high.
func again(t *testing.T, measure func() (complaint string)) {
	t.Helper()
	for range 3 {
		complaint := measure()
		if complaint == "" {
			return
		}
		t.Log(complaint)
	}
	t.Error("three times")
}

// go test -run '^$' -bench Memory -benchtime 1x ./pipeline/commit
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

// BenchmarkFiles is what a file of one page adds to the live heap of a run in which
// every file is a package.
func BenchmarkFiles(b *testing.B) {
	n := int64(0)
	for b.Loop() {
		n = max(n, perFile(b, 300, 1500))
	}
	b.ReportMetric(float64(n), "live-B/file")
}
