package block

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/feature/canon"
)

// cut is "path[leaves]" for every block; paths are checked against their hashes.
func cut(t *testing.T, how *algorithms.Feature[Blocks], html string) string {
	t.Helper()
	p := algotest.Pass(html)
	b := how.Of(p)
	tree, _ := canon.Of(p)
	paths := map[uint64]string{}
	var out []string
	for i := range b.Len() {
		name := strings.ToUpper(p.Page.TagName(tree.Tag[b.Node[i]]))
		path := "HTML." + name
		if i > 0 {
			path = paths[b.Path[b.Parent[i]]] + "." + name
		}
		if old, ok := paths[b.Path[i]]; ok && old != path {
			t.Errorf("%s and %s have one hash", old, path)
		}
		paths[b.Path[i]] = path
		var texts []string
		for _, leaf := range b.Leaves(i) {
			if int(b.Of[leaf]) != i {
				t.Errorf("leaf %d is in two blocks", leaf)
			}
			s := string(tree.Text(int(leaf)))
			if tree.Leaves[leaf].Media {
				s = "*"
			}
			texts = append(texts, s)
		}
		out = append(out, fmt.Sprintf("%s%v", path, texts))
	}
	return strings.Join(out, " ")
}

func TestPaths(t *testing.T) {
	f := func(how *algorithms.Feature[Blocks], html, want string) {
		t.Helper()
		if got := cut(t, how, html); got != want {
			t.Errorf("%s: %s:\n%s, want\n%s", how.Name, html, got, want)
		}
	}
	// The path that the FastContentExtractor paper prints.
	f(Classic, `<table><tr><td><p>x</p></table>`, "HTML.BODY[] HTML.BODY.TABLE[] HTML.BODY.TABLE.TR[] HTML.BODY.TABLE.TR.P[x]")
	f(Classic, `lead <div>a <table><tr><td>b <p>c</p></td></tr></table> d<hr><img></div>`,
		"HTML.BODY[lead] HTML.BODY.DIV[a d *] HTML.BODY.DIV.TABLE[] HTML.BODY.DIV.TABLE.TR[b] HTML.BODY.DIV.TABLE.TR.P[c]")
	f(HTML5, `<section><h1>a</h1><ol><li>b</ol></section>`,
		"HTML.BODY[] HTML.BODY.SECTION[] HTML.BODY.SECTION.H1[a] HTML.BODY.SECTION.OL[] HTML.BODY.SECTION.OL.LI[b]")
	f(Tables, `a<table><tr><td>b<table><tr><td>c</table></table><div>d</div>`,
		"HTML.BODY[a d] HTML.BODY.TABLE[b] HTML.BODY.TABLE.TABLE[c]")
	f(Layout, `<div>a<p>b</p><x-y>c</x-y></div>`, "HTML.BODY[] HTML.BODY.DIV[a b c]")
	f(Classic, `<frameset><frame></frameset>`, "")
}

func TestCounts(t *testing.T) {
	b := Classic.Of(algotest.Pass(`<div>one two <a href=x>three</a><a name=y>four</a><img><svg></svg><b><script>1</script></b>
		<p>five<script>2</script></p><script>3</script></div><div> | </div><div></div>`))
	equal := func(name string, got, want []int32) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	equal("parent", b.Parent, []int32{-1, 0, 1, 0, 0})
	equal("end", b.End, []int32{5, 3, 3, 4, 5})
	equal("words", b.Words, []int32{0, 4, 1, 0, 0})
	equal("media", b.Media, []int32{0, 2, 0, 0, 0})
	equal("images", b.Images, []int32{0, 1, 0, 0, 0})
	equal("links", b.Links, []int32{0, 1, 0, 0, 0})
	equal("scripts", b.Scripts, []int32{0, 2, 1, 0, 0})
	for i, want := range []bool{true, false, false, true, true} {
		if b.Discarded(i) != want {
			t.Errorf("block %d discarded: %v", i, !want)
		}
	}
	if len(b.Leaves(3)) != 1 || len(b.Leaves(4)) != 0 {
		t.Error("leaves of the last blocks")
	}
}

// TestCutOrder follows the cutting by hand. Blocks by place: 0 body, 1 div, 2 table,
// 3 tr, 4 p, 5 the second div, 6 its p.
//
//	TABLE  body holds one             2 0
//	TR     table holds one            0 | 3 2
//	P      body holds one, tr another 2 | 6 0, 4 3
//	DIV    body holds both            2 6 4 3 | 1 5 0
func TestCutOrder(t *testing.T) {
	pass := algotest.Pass("<body>lead<div>a<table><tr><td>b<p>c</p></td></tr></table>d</div><div><p>e</p>f</div>")
	tree, err := canon.Of(pass)
	if err != nil {
		t.Fatal(err)
	}
	var c Cutter
	for range 2 { // its memory is used again
		if got := c.Order(Classic.Of(pass), tree, ClassicTags); !slices.Equal(got, []int32{2, 6, 4, 3, 1, 5, 0}) {
			t.Errorf("%v", got)
		}
	}
	if got := c.Order(HTML5.Of(pass), tree, HTML5Tags); len(got) != HTML5.Of(pass).Len() {
		t.Errorf("%d of %d blocks", len(got), HTML5.Of(pass).Len())
	}
	if got := c.Order(new(Blocks), tree, ClassicTags); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
	// 0 body, 1 div, 2 the div inside it, 3 the last div.
	pass = algotest.Pass("<body>a<div>b<div>c</div>d</div>e<div>f</div>")
	if tree, err = canon.Of(pass); err != nil {
		t.Fatal(err)
	}
	if got := c.Order(Classic.Of(pass), tree, ClassicTags); !slices.Equal(got, []int32{2, 1, 3, 0}) {
		t.Errorf("a block inside one of its name: %v", got)
	}
}
