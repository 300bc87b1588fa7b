package page

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// oddPages are small documents, each with something that a pass may trip over.
var oddPages = []string{
	"", " ", "x", "\x00", "<", "<!", "</", "&", "&#", "&amp", "<p", "<p a", "<p a='",
	"<!doctype html><title>t</title>",
	"<html><head></head><frameset><frame></frameset></html>",
	"<body hidden>a", "<html hidden>a", "<body style='display:none'>a<p>b",
	"<p>a<p>b<div>c</p>d",
	"<b><i>x</b>y</i>z<p><b>q</p>r",
	"<table>a<tr>b<td>c</td>d</tr>e</table>f<table><caption>g<td>h",
	"<ul><li>a<li>b<ul><li>c</ul></ul>",
	"<a href=x>a<a>b<button>c</button></a>d</a>",
	"<div><a href=1>x</a> <a href=2>y</a></div><div><span><a>p</a></span></div>",
	"<select><option>a<option>b</select>c<select><script>d</script></select>e",
	"<svg><title>a</title><script>b</script><foreignObject><p>c</p></foreignObject></svg>d<svg/>e",
	"<math><mi>a</mi><annotation-xml encoding='text/html'><p>b</p></annotation-xml></math>c",
	"<iframe><p>a</p></iframe>b<noscript><p>c</p><img></noscript>d<template><p>e</p></template>f",
	"<noembed><p>a</noembed>b<noframes><p>c</noframes>d<xmp><b>e</xmp>f",
	"<object><p>a</p><embed></object>b<embed>c<datalist><option>d</datalist>e",
	"<script>a</script><style>b</style>c<script>d<!--<script>e</script>--></script>f",
	"a<!-- b -->c<!d>e<?f?>g</h>i",
	"<pre>\n a\n  b</pre><pre>c</pre> d <textarea>\n\ne  </textarea>  f",
	"<pre>a<br>  b<b>  c </b>\n d</pre>e", "a <pre> </pre> b<textarea> </textarea>c",
	"a<pre>\n\n</pre>b<textarea>\n\n\n</textarea>c", "x<br> <pre> y</pre>",
	"&lt;p&gt; &nbsp; &notit; &copy &#x26; &#65;b&bogus;c&amp;d\r\ne\rf",
	"\u3000a\u3000b\u00a0\u2003c\u0085d\x1ce", "日本 語コー ヒーkana か\u3099", "ภาษาไทย ลาว ខ្មែរ မြန်မာ",
	"a\u0301 \u0301b 日\u0301本", "\u00a0\u3000", "a \u00a0", " \u00a0 a",
	"<p>a\u00a0</p>\u00a0<p>\u00a0b", "<i>a</i>\u3000<i>b</i>",
	"<x-a><x-b>a</x-a>b<h7>c", strings.Repeat("<b id=x>", 40) + "a", strings.Repeat("<div>", 600) + "a",
	"<img src=x alt='a'>b<img>c<hr>d<br/>e<wbr>f<input value=g>",
	"<td>a<tr>b", "<dl><dt>a<dd>b</dl>", "<body><p>a</body></html>b<p>c",
	"<p hidden>a<b>b</b></p>c<b hidden>d</b>e <i style='visibility : HIDDEN'>f</i> g",
	"<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "<a href='java\tscript:alert(1)' title='\"&<>'>x</a>",
	"<form><p>a<fieldset><legend>b</legend>c</fieldset></form>", "<details><summary>a</summary>b</details>",
	"<plaintext>a<b>c", "<textarea>a", "<title>a", "<!--", "<p>a</p ><p/>b",
}

func TestOddPages(t *testing.T) {
	var p Page
	for _, src := range oddPages {
		for _, opt := range []Options{{}, {Words: WordsBySpace, ShowHidden: true}} {
			p.Parse([]byte(src), opt)
			ok := t.Run("", func(t *testing.T) { checkPage(t, &p) })
			if !ok {
				t.Logf("in %q", src)
			}
		}
	}
	for _, src := range madePages() {
		p.Parse(src[:min(len(src), 20_000)], Options{})
		checkPage(t, &p)
	}
	p.Parse(fixture(), Options{})
	checkPage(t, &p)
}

func TestRealPages(t *testing.T) {
	var p Page
	for i, src := range packagePages(t, "cleaneval-dev", 60) {
		p.Parse(src, Options{})
		if ok := t.Run("", func(t *testing.T) { checkPage(t, &p) }); !ok {
			t.Logf("page %d", i)
		}
	}
}

// columns are the exported contents of everything a page holds.
func columns(p *Page) []any {
	b := *p.Body()
	b.words = *b.Words()
	k := *p.Tokens()
	k.done = nil
	return []any{p.Cut, string(p.Title()), p.Tree, p.Lex, b, k}
}

// TestReuse parses every page into a fresh Page and into one that held all
// pages before, and compares what they hold.
func TestReuse(t *testing.T) {
	pages := append([]string{string(fixture()), strings.Repeat("<i>a <b hidden>b</b></i>", 3000)}, oddPages...)
	var used Page
	for i, src := range pages {
		for _, opt := range []Options{{}, {MaxDepth: 3}, {MaxNodes: 5}, {Words: WordsBySpace, ShowHidden: true}} {
			var fresh Page
			fresh.Parse([]byte(src), opt)
			used.Parse([]byte(src), opt)
			want, got := columns(&fresh), columns(&used)
			for c := range want {
				if !equalColumns(reflect.ValueOf(got[c]), reflect.ValueOf(want[c])) {
					t.Fatalf("page %d %.200q options %+v: %T differs on a used page", i, src, opt, want[c])
				}
			}
		}
	}
}

// equalColumns compares structs of slices, an empty slice being equal to nil.
func equalColumns(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			if !equalColumns(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !equalColumns(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

func TestNoGarbage(t *testing.T) {
	var p Page
	for name, src := range madePages() {
		p.Parse(src, Options{})
		var b Body
		var k Tokens
		b.fill(&p, false)
		b.Words()
		k.fill(&p)
		if n := testing.AllocsPerRun(5, func() { b.fill(&p, false); b.Words(); k.fill(&p) }); n > 0 {
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
	p.Parse(src, Options{MaxDepth: 4})
	if p.Cut != CutDepth || !bytes.Contains(p.Body().Text, []byte("b")) {
		t.Errorf("depth 4: cut %b, text %q", p.Cut, p.Body().Text)
	}
	p.Parse(src, Options{MaxNodes: 6})
	if p.Cut != CutNodes || p.Tree.Len() != 6 {
		t.Errorf("6 nodes: cut %b, %d nodes", p.Cut, p.Tree.Len())
	}
	p.Parse(src, Options{})
	if p.Cut != 0 {
		t.Errorf("no bounds: cut %b", p.Cut)
	}
}

func FuzzPage(f *testing.F) {
	for _, src := range oddPages {
		f.Add([]byte(src), false)
	}
	f.Add(fixture(), true)
	f.Fuzz(func(t *testing.T, src []byte, other bool) {
		src = bytes.ToValidUTF8(src, []byte("\uFFFD"))
		opt := Options{MaxNodes: 10_000}
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
	for name, n := range map[string]int{"rows": cap(b.Tag), "sums": cap(b.UL), "words": cap(b.words.Row), "tokens": cap(k.Text)} {
		if n > 1024 {
			t.Errorf("%s: room for %d is kept", name, n)
		}
	}
}
