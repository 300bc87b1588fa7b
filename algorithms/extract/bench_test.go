package extract_test

import (
	"bytes"
	"testing"

	"golang.org/x/net/html"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/feature/codevector"
	"github.com/winnow/winnow/algorithms/feature/lines"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/suite"
)

// BenchmarkExtract measures the marginal time of each method in MB/s of HTML:
// pages are parsed, and body, tokens and shared features are there. html.Parse
// on the same pages is the measure of speed.
//
//	go test ./algorithms/extract -run '^$' -bench Extract
//	WINNOW_SHARED=… go test ./algorithms/extract -run '^$' -bench Extract/pages=wcxb
func BenchmarkExtract(b *testing.B) {
	b.Run("pages=generated", func(b *testing.B) {
		docs := make([][]byte, 300)
		for i := range docs {
			docs[i] = []byte(algotest.Random(uint64(i)))
		}
		benchmarkAll(b, docs)
	})
	b.Run("pages=wcxb", func(b *testing.B) {
		var docs [][]byte
		for _, d := range readPackage(b, "wcxb-dev", 200) {
			docs = append(docs, d.html)
		}
		benchmarkAll(b, docs)
	})
}

func benchmarkAll(b *testing.B, docs [][]byte) {
	size := int64(0)
	pages := make([]page.Page, len(docs))
	passes := make([]algorithms.Pass, len(docs))
	for i, src := range docs {
		size += int64(len(src))
		pages[i].Parse(src, page.Options{})
		passes[i].Reset(&pages[i], "")
	}
	b.Run("method=html.Parse", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			for _, src := range docs {
				if _, err := html.Parse(bytes.NewReader(src)); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("method=page.Parse", func(b *testing.B) { // and the node table: what all methods share
		b.SetBytes(size)
		var p page.Page
		for b.Loop() {
			for _, src := range docs {
				p.Parse(src, page.Options{})
				p.Body()
			}
		}
	})
	for _, f := range []struct {
		name string
		of   func(*algorithms.Pass)
	}{
		{"lines", func(p *algorithms.Pass) { lines.Default.Of(p) }},
		{"codevector-chars", func(p *algorithms.Pass) { codevector.Chars.Of(p) }},
		{"codevector-chars-no-anchors", func(p *algorithms.Pass) { codevector.CharsNoAnchors.Of(p) }},
		{"codevector-tokens", func(p *algorithms.Pass) { codevector.Tokens.Of(p) }},
	} {
		for i := range passes {
			f.of(&passes[i]) // body, tokens and memory
		}
		b.Run("feature="+f.name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				for i := range passes {
					passes[i].Reset(&pages[i], "") // forgets the feature, keeps its memory
					f.of(&passes[i])
				}
			}
		})
	}
	for _, e := range suite.Extractors() {
		if e.Run == nil || e.Scope() != algorithms.PageScope {
			continue
		}
		run := func() {
			for i := range passes {
				passes[i].Out.Reset()
				if err := e.Run(&passes[i]); err != nil {
					b.Fatal(err)
				}
			}
		}
		run() // features of the pages, and working memory
		b.Run("method="+e.Name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				run()
			}
		})
	}
}
