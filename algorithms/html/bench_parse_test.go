package html

import (
	"slices"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms/internal/testpages"
)

// decodedPages reads the first pages of a package, at most max bytes of them.
func decodedPages(b testing.TB, name string, max int) (pages [][]byte) {
	size := 0
	testpages.EachOfPackage(b, name, func(id string, src []byte) bool {
		pages = append(pages, append([]byte(nil), src...))
		size += len(src)
		return size < max
	})
	return pages
}

// BenchmarkTwin parses the pages of each package with the twin and with Document in
// turns, page by page, so that other work on the machine slows both equally. It reports
// the speed of each, and the median over the rounds of the ratio of the speeds ("times").
//
//	WINNOW_SHARED=… go test -run '^$' -bench 'Twin' -benchtime 7x -cpu 1
func BenchmarkTwin(b *testing.B) {
	for _, name := range testpages.Packages {
		b.Run("package="+name, func(b *testing.B) {
			pages := decodedPages(b, name, 24<<20)
			bytes := float64(testpages.Size(pages))
			var p Document
			var ratios []float64
			var twins, ours time.Duration
			for b.Loop() {
				var theirs, mine time.Duration
				for _, src := range pages {
					start := time.Now()
					twin(src)
					middle := time.Now()
					p.Parse(src, Bounds{})
					theirs += middle.Sub(start)
					mine += time.Since(middle)
				}
				ratios = append(ratios, theirs.Seconds()/mine.Seconds())
				twins += theirs
				ours += mine
			}
			slices.Sort(ratios)
			rounds := float64(len(ratios))
			b.ReportMetric(ratios[len(ratios)/2], "times")
			b.ReportMetric(bytes*rounds/twins.Seconds()/1e6, "net-MB/s")
			b.ReportMetric(bytes*rounds/ours.Seconds()/1e6, "page-MB/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}
