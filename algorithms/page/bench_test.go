package page

import (
	"testing"

	"github.com/winnow/winnow/algorithms/internal/testpages"
)

// BenchmarkPage measures the parse together with the node table, which every page
// needs.
func BenchmarkPage(b *testing.B) {
	testpages.Benchmark(b, func(b *testing.B, pages [][]byte) {
		var p Page
		b.SetBytes(testpages.Size(pages))
		b.ReportAllocs()
		for b.Loop() {
			for _, src := range pages {
				p.Parse(src, Options{})
				p.Body()
			}
		}
	})
}

// parsed parses each of the pages into a Page of its own.
func parsed(pages [][]byte) []*Page {
	out := make([]*Page, len(pages))
	for i, src := range pages {
		out[i] = new(Page)
		out[i].Parse(src, Options{})
	}
	return out
}

// BenchmarkBody fills all columns of the node table of parsed pages. It reports the bytes
// of the source as its throughput.
//
//	go test -run '^$' -bench 'Body' -benchtime 20x
func BenchmarkBody(b *testing.B) {
	testpages.Benchmark(b, func(b *testing.B, pages [][]byte) {
		var body Body
		all := parsed(pages)
		b.SetBytes(testpages.Size(pages))
		b.ReportAllocs()
		for b.Loop() {
			for _, p := range all {
				body.fill(p)
			}
		}
	})
}

func BenchmarkTokens(b *testing.B) {
	testpages.Benchmark(b, func(b *testing.B, pages [][]byte) {
		var tokens Tokens
		all := parsed(pages)
		for _, p := range all {
			p.Body()
		}
		b.SetBytes(testpages.Size(pages))
		b.ReportAllocs()
		for b.Loop() {
			for _, p := range all {
				tokens.fill(p)
			}
		}
	})
}

func BenchmarkWords(b *testing.B) {
	testpages.Benchmark(b, func(b *testing.B, pages [][]byte) {
		all := parsed(pages)
		for _, p := range all {
			p.Body()
		}
		b.SetBytes(testpages.Size(pages))
		b.ReportAllocs()
		for b.Loop() {
			for _, p := range all {
				p.body.wordsReady = false
				p.body.Words()
			}
		}
	})
}

// BenchmarkRender writes the whole page as text and as markup.
func BenchmarkRender(b *testing.B) {
	for _, form := range []string{"text", "html"} {
		b.Run("form="+form, func(b *testing.B) {
			testpages.Benchmark(b, func(b *testing.B, pages [][]byte) {
				all := parsed(pages)
				selections := make([]Selection, len(all))
				for i, p := range all {
					if p.Body().Len() > 0 {
						selections[i].AddRow(p.Body(), 0)
					}
				}
				var dst []byte
				b.SetBytes(testpages.Size(pages))
				b.ReportAllocs()
				for b.Loop() {
					for i, p := range all {
						if form == "text" {
							dst = selections[i].AppendText(dst[:0], p.Body())
						} else {
							dst = p.AppendHTML(dst[:0], &selections[i])
						}
					}
				}
			})
		})
	}
}
