package winnow

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// pages returns the HTML files of the folder WINNOW_PAGES, at most 150 of them. Without
// that variable it returns one generated page.
func pages(b *testing.B) (all [][]byte) {
	names, err := filepath.Glob(filepath.Join(os.Getenv("WINNOW_PAGES"), "*.html"))
	if err != nil {
		b.Fatal(err)
	}
	for i := range min(150, len(names)) {
		src, err := os.ReadFile(names[i*len(names)/min(150, len(names))])
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, src)
	}
	if len(all) == 0 {
		all = append(all, []byte(article))
	}
	return all
}

// BenchmarkStages times the stages of a page: the parse, the node tables, the features
// and the answer, each together with all stages before it. It reports processor time.
//
//	WINNOW_PAGES=wcxb-dev go test -bench Stages ./algorithms/extract/winnow
func BenchmarkStages(b *testing.B) {
	all := pages(b)
	size := 0
	for _, src := range all {
		size += len(src)
	}
	var pg page.Page
	var pass algorithms.Pass
	var s state
	for _, stage := range []struct {
		name string
		do   func(src []byte)
	}{
		{"parse", func(src []byte) { pg.Parse(src, page.Options{}) }},
		{"body", func(src []byte) { pg.Parse(src, page.Options{}); pg.Body() }},
		{"features", func(src []byte) { pg.Parse(src, page.Options{}); pg.Body(); s.blocks.Fill(&pg, "") }},
		{"answer", func(src []byte) {
			pg.Parse(src, page.Options{})
			pass.Reset(&pg, "")
			if err := Extractor.Run(&pass); err != nil {
				b.Fatal(err)
			}
		}},
	} {
		b.Run(stage.name, func(b *testing.B) {
			runtime.GC() // so that no stage pays for the garbage of the one before
			b.ReportAllocs()
			began := processor()
			for range b.N {
				for _, src := range all {
					stage.do(src)
				}
			}
			spent := processor() - began
			b.ReportMetric(float64(spent.Microseconds())/float64(b.N*len(all)), "cpu-µs/page")
			b.ReportMetric(float64(size)*float64(b.N)/1e6/spent.Seconds(), "MB/cpu-s")
			b.ReportMetric(0, "ns/op") // leaves out the wall time, which depends on the load of the machine
		})
	}
}
