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

// TestCost runs every method on pages of 1000 and of 64 times as many parts.
// Caches and neighbours on the machine may make that cost several times 64 times
// as much; a quadratic method costs 4096 times as much.
func TestCost(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	const parts, factor, limit = 1000, 64, 1000
	for shape, make := range shapes {
		var pages [2]page.Page
		var passes [2]algorithms.Pass
		for i, n := range []int{parts, parts * factor} {
			pages[i].Parse([]byte("<body>"+make(n)), page.Options{})
			passes[i].Reset(&pages[i], "")
			pages[i].Tokens()
		}
		for _, c := range conformance {
			for _, name := range strings.Fields(c.names) {
				e := find(t, name)
				small, large := fastest(t, e, &passes[0], &pages[0], 5), fastest(t, e, &passes[1], &pages[1], 1)
				if large > limit*small { // once more, before it is said
					large = fastest(t, e, &passes[1], &pages[1], 3)
				}
				if large > limit*small {
					t.Errorf("%s on %s: %v, and %v on %d times as much", name, shape, small, large, factor)
				}
			}
		}
	}
}

// fastest is the least time of a run with its features.
func fastest(t *testing.T, e *algorithms.Extractor, p *algorithms.Pass, pg *page.Page, runs int) time.Duration {
	t.Helper()
	least := time.Hour
	for range runs {
		p.Reset(pg, "")
		began := time.Now()
		if err := e.Run(p); err != nil {
			t.Fatal(err)
		}
		least = min(least, time.Since(began))
	}
	return least
}
