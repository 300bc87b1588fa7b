package extract_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// shapes are pages of n parts on which one pass too many inside another shows.
var shapes = map[string]func(n int) string{
	"paragraphs": func(n int) string { return strings.Repeat("<p>some words of a paragraph</p>\n", n) },
	"words":      func(n int) string { return "<p>" + strings.Repeat("word ", n) },
	"links":      func(n int) string { return strings.Repeat("<a href=/x>link</a> ", n) },
	"list":       func(n int) string { return "<ul>" + strings.Repeat("<li><a href=/x>link</a>\n", n) + "</ul>" },
	"nested": func(n int) string {
		return strings.Repeat(strings.Repeat("<div>a ", 200)+strings.Repeat("</div>", 200)+"\n", n/200+1)
	},
	"nested-tables": func(n int) string {
		return strings.Repeat(strings.Repeat("<table><tr><td>", 60)+"x"+strings.Repeat("</table>", 60), n/60+1)
	},
	"menus-in-menus": func(n int) string {
		return strings.Repeat(strings.Repeat("<div>a<a href=/>b</a><a href=/>c</a>", 200)+strings.Repeat("</div>", 200), n/200+1)
	},
	"fragments": func(n int) string { return strings.Repeat("<b>a</b>\n<i>b</i>", n) },
	"lengths": func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<p>%s</p>", strings.Repeat("x", i%300))
		}
		return b.String()
	},
}

// BenchmarkGrowth runs every method on pages of 1000 and of 64 times as many
// parts and reports "growth": the time of the large page over 64 times that of
// the small one. Linear methods have a few, because large pages leave the caches;
// a quadratic one has 64.
//
//	go test ./algorithms/extract -run '^$' -bench Growth -benchtime 3x -cpu 1
func BenchmarkGrowth(b *testing.B) {
	const parts, factor = 1000, 64
	for shape, make := range shapes {
		var pages [2]page.Page
		var passes [2]algorithms.Pass
		for i, n := range []int{parts, parts * factor} {
			pages[i].Parse([]byte("<body>"+make(n)), page.Options{})
			pages[i].Tokens()
		}
		for _, c := range conformance {
			for _, name := range strings.Fields(c.names) {
				e := find(b, name)
				b.Run(fmt.Sprintf("shape=%s/method=%s", shape, strings.ReplaceAll(name, "=", "~")), func(b *testing.B) {
					var small, large time.Duration
					for b.Loop() {
						small += fastest(b, e, &passes[0], &pages[0])
						large += fastest(b, e, &passes[1], &pages[1])
					}
					b.ReportMetric(float64(large)/float64(factor*small), "growth")
				})
			}
		}
	}
}

// fastest is the least time of three runs with their features.
func fastest(b *testing.B, e *algorithms.Extractor, p *algorithms.Pass, pg *page.Page) time.Duration {
	b.Helper()
	least := time.Hour
	for range 3 {
		p.Reset(pg, "")
		began := time.Now()
		if err := e.Run(p); err != nil {
			b.Fatal(err)
		}
		least = min(least, time.Since(began))
	}
	return least
}
