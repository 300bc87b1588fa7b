package extract_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/html/worst"
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
// deploy/README.md states the bound of a slot, which is the largest of them. Pages are
// of 64 KiB (4 KiB in short mode), unless WINNOW_BENCH_MIB names sizes: those of 16 MiB
// take half an hour.
//
//	WINNOW_BENCH_MIB=1,4,16 go test ./algorithms/extract -run '^$' -bench Memory -benchtime 1x -timeout 1h
func BenchmarkMemory(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	sizes := map[string]int{"64KiB": 64 << 10}
	if testing.Short() {
		sizes = map[string]int{"4KiB": 4 << 10}
	}
	if mib := os.Getenv("WINNOW_BENCH_MIB"); mib != "" {
		sizes = make(map[string]int)
		for size := range strings.SplitSeq(mib, ",") {
			n, err := strconv.Atoi(size)
			if err != nil {
				b.Fatalf("WINNOW_BENCH_MIB: %v", err)
			}
			sizes[size+"MiB"] = n << 20
		}
	}
	for _, size := range slices.Sorted(maps.Keys(sizes)) {
		for _, w := range worst.Pages {
			b.Run(fmt.Sprintf("size=%s/page=%s", size, strings.ReplaceAll(w.Name, " ", "-")), func(b *testing.B) {
				src := []byte(w.Make(sizes[size]))
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
	before := algotest.Objects()
	d, err := driver.New(driver.Config{Extractors: own, SuperlinearBytes: 1 << 30})
	if err != nil {
		tb.Fatal(err)
	}
	peak = algotest.Peak(func() {
		for _, html := range [][]byte{src, []byte("<p>small</p>")} {
			if _, err := d.Page(context.Background(), driver.Input{HTML: html}); err != nil {
				tb.Fatal(err)
			}
		}
	})
	runtime.GC()
	kept = algotest.Objects() - before
	runtime.KeepAlive(d)
	return peak, kept
}
