package score_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/suite"
)

// BenchmarkCost compares the cost of scoring with that of extracting, on pages of a
// gold package: it runs all own extractors and then all scorers, as a run does. A
// result that several scorers share is charged to the first of them. Both costs are
// processor time of one thread if the system reports it. The benchmark logs a table
// (with -v). Pages are taken evenly over the package.
//
//	WINNOW_SHARED=... go test ./algorithms/score -run '^$' -bench Cost -benchtime 2x -v
func BenchmarkCost(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	pages := goldPages(b, "wcxb-dev", 25)
	c := newCosts()
	d, err := driver.New(driver.Config{Extractors: ownExtractors(), Scorers: c.scorers(), MethodTime: -1})
	if err != nil {
		b.Fatal(err)
	}
	without, err := driver.New(driver.Config{Extractors: ownExtractors(), MethodTime: -1})
	if err != nil {
		b.Fatal(err)
	}
	run := func() {
		for i := range pages {
			began := thread()
			if _, err := without.Page(context.Background(), pages[i]); err != nil {
				b.Fatal(err)
			}
			c.extract += thread() - began
			r, err := d.Page(context.Background(), pages[i])
			if err != nil {
				b.Fatal(err)
			}
			c.add(r)
		}
	}
	run() // memory
	c.clear()
	for b.Loop() {
		run()
	}
	b.ReportMetric(float64(c.extract)/float64(c.pages), "extract-ns/page")
	b.ReportMetric(float64(c.scoring())/float64(c.pages), "score-ns/page")
	b.ReportMetric(float64(c.scoring())/float64(c.extract), "score/extract")
	b.Log(c.table())
}

// ownExtractors returns the extractors that need no other pages of a site, and whose members
// do not need them either.
func ownExtractors() []*algorithms.Extractor {
	return slices.DeleteFunc(suite.Extractors(), func(e *algorithms.Extractor) bool {
		return slices.ContainsFunc(algorithms.WithMembers([]*algorithms.Extractor{e}), func(x *algorithms.Extractor) bool {
			return x.Learn != nil
		})
	})
}

// goldPages returns every n-th page of a package, with its gold.
func goldPages(tb testing.TB, name string, n int) []driver.Input {
	tb.Helper()
	if os.Getenv("WINNOW_SHARED") == "" {
		tb.Skip("WINNOW_SHARED is not set: no gold packages")
	}
	var pages []driver.Input
	for _, p := range algotest.RealPages(tb, n, name) {
		pages = append(pages, driver.Input{HTML: []byte(p.HTML), Gold: &driver.Gold{Text: p.Gold, With: p.With, Without: p.Without}})
	}
	return pages
}

// costs are sums over pages.
type costs struct {
	pages, different int
	extract          time.Duration   // all work for a page except scoring
	spent            []time.Duration // by scorer
	names            []string
}

func newCosts() *costs {
	c := new(costs)
	for _, s := range suite.Scorers() {
		c.names = append(c.names, s.Name)
	}
	c.clear()
	return c
}

func (c *costs) clear() {
	*c = costs{names: c.names, spent: make([]time.Duration, len(c.names))}
}

// scorers are those of the suite with a clock.
func (c *costs) scorers() []*algorithms.Scorer {
	var timed []*algorithms.Scorer
	for i, s := range suite.Scorers() {
		s, score := *s, s.Score
		s.Score = func(t *algorithms.Trial) algorithms.Score {
			began := thread()
			defer func() { c.spent[i] += thread() - began }()
			return score(t)
		}
		timed = append(timed, &s)
	}
	return timed
}

func (c *costs) add(r *driver.Result) {
	c.pages++
	texts := make(map[string]bool)
	for i := range r.Extractions {
		texts[string(r.Extractions[i].Text)] = true
	}
	c.different += len(texts)
}

func (c *costs) scoring() (sum time.Duration) {
	for _, ns := range c.spent {
		sum += ns
	}
	return sum
}

func (c *costs) table() string {
	var b strings.Builder
	row := func(name string, spent time.Duration) {
		fmt.Fprintf(&b, "%-22s %12.1f µs/page %7.1f %%\n", name, float64(spent)/1e3/float64(c.pages), 100*float64(spent)/float64(c.extract))
	}
	fmt.Fprintf(&b, "%d pages, %.1f different texts a page\n", c.pages, float64(c.different)/float64(c.pages))
	row("all extraction", c.extract)
	order := make([]int, len(c.names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(c.spent[j], c.spent[i]) })
	for _, i := range order {
		row(c.names[i], c.spent[i])
	}
	row("all measures", c.scoring())
	return b.String()
}
