package extract_test

import (
	"bytes"
	"context"
	"slices"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/suite"
)

// BenchmarkWhole measures parse, features and extraction together, page by page
// in turns, so that a busy machine slows all alike. The metrics are ratios of
// one run:
//
//	parse-x        of this method to html.Parse alone, in speed
//
// "all" is every page-level method of our own in one pass. "20th" is what the
// last of twenty methods adds to a pass, over the time it says it took.
//
//	WINNOW_SHARED=… go test ./algorithms/extract -run '^$' -bench Whole -benchtime 1x -cpu 1 -timeout 1h
func BenchmarkWhole(b *testing.B) {
	b.Run("pages=generated", func(b *testing.B) {
		docs := make([][]byte, 50)
		for i := range docs {
			docs[i] = []byte(algotest.Random(uint64(i)))
		}
		benchmarkWhole(b, docs)
	})
	b.Run("pages=wcxb", func(b *testing.B) {
		if testing.Short() {
			b.Skip("every extractor runs on 97 real pages twice: not in short mode")
		}
		var docs [][]byte
		for i, d := range readPackage(b, "wcxb-dev", 0) {
			if i%14 == 0 { // 97 pages of all types
				docs = append(docs, d.html)
			}
		}
		benchmarkWhole(b, docs)
	})
}

// contestant is something that is timed on every page.
type contestant struct {
	name string
	run  func(src []byte)
	took time.Duration
}

func benchmarkWhole(b *testing.B, docs [][]byte) {
	const address = "http://example.org/"
	var own []*algorithms.Extractor
	for _, e := range suite.Extractors() {
		if e.Run != nil && e.Scope() == algorithms.PageScope {
			own = append(own, e)
		}
	}
	var marginal int64 // time of the 20th method, as the driver measures it
	pass := func(name string, methods []*algorithms.Extractor, last *int64) *contestant {
		d, err := driver.New(driver.Config{Extractors: methods})
		if err != nil {
			b.Fatal(err)
		}
		return &contestant{name: name, run: func(src []byte) {
			r, err := d.Page(context.Background(), driver.Input{HTML: src, URL: address})
			if err != nil {
				b.Fatal(err)
			}
			if last != nil {
				*last += r.Extractions[len(r.Extractions)-1].ExtractNS
			}
		}}
	}
	parse := &contestant{name: "html.Parse", run: func(src []byte) {
		if _, err := html.Parse(bytes.NewReader(src)); err != nil {
			b.Fatal(err)
		}
	}}
	all := pass("all", own, nil)
	nineteen := pass("19 methods", own[:19], nil)
	twenty := pass("20 methods", own[:20], &marginal)
	contestants := []*contestant{parse, all, nineteen, twenty}
	for _, e := range own {
		contestants = append(contestants, pass(e.Name, []*algorithms.Extractor{e}, nil))
	}
	size := int64(0)
	for _, src := range docs {
		size += int64(len(src))
	}
	for _, c := range contestants { // first pages grow buffers and load tables
		for _, src := range docs[:min(len(docs), 5)] {
			c.run(src)
		}
		c.took = 0
	}
	marginal = 0
	rounds := 0
	measure := func() {
		for _, src := range docs {
			for _, c := range contestants {
				began := time.Now()
				c.run(src)
				c.took += time.Since(began)
			}
		}
		rounds++
	}
	measure() // even if only some of the methods below are asked for
	report := func(c *contestant) {
		b.Run("method="+c.name, func(b *testing.B) {
			for b.Loop() { // the contestants must take turns, so there is nothing to repeat here
			}
			ratio := func(to *contestant) float64 { return to.took.Seconds() / c.took.Seconds() }
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(size)*float64(rounds)/1e6/c.took.Seconds(), "MB/s")
			b.ReportMetric(ratio(parse), "parse-x")
		})
	}
	named := contestants[4:]
	slices.SortStableFunc(named, func(x, y *contestant) int { return int(x.took - y.took) })
	for _, c := range contestants[:2] {
		report(c)
	}
	for _, c := range named {
		report(c)
	}
	b.Run("method=20th", func(b *testing.B) {
		for b.Loop() {
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric((twenty.took-nineteen.took).Seconds()*1e9/float64(marginal), "of-its-own-time")
		b.ReportMetric(float64(marginal)/float64(twenty.took.Nanoseconds()), "of-the-pass")
	})
}
