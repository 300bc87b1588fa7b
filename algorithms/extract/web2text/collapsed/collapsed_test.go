package collapsed

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/feature/stopwords"
	"github.com/winnow/winnow/algorithms/page"
)

func fill(t *testing.T, html string) (*Page, *page.Page) {
	t.Helper()
	var p Page
	pg := new(page.Page)
	pg.Parse([]byte(html), page.Options{})
	if !p.Fill(pg) {
		t.Fatal("the page is too large")
	}
	return &p, pg
}

// show is the collapsed tree with brackets: inner nodes by their characters, leaves
// by their text.
func show(t *testing.T, html string) string {
	p, pg := fill(t, html)
	b := pg.Body()
	text := map[int32]string{}
	for i, r := range p.Rows {
		text[p.leaves[i].node] = string(b.Text[b.TextStart[r]:b.TextEnd[r]])
	}
	var write func(k int32) string
	write = func(k int32) string {
		if s, ok := text[k]; ok {
			return s
		}
		var kids []string
		for i := range p.nodes {
			if p.nodes[i].parent == k {
				kids = append(kids, write(int32(i)))
			}
		}
		return fmt.Sprintf("%d(%s)", p.nodes[k].counts.chars, strings.Join(kids, " "))
	}
	if len(p.nodes) == 0 {
		return ""
	}
	return write(0)
}

func TestTree(t *testing.T) {
	for html, want := range map[string]string{
		"":              "",
		"<p></p><br>":   "",
		"<div><p>alone": "alone",
		"<div><ul><li>Menu</ul><div><p>One<p>Two</div></div>":                          "10(Menu 6(One Two))",
		"<div><div></div><div><p>One<b>Two</b></div></div>":                            "6(One Two)",
		"a<p hidden>no</p><textarea>no</textarea><select><option>no</select><p>b":      "2(a b)",
		"<table><tr><td>1<td>2<tr><td>3</table>":                                       "3(2(1 2) 3)",
		"<div><i>1</i><div><div><i>2</i><i>3</i></div></div></div><script>no</script>": "3(1 2(2 3))",
	} {
		if got := show(t, html); got != want {
			t.Errorf("%s: %s, want %s", html, got, want)
		}
	}
}

// TestTreeTwin makes the tree of other pages by its definition, one element after
// the other.
func TestTreeTwin(t *testing.T) {
	pages := []string{algotest.Conformance()}
	for seed := range uint64(20) {
		pages = append(pages, algotest.Random(seed))
	}
	for n, html := range pages {
		p, pg := fill(t, html)
		b := pg.Body()
		var parents []int32
		var build func(r page.Row, parent int32)
		build = func(r page.Row, parent int32) {
			holds := func(r page.Row) bool {
				return slices.ContainsFunc(p.Rows, func(x page.Row) bool { return x >= r && x < b.End[r] })
			}
			for { // down to where the tree branches, or a text
				var kids []page.Row
				for c := r + 1; c < b.End[r]; c = b.End[c] {
					if holds(c) {
						kids = append(kids, c)
					}
				}
				if len(kids) == 1 {
					r = kids[0]
					continue
				}
				at := int32(len(parents))
				parents = append(parents, parent)
				for _, c := range kids {
					build(c, at)
				}
				return
			}
		}
		if len(p.Rows) > 0 {
			build(0, -1)
		}
		var got []int32
		for i := range p.nodes {
			got = append(got, p.nodes[i].parent)
		}
		if !slices.Equal(got, parents) {
			t.Errorf("page %d: parents\n got %v\nwant %v", n, got, parents)
		}
	}
}

func TestCounts(t *testing.T) {
	stops := stopwords.Load("en")
	for text, want := range map[string]counts{
		"The cat is on the mat. Is it?": {chars: 29, words: 8, sentences: 2, punct: 2, stops: 4, capitals: 2, wordChars: 20, endsPunct: true, endsQuestion: true},
		"© 2009 a@b.org 12345":          {chars: 20, words: 5, sentences: 1, punct: 1, digits: 9, stops: 1, wordChars: 14, copyright: true, email: true, year: true},
		"http://x.y/ 3.14, Über":        {chars: 22, words: 6, sentences: 1, punct: 4, digits: 3, wordChars: 12, url: true},
		"谷物":                            {chars: 2, sentences: 1},
		"Wait... what":                  {chars: 12, words: 2, sentences: 2, punct: 3, stops: 1, capitals: 1, wordChars: 8},
	} {
		want.ended = true
		var got counts
		got.read([]byte(text), stops)
		if got != want {
			t.Errorf("%q:\n got %+v\nwant %+v", text, got, want)
		}
	}
}

// TestSums: an element has the sums of its leaves, and ends as its last one does.
func TestSums(t *testing.T) {
	p, _ := fill(t, "<div><p>One two.</p><p>Three <a>four</a><input></p></div><p>Five?</p>")
	c := p.nodes[0].counts
	if c.chars != 22 || c.words != 5 || c.punct != 2 || c.linkChars != 4 || !c.endsQuestion || !c.form {
		t.Errorf("root %+v", c)
	}
	if inner := p.nodes[1].counts; inner.endsPunct || !inner.form || inner.words != 4 {
		t.Errorf("div %+v", inner)
	}
	if p.nodes[len(p.nodes)-1].counts.form {
		t.Error("the last paragraph has no input")
	}
}

func TestFeatures(t *testing.T) {
	p, _ := fill(t, "<ul><li class=m>Menu</li><li class=m>Menu</li></ul><div><p>One <b>two</b></p></div>")
	near := func(name string, got, want float32) {
		t.Helper()
		if math.Abs(float64(got-want)) > 1e-4 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	x := make([]float32, BlockFeatures)
	p.Block(x, 0)
	near("a text that is there twice", x[0], 1)
	near("a text that is there more than ten times", x[1], -1)
	near("share of leaves with its classes", x[2], .5)
	near("z of one word", x[4], (0-1.5086)/1.205)
	near("it has a parent", x[27], 1)
	near("its parent's share of the page", x[28], 8./14)
	near("its parent is a list", x[27+21+6], 1)
	near("its grandparent is the root", x[27+41], 1)
	near("li among its names", x[109+4], 1)
	near("p among its names", x[109+1], -1)
	p.Block(x, 3)
	near("b among its names", x[109+3], 1)
	e := make([]float32, EdgeFeatures)
	for i, want := range [][]float32{{1, -1, -1, -1, 1}, {-1, -1, 1, -1, 1}, {1, -1, -1, -1, 0}} {
		p.Edge(e, i)
		if !slices.Equal(e[:5], want) {
			t.Errorf("edge %d: %v, want %v", i, e[:5], want)
		}
	}
	alone, _ := fill(t, "<p>alone")
	alone.Block(x, 0)
	near("no parent", x[27], -1)
	near("no feature of it", x[28], 0)
	for i, v := range x {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			t.Errorf("feature %d is %v", i, v)
		}
	}
}
