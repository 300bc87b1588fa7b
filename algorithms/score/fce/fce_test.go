package fce

import (
	"math"
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/page"
)

func check(t *testing.T, got algorithms.Score, common, extracted, gold int64, p, r, f1 float64) {
	t.Helper()
	if got.Common != common || got.Extracted != extracted || got.Gold != gold ||
		math.Abs(got.Precision-p) > 5e-7 || math.Abs(got.Recall-r) > 5e-7 || math.Abs(got.F1-f1) > 5e-7 {
		t.Errorf("got %+v, want %d %d %d, %.6f %.6f %.6f", got, common, extracted, gold, p, r, f1)
	}
}

func TestBlockF(t *testing.T) {
	const html = "<div>Home About Contact Imprint</div><p>Grain falls where it is heavy.</p><p>Chaff flies with the wind.</p><div>Read more of this now</div>"
	const b2, b3, b4 = "Grain falls where it is heavy.", "Chaff flies with the wind.", "Read more of this now"
	got := algotest.ScorePieces(t, BlockF, html, b2+"\n"+b3, b2, b3, b4)
	check(t, got, 2, 3, 2, 2./3, 1, 0.8)
	if got.Universe != 4 || got.Coverage != 1 || got.Method != "full" {
		t.Errorf("got %+v", got)
	}
	// A block needs more than two thirds; "Grain falls where it" is 17 of 25 characters.
	check(t, algotest.ScorePieces(t, BlockF, html, b2+"\n"+b3, "Grain falls where it", b3), 2, 2, 2, 1, 1, 1)
	check(t, algotest.ScorePieces(t, BlockF, html, b2+"\n"+b3, "Grain falls where", b3), 1, 1, 2, 1, 0.5, 2./3)
	check(t, algotest.ScorePieces(t, BlockF, html, "", b2), 0, 1, 0, 0, 0, 0)
	check(t, algotest.ScorePieces(t, BlockF, html, ""), 0, 0, 0, 1, 1, 1)
	// Text of a nested block is not the outer block's.
	nested := "<div>outer words stand here<p>inner words that stand in a paragraph</p>and there</div>"
	check(t, algotest.ScorePieces(t, BlockF, nested, "outer words stand here and there", "outer words stand here", "and there"), 1, 1, 1, 1, 1, 1)
}

func TestWordF(t *testing.T) {
	const html = "Home About The cat sat Home"
	got := algotest.ScorePieces(t, WordF, html, "The cat sat", "About The cat sat")
	check(t, got, 3, 4, 3, 0.75, 1, 0.857143)
	// Words are matched by location: the second Home is not the first.
	check(t, algotest.ScorePieces(t, WordF, html, "sat Home", "Home About"), 0, 2, 2, 0, 0, 0)
	// No extraction can contain words that are not on the page.
	got = algotest.ScorePieces(t, WordF, html, "The cat sat quietly", "The cat sat")
	check(t, got, 3, 3, 4, 1, 0.75, 6./7)
	if got.Coverage != 0.75 {
		t.Errorf("coverage %v", got.Coverage)
	}
	// A word that is cut is not extracted.
	check(t, algotest.ScorePieces(t, WordF, html, "The cat sat", "he cat sa"), 1, 1, 3, 1, 1./3, 0.5)
	// Hidden text.
	check(t, algotest.ScorePieces(t, WordF, "one <b hidden>two</b> three four five", "one two three four five", "one", "three four five"), 4, 4, 5, 1, 0.8, 8./9)
}

func TestWithoutPlaces(t *testing.T) {
	var g algorithms.Gold
	g.Reset()
	g.Text = "The cat sat"
	var x algorithms.Trial
	x.Reset(&g, []byte("cat sat The The"), nil, false)
	if got := WordF.Score(&x); got.Common != 3 || got.Extracted != 4 || got.Method != "bag" {
		t.Errorf("word-f: %+v", got)
	}
	if got := BlockF.Score(&x); got.Reason != algorithms.ReasonNoSpans {
		t.Errorf("block-f: %+v", got)
	}
}

// An annotated page says which words are gold, in a tree of its own.
func TestLabels(t *testing.T) {
	const html = "<div>Home About</div><p>Grain falls where it is heavy, again and again.</p><p>Grain falls too</p>"
	const labelled = `<div><span class="x-nc-sel0">Home About</span></div><p><span class="x-nc-sel2">Grain falls where it is <b>heavy</b>, again and again.</span></p><p><span class="x-nc-sel5">Grain falls too</span></p>`
	var pg page.Page
	pg.Parse([]byte(html), page.Options{})
	b := pg.Body()
	var g algorithms.Gold
	g.Reset()
	g.Text, g.HTML, g.Page = "something else", []byte(labelled), &pg
	var sel page.Selection
	sel.AddSpan(b, page.Span{Start: 0, End: int32(len(b.Text))})
	var x algorithms.Trial
	x.Reset(&g, b.Text, &sel, false)
	got := WordF.Score(&x)
	check(t, got, 9, 14, 9, 9./14, 1, 18./23)
	if got.Method != "labels" {
		t.Errorf("got %+v", got)
	}
	check(t, BlockF.Score(&x), 1, 3, 1, 1./3, 1, 0.5)
	// A page without labels is not annotated.
	g.Reset()
	g.Text, g.HTML, g.Page = "Home About", []byte(html), &pg
	x.Reset(&g, b.Text, &sel, false)
	if got := WordF.Score(&x); got.Method != "full" || got.Gold != 2 {
		t.Errorf("got %+v", got)
	}
}

// The elements of the paper, found one by one, are those of the page's column.
func TestBlocksOfThePaper(t *testing.T) {
	for _, html := range []string{
		"", "text <b>alone</b>", "<div>a<p>b<span>c<i>d</i></span></p><ul><li>e</ul><table><tr><td>f<hr>g</table></div>h",
		"<p>a<div>b<p>c</div><span><div>d</span>e",
	} {
		var p page.Page
		p.Parse([]byte(html), page.Options{})
		if got := new(blocks).nearestOf(&p, Default.Blocks); !slices.Equal(got, p.Body().FBlock) {
			t.Errorf("%q: %v, want %v", html, got, p.Body().FBlock)
		}
	}
}

func TestOtherBlocks(t *testing.T) {
	s, err := BlockF.With(map[string]string{"blocks": "x-part li unknown"})
	if err != nil {
		t.Fatal(err)
	}
	const html = "<ul><li>grain and chaff<li>wind and rain</ul><p>imprint of the paper<p>and much more <x-part>some other part</x-part>"
	// Blocks are the two items, the part, and what lies in none of them.
	got := algotest.ScorePieces(t, s, html, "wind and rain\nsome other part", "wind and rain", "imprint of the paper")
	check(t, got, 1, 1, 2, 1, 0.5, 2./3)
	if got.Universe != 4 {
		t.Errorf("%d blocks, want 4", got.Universe)
	}
	if got := algotest.ScorePieces(t, BlockF, html, "wind and rain", "wind and rain"); got.Universe != 3 {
		t.Errorf("%d blocks of the paper, want the list and two paragraphs", got.Universe)
	}
}
