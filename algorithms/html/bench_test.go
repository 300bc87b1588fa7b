package html

import (
	"bytes"
	"testing"

	"golang.org/x/net/html"

	"github.com/winnow/winnow/algorithms/internal/testpages"
)

// sampleSize is how many pages of a package a benchmark reads: enough to be
// larger than the caches, and unpacked in a few seconds.
const sampleSize = 200

// benchPages runs f over the made pages and over a sample of real ones.
func benchPages(b *testing.B, f func(b *testing.B, pages [][]byte)) {
	made := testpages.Made()
	for _, name := range []string{"news", "links", "script", "cjk"} {
		b.Run("page="+name, func(b *testing.B) { f(b, [][]byte{made[name]}) })
	}
	b.Run("page=wcxb", func(b *testing.B) { f(b, testpages.First(b, "wcxb-dev", sampleSize)) })
}

// BenchmarkParse fills the tree and the lexical items.
//
//	go test -run '^$' -bench 'Parse|NetHTML' -benchtime 3x
func BenchmarkParse(b *testing.B) {
	benchPages(b, func(b *testing.B, pages [][]byte) {
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

// BenchmarkNetHTML is the yardstick of BenchmarkParse:
// golang.org/x/net/html alone, which makes a heap object of every node.
func BenchmarkNetHTML(b *testing.B) {
	benchPages(b, func(b *testing.B, pages [][]byte) {
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
