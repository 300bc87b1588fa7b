package commit

import (
	"runtime"
	"testing"
	"time"

	"github.com/winnow/winnow/schemas/columnar"
)

// go test -run '^$' -bench . -benchtime 3x ./pipeline/commit
//
// BenchmarkRun is a whole run of 14,000 pages with two extractors and two scorers
// in items of 2000 records: shards to parts to tables. heap-MB is the most that
// the heap grew, garbage included.
func BenchmarkRun(b *testing.B) {
	base := newWorld(b, 20_000, 20_000).begin()
	var rows int64
	var grown uint64
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		w := base.clone()
		for _, rep := range w.log {
			for _, s := range rep.Done.Shards {
				rows += s.Rows
			}
		}
		peak := watchHeap()
		b.StartTimer()
		_, err := w.aggregate(w.store, func(o *Options) { o.layout, o.PartRows, o.SortRows = columnar.PartSize, 0, 0 })
		if err != nil {
			b.Fatal(err)
		}
		grown = max(grown, peak())
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64(grown)/(1<<20), "heap-MB")
}

// watchHeap looks at the heap until the function it returns is called, which
// tells how far it grew.
func watchHeap() func() uint64 {
	runtime.GC()
	read := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	first, peak := read(), make(chan uint64)
	stop := make(chan struct{})
	go func() {
		most := first
		for {
			select {
			case <-stop:
				peak <- most - first
				return
			case <-time.After(10 * time.Millisecond):
				most = max(most, read())
			}
		}
	}()
	return func() uint64 { close(stop); return <-peak }
}
