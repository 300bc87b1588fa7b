package page

import (
	"archive/tar"
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ulikunitz/xz"
	"golang.org/x/net/html"
)

// sampleSize is how many pages of a package a benchmark reads: enough to be
// larger than the caches, and unpacked in a few seconds.
const sampleSize = 200

// packagePages returns the first pages of a gold package as valid UTF-8. It
// skips t unless WINNOW_SHARED is the folder with the packages.
func packagePages(t testing.TB, name string, n int) [][]byte {
	dir := os.Getenv("WINNOW_SHARED")
	if dir == "" {
		t.Skip("WINNOW_SHARED is not set")
	}
	pages, err := unpack(filepath.Join(dir, "packages", name+".tar.xz"), n)
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

var sampleOnce sync.Once

// sample returns pages of the package wcxb-dev, unpacked once.
func sample(b *testing.B) [][]byte {
	sampleOnce.Do(func() { samplePages = packagePages(b, "wcxb-dev", sampleSize) })
	if samplePages == nil {
		b.Skip("no sample")
	}
	return samplePages
}

var samplePages [][]byte

// unpack reads the first n pages of a package.
func unpack(name string, n int) (pages [][]byte, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	x, err := xz.NewReader(bufio.NewReader(f))
	if err != nil {
		return nil, err
	}
	for r := tar.NewReader(x); len(pages) < n; {
		h, err := r.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		if !strings.HasSuffix(h.Name, ".html") || strings.HasSuffix(h.Name, ".gold.html") {
			continue
		}
		src, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		pages = append(pages, bytes.ToValidUTF8(src, []byte("\uFFFD")))
	}
	return pages, nil
}

// madePages are pages of our own making, by kind.
func madePages() map[string][]byte {
	var news, links, script, cjk strings.Builder
	news.WriteString("<!doctype html><html lang=en><head><title>News</title></head><body><div class=page>\n")
	for i := range 200 {
		fmt.Fprintf(&news, "  <p class=\"par\" id=p%d>The <b>harvest</b> of year %d was good, said <a href=\"/who/%d\">the miller</a>,\n  %s</p>\n",
			i, i, i, strings.Repeat("and the grain was heavy; ", 10))
	}
	links.WriteString("<!doctype html><body><ul>")
	for i := range 3000 {
		fmt.Fprintf(&links, "<li class='item x'><a href=\"/list/%d\" title=\"entry\">Entry %d</a></li>\n", i, i)
	}
	script.WriteString("<!doctype html><body><p>little text</p><script>" + strings.Repeat("var a = b < c && d;\n", 10_000) + "</script>")
	cjk.WriteString("<!doctype html><meta charset=utf-8><body>")
	for range 500 {
		cjk.WriteString("<p>収穫の年は良い年だったと粉屋は言った。コーヒーを飲みながら。</p>")
	}
	return map[string][]byte{
		"news": []byte(news.String()), "links": []byte(links.String()),
		"script": []byte(script.String()), "cjk": []byte(cjk.String()),
	}
}

// benchPages runs f over the made pages and over the sample.
func benchPages(b *testing.B, f func(b *testing.B, pages [][]byte)) {
	made := madePages()
	for _, name := range []string{"news", "links", "script", "cjk"} {
		b.Run("page="+name, func(b *testing.B) { f(b, [][]byte{made[name]}) })
	}
	b.Run("page=wcxb", func(b *testing.B) { f(b, sample(b)) })
}

func size(pages [][]byte) (n int64) {
	for _, src := range pages {
		n += int64(len(src))
	}
	return n
}

// BenchmarkParse fills the tree and the lexical items.
//
//	go test -run '^$' -bench 'Parse|NetHTML' -benchtime 3x
func BenchmarkParse(b *testing.B) {
	benchPages(b, func(b *testing.B, pages [][]byte) {
		var p Page
		b.SetBytes(size(pages))
		b.ReportAllocs()
		for b.Loop() {
			for _, src := range pages {
				p.Parse(src, Options{})
			}
		}
	})
}

// BenchmarkNetHTML is the yardstick of BenchmarkParse and BenchmarkBody:
// golang.org/x/net/html alone, which makes a heap object of every node.
func BenchmarkNetHTML(b *testing.B) {
	benchPages(b, func(b *testing.B, pages [][]byte) {
		b.SetBytes(size(pages))
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

// BenchmarkPage is BenchmarkParse with the node table: what every page costs.
func BenchmarkPage(b *testing.B) {
	benchPages(b, func(b *testing.B, pages [][]byte) {
		var p Page
		b.SetBytes(size(pages))
		b.ReportAllocs()
		for b.Loop() {
			for _, src := range pages {
				p.Parse(src, Options{})
				p.Body()
			}
		}
	})
}

// parsed returns the pages parsed, each into a Page of its own.
func parsed(pages [][]byte) []*Page {
	out := make([]*Page, len(pages))
	for i, src := range pages {
		out[i] = new(Page)
		out[i].Parse(src, Options{})
	}
	return out
}

// BenchmarkBody fills the node table of parsed pages, all columns; bytes are
// those of the source.
//
//	go test -run '^$' -bench 'Body' -benchtime 20x
func BenchmarkBody(b *testing.B) {
	benchPages(b, func(b *testing.B, pages [][]byte) {
		var body Body
		all := parsed(pages)
		b.SetBytes(size(pages))
		b.ReportAllocs()
		for b.Loop() {
			for _, p := range all {
				body.fill(p, false)
			}
		}
	})
}

func BenchmarkTokens(b *testing.B) {
	benchPages(b, func(b *testing.B, pages [][]byte) {
		var tokens Tokens
		all := parsed(pages)
		for _, p := range all {
			p.Body()
		}
		b.SetBytes(size(pages))
		b.ReportAllocs()
		for b.Loop() {
			for _, p := range all {
				tokens.fill(p)
			}
		}
	})
}

func BenchmarkWords(b *testing.B) {
	benchPages(b, func(b *testing.B, pages [][]byte) {
		all := parsed(pages)
		for _, p := range all {
			p.Body()
		}
		b.SetBytes(size(pages))
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
			benchPages(b, func(b *testing.B, pages [][]byte) {
				all := parsed(pages)
				selections := make([]Selection, len(all))
				for i, p := range all {
					if p.Body().Len() > 0 {
						selections[i].AddRow(p.Body(), 0)
					}
				}
				var dst []byte
				b.SetBytes(size(pages))
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
