package alarte

import (
	"math"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// rows finds the subtrees of the elements with the given ids.
func rows(t *testing.T, pg *page.Page, ids ...string) (out []page.Row) {
	t.Helper()
	b := pg.Body()
	for _, id := range ids {
		for r := range b.Tag {
			if v, ok := pg.Attr(b.Node[r], "id"); ok && string(v) == id && b.Flags[r]&page.IsText == 0 {
				out = append(out, page.Row(r))
			}
		}
	}
	if len(out) != len(ids) {
		t.Fatalf("found %d of %q", len(out), ids)
	}
	return out
}

type setup struct {
	page  page.Page
	gold  algorithms.Gold
	trial algorithms.Trial
	sel   page.Selection
}

func (s *setup) parse(html, gold string) {
	s.page.Parse([]byte(html), page.Options{})
	s.gold.Reset()
	s.gold.Text, s.gold.Page = gold, &s.page
}

func (s *setup) score(scorer *algorithms.Scorer) algorithms.Score {
	s.trial.Reset(&s.gold, s.sel.AppendText(nil, s.page.Body()), &s.sel, false)
	return scorer.Score(&s.trial)
}

func check(t *testing.T, what string, got algorithms.Score, common, extracted, gold int64) {
	t.Helper()
	want := algorithms.FromCounts(common, extracted, gold)
	if got.Common != common || got.Extracted != extracted || got.Gold != gold || got.F1 != want.F1 {
		t.Errorf("%s: got %+v, want %d %d %d", what, got, common, extracted, gold)
	}
}

const example = "<body><div id=a><p id=p1>grain falls</p><p id=p2>chaff flies</p></div><div id=b><a id=l>more</a></div>"

func TestNodesExample(t *testing.T) {
	var s setup
	s.parse(example, "grain falls\nchaff flies")
	s.sel.AddRow(s.page.Body(), rows(t, &s.page, "p1")[0])
	check(t, "nodes", s.score(Nodes), 2, 2, 5)
	check(t, "elements", s.score(NodesElem), 1, 1, 3)
	check(t, "words", s.score(Words), 2, 2, 4)
	if got := s.score(Nodes); got.Precision != 1 || got.Recall != 0.4 || math.Abs(got.F1-0.571429) > 5e-7 {
		t.Errorf("nodes: %+v", got)
	}
}

// The same set by spans instead of rows.
func TestNodesOfSpans(t *testing.T) {
	var s setup
	s.parse(example, "grain falls\nchaff flies")
	b := s.page.Body()
	s.sel.AddSpan(b, page.Span{Start: 0, End: 11}) // grain falls
	check(t, "first text", s.score(Nodes), 2, 2, 5)
	s.sel.Reset()
	s.sel.AddSpan(b, page.Span{Start: 0, End: 8}) // grain fa: 7 of 10 characters
	check(t, "more than two thirds", s.score(Nodes), 2, 2, 5)
	s.sel.Reset()
	s.sel.AddSpan(b, page.Span{Start: 0, End: 7}) // 6 of 10
	check(t, "less than two thirds", s.score(Nodes), 0, 0, 5)
	s.sel.Reset()
	s.sel.AddSpan(b, page.Span{Start: 0, End: int32(len(b.Text))})
	check(t, "everything", s.score(Nodes), 5, 8, 5)
	s.sel.Reset()
	check(t, "nothing", s.score(Nodes), 0, 0, 5)
	// The body itself is no node.
	s.sel.AddRow(b, 0)
	check(t, "the body", s.score(Nodes), 5, 8, 5)
}

func TestWordsExample(t *testing.T) {
	var s setup
	s.parse("<div><p>a b</p> <p>c a</p></div><div>menu</div>", "a b c a")
	s.sel.AddSpan(s.page.Body(), page.Span{Start: 0, End: 3})
	check(t, "words", s.score(Words), 2, 2, 4)
	if got := s.score(Words); got.Precision != 1 || got.Recall != 0.5 || math.Abs(got.F1-0.666667) > 5e-7 {
		t.Errorf("words: %+v", got)
	}
}

// Elements without text are in where all that is around them is.
func TestTextlessNodes(t *testing.T) {
	var s setup
	s.parse("<div id=a><img src=x><p id=p>grain falls<br>where it is heavy</p><hr></div><div><img src=y></div><p>imprint</p>", "grain falls where it is heavy")
	s.sel.AddRow(s.page.Body(), rows(t, &s.page, "p")[0])
	// div, img, p, text, br, text, hr against p, text, br, text
	check(t, "nodes", s.score(Nodes), 4, 4, 7)
	// Hidden text is ignored.
	s.parse("<div id=a><p id=p>grain falls</p><p hidden>not shown</p></div><p>imprint</p>", "grain falls")
	s.sel.Reset()
	s.sel.AddRow(s.page.Body(), rows(t, &s.page, "a")[0])
	check(t, "nodes with a hidden one", s.score(Nodes), 5, 5, 5)
}

func TestWithoutPlaces(t *testing.T) {
	var g algorithms.Gold
	g.Reset()
	g.Text = "a b c a"
	var x algorithms.Trial
	x.Reset(&g, []byte("a b a a"), nil, false)
	if got := Nodes.Score(&x); got.Reason != algorithms.ReasonNoSpans {
		t.Errorf("nodes: %+v", got)
	}
	got := Words.Score(&x)
	check(t, "words", got, 3, 4, 4)
	if got.Method != "bag" {
		t.Errorf("words: %+v", got)
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	var s setup
	s.parse(example, "grain falls\nchaff flies")
	s.sel.AddSpan(s.page.Body(), page.Span{Start: 0, End: 11})
	text := s.sel.AppendText(nil, s.page.Body())
	run := func() {
		s.trial.Reset(&s.gold, text, &s.sel, false)
		for _, x := range Scorers {
			x.Score(&s.trial)
		}
	}
	run()
	if n := testing.AllocsPerRun(5, run); n != 0 {
		t.Errorf("%v allocations a trial, want none", n)
	}
}
