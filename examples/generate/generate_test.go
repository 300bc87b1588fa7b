package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding/htmlindex"
)

// TestExamplesAreFresh checks that the files in the repository are what the generator
// writes today.
func TestExamplesAreFresh(t *testing.T) {
	files, err := examples()
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for name, want := range files {
		total += len(want)
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("examples/%s is stale: run go run ./examples/generate", name)
		}
	}
	if total > 1<<20 {
		t.Errorf("the examples have %d bytes, more than a repository wants", total)
	}
}

// TestPagesHoldTheirGold checks that every block of a gold is on its page, in order,
// and that the page has much text that is not gold, because otherwise there would be
// nothing to extract.
func TestPagesHoldTheirGold(t *testing.T) {
	sites, err := loadSites()
	if err != nil {
		t.Fatal(err)
	}
	pages, layouts := 0, map[string]bool{}
	for _, s := range sites {
		for i, d := range s.docs {
			pages++
			layouts[s.pkg+"/"+d.meta["layout"]] = true
			p, err := s.render(i)
			if err != nil {
				t.Fatal(err)
			}
			text := visible(t, decode(t, p.html, d.meta["charset"]))
			at := 0
			for line := range strings.SplitSeq(p.gold, "\n") {
				found := strings.Index(text[at:], fold(line))
				if found < 0 {
					t.Errorf("%s/%s: %q is not on the page, or not in order", s.pkg, d.name, line)
					break
				}
				at += found + len(fold(line))
			}
			if extra := len(text) - len(p.gold); extra < 60 {
				t.Errorf("%s/%s: only %d bytes of the page are not gold", s.pkg, d.name, extra)
			}
		}
	}
	if len(sites) < 4 || pages < 48 || len(layouts) < 8 {
		t.Errorf("%d sites, %d pages, %d layouts", len(sites), pages, len(layouts))
	}
}

func decode(t *testing.T, b []byte, charset string) string {
	t.Helper()
	if charset == "" {
		charset = "utf-8"
	}
	enc, err := htmlindex.Get(charset)
	if err != nil {
		t.Fatal(err)
	}
	out, err := enc.NewDecoder().Bytes(b)
	if err != nil || !utf8.Valid(out) || bytes.ContainsRune(out, utf8.RuneError) {
		t.Errorf("page is not valid %s: %v", charset, err)
	}
	return string(out)
}

// visible returns the page's text with white space folded. As in a browser, cells are
// separated and inline elements are not.
func visible(t *testing.T, page string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			out.WriteString(n.Data)
		case n.Type == html.ElementNode && (n.Data == "script" || n.Data == "style" || n.Data == "head"):
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
		if n.Type == html.ElementNode && !strings.Contains(" a em b i font span ", " "+n.Data+" ") {
			out.WriteByte(' ')
		}
	}
	walk(root)
	return fold(out.String())
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

func TestParseDocRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"title: a":                           "no text",
		"title: a\nlayout: x\nnonsense\n\nb": "not of the form",
		"title: a\n\nb":                      "no layout",
		"title: a\nlayout: x\n\n=== me":      "has no time",
		"title: a\nlayout: x\n\n| b":         "has one cell",
	} {
		if _, err := parseDoc("d", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
