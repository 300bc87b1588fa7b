package suite

import (
	"slices"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/extract/winnow"
	"github.com/winnow/winnow/algorithms/page"
)

// BenchmarkFacts measures what all facts of a page cost beside its parse, in one run: the
// facts of the page once, and those of the text once, in the text of the extractor that
// users get by default. It reports the share of the parse that each fact takes, and that
// of all facts that a keeper of a crawl is promised to pay little for: those that neither
// tell the language nor search for personal data. Each page counts with its
// shortest times, because other work may interrupt a measurement.
func BenchmarkFacts(b *testing.B) {
	every, pkg := 15, "wcxb-dev"
	if testing.Short() { // a smaller package is unpacked sooner; its figures are of other pages
		every, pkg = 2, "readability"
	}
	pages := algotest.RealPages(b, every, pkg)
	facts := Facts()
	var p page.Page
	var pass algorithms.Pass
	var text []byte
	var out []algorithms.Value
	var links algorithms.Links
	find := func(f *algorithms.Finder, text []byte) time.Duration {
		if f == nil {
			return 0
		}
		out = slices.Grow(out[:0], len(f.Columns))[:len(f.Columns)]
		clear(out)
		began := time.Now()
		if err := f.Find(&algorithms.Subject{Pass: &pass, Text: text, Out: out, Links: &links}); err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}
	// The shortest times of each page: of the parse, then of each fact.
	shortest := make([][]time.Duration, len(pages))
	for i := range shortest {
		shortest[i] = slices.Repeat([]time.Duration{time.Hour}, 1+len(facts))
	}
	for b.Loop() {
		for i := range pages {
			html := []byte(pages[i].HTML)
			began := time.Now()
			p.Parse(html, page.Options{})
			pass.Reset(&p, "http://example.org/")
			shortest[i][0] = min(shortest[i][0], time.Since(began))
			if err := winnow.Extractor.Run(&pass); err != nil {
				b.Fatal(err)
			}
			text = pass.AppendText(text[:0])
			for k, f := range facts {
				shortest[i][1+k] = min(shortest[i][1+k], find(f.Page, nil)+find(f.Text, text))
			}
		}
	}
	total := func(k int) (sum float64) {
		for i := range shortest {
			sum += shortest[i][k].Seconds()
		}
		return sum
	}
	cheap := 0.
	for k, f := range facts {
		share := 100 * total(1+k) / total(0)
		b.ReportMetric(share, f.Name+"-%")
		if f.Name != "language" && f.Name != "pii" {
			cheap += share
		}
	}
	b.ReportMetric(cheap, "but-language-and-pii-%")
	b.ReportMetric(total(0)*1e6/float64(len(pages)), "parse-µs/page")
}
