package stats

import (
	"fmt"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// BenchmarkTally computes the package table of 100,000 documents with 40 extractors and
// one scorer. It does not read files.
func BenchmarkTally(b *testing.B) {
	const documents, extractors = 2500, 40
	names := make([]string, extractors)
	for i := range names {
		names[i] = fmt.Sprint("extractor-", i)
	}
	b.ReportAllocs()
	for b.Loop() {
		t := newTally(new(schemas.Recipe))
		for d := range documents {
			id := fmt.Sprint("document-", d)
			for e, name := range names {
				known := t.document(&schemas.Document{HasGold: true, Package: "p", DocID: id, Extractor: name, Outcome: "ok", HTMLBytes: 1000, ExtractNS: 1000}, new(schemas.Page))
				t.score(&schemas.ScoreRow{Package: "p", DocID: id, Extractor: name, Scorer: "s", Precision: 1, Recall: 0.5, F1: float64((d*e)%1000) / 1000}, &known)
			}
		}
		if len(t.rows("r", nil).Speed) != extractors {
			b.Fatal("rows are missing")
		}
	}
	b.ReportMetric(float64(b.N)*documents*extractors/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkInterval computes the bootstrap interval of 16 scorers of an extractor on 1,358
// documents.
func BenchmarkInterval(b *testing.B) {
	s := sampleOf(1358, func(i int) float64 { return float64(i%100) / 100 })
	for b.Loop() {
		var d draws
		for range 16 {
			s.interval(&d)
		}
	}
}

// BenchmarkLargeSample adds a score to a sample that is too large to keep its values.
// The score is added to every replicate at once.
func BenchmarkLargeSample(b *testing.B) {
	s := sampleOf(exactSize+1, func(i int) float64 { return 0.5 })
	i := uint64(0)
	for b.Loop() {
		i++
		s.add(drawn{mix(i), mix(i >> 4)}, 500_000_000)
	}
}
