package texthash

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/site/internal/mask"
)

func TestSite(t *testing.T)        { algotest.Site(t, Extractor, algotest.Website()) }
func TestLeaveOneOut(t *testing.T) { algotest.LeaveOneOut(t, Extractor, algotest.Website()) }
func TestNoGarbage(t *testing.T)   { algotest.SiteNoGarbage(t, Extractor) }

func FuzzOpen(f *testing.F) { algotest.FuzzOpen(f, Extractor, algotest.Website()) }

// BenchmarkSite measures applying a template against a parse, and learning.
//
//	go test ./algorithms/site/texthash -run '^$' -bench Site
func BenchmarkSite(b *testing.B) { algotest.BenchmarkSite(b, Extractor) }

func at(i int, body string) algotest.SitePage {
	return algotest.SitePage{URL: fmt.Sprintf("http://example.org/%d", i), HTML: "<body>" + body, Rank: uint64(i + 1)}
}

// pages: a menu of three words and a foot of four are on all, w = 3.
func pages() []algotest.SitePage {
	var out []algotest.SitePage
	for i, text := range []string{"zero zero zero", "one", "two two", "three three three three", "four four four"} {
		out = append(out, at(i, `<ul><li>Home<li>News<li>Shop</ul><p>`+text+`</p><p>all rights reserved here</p>`))
	}
	return out
}

// TestByHand: windows of three words. Template are "Home News Shop", "all rights
// reserved" and "rights reserved here"; "News Shop zero" and the like are on one page.
func TestByHand(t *testing.T) {
	f := func(p Params, page algotest.SitePage, want string) {
		t.Helper()
		if got := algotest.Learn(t, New(p), pages()).Text(t, page); got != want {
			t.Errorf("%+v: %s: %q, want %q", p, page.URL, got, want)
		}
	}
	three := Params{Window: 3, Phi: 10, Run: 3}
	f(three, pages()[0], "zero zero zero")
	f(three, pages()[1], "")                           // one word between template
	f(three, pages()[2], "")                           // two
	f(Params{3, 10, 2}, pages()[2], "two two")         // r = 2
	f(Params{3, 100, 3}, pages()[4], "four four four") // on all other pages
	f(Params{5, 10, 1}, pages()[1], "Home\nNews\nShop\none\nall rights reserved here")

	f(three, at(9, `fresh <b>words</b>`), "fresh words")
	f(three, at(9, `x <i>Home</i> News <b>Shop</b> y`), "x y")        // at the ends of a page short runs stay
	f(three, at(9, `Home News Shop Home News Shop`), "")              // windows side by side
	f(three, at(9, `all rights reserved here <p hidden>a</p>b`), "b") // hidden words are none
	f(three, at(9, `Home NEWS Shop`), "Home NEWS Shop")
	f(three, at(9, `Home News`), "Home News")
	f(three, at(9, ``), "")
}

func TestNotes(t *testing.T) {
	l := algotest.Learn(t, New(Params{3, 10, 3}), pages())
	if p := l.Run(t, at(9, "nothing of the kind is here")); !slices.Equal(p.Notes, []string{algorithms.NoteNoMatch}) {
		t.Errorf("notes %v", p.Notes)
	}
	if l.Nothing || len(l.Notes) > 0 || l.Value.(*mask.Table).Pages != 5 {
		t.Errorf("%+v", l.Learned)
	}
	if l := algotest.Learn(t, Extractor, pages()); !l.Nothing {
		t.Error("windows of six words are on two pages")
	}
}

func TestBounds(t *testing.T) {
	var b strings.Builder
	for i := range 70_000 {
		fmt.Fprintf(&b, "w%d ", i)
	}
	if _, err := Extractor.Learn.Sketch(algotest.Pass(b.String())); err != algorithms.ErrPageTooLarge {
		t.Errorf("70 000 windows: %v", err)
	}
	l := algotest.Learn(t, New(Params{3, 10, 3}), pages())
	if got := l.Text(t, at(9, "Home News Shop "+b.String())); got != strings.TrimSpace(b.String()) {
		t.Errorf("%d bytes of a long page, want %d", len(got), b.Len()-1)
	}
}
