package html

import (
	"bytes"
	"testing"

	"golang.org/x/net/html"

	"github.com/winnow/winnow/algorithms/internal/testpages"
)

// BenchmarkParse fills the tree and the lexical items.
//
//	go test -run '^$' -bench 'Parse|NetHTML' -benchtime 3x
func BenchmarkParse(b *testing.B) {
	testpages.Benchmark(b, func(b *testing.B, pages [][]byte) {
		var p Document
		b.SetBytes(testpages.Size(pages))
		b.ReportAllocs()
		for b.Loop() {
			for _, src := range pages {
				p.Parse(src, Bounds{})
			}
		}
	})
}

// BenchmarkNetHTML is the baseline of BenchmarkParse. It runs golang.org/x/net/html
// alone, which allocates an object for every node.
func BenchmarkNetHTML(b *testing.B) {
	testpages.Benchmark(b, func(b *testing.B, pages [][]byte) {
		b.SetBytes(testpages.Size(pages))
		b.ReportAllocs()
		for b.Loop() {
			for _, src := range pages {
				if _, err := html.ParseWithOptions(bytes.NewReader(src), html.ParseOptionEnableScripting(false)); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
