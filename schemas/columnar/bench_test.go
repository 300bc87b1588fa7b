package columnar

import (
	"bytes"
	"testing"
)

func BenchmarkWrite(b *testing.B) {
	rows := documents(50_000)
	b.ReportAllocs()
	for b.Loop() {
		data := encode(b, Documents, rows, PartSize)
		b.ReportMetric(float64(len(data))/float64(len(rows)), "B/row")
	}
	b.ReportMetric(float64(b.N)*float64(len(rows))/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkRead(b *testing.B) {
	rows := documents(50_000)
	data := encode(b, Documents, rows, PartSize)
	b.ReportAllocs()
	for b.Loop() {
		r, err := NewReader(Documents, bytes.NewReader(data), int64(len(data)))
		if err != nil {
			b.Fatal(err)
		}
		for _, err := range r.All(b.Context()) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N)*float64(len(rows))/b.Elapsed().Seconds(), "rows/s")
}
