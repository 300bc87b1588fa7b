package links

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

func TestFact(t *testing.T) { algotest.Fact(t, Fact) }

// on finds the links of a page, with what an extractor chose of it.
func on(t testing.TB, p *algorithms.Pass, main *page.Selection) (links *fact.Links, numbers string) {
	t.Helper()
	s := fact.Subject{Pass: p, Out: make([]fact.Value, len(columns)), Links: new(fact.Links), Main: main}
	if err := Fact.Page.Find(&s); err != nil {
		t.Fatal(err)
	}
	return s.Links, fmt.Sprintf("%d %d %d %v", s.Out[rows].Int(), s.Out[other].Int(), s.Out[over].Int(), s.Out[cut].Bool())
}

// shown returns links as text: target, anchor text, relations, and a star inside the
// main content.
func shown(l *fact.Links) (out []string) {
	of := func(s page.Span) string { return string(l.Text[s.Start:s.End]) }
	for _, k := range l.List {
		line := fmt.Sprintf("%s|%s|%s", of(k.Target), of(k.Anchor), of(k.Rel))
		if k.InMain {
			line += "*"
		}
		out = append(out, line)
	}
	return out
}

func TestLinks(t *testing.T) {
	f := func(html, numbers string, want ...string) {
		t.Helper()
		l, n := on(t, algotest.Pass(html), nil)
		if got := shown(l); !slices.Equal(got, want) || n != numbers {
			t.Errorf("%s:\n got %q, %s\nwant %q, %s", html, got, n, want, numbers)
		}
	}
	f(`<p>nothing`, "0 0 0 false")
	// Targets are absolute, in one form.
	f(`<a href="/b/../c?x=1#top">a  <b>c</b>
		d</a><a href=HTTPS://User@WWW.Example.com:443>e</a><a href="//höhe.example/ä b">f</a>`, "3 0 0 false",
		"http://example.org/c?x=1|a c d|", "https://www.example.com/|e|", "http://xn--hhe-sna.example/%C3%A4%20b|f|")
	f(`<base href="https://other.example/x/"><a href=y>a</a><a href="?q">b</a><a href=http:z>c</a>`, "3 0 0 false",
		"https://other.example/x/y|a|", "https://other.example/x/?q|b|", "http://other.example/x/z|c|")
	// Text, alternative text, relations; an area is a link, a link without href is none.
	f(`<a href=/1 rel=" NoFollow
	UGC"><img src=x alt=" a
	 cat "></a><a href=/2></a><a name=x>no</a><map><area href=/3 alt=north></map><a href=/4>text<img alt=no></a>`, "4 0 0 false",
		"http://example.org/1|a cat|nofollow ugc", "http://example.org/2||", "http://example.org/3|north|", "http://example.org/4|text|")
	f(`<a href=/1><div>two</div><p>lines</a>`, "2 0 0 false", "http://example.org/1|two|", "http://example.org/1|lines|")
	// What is none of the web is counted.
	f(`<a href="javascript:alert(1)">a</a><a href="mailto:a@b.example">b</a><a href="data:text/html,x">c</a><a href="#top">d</a>
		<a href="http://[::bad/">e</a><a href="http://a b.example/">f</a><a href=" # ">g</a><a href="ok">h</a>`, "1 7 0 false", "http://example.org/ok|h|")
}

// A link is inside the main content if it is chosen, or contains what is chosen.
func TestInMain(t *testing.T) {
	const text = `<body><nav><a href=/1>one</a></nav><div><p>text <a href=/2>two</a> <a href=/3><img></a></p></div><a href=/4><p>four</p><i>x</i></a><a href=/5>five</a>`
	p := algotest.Pass(text)
	f := func(main page.Selection, want string) {
		t.Helper()
		l, _ := on(t, p, &main)
		got := ""
		for i, k := range l.List {
			if k.InMain {
				got += fmt.Sprint(i + 1)
			}
		}
		if got != want {
			t.Errorf("%+v: inside are %q, want %q", main, got, want)
		}
	}
	of := func(tag html.Tag) (found []page.Row) {
		for r := range p.Body.Tag {
			if p.Body.Tag[r] == tag {
				found = append(found, page.Row(r))
			}
		}
		return found
	}
	var div, paragraph, words page.Selection
	div.AddRow(p.Body, of(html.TagDiv)[0])
	f(div, "23")
	paragraph.AddRow(p.Body, of(html.TagP)[1])
	f(paragraph, "4")
	at := int32(strings.Index(string(p.Body.Text), "ext two"))
	words.AddSpan(p.Body, page.Span{Start: at, End: at + 5})
	f(words, "2")
	f(page.Selection{}, "")
}

