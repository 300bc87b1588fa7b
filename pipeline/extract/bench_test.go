package extract

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/suite"
)

// BenchmarkConsensus is the comparison of all our own page-level extractors on
// one page, as a share of running them. WINNOW_PAGE names another page.
//
//	go test -run - -bench Consensus ./pipeline/extract
func BenchmarkConsensus(b *testing.B) {
	name := os.Getenv("WINNOW_PAGE")
	if name == "" {
		name = "../../examples/page.html"
	}
	html, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	var own []*algorithms.Extractor
	for _, e := range suite.Extractors() {
		if e.Learn == nil {
			own = append(own, e)
		}
	}
	d, err := driver.New(driver.Config{Extractors: own})
	if err != nil {
		b.Fatal(err)
	}
	c := newConsensus(own)
	var extracting, comparing time.Duration
	for b.Loop() {
		t0 := time.Now()
		res, err := d.Page(b.Context(), driver.Input{HTML: html, URL: "http://a.example/"})
		if err != nil {
			b.Fatal(err)
		}
		t1 := time.Now()
		c.page("p", res)
		extracting += t1.Sub(t0)
		comparing += time.Since(t1)
	}
	b.ReportMetric(float64(len(own)), "extractors")
	b.ReportMetric(float64(comparing.Microseconds())/float64(b.N), "compare-µs/op")
	b.ReportMetric(100*comparing.Seconds()/extracting.Seconds(), "share-%")
	if b.N > 0 && len(c.sums) != 1 {
		b.Fatal(fmt.Sprint(len(c.sums), " packages"))
	}
}
