package page

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/internal/testpages"

	"github.com/winnow/winnow/algorithms/html"
)

func TestOddPages(t *testing.T) {
	var p Page
	for _, src := range testpages.Odd {
		for _, opt := range []Options{{}, {Words: WordsBySpace, ShowHidden: true}} {
			p.Parse([]byte(src), opt)
			ok := t.Run("", func(t *testing.T) { checkPage(t, &p) })
			if !ok {
				t.Logf("in %q", src)
			}
		}
	}
	for _, src := range testpages.Made() {
		p.Parse(src[:min(len(src), 20_000)], Options{})
		checkPage(t, &p)
	}
	p.Parse(fixture(), Options{})
	checkPage(t, &p)
}

func TestRealPages(t *testing.T) {
	var p Page
	for i, src := range testpages.First(t, "cleaneval-dev", 60) {
		p.Parse(src, Options{})
		if ok := t.Run("", func(t *testing.T) { checkPage(t, &p) }); !ok {
			t.Logf("page %d", i)
		}
	}
}

// columns holds the exported contents of everything that a page has.
func columns(p *Page) []any {
	b := *p.Body()
	b.words = *b.Words()
	k := *p.Tokens()
	k.done = nil
	return []any{p.Cut, string(p.Title()), p.Tree, p.Lex, b, k}
}

// TestReuse parses every page into a new Page and into one that has held all earlier
// pages, and compares their contents.
func TestReuse(t *testing.T) {
	pages := append([]string{string(fixture()), strings.Repeat("<i>a <b hidden>b</b></i>", 3000)}, testpages.Odd...)
	var used Page
	for i, src := range pages {
		for _, opt := range []Options{{}, {Bounds: html.Bounds{MaxDepth: 3}}, {Bounds: html.Bounds{MaxNodes: 5}}, {Words: WordsBySpace, ShowHidden: true}} {
			var fresh Page
			fresh.Parse([]byte(src), opt)
			used.Parse([]byte(src), opt)
			want, got := columns(&fresh), columns(&used)
			for c := range want {
				if !testpages.EqualColumns(reflect.ValueOf(got[c]), reflect.ValueOf(want[c])) {
					t.Fatalf("page %d %.200q options %+v: %T differs on a used page", i, src, opt, want[c])
				}
			}
		}
	}
}

func TestNoGarbage(t *testing.T) {
	var p Page
	for name, src := range testpages.Made() {
		p.Parse(src, Options{})
		var b Body
		var k Tokens
		b.fill(&p)
		b.Words()
		k.fill(&p)
		if n := testing.AllocsPerRun(5, func() { b.fill(&p); b.Words(); k.fill(&p) }); n > 0 {
			t.Errorf("%s: %v allocations to fill the columns again", name, n)
		}
	}
}

func TestTitleLangMeta(t *testing.T) {
	var p Page
	p.Parse([]byte(`<html lang=" cs-CZ "><head><svg><title>no</title></svg><title> Dobré
		ráno </title><meta name=Description content="d"><meta property="og:title" content=og>
		<meta http-equiv=content-language content=de>`), Options{})
	for _, w := range []struct{ what, got, want string }{
		{"title", string(p.Title()), "Dobré ráno"},
		{"description", string(p.Meta("description")), "d"},
		{"og:title", string(p.Meta("og:title")), "og"},
		{"content-language", string(p.Meta("Content-Language")), "de"},
		{"unknown", string(p.Meta("x")), ""},
	} {
		if w.got != w.want {
			t.Errorf("%s is %q, want %q", w.what, w.got, w.want)
		}
	}
	if got := string(p.Lang()); got != "cs-CZ" {
		t.Errorf("language %q", got)
	}
	p.Parse([]byte(`<meta http-equiv=Content-Language content=de><title></title>x`), Options{})
	if got := string(p.Lang()); got != "de" {
		t.Errorf("language %q", got)
	}
	if got := p.Title(); len(got) != 0 {
		t.Errorf("title %q", got)
	}
}

func TestBounds(t *testing.T) {
	src := []byte("<div><div><div><div>a</div></div></div></div><p>b</p>")
	var p Page
	p.Parse(src, Options{Bounds: html.Bounds{MaxDepth: 4}})
	if p.Cut != html.CutDepth || !bytes.Contains(p.Body().Text, []byte("b")) {
		t.Errorf("depth 4: cut %b, text %q", p.Cut, p.Body().Text)
	}
	p.Parse(src, Options{Bounds: html.Bounds{MaxNodes: 6}})
	if p.Cut != html.CutNodes || p.Tree.Len() != 6 {
		t.Errorf("6 nodes: cut %b, %d nodes", p.Cut, p.Tree.Len())
	}
	p.Parse(src, Options{})
	if p.Cut != 0 {
		t.Errorf("no bounds: cut %b", p.Cut)
	}
}

func FuzzPage(f *testing.F) {
	for _, src := range testpages.Odd {
		f.Add([]byte(src), false)
	}
	f.Add(fixture(), true)
	f.Fuzz(func(t *testing.T, src []byte, other bool) {
		src = bytes.ToValidUTF8(src, []byte("\uFFFD"))
		opt := Options{Bounds: html.Bounds{MaxNodes: 10_000}}
		if other {
			opt.Words, opt.ShowHidden = WordsBySpace, true
		}
		var p Page
		p.Parse(src, opt)
		checkPage(t, &p)
	})
}

func TestLargePageGivesItsMemoryBack(t *testing.T) {
	var p Page
	p.Parse([]byte("<body>"+strings.Repeat("<i>a</i> ", 3*keepRows)), Options{})
	p.Body().Words()
	p.Tokens()
	p.Parse([]byte("<p>a</p>"), Options{})
	b := p.Body()
	b.Words()
	k := p.Tokens()
	for name, n := range map[string]int{"rows": cap(b.Tag), "sums": cap(b.Lists), "words": cap(b.words.Row), "tokens": cap(k.Text)} {
		if n > 1024 {
			t.Errorf("%s: room for %d is kept", name, n)
		}
	}
}

// TestInvalidBytes parses text that is not UTF-8, which callers should not give. Its bytes
// are kept.
func TestInvalidBytes(t *testing.T) {
	for _, src := range []string{"\xb5\xe2@@00", "a \xe2", "\xe2", "\xff \xfe", "x\xf0\x9f \xe2\x80"} {
		var p Page
		p.Parse([]byte(src), Options{})
		if got := string(p.Body().Text); got != src {
			t.Errorf("%q: text %q", src, got)
		}
	}
}
