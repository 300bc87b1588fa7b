package quality

import (
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
)

// BenchmarkMeasure measures the texts of real pages; bytes are those of the texts.
func BenchmarkMeasure(b *testing.B) {
	var texts [][]byte
	var size int64
	for _, p := range algotest.RealPages(b, 3, "cleaneval-final", "readability") {
		text := append([]byte(nil), algotest.Pass(p.HTML).Body.Text...)
		texts, size = append(texts, text), size+int64(len(text))
	}
	var m Meter
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range texts {
			m.Measure(text)
		}
	}
}
