package conex

import (
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/site/temex"
)

func TestProperties(t *testing.T) { algotest.Site(t, Extractor, algotest.Website()) }

func FuzzOpen(f *testing.F) { algotest.FuzzOpen(f, Extractor, algotest.Website()) }

// BenchmarkSite measures applying a template against a parse, and learning.
//
//	go test ./algorithms/site/conex -run '^$' -bench Site
func BenchmarkSite(b *testing.B) { algotest.BenchmarkSite(b, Extractor) }

func with(t *testing.T, settings map[string]string) *algorithms.Extractor {
	t.Helper()
	e, err := Extractor.With(settings)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func pages(html ...string) []algotest.SitePage {
	var out []algotest.SitePage
	for i, h := range html {
		out = append(out, algotest.SitePage{URL: "http://farm.example/" + string(rune('a'+i)), HTML: h})
	}
	return algotest.Ranked(out)
}

const (
	t1 = "<h1>A</h1><ul><li>x</li><li>y</li></ul><p>one</p>"
	t2 = "<h1>A</h1><ul><li>x</li><li>y</li></ul><div><p>two</p></div><p>three</p>"
)

// TestVector: Q = {div, second p}, which have one parent.
func TestVector(t *testing.T) {
	site := pages(t1, t2)
	l := algotest.Learn(t, Extractor, site)
	pass := l.Run(t, site[1])
	s := algorithms.Scratch[scratch](pass)
	var q []string
	for _, n := range s.blocks {
		q = append(q, pass.Page.TagName(s.free.Tree.Tag[n])+" in "+pass.Page.TagName(s.free.Tree.Tag[s.free.Tree.Parent[n]]))
	}
	if !slices.Equal(q, []string{"div in body", "p in body"}) {
		t.Errorf("Q = %v", q)
	}
	if got := strings.Fields(l.Text(t, site[1])); !slices.Equal(got, []string{"two", "three"}) {
		t.Errorf("main content of T2: %v", got)
	}
}

// TestSite is worked out by hand. The template of the two pages is the head, the
// wrappers and the foot; free on the current page are, with words outside links:
//
//	div#main  h2 "On wind" 2, p 5, p 3           the parent of b0 = the first p
//	div#more  p 4, p (all in a link) 0
//	div#foot  "2009" 1: a text that lies in no pure element
func TestSite(t *testing.T) {
	frame := func(main, more, foot string) string {
		return "<h1>Farm</h1><div id=all><div id=main>" + main + "</div><div id=more>" + more + "</div></div><div id=foot>Rights<b>by</b>" + foot + "</div>"
	}
	common := "<em>Share</em>"
	site := pages(
		frame(common+"<p>one</p>", common+"<p>see</p>", "2007"),
		frame(common+"<pre>two</pre>", common+"<pre>saw</pre>", "2008"))
	at := pages(frame(common+"<h2>On wind</h2><p>The grain falls here today</p><p>So it does</p>",
		common+"<p>Three comments of readers</p><p><a href=/x>and very many words of a link</a></p>", "2009"))[0]
	f := func(rule string, e *algorithms.Extractor, p algotest.SitePage, want string) {
		t.Helper()
		if got := strings.Join(strings.Fields(algotest.Learn(t, e, site).Text(t, p)), " "); got != want {
			t.Errorf("%s: %q, want %q", rule, got, want)
		}
	}
	f("the best block and its siblings", Extractor, at, "On wind The grain falls here today So it does")
	f("one level up", with(t, map[string]string{"climb": "1"}), at,
		"On wind The grain falls here today So it does Three comments of readers and very many words of a link")
	f("to the body and no further", with(t, map[string]string{"climb": "7"}), at,
		"On wind The grain falls here today So it does Three comments of readers and very many words of a link 2009")
	f("enough words", with(t, map[string]string{"min_words": "5"}), at, "On wind The grain falls here today So it does")
	f("not enough words", with(t, map[string]string{"min_words": "6"}), at, "")
	f("of equals the first", Extractor, pages(frame(common+"<h3>b c</h3>", common+"<h4>d e</h4>", "2009"))[0], "b c")
	f("a text without an element", Extractor, pages(frame(common, common, "year 2009"))[0], "year 2009")
	f("only links and no media: nothing", Extractor, pages(frame(common+"<p><a href=/x>linked</a></p>", common, ""))[0], "")
	f("nothing is free", Extractor, pages(frame(common, common, ""))[0], "")
	f("nothing is template", Extractor, pages("<section>all is free</section>")[0], "all is free")
}

// TestMedia: without words the block with most media is best. The divs have a
// text that is template, so they are no blocks themselves.
func TestMedia(t *testing.T) {
	frame := func(a, b string) string {
		return "<div id=a>North" + a + "</div><div id=b>South" + b + "</div>"
	}
	l := algotest.Learn(t, Extractor, pages(frame("", ""), frame("<hr>", "")))
	p := l.Run(t, pages(frame("<i><img src=1></i>", "<i><img src=2><img src=3></i>"))[0])
	var sources []string
	for _, r := range p.Out.Rows {
		for row := r.Start; row < r.End; row++ {
			if p.Body.Tag[row] == html.TagImg {
				src, _ := p.Page.Attr(p.Body.Node[row], "src")
				sources = append(sources, string(src))
			}
		}
	}
	if !slices.Equal(sources, []string{"2", "3"}) {
		t.Errorf("images %v, want 2 and 3", sources)
	}
}

// TestPartOfTemex: whatever the page and the settings, the answer is a part of
// that of temex, and learned from the same template.
func TestPartOfTemex(t *testing.T) {
	var random []algotest.SitePage
	for seed := range uint64(12) {
		random = append(random, algotest.SitePage{
			URL:  "http://farm.example/" + string(rune('a'+seed)),
			HTML: algotest.Random(seed%4) + algotest.Random(50+seed),
		})
	}
	for _, settings := range []map[string]string{{"climb": "0"}, {"climb": "2"}, {"n": "3", "min_words": "2"}, {"eq": "score", "n": "4"}} {
		e := with(t, settings)
		base := temex.Extractor
		if n, ok := settings["n"]; ok {
			learning := map[string]string{"n": n, "eq": "label"}
			if eq, ok := settings["eq"]; ok {
				learning["eq"] = eq
			}
			var err error
			if base, err = temex.Extractor.With(learning); err != nil {
				t.Fatal(err)
			}
		}
		if e.Learn.As != base.Learn.As || e.Learn.As == "" {
			t.Errorf("conex learns %q, temex %q", e.Learn.As, base.Learn.As)
		}
		for _, site := range [][]algotest.SitePage{algotest.Website(), random} {
			own, of := algotest.Learn(t, e, site), algotest.Learn(t, base, site)
			if !slices.Equal(own.Body, of.Body) {
				t.Error("the templates differ")
			}
			for _, p := range site {
				small, large := own.Run(t, p), of.Run(t, p)
				var both page.Selection
				both.Intersect(&small.Out, &large.Out)
				if !slices.Equal(both.Spans, small.Out.Spans) || !slices.Equal(both.Rows, small.Out.Rows) {
					t.Errorf("%s: conex keeps what temex drops", p.URL)
				}
			}
		}
	}
}

func TestNoGarbage(t *testing.T) { algotest.SiteNoGarbage(t, Extractor) }
