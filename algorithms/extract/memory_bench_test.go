package extract_test

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/page/worst"
	"github.com/winnow/winnow/algorithms/suite"
)

// BenchmarkMemory is the memory of one slot of a worker, without the page's source:
// the most that is held while a page is parsed, all its columns are made and all own
// page-level methods run, over every kind of page in package worst, at the size of
// the largest page that a worker takes. It reports
//
//	peak-MB   at any moment, by a sampler; up to a tenth of it is garbage
//	kept-MB   when the page is done and the next, a small one, has been read
//
// deploy/README.md states the bound of a slot, which is the largest of them.
//
//	go test ./algorithms/extract -run '^$' -bench Memory -benchtime 1x -timeout 1h
func BenchmarkMemory(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	for _, mib := range []int{1, 4, 16} {
		for _, w := range worst.Pages {
			b.Run(fmt.Sprintf("mib=%d/page=%s", mib, strings.ReplaceAll(w.Name, " ", "-")), func(b *testing.B) {
				src := []byte(w.Make(mib << 20))
				for b.Loop() {
					peak, kept := memoryOf(b, src)
					b.ReportMetric(float64(peak)/1e6, "peak-MB")
					b.ReportMetric(float64(kept)/1e6, "kept-MB")
				}
			})
		}
	}
}

// memoryOf runs all own page-level methods on src and returns the most memory that
// they took and what is kept of it for pages to come.
func memoryOf(tb testing.TB, src []byte) (peak, kept int64) {
	tb.Helper()
	var own []*algorithms.Extractor
	for _, e := range suite.Extractors() {
		if e.Run != nil && e.Scope() == algorithms.PageScope {
			own = append(own, e)
		}
	}
	runtime.GC()
	before := objects()
	d, err := driver.New(driver.Config{Extractors: own, SuperlinearBytes: 1 << 30})
	if err != nil {
		tb.Fatal(err)
	}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			peak = max(peak, objects()-before)
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	for _, html := range [][]byte{src, []byte("<p>small</p>")} {
		if _, err := d.Page(context.Background(), driver.Input{HTML: html}); err != nil {
			tb.Fatal(err)
		}
	}
	close(stop)
	<-done
	runtime.GC()
	kept = objects() - before
	runtime.KeepAlive(d)
	return peak, kept
}

// objects is the memory of all objects, garbage included.
func objects() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
