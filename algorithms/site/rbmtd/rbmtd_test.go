package rbmtd

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/site/internal/mask"
)

func TestProperties(t *testing.T) { algotest.Site(t, Extractor, algotest.Website()) }

func TestLeaveOneOut(t *testing.T) {
	algotest.LeaveOneOut(t, Extractor, algotest.Website()) // one cluster, with or without any page
	half, err := Extractor.With(map[string]string{"rho": "50"})
	if err != nil {
		t.Fatal(err)
	}
	algotest.LeaveOneOut(t, half, algotest.Website())
}

func FuzzOpen(f *testing.F) { algotest.FuzzOpen(f, Extractor, algotest.Website()) }

func with(t *testing.T, settings map[string]string) *algorithms.Extractor {
	t.Helper()
	e, err := Extractor.With(settings)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func expect(t *testing.T, l *algotest.Template, p algotest.SitePage, want string, notes ...string) {
	t.Helper()
	pass := l.Run(t, p)
	got := strings.Join(strings.Fields(string(pass.Out.AppendText(nil, pass.Body))), " ")
	if got != want || !slices.Equal(pass.Notes, notes) {
		t.Errorf("%s: %q %v, want %q %v", p.URL, got, pass.Notes, want, notes)
	}
}

const (
	t1 = "<h1>A</h1><ul><li>x</li><li>y</li></ul><p>one</p>"
	t2 = "<h1>A</h1><ul><li>x</li><li>y</li></ul><div><p>two</p></div><p>three</p>"
)

// TestVector: the paths of T1 are 8, T2 has these and div, div.p and its text:
// similarity 8/11 = 0.727, so the clustering must be loosened.
func TestVector(t *testing.T) {
	site := algotest.SitePages(t1, t2)
	a, b := sketchOf(t, site[0]), sketchOf(t, site[1])
	if common, all := similarity(a.paths, b.paths); common != 8 || all != 11 {
		t.Errorf("similarity %d/%d, want 8/11", common, all)
	}
	if _, err := algotest.TryLearn(t, Extractor, site); err != algorithms.ErrTooFewPages {
		t.Errorf("two clusters of one page: %v", err)
	}
	l := algotest.Learn(t, with(t, map[string]string{"sigma": "72"}), site)
	c := l.Value.(*template).clusters[0]
	// h1 and its text, ul, two li and their texts; not body, not p.
	if c.members != 0b11 || c.keys.Len() != 7 || l.Clusters != 1 || l.Nothing {
		t.Errorf("members %b, %d keys, want 11 and 7", c.members, c.keys.Len())
	}
	for _, html := range []string{t1, t2} {
		pass := algotest.Pass(html)
		tree, _ := canon.Of(pass)
		sub := canon.Full.Of(pass).Sub
		for n := range tree.Len() {
			name := pass.Page.TagName(tree.Tag[tree.Parent[max(n, 1)]])
			want := slices.Contains([]string{"h1", "ul", "li"}, name) || n == 1 || n == 3
			if got := c.keys.Of(canon.Join(tree.Path[n], sub[n])) != 0; got != want {
				t.Errorf("%s: node %d is template: %v, want %v", html, n, got, want)
			}
		}
	}
	expect(t, l, algotest.SitePage{URL: "http://farm.example/new", HTML: t2}, "two three")
}

func sketchOf(t *testing.T, p algotest.SitePage) sketch {
	t.Helper()
	s, err := readSketch(algotest.SampleOf(t, Extractor, []algotest.SitePage{p}).Pages[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSite is worked out by hand. The paths of all pages are body, ul, li, text of
// li, p, text of p.
//
//	key      page 0  1  2  3
//	ul            x  x  x         li(z) makes that of page 3 another
//	li(x)         x  x  x  x
//	x             x  x  x  x
//	li(y), y      x  x  x
//	li(z), z               x
//	p and its text: one page each, but for "same" on 1 and 2
func TestSite(t *testing.T) {
	site := algotest.SitePages(
		"<ul><li>x</li><li>y</li></ul><p>one</p>",
		"<ul><li>x</li><li>y</li></ul><p>same</p>",
		"<ul><li>x</li><li>y</li></ul><p>same</p>",
		"<ul><li>x</li><li>z</li></ul><p>six</p>")
	fresh := func(html string) algotest.SitePage {
		return algotest.SitePage{URL: "http://farm.example/new", HTML: html}
	}
	list := func(l *algotest.Template) (masks []uint64) {
		for _, s := range site {
			for _, key := range sketchOf(t, s).keys {
				if m := l.Value.(*template).clusters[0].keys.Of(key); m != 0 {
					masks = append(masks, m)
				}
			}
		}
		slices.Sort(masks)
		return slices.Compact(masks)
	}

	all := algotest.Learn(t, Extractor, site)
	if got := list(all); !slices.Equal(got, []uint64{0b1111}) || all.Value.(*template).clusters[0].keys.Len() != 2 {
		t.Errorf("masks %b, want li(x) and x on all pages", got)
	}
	expect(t, all, fresh("<ul><li>x</li><li>y</li></ul><p>new</p>"), "y new")
	// Page 3 does not count for itself: of the others all have ul, li(y) and y.
	// But what only three of four have is not stored, as no page that lacks it asks.
	expect(t, all, site[3], "z six")
	expect(t, all, site[0], "y one")

	half := algotest.Learn(t, with(t, map[string]string{"rho": "50"}), site)
	if got := list(half); !slices.Equal(got, []uint64{0b0110, 0b0111, 0b1111}) {
		t.Errorf("masks %b, want those of two pages and more", got)
	}
	expect(t, half, fresh("<ul><li>x</li><li>y</li></ul><p>same</p>"), "")
	expect(t, half, fresh("<ul><li>x</li><li>y</li><li>z</li></ul><p>same</p><p>new</p>"), "z new")
	// Of three other pages ⌈1.5⌉ = 2 must have it; page 1 has "same" with one other.
	expect(t, half, site[1], "same")
	expect(t, half, site[0], "one")
}

// TestClusters: two makes of pages; and one that is like neither.
func TestClusters(t *testing.T) {
	article := func(text string) string { return "<div><h1>Farm</h1><p>" + text + "</p></div>" }
	list := func(text string) string { return "<table><tr><td>Farm</td><td>" + text + "</td></tr></table>" }
	site := algotest.SitePages(article("one"), list("1"), article("two"), list("2"), "<pre>alone</pre>", article("three"))
	l := algotest.Learn(t, Extractor, site)
	v := l.Value.(*template)
	if l.Clusters != 2 || len(v.clusters) != 2 || v.clusters[0].members != 0b100101 || v.clusters[1].members != 0b001010 {
		t.Fatalf("clusters %+v", v.clusters)
	}
	expect(t, l, site[0], "one")
	expect(t, l, site[3], "2")
	expect(t, l, site[4], "alone", "no_match")
	expect(t, l, algotest.SitePage{URL: "http://farm.example/new", HTML: article("four")}, "four")
	// The first cluster of those whose leader is similar, not the most similar.
	one, two := sketch{paths: []uint64{1, 2, 3, 4}}, sketch{paths: []uint64{1, 2, 3, 9}}
	if got := groups([]sketch{one, two, two}, 60); len(got) != 1 || got[0].members != 0b111 {
		t.Errorf("clusters %+v, want one", got)
	}
	if got := groups([]sketch{one, two, two}, 61); len(got) != 2 || got[1].members != 0b110 {
		t.Errorf("clusters %+v, want two", got)
	}
}

// TestNearest: the most similar leader, the first of equals.
func TestNearest(t *testing.T) {
	pass := algotest.Pass("<p>one</p>") // paths of body, p and its text
	tree, _ := canon.Of(pass)
	own := distinctPaths(nil, tree)
	var s scratch
	f := func(want int, leaders ...[]uint64) {
		t.Helper()
		of := new(template)
		for _, paths := range leaders {
			slices.Sort(paths)
			of.clusters = append(of.clusters, cluster{members: 0b11, paths: paths})
		}
		got := Params{Sigma: 50}.nearest(&s, tree, of)
		if got != want {
			t.Errorf("of leaders with %x: %d, want that of place %d", leaders, got, want)
		}
	}
	more := func(n uint64) []uint64 { // n paths that the page has not
		paths := slices.Clone(own)
		for i := range n {
			paths = append(paths, 1+i)
		}
		return paths
	}
	f(-1)
	f(0, more(3))
	f(-1, more(4))
	f(1, more(2), more(1), more(1))
	f(2, more(2), more(1), more(0))
}

func TestSimilarity(t *testing.T) {
	f := func(a, b []uint64, common, all int) {
		t.Helper()
		if c, n := similarity(a, b); c != common || n != all {
			t.Errorf("%d/%d, want %d/%d", c, n, common, all)
		}
	}
	f(nil, nil, 0, 0)
	f([]uint64{1}, nil, 0, 1)
	f([]uint64{1, 2, 3}, []uint64{2, 3, 4}, 2, 4)
	var many, odd []uint64
	for i := range uint64(3 * MaxPaths) {
		many = append(many, i)
		if i%2 == 1 {
			odd = append(odd, i)
		}
	}
	f(many, odd, MaxPaths/2, MaxPaths)
	f(many[:MaxPaths], odd[:MaxPaths], MaxPaths/2, MaxPaths) // cut lists give the same
	if similar(0, 0, 1) || !similar(8, 10, 80) || similar(79, 100, 80) {
		t.Error("thresholds")
	}
}

func TestNothing(t *testing.T) {
	l := algotest.Learn(t, Extractor, algotest.SitePages("<p>one</p>", "<p>two</p>"))
	if !l.Nothing || l.Clusters != 1 {
		t.Errorf("%+v", l.Learned)
	}
}

// TestEviction: pages alike in more subtrees than fit keep the largest.
func TestEviction(t *testing.T) {
	var html strings.Builder
	html.WriteString("<div>")
	for i := range 9000 { // 9000 p and texts, 16 bytes each
		fmt.Fprintf(&html, "<p>%d</p>", i)
	}
	html.WriteString("</div>")
	site := algotest.SitePages(html.String(), html.String()+"<p>own</p>")
	l := algotest.Learn(t, with(t, map[string]string{"sigma": "60"}), site)
	if !slices.Equal(l.Notes, []string{"truncated"}) {
		t.Fatalf("notes %v", l.Notes)
	}
	if len(l.Body) < algorithms.MaxTemplate-2*countSize {
		t.Errorf("%d bytes: more was dropped than had to be", len(l.Body))
	}
	keys := l.Value.(*template).clusters[0].keys
	s := sketchOf(t, site[0])
	kept := map[int]int{}
	for i, key := range s.keys {
		if keys.Of(key) != 0 {
			kept[s.sizes[i]]++
		}
	}
	if kept[18001] != 1 || kept[2] != 9000 || kept[1] >= 9000 || kept[1] == 0 {
		t.Errorf("kept by size: %v; want the div, all p, and some of the texts", kept)
	}
	expect(t, l, algotest.SitePage{URL: "http://farm.example/new", HTML: html.String() + "<p>new</p>"}, "new")
}

// TestTwin compares with the definitions: keys as strings, sets, no masks.
func TestTwin(t *testing.T) {
	e := with(t, map[string]string{"rho": "60", "sigma": "1"})
	compared := 0
	for seed := range uint64(12) {
		var html []string
		for i := range uint64(5) {
			html = append(html, algotest.Random(seed*3+i%3)+algotest.Random(100+seed*3+i))
		}
		site := algotest.SitePages(html...)
		l := algotest.Learn(t, e, site)
		if l.Value.(*template).clusters[0].members != 0b11111 {
			continue // pages without a path in common
		}
		compared++
		for i, p := range site {
			count := map[string]int{}
			for j, q := range site {
				if j != i {
					for key := range literalKeys(q.HTML) {
						count[key]++
					}
				}
			}
			pass := algotest.Pass(p.HTML)
			tree, _ := canon.Of(pass)
			names := literalNames(pass, tree)
			keep := make([]bool, len(tree.Leaves))
			for k, leaf := range tree.Leaves {
				keep[k] = true
				for n := leaf.Node; n >= 0; n = tree.Parent[n] {
					if count[names[n]] >= 3 { // ⌈0.6·4⌉
						keep[k] = false
					}
				}
			}
			tree.Select(pass, keep)
			if got, want := l.Text(t, p), string(pass.Out.AppendText(nil, pass.Body)); got != want {
				t.Fatalf("seed %d, page %d: %q, want %q", seed, i, got, want)
			}
		}
	}
	if compared < 6 {
		t.Errorf("%d sites were compared", compared)
	}
}

func literalKeys(html string) map[string]bool {
	pass := algotest.Pass(html)
	tree, _ := canon.Of(pass)
	keys := map[string]bool{}
	for _, name := range literalNames(pass, tree) {
		keys[name] = true
	}
	return keys
}

// literalNames are the path and the subtree of each node, written out; paths of
// names, labels as numbers.
func literalNames(p *algorithms.Pass, t *canon.Tree) []string {
	label := canon.Full.Of(p).Label
	names := make([]string, t.Len())
	for n := range names {
		path := ""
		for up := canon.Node(n); up >= 0; up = t.Parent[up] {
			path = p.Page.TagName(t.Tag[up]) + "." + path
		}
		var sub strings.Builder
		for m := canon.Node(n); m < t.End[n]; m++ {
			fmt.Fprintf(&sub, "%d:%x ", t.Depth[m]-t.Depth[n], label[m])
		}
		names[n] = path + "|" + sub.String()
	}
	return names
}

func TestThreshold(t *testing.T) {
	p := Params{Rho: 50}
	f := func(with, members uint64, place int, want bool) {
		t.Helper()
		if got := p.template(with, members, place); got != want {
			t.Errorf("on %b of %b without %d: %v", with, members, place, got)
		}
	}
	f(0b0011, 0b1111, -1, true)
	f(0b0001, 0b1111, -1, false)
	f(0b0011, 0b1111, 0, false) // one of three
	f(0b0110, 0b1111, 0, true)
	f(0b0011, 0b0011, 0, true) // any repeat
	f(0b0001, 0b0011, 0, false)
	f(0, 0b1, -1, false)
	if n := mask.Threshold(100, bits.OnesCount64(0b111)); n != 3 {
		t.Errorf("all of 3 pages are %d", n)
	}
	if algorithms.NoteNoMatch != "no_match" {
		t.Error("the note has another name")
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
