package algotest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// BenchmarkSite measures a site-level extractor on a site whose pages have about 800
// nodes. "apply" is a run on a page whose shared features were computed before. "first"
// is a run that has to compute them, as the first site-level extractor of a page does.
// Both report their time as a multiple of that of parsing the same page (parses/page).
// "learn" is sketching and folding samples of growing size. It reports the time for
// each page, which must not grow with the number of pages.
func BenchmarkSite(b *testing.B, e *algorithms.Extractor) {
	l := Learn(b, e, largeSite(12))
	p := largeSite(13)[12]
	var pg page.Page
	const parses = 200
	pg.Parse([]byte(p.HTML), page.Options{})
	began := time.Now()
	for range parses {
		pg.Parse([]byte(p.HTML), page.Options{})
	}
	parse := float64(time.Since(began).Nanoseconds()) / parses
	pg.Body()
	var pass algorithms.Pass
	run := func(b *testing.B, reset bool) {
		pass.Reset(&pg, p.URL)
		b.SetBytes(int64(len(p.HTML)))
		b.ReportAllocs()
		for b.Loop() {
			if reset {
				pass.Reset(&pg, p.URL)
			}
			pass.Clear()
			pass.Template = &algorithms.Template{Value: l.Value, Ranks: l.Ranks, Page: -1}
			if err := e.Run(&pass); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/parse, "parses/page")
	}
	b.Run("apply", func(b *testing.B) { run(b, false) })
	b.Run("first", func(b *testing.B) { run(b, true) })
	for _, n := range []int{6, 24, 64} {
		b.Run(fmt.Sprintf("learn/pages=%d", n), func(b *testing.B) {
			site := largeSite(n)
			for b.Loop() {
				s := SampleOf(b, e, site)
				if _, err := e.Learn.Finish(s); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/page")
		})
	}
}

// largeSite returns n pages with a menu of 80 links, teasers that vary between pages,
// an article and a foot.
func largeSite(n int) []SitePage {
	var out []SitePage
	for i := range n {
		var h strings.Builder
		h.WriteString("<html><head><title>t</title></head><body><div id=head class='wide top'><ul>")
		for j := range 80 {
			fmt.Fprintf(&h, "<li class=item><a href=/p%d title='go there'>Menu entry %d</a></li>\n", j, j)
		}
		h.WriteString("</ul></div>\n<div id=main class=main>")
		for j := range 40 {
			fmt.Fprintf(&h, "<p>Paragraph %d of page %d has <b>words</b> of <a href=/x%d-%d>its own</a>, and some that all have.</p>\n", j, i, i, j)
		}
		h.WriteString("</div>\n<div class=side>")
		for j := range 60 {
			fmt.Fprintf(&h, "<div class=teaser><h3>Teaser %d</h3><p>What it says <span>in short</span></p></div>\n", (i*7+j)%90)
		}
		h.WriteString("</div><div id=foot><p>All rights reserved</p></div></body></html>")
		out = append(out, SitePage{URL: fmt.Sprintf("http://large.example/p%d", i), HTML: h.String(), Rank: uint64(i + 1)})
	}
	return out
}
