package rtdmtd

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/feature/canon"
)

func TestProperties(t *testing.T) {
	for _, settings := range []map[string]string{{}, {"remove": "hash"}, {"label": "idc"}, {"label": "tag"}, {"steps": "50"}} {
		algotest.Site(t, with(t, settings), algotest.Website())
	}
}

func FuzzOpen(f *testing.F) { algotest.FuzzOpen(f, Extractor, algotest.Website()) }

// BenchmarkSite measures applying a template against a parse, and learning.
//
//	go test ./algorithms/site/rtdmtd -run '^$' -bench Site
func BenchmarkSite(b *testing.B) { algotest.BenchmarkSite(b, Extractor) }

func with(t *testing.T, settings map[string]string) *algorithms.Extractor {
	t.Helper()
	e, err := Extractor.With(settings)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

const (
	t1 = "<h1>A</h1><ul><li>x</li><li>y</li></ul><p>one</p>"
	t2 = "<h1>A</h1><ul><li>x</li><li>y</li></ul><div><p>two</p></div><p>three</p>"
)

// TestLearnVector: body(h1(A) ul(li(x) li(y)) p), and the p goes in the end.
func TestLearnVector(t *testing.T) {
	l := algotest.Learn(t, Extractor, algotest.SitePages(t1, t2))
	pass := algotest.Pass("<h1>A</h1><ul><li>x</li><li>y</li></ul>")
	tree, _ := canon.Of(pass)
	v := l.Value.(*template)
	if !slices.Equal(v.Label, canon.Full.Of(pass).Label) || !slices.Equal(v.End, tree.End) {
		t.Errorf("the template has %d nodes, want body(h1(A) ul(li(x) li(y)))", v.Len())
	}
	for html, want := range map[string]string{t1: "one", t2: "two three"} {
		if got, _ := l.Left(t, html); got != want {
			t.Errorf("%q is left of %s, want %q", got, html, want)
		}
	}
}

// TestSite is worked out by hand.
//
//	page 0   nav(a b c)  div(h2(Wind) p(one))   foot(hr rights 2007)
//	page 1   nav(a c)    div(h2(Rain) p(two))   foot(hr rights 2007)
//	page 2   nav(a b c)  div(h2(Snow))          foot(hr rights 2008)
//
// After page 1: nav(a c) div(h2 p) foot(hr rights 2007), where h2 and p have lost
// their texts. After page 2 p is gone, and 2007. In the end so are div and h2, whose
// content was lost; hr never had any and stays: nav(a c) foot(hr rights), where a,
// c and rights are elements with a text, 10 nodes with body.
func TestSite(t *testing.T) {
	page := func(nav, main, year string) string {
		var h strings.Builder
		h.WriteString("<nav>")
		for _, item := range strings.Fields(nav) {
			h.WriteString("<b>" + item + "</b>")
		}
		return h.String() + "</nav><div>" + main + "</div><footer><hr><i>rights</i><u>" + year + "</u></footer>"
	}
	site := algotest.SitePages(
		page("a b c", "<h2>Wind</h2><p>one</p>", "2007"),
		page("a c", "<h2>Rain</h2><p>two</p>", "2007"),
		page("a b c", "<h2>Snow</h2>", "2008"))
	l := algotest.Learn(t, Extractor, site)
	pass := algotest.Pass("<nav><b>a</b><b>c</b></nav><footer><hr><i>rights</i></footer>")
	tree, _ := canon.Of(pass)
	if v := l.Value.(*template); v.Len() != 10 || !slices.Equal(v.Label, canon.Full.Of(pass).Label) || !slices.Equal(v.End, tree.End) {
		t.Errorf("%d nodes, sizes up to %v", v.Len(), v.End)
	}
	f := func(rule string, e *algorithms.Extractor, html, want string, notes ...string) {
		t.Helper()
		got, noted := algotest.Learn(t, e, site).Left(t, html)
		if got != want || !slices.Equal(noted, notes) {
			t.Errorf("%s: %q %v, want %q %v", rule, got, noted, want, notes)
		}
	}
	fresh := page("a b c", "<h2>Sun</h2><p>four a</p>", "2009")
	f("an optional item stays", Extractor, fresh, "b Sun four a 2009")
	f("items may be missing", Extractor, page("c", "<p>x</p>", "2009"), "x 2009")
	f("another order: to replace both costs less than to leave one out", Extractor, page("c a", "", ""), "ca")
	f("another root, same below", Extractor, "<body id=x class=y>"+fresh, "b Sun four a 2009")
	f("another label cuts off what is below", Extractor, "<section>"+fresh+"</section>", "abc Sun four a rights2009", "no_match")
	f("by subtrees", with(t, map[string]string{"remove": "hash"}), page("c a d", "", "2009"), "d 2009")
	f("by subtrees, at another path", with(t, map[string]string{"remove": "hash"}), "<nav><b>c</b></nav><b>a</b>", "a")
	f("over the budget", with(t, map[string]string{"steps": "1"}), page("c a d", "", "2009"), "d 2009", "budget")
}

// TestBudgetOfLearning: what is folded by subtrees is the subtrees that all pages
// have, and what they lie in.
func TestBudgetOfLearning(t *testing.T) {
	l := algotest.Learn(t, with(t, map[string]string{"steps": "1"}), algotest.SitePages(t1, t2))
	if !slices.Equal(l.Notes, []string{Budget}) {
		t.Errorf("notes %v", l.Notes)
	}
	if v := l.Value.(*template); v.Len() != 8 { // p has no subtree in common
		t.Errorf("%d nodes, want 8", v.Len())
	}
	if got, _ := l.Left(t, t2); got != "two three" {
		t.Errorf("%q is left of T2", got)
	}
	l = algotest.Learn(t, with(t, map[string]string{"steps": "1"}),
		algotest.SitePages("<div><ul><li>x</li><li>y</li></ul></div>", "<div><ul><li>x</li><li>z</li></ul></div>"))
	if v := l.Value.(*template); v.Len() != 5 {
		t.Errorf("%d nodes, want body, div, ul, li and x", v.Len())
	}
}

func TestLabels(t *testing.T) {
	site := algotest.SitePages("<p title=1 class=c>same</p><p class=d>one</p>", "<p title=2 class=c>same</p><p class=e>two</p>")
	f := func(label, html, want string) {
		t.Helper()
		if got, _ := algotest.Learn(t, with(t, map[string]string{"label": label}), site).Left(t, html); got != want {
			t.Errorf("label=%s: %q, want %q", label, got, want)
		}
	}
	f("full", "<p title=1 class=c>same</p><p>new</p>", "same new")
	f("idc", "<p title=3 class=c>same</p><p>new</p>", "new")
	f("tag", "<p>any</p><p>new</p><div>more</div>", "more")
}

func TestNothing(t *testing.T) {
	if l := algotest.Learn(t, Extractor, algotest.SitePages("<p>one</p>", "<p>two</p>")); !l.Nothing {
		t.Error("pages with nothing in common but a p have a template")
	}
}

// TestWide: lists that have no cheap mapping are looked up within the budget.
func TestWide(t *testing.T) {
	wide := func(seed int) string {
		var h strings.Builder
		h.WriteString("<h1>Farm</h1>")
		for i := range 6000 {
			fmt.Fprintf(&h, "<p>%d</p>", i*2+seed)
		}
		return h.String()
	}
	l := algotest.Learn(t, Extractor, algotest.SitePages(wide(0), wide(1)))
	if !slices.Equal(l.Notes, []string{Budget}) || l.Nothing {
		t.Errorf("notes %v, nothing %v", l.Notes, l.Nothing)
	}
	if got, notes := l.Left(t, "<h1>Farm</h1><p>new</p>"); got != "new" || len(notes) > 0 {
		t.Errorf("%q %v", got, notes)
	}
}

// TestSketchOfLargestPage: the most nodes a page may have, no two at one path.
func TestSketchOfLargestPage(t *testing.T) {
	var h strings.Builder
	for i := range (canon.MaxNodes - 1) / 2 {
		fmt.Fprintf(&h, "<x-%d>%d</x-%d>", i, i, i)
	}
	s := algotest.SampleOf(t, Extractor, algotest.SitePages(h.String()))
	if len(s.Pages) != 1 || len(s.Pages[0].Data) < 300_000 {
		t.Fatalf("%d pages of %d nodes", len(s.Pages), canon.MaxNodes)
	}
	if over := algotest.SampleOf(t, Extractor, algotest.SitePages(h.String()+"<i>1</i><i>2</i>")); len(over.Pages) != 0 {
		t.Error("a page over the bound was sketched")
	}
}

func TestNoGarbage(t *testing.T) { algotest.SiteNoGarbage(t, Extractor) }
