package language

import (
	"fmt"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/fact"
)

// BenchmarkSample measures how much of a text must be read: the share of pages whose
// language is the one that they declare (agree-%), in the whole text of the page.
func BenchmarkSample(b *testing.B) {
	if testing.Short() {
		b.Skip("not in short mode: it unpacks two packages")
	}
	var texts [][]byte
	var declared []string
	for _, p := range algotest.RealPages(b, 4, "trafilatura-dev", "readability") {
		pass := algotest.Pass(p.HTML)
		tag, source := declaredBy(&fact.Subject{Pass: pass})
		if source == "html" && tag != "" {
			texts = append(texts, pass.Body.Text)
			lang, _, _ := strings.Cut(tag, "-")
			declared = append(declared, lang)
		}
	}
	for _, choice := range [][2]int{{12, 50}, {12, 100}, {16, 100}, {16, 200}, {32, 100}, {1, 1 << 30}} {
		b.Run(fmt.Sprintf("windows=%d/bytes=%d", choice[0], choice[1]), func(b *testing.B) {
			var buf buffer
			agree := 0
			for b.Loop() {
				agree = 0
				for i, text := range texts {
					if buf.detect(text, choice[0], choice[1]).code == declared[i] {
						agree++
					}
				}
			}
			b.ReportMetric(100*float64(agree)/float64(len(texts)), "agree-%")
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(texts)), "µs/text")
		})
	}
}
