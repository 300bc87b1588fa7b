package algotest

import (
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/page"
)

// BenchmarkFact measures a fact beside the parse, page by page in one run, by the
// shortest times of each page because other work may interrupt both, and reports
// the share of the parse that the fact takes (%-of-parse). The pages are those
// of RealPages. A fact of the text is found in the whole text
// of the page. What facts share is computed again on every page.
func BenchmarkFact(b *testing.B, f *fact.Fact) {
	var pages []string
	every, pkg := 15, "wcxb-dev"
	if testing.Short() { // a smaller package is unpacked sooner; its figures are of other pages
		every, pkg = 2, "readability"
	}
	for _, p := range RealPages(b, every, pkg) {
		pages = append(pages, p.HTML)
	}
	for name, finder := range map[string]*fact.Finder{"page": f.Page, "text": f.Text} {
		if finder == nil {
			continue
		}
		b.Run("of="+name, func(b *testing.B) {
			var p page.Page
			var pass algorithms.Pass
			var links fact.Links
			out := make([]fact.Value, len(finder.Columns))
			parsing, finding := make([]time.Duration, len(pages)), make([]time.Duration, len(pages)) // the shortest of each page
			bytes := 0
			for _, html := range pages {
				bytes += len(html)
			}
			shortest := func(d *time.Duration, took time.Duration) {
				if *d == 0 || took < *d {
					*d = took
				}
			}
			for b.Loop() {
				for i, html := range pages {
					began := time.Now()
					p.Parse([]byte(html), page.Options{})
					pass.Reset(&p, "http://example.org/")
					parsed := time.Now()
					clear(out)
					s := fact.Subject{Pass: &pass, Out: out, Links: &links}
					if finder == f.Text {
						s.Text = pass.Body.Text
					}
					if err := finder.Find(&s); err != nil {
						b.Fatal(err)
					}
					shortest(&finding[i], time.Since(parsed))
					shortest(&parsing[i], parsed.Sub(began))
				}
			}
			var parse, find time.Duration
			for i := range pages {
				parse, find = parse+parsing[i], find+finding[i]
			}
			b.ReportMetric(100*find.Seconds()/parse.Seconds(), "%-of-parse")
			b.ReportMetric(float64(bytes)/1e6/find.Seconds(), "html-MB/s")
		})
	}
}