// Every link of a hostile page is counted, and what is kept is bounded.
func TestBounds(t *testing.T) {
	many := strings.Repeat(`<a href=/x>y</a>`, 200_000)
	l, n := on(t, algotest.Pass(many), nil)
	if n != "10000 0 190000 false" || len(l.List) != 10_000 {
		t.Errorf("many links: %s", n)
	}
	long := `<a href="/` + strings.Repeat("x", maxTarget) + `">a</a><a href="/` + strings.Repeat("ä", maxTarget/3) + `">b</a>` +
		`<a href="/y" rel="` + strings.Repeat("ü", maxRel) + `">` + strings.Repeat("€", maxAnchor) + `</a>`
	l, n = on(t, algotest.Pass(long), nil)
	if n != "1 2 0 true" || l.List[0].Anchor.Len() != maxAnchor/3*3 || l.List[0].Rel.Len() != maxRel || !utf8.Valid(l.Text) {
		t.Errorf("long strings: %s, %+v", n, l.List)
	}
	large := strings.Repeat(`<a href="/`+strings.Repeat("x", maxTarget-100)+`">`+strings.Repeat("word ", 300)+`</a>`, 600)
	l, n = on(t, algotest.Pass(large), nil)
	if len(l.Text) > maxBytes+maxTarget+maxAnchor+maxRel || len(l.List) < 400 || n != fmt.Sprintf("%d 0 %d true", len(l.List), 600-len(l.List)) {
		t.Errorf("large links: %s, %d bytes", n, len(l.Text))
	}
	// A search for images in links within links visits no node often.
	deep := strings.Repeat(`<a href=/x><table><td>`, 400) + strings.Repeat(`<b></b>`, 100_000)
	if _, n := on(t, algotest.Pass(deep), nil); strings.HasPrefix(n, "0 ") {
		t.Errorf("nested links: %s", n)
	}
}

func FuzzLinks(f *testing.F) {
	f.Add(`<base href="//["><a href="http:\\x">a</a><a href="/` + "\t" + `x#">b`)
	f.Add(`<a href=x rel=" a  B"><table><td><a href="//y:80/?#"><img alt=` + "\u00a0x" + `>`)
	f.Add(`<map><area href="HTTP:a:b" alt="` + strings.Repeat("ü", 600) + `"></map>`)
	f.Fuzz(func(t *testing.T, text string) {
		text = text[:min(len(text), 1<<16)]
		p := algotest.Pass(strings.ToValidUTF8(text, "?"))
		var main page.Selection
		if p.Body.Len() > 0 {
			main.AddRow(p.Body, page.Row(p.Body.Len()/2))
		}
		l, numbers := on(t, p, &main)
		var links, others, beyond int
		var wasCut bool
		if _, err := fmt.Sscan(numbers, &links, &others, &beyond, &wasCut); err != nil {
			t.Fatal(err)
		}
		all := 0
		for r, tag := range p.Body.Tag {
			if (tag == html.TagA || tag == html.TagArea) && p.Body.Flags[r]&page.HasHref != 0 {
				all++
			}
		}
		if links+others+beyond != all || links != len(l.List) || !utf8.Valid(l.Text) {
			t.Fatalf("%s for %d links", numbers, all)
		}
		for i, k := range l.List {
			target := string(l.Text[k.Target.Start:k.Target.End])
			if !strings.HasPrefix(target, "http://") && !strings.HasPrefix(target, "https://") || strings.ContainsAny(target, "# \n\"<>") ||
				k.Target.Len() > maxTarget || k.Anchor.Len() > maxAnchor || k.Rel.Len() > maxRel {
				t.Fatalf("link %d: %q %+v", i, target, k)
			}
		}
	})
}

// FuzzLine compares the text in one line with that of a plain program.
func FuzzLine(f *testing.F) {
	for _, s := range []string{"", " ", "a", "a b", "a  b", "1234567  8", "12345678  9", "a\tb", "a ", " a", "12345678901234\n", "\u00a0 ü"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r <= ' ' }), " ")
		if len(want) > maxRel || !utf8.ValidString(s) {
			return
		}
		l := finder{Links: &fact.Links{Text: []byte("kept ")}}
		if l.line([]byte(s), maxRel); string(l.Text) != "kept "+want || l.cut {
			t.Errorf("%q: %q, want %q", s, l.Text, want)
		}
	})
}

// BenchmarkFact measures the cost beside that of the parse, on the same pages.
func BenchmarkFact(b *testing.B) { algotest.BenchmarkFact(b, Fact) }
