package temex

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/algorithms/site/internal/menupages"
)

func TestProperties(t *testing.T) {
	algotest.Site(t, Extractor, algotest.Website())
	algotest.Site(t, scored(t), algotest.Website())
	for _, settings := range []map[string]string{{"fold": "exact"}, {"cs": "page", "eq": "score"}} {
		algotest.Site(t, with(t, settings), algotest.Website())
	}
}

func with(t testing.TB, settings map[string]string) *algorithms.Extractor {
	t.Helper()
	e, err := Extractor.With(settings)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func FuzzOpenPages(f *testing.F) {
	algotest.FuzzOpen(f, with(f, map[string]string{"cs": "page"}), algotest.Website())
}

// TestPageChooses is worked out by hand. The site has two sections; pages of each
// link to each other and carry the section's own bar. Candidates are a, b (of the
// first) and c, d (of the second), with two links of the sample each.
//
//	page 1   links to a, b, c; a and b link to it; a ⇄ b       mapped to a, b
//	page 2   links to c, d, which link to it; c ⇄ d            mapped to c, d
//	page 3   links to a, d and b; none links to it             the site's choice, a and b
//	page a   links to b, which links to it, and to itself      mapped to b
func TestPageChooses(t *testing.T) {
	first, second := "<h1>Farm</h1><p>first bar</p>", "<h1>Farm</h1><p>second bar</p>"
	a := linked("a", first+"<div>own of a</div>", "a", "b", "1")
	b := linked("b", first+"<div>own of b</div>", "a", "1")
	c := linked("c", second+"<div>own of c</div>", "d", "2")
	d := linked("d", second+"<div>own of d</div>", "c", "2")
	one := linked("1", first+"<div>one</div><p>second bar</p>", "a", "b", "c")
	two := linked("2", second+"<div>two</div><p>first bar</p>", "c", "d")
	three := linked("3", second+"<div>three</div><p>first bar</p>", "a", "d", "b")
	own := with(t, map[string]string{"cs": "page"})
	if own.Learn.As == Extractor.Learn.As || own.Learn.As == with(t, map[string]string{"fold": "exact"}).Learn.As {
		t.Error("templates of different kinds have one name")
	}
	l := algotest.Learn(t, own, []algotest.SitePage{one, two, three}, a, b, c, d)
	// By rank the candidates are b, c, a, d: of the two pairs, b and a come first.
	if v := l.Value.(*menupages.Template); !v.Tied || len(l.Notes) > 0 || !slices.Equal(v.Pages, []uint64{website.RankOf(b.URL), website.RankOf(a.URL)}) {
		t.Errorf("tied %v, notes %v, chosen %x", v.Tied, l.Notes, v.Pages)
	}
	for _, c := range []struct {
		page  algotest.SitePage
		want  string
		notes []string
	}{
		{one, "one second bar", nil}, {two, "two first bar", nil}, {a, "own of a", nil},
		{three, "second bar three", []string{menupages.Fallback}},
	} {
		pass := l.Run(t, c.page)
		if got := strings.Join(strings.Fields(string(pass.AppendText(nil))), " "); got != c.want || !slices.Equal(pass.Notes, c.notes) {
			t.Errorf("%s: %q %v, want %q %v", c.page.URL, got, pass.Notes, c.want, c.notes)
		}
	}
}

// scored is the variant in which nodes are equal by a score.
func scored(t testing.TB) *algorithms.Extractor {
	t.Helper()
	e, err := Extractor.With(map[string]string{"eq": "score"})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func FuzzOpenScored(f *testing.F) { algotest.FuzzOpen(f, scored(f), algotest.Website()) }

func FuzzOpen(f *testing.F) { algotest.FuzzOpen(f, Extractor, algotest.Website()) }

// BenchmarkSite measures applying a template against a parse, and learning.
//
//	go test ./algorithms/site/temex -run '^$' -bench Site
func BenchmarkSite(b *testing.B) { algotest.BenchmarkSite(b, Extractor) }

func text(t *testing.T, l *algotest.Template, p algotest.SitePage) string {
	t.Helper()
	return strings.Join(strings.Fields(l.Text(t, p)), " ")
}

const (
	t1 = "<h1>A</h1><ul><li>x</li><li>y</li></ul><p>one</p>"
	t2 = "<h1>A</h1><ul><li>x</li><li>y</li></ul><div><p>two</p></div><p>three</p>"
)

// TestVector: the common part is body(h1(A) ul(li(x) li(y)) p).
func TestVector(t *testing.T) {
	sample := algotest.Ranked([]algotest.SitePage{{URL: "http://farm.example/1", HTML: t1}, {URL: "http://farm.example/2", HTML: t2}})
	l := algotest.Learn(t, Extractor, sample)
	if l.Nothing || !slices.Equal(l.Notes, []string{menupages.Fallback}) {
		t.Errorf("learned %+v", l.Learned)
	}
	v := l.Value.(*menupages.Template)
	if v.Tied || !slices.Equal(v.Pages, []uint64{1, 2}) || v.Nodes() != 9 {
		t.Errorf("chosen %v, tied %v, %d nodes, want 1 and 2, not tied, 9", v.Pages, v.Tied, v.Nodes())
	}
	if got := text(t, l, sample[1]); got != "two three" {
		t.Errorf("%q is left of T2", got)
	}
	if got := text(t, l, sample[0]); got != "one" {
		t.Errorf("%q is left of T1", got)
	}
}

// linked is a page of a site whose menu is on the first pages alone.
func linked(path string, html string, to ...string) algotest.SitePage {
	for _, l := range to {
		html += fmt.Sprintf("<a href=/%s></a>", l) // no content: the link and no word
	}
	return algotest.SitePage{URL: "http://farm.example/" + path, HTML: html}
}

// TestLinkedPages is worked out by hand. The sample is the articles 1 to 3 and
// the page b; a, b and c are in the menu.
//
//	links to   a: 1, 2, 3, b    b: 1, 2    c: 1, 3, b       candidates a (4), c (3), b (2)
//	ties       a ⇄ b, a ⇄ c, b ⇄ c                          all three
//
// a, c and b, in the order of candidates, have the menu and "Farm" in common;
// "Offer" is on a and c alone. The articles have "Article" in common, which only a
// template of articles would drop.
func TestLinkedPages(t *testing.T) {
	menu := "<ul><li>Barn</li><li>Mill</li></ul><h1>Farm</h1>"
	article := func(path, own string, to ...string) algotest.SitePage {
		return linked(path, menu+"<h2>Article</h2><p>"+own+"</p>", to...)
	}
	a := linked("a", menu+"<div>Offer</div><p>of a</p>", "b", "c", "1")
	b := linked("b", menu+"<div>Other</div><p>of b</p>", "a", "c", "2")
	c := linked("c", menu+"<div>Offer</div><p>of c</p>", "a", "b", "3")
	one, two, three := article("1", "wind", "a", "b", "c"), article("2", "rain", "a", "b"), article("3", "snow", "a", "c")
	l := algotest.Learn(t, Extractor, []algotest.SitePage{one, two, three, b}, a, c)
	v := l.Value.(*menupages.Template)
	want := []uint64{website.RankOf(a.URL), website.RankOf(c.URL), website.RankOf(b.URL)}
	if len(l.Notes) > 0 || !v.Tied || !slices.Equal(v.Pages, want) {
		t.Errorf("notes %v, tied %v, chosen %x, want %x", l.Notes, v.Tied, v.Pages, want)
	}
	for _, c := range []struct {
		page algotest.SitePage
		want string
	}{
		{one, "Article wind"}, {two, "Article rain"}, {a, "Offer of a"}, {b, "Other of b"},
		{article("4", "sun"), "Article sun"},
	} {
		if got := text(t, l, c.page); got != c.want {
			t.Errorf("%s: %q, want %q", c.page.URL, got, c.want)
		}
	}
	// Two pages: the foremost pair, a and c, which share the offer.
	pair, err := Extractor.With(map[string]string{"n": "2"})
	if err != nil {
		t.Fatal(err)
	}
	if pair.Learn.As == Extractor.Learn.As {
		t.Error("templates of two and of four pages have one name")
	}
	l = algotest.Learn(t, pair, []algotest.SitePage{one, two, three, b}, a, c)
	if v := l.Value.(*menupages.Template); !slices.Equal(v.Pages, want[:2]) {
		t.Errorf("chosen %x, want %x", v.Pages, want[:2])
	}
	if got := text(t, l, a); got != "of a" {
		t.Errorf("%q is left of a", got)
	}
}

// TestMedia: an image with one source on all pages is template, one of its own is
// not; the class of body does not matter.
func TestMedia(t *testing.T) {
	page := func(path, img, class string) algotest.SitePage {
		return algotest.SitePage{URL: "http://farm.example/" + path,
			HTML: "<body class=" + class + "><img src=logo.png><img src=" + img + "><p>text " + path + "</p>"}
	}
	l := algotest.Learn(t, Extractor, []algotest.SitePage{page("1", "1.png", "one"), page("2", "2.png", "two")})
	p := l.Run(t, page("3", "3.png", "three"))
	var sources []string
	for _, r := range p.Out.Rows {
		for row := r.Start; row < r.End; row++ {
			if src, ok := p.Page.Attr(p.Body.Node[row], "src"); ok {
				sources = append(sources, string(src))
			}
		}
	}
	if !slices.Equal(sources, []string{"3.png"}) {
		t.Errorf("images %v, want 3.png", sources)
	}
}

func TestNothing(t *testing.T) {
	page := func(path, html string) algotest.SitePage {
		return algotest.SitePage{URL: "http://farm.example/" + path, HTML: html}
	}
	l := algotest.Learn(t, Extractor, []algotest.SitePage{page("1", "<p id=a>one</p>"), page("2", "<div>two</div>")})
	if !l.Nothing {
		t.Error("pages with nothing in common have a template")
	}
	if p := l.Run(t, page("3", "<p id=a>one</p>")); !slices.Equal(p.Notes, []string{algorithms.NoteNoMatch}) {
		t.Errorf("notes %v", p.Notes)
	}
}

func TestNoGarbage(t *testing.T) { algotest.SiteNoGarbage(t, Extractor) }
