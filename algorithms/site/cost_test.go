package site_test

import (
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/suite"
)

// BenchmarkPortals measures what cleaning a page of the four real sites costs
// beside parsing it, for each method: "table" is the node table that all methods,
// page-level ones too, share; "first" is what the first site-level method of a page
// takes, its tree, labels and words included; "apply" is the method alone. 1 is the
// time of one parse of the same pages. Each page counts with its best of several
// turns, so that the figures are usable on a busy machine.
//
//	WINNOW_SHARED=… go test ./algorithms/site -run '^$' -bench Portals
func BenchmarkPortals(b *testing.B) {
	sites := portals(b)
	for _, e := range suite.Extractors() {
		if e.Scope() == algorithms.SiteScope {
			b.Run(e.Name, func(b *testing.B) { costOnPortals(b, e, sites) })
		}
	}
}

func costOnPortals(b *testing.B, e *algorithms.Extractor, sites map[string][]portal) {
	learned := map[string]*algotest.Template{}
	for name, pages := range sites {
		var sample []algotest.SitePage
		for _, p := range pages {
			sample = append(sample, p.SitePage)
		}
		learned[name] = algotest.Learn(b, e, sample)
	}
	var sum cost
	for b.Loop() {
		for name, pages := range sites {
			for _, p := range pages {
				c := costOf(b, e, learned[name], p.SitePage)
				sum.parse, sum.table = sum.parse+c.parse, sum.table+c.table
				sum.first, sum.apply = sum.first+c.first, sum.apply+c.apply
			}
		}
	}
	b.ReportMetric(float64(sum.table)/float64(sum.parse), "table/parse")
	b.ReportMetric(float64(sum.first)/float64(sum.parse), "first/parse")
	b.ReportMetric(float64(sum.apply)/float64(sum.parse), "apply/parse")
}

type cost struct{ parse, table, first, apply time.Duration }

// costOf is the best of a few turns over one page.
func costOf(b *testing.B, e *algorithms.Extractor, l *algotest.Template, p algotest.SitePage) cost {
	const turns = 7
	var (
		pg   page.Page
		pass algorithms.Pass
		best cost
		src  = []byte(p.HTML)
		t    = algorithms.Template{Value: l.Value, Ranks: l.Ranks, Page: -1}
	)
	run := func() {
		pass.Template = &t
		if err := e.Run(&pass); err != nil {
			b.Fatal(err)
		}
	}
	for turn := range turns {
		began := time.Now()
		pg.Parse(src, page.Options{})
		parsed := time.Now()
		pass.Reset(&pg, p.URL)
		tabled := time.Now()
		run()
		first := time.Now()
		pass.Clear()
		again := time.Now()
		run()
		now := cost{parsed.Sub(began), tabled.Sub(parsed), first.Sub(tabled), time.Since(again)}
		if turn == 0 {
			best = now
		}
		best = cost{
			min(best.parse, now.parse), min(best.table, now.table),
			min(best.first, now.first), min(best.apply, now.apply),
		}
	}
	return best
}
