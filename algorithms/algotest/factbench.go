package algotest

import (
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// BenchmarkFact measures a fact beside the parse, page by page in one run, and reports
// the share of the parse that the fact takes (%-of-parse). The pages are those
// of RealPages. A fact of the text is found in the whole text
// of the page. What facts share is computed anew on every page.
func BenchmarkFact(b *testing.B, f *algorithms.Fact) {
	var pages []string
	for _, p := range RealPages(b, 15, "wcxb-dev") {
		pages = append(pages, p.HTML)
	}
	for name, finder := range map[string]*algorithms.Finder{"page": f.Page, "text": f.Text} {
		if finder == nil {
			continue
		}
		b.Run("of="+name, func(b *testing.B) {
			var p page.Page
			var pass algorithms.Pass
			out := make([]algorithms.Value, len(finder.Columns))
			var parsing, finding time.Duration
			bytes := 0
			for b.Loop() {
				for _, html := range pages {
					bytes += len(html)
					began := time.Now()
					p.Parse([]byte(html), page.Options{})
					pass.Reset(&p, "http://example.org/")
					parsed := time.Now()
					clear(out)
					s := algorithms.Subject{Pass: &pass, Out: out}
					if finder == f.Text {
						s.Text = pass.Body.Text
					}
					if err := finder.Find(&s); err != nil {
						b.Fatal(err)
					}
					parsing, finding = parsing+parsed.Sub(began), finding+time.Since(parsed)
				}
			}
			b.ReportMetric(100*finding.Seconds()/parsing.Seconds(), "%-of-parse")
			b.ReportMetric(float64(bytes)/1e6/finding.Seconds(), "html-MB/s")
		})
	}
}
