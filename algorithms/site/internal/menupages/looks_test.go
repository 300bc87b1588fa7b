package menupages

import (
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/site/internal/codec"
)

func looksOf(t *testing.T, html string) (*looks, *part) {
	t.Helper()
	p := algotest.Pass(html)
	tree, err := canon.Of(p)
	if err != nil {
		t.Fatal(err)
	}
	k := new(looks)
	k.readPage(p, tree)
	of := &part{looks: k}
	of.Label, of.End = slices.Clone(canon.IDC.Of(p).Label), slices.Clone(tree.End)
	return k, of
}

// TestEqual has the score of the first children of body, times three: at least
// 2.25 is equal.
func TestEqual(t *testing.T) {
	f := func(a, b string, want bool) {
		t.Helper()
		x, _ := looksOf(t, a)
		y, _ := looksOf(t, b)
		if got := x.equal(1, y, 1); got != want || y.equal(1, x, 1) != want {
			t.Errorf("%s and %s: %v, want %v", a, b, got, want)
		}
	}
	f("<p>", "<p>", true)                                                               // 1 + 1 + 1
	f("<p>", "<div>", false)                                                            // the tag
	f("<p id=a>", "<p id=b>", false)                                                    // 0 + 1 + 1
	f("<p class='a b c d'>", "<p class='a b c e'>", true)                               // 1 + 3/5 + 1
	f("<p class='a b'>", "<p class='a c'>", true)                                       // 1 + 1/3 + 1 = 2.33
	f("<p class='a b c'>", "<p class='a d e'>", false)                                  // 1 + 1/5 + 1 = 2.2
	f("<p class=a>", "<p>", false)                                                      // 1 + 0 + 1
	f("<ul><li></ul>", "<ul><li><li><li><li></ul>", true)                               // 1 + 1 + 1/4
	f("<ul><li></ul>", "<ul><li><li><li><li><li></ul>", false)                          // 1 + 1 + 1/5
	f("<ul></ul>", "<ul><li></ul>", false)                                              // 1 + 1 + 0
	f("<p id=post-1234 class=n555>", "<p class=n666 id=post-4321>", true)               // digits
	f("<img src=a>", "<img src=b>", true)                                               // leaves: the group tells
	f("<ul class='a b'><li><li></ul>", "<ul class='b c'><li><li><li></ul>", false)      // 1 + 1/3 + 2/3 = 2
	f("<ul class='a b c d'><li><li><li></ul>", "<ul class='b c d'><li><li></ul>", true) // 1 + 3/4 + 2/3 = 2.42
}

func TestGroups(t *testing.T) {
	k, of := looksOf(t, "<p class=a>x</p><p class=b>x</p><div>y</div><img src=1><img src=2>")
	g := k.groups(&of.Tree)
	// body p x p x div y img img
	if g[1] != g[3] || g[2] != g[4] || g[1] == g[5] || g[2] == g[6] || g[7] == g[8] {
		t.Errorf("groups %v", g)
	}
}

// TestLooksAreKept: written, read and restricted with the tree.
func TestLooksAreKept(t *testing.T) {
	score := Params{Pages: defaultPages, Equal: EqualScore}
	for _, page := range algotest.Pages() {
		p := algotest.Pass(page.HTML)
		tree, err := canon.Of(p)
		if err != nil || tree.Len() > 3000 {
			continue
		}
		_, of := looksOf(t, page.HTML)
		var w codec.Writer
		score.write(&w, of)
		got, err := score.read(codec.NewReader(w.Out))
		if err != nil {
			t.Fatalf("%s: %v", page.Name, err)
		}
		same := func(a, b *looks) bool {
			return slices.Equal(a.tag, b.tag) && slices.Equal(a.id, b.id) && slices.Equal(a.kids, b.kids) &&
				slices.Equal(a.first, b.first) && slices.Equal(a.classes, b.classes)
		}
		if !got.Equal(&of.Tree) || !same(got.looks, of.looks) {
			t.Errorf("%s: what was read is not what was written", page.Name)
		}
		keep := make([]bool, of.Len())
		for n := range keep {
			keep[n] = true
		}
		got.looks.restrict(keep)
		if !same(got.looks, of.looks) {
			t.Errorf("%s: keeping all changes the looks", page.Name)
		}
	}
	k, _ := looksOf(t, "<p class='a b'>x</p><div id=d class=c><i></i></div>")
	k.restrict([]bool{false, false, false, true, false})
	if len(k.tag) != 2 || k.id[1] == 0 || k.kids[1] != 1 || len(k.classesOf(0)) != 0 || len(k.classesOf(1)) != 1 {
		t.Errorf("restricted: %+v", k)
	}
}

// TestScore: an element whose classes changed a little is still a pair.
func TestScore(t *testing.T) {
	site := func(a, b string) *algorithms.Sample {
		var s algorithms.Sample
		p := Params{Pages: defaultPages, Equal: EqualScore}
		for i, class := range []string{a, b} {
			data, err := p.sketch(algotest.Pass("<div class='" + class + "'><p>Menu</p></div><p>own " + string(rune('a'+i)) + "</p>"))
			if err != nil {
				t.Fatal(err)
			}
			s.Pages = append(s.Pages, algorithms.Sketched{Rank: uint64(i + 1), Data: data})
		}
		return &s
	}
	f := func(a, b string, nodes int) {
		t.Helper()
		p := Params{Pages: defaultPages, Equal: EqualScore}
		learned, err := p.finish(site(a, b))
		if err != nil {
			t.Fatal(err)
		}
		v, err := p.open(learned.Body)
		if err != nil {
			t.Fatal(err)
		}
		if v.Nodes() != nodes {
			t.Errorf("%q and %q have %d nodes in common, want %d", a, b, v.Nodes(), nodes)
		}
	}
	f("page home", "page home", 5)    // body div p Menu p
	f("page home", "page article", 5) // 1 + 1/3 + 1
	f("home", "article", 2)           // 1 + 0 + 1: body p
}
