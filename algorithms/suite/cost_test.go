package suite

import (
	"slices"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/extract/winnow"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/page"
)

// BenchmarkFacts measures what all facts of a page cost beside its parse, in one run: the
// facts of the page once, and those of the text once, in the text of the extractor that
// users get by default. It reports the share of the parse that each fact takes, and that
// of all facts that a keeper of a crawl is promised to pay little for: those that neither
// tell the language nor search for personal data: the sum of their shares, and their share
// in one pass without the others, as a run finds them. Each page counts with its shortest
// times, because other work may interrupt a measurement.
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
	var out []fact.Value
	var links fact.Links
	find := func(f *fact.Finder, text []byte) time.Duration {
		if f == nil {
			return 0
		}
		out = slices.Grow(out[:0], len(f.Columns))[:len(f.Columns)]
		clear(out)
		began := time.Now()
		if err := f.Find(&fact.Subject{Pass: &pass, Text: text, Out: out, Links: &links}); err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}
	isCheap := func(f *fact.Fact) bool { return f.Name != "language" && f.Name != "pii" }
	// The shortest times of each page: of the parse, of each fact, and of one pass.
	shortest := make([][]time.Duration, len(pages))
	for i := range shortest {
		shortest[i] = slices.Repeat([]time.Duration{time.Hour}, 1+len(facts)+1)
	}
	note := func(i, k int, d time.Duration) { shortest[i][k] = min(shortest[i][k], d) }
	extract := func(i int, html []byte) {
		began := time.Now()
		p.Parse(html, page.Options{})
		pass.Reset(&p, "http://example.org/")
		note(i, 0, time.Since(began))
		if err := winnow.Extractor.Run(&pass); err != nil {
			b.Fatal(err)
		}
		text = pass.AppendText(text[:0])
	}
	for b.Loop() {
		for i := range pages {
			html := []byte(pages[i].HTML)
			extract(i, html)
			for k, f := range facts {
				note(i, 1+k, find(f.Page, nil)+find(f.Text, text))
			}
			extract(i, html) // which forgets what the facts have in common
			var all time.Duration
			for _, f := range facts {
				if isCheap(f) {
					all += find(f.Page, nil)
				}
			}
			for _, f := range facts {
				if isCheap(f) {
					all += find(f.Text, text)
				}
			}
			note(i, 1+len(facts), all)
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
		if isCheap(f) {
			cheap += share
		}
	}
	b.ReportMetric(100*total(1+len(facts))/total(0), "one-pass-but-language-and-pii-%")
	b.ReportMetric(cheap, "but-language-and-pii-%")
	b.ReportMetric(total(0)*1e6/float64(len(pages)), "parse-µs/page")
}
