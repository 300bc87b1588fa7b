package algotest

import (
	"math"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// texts returns gold and extracted texts. A scorer must survive every pair of them.
func texts() []string {
	return []string{
		"", " ", "\n", "word", "Alpha beta gamma. Alpha delta!", "Home Alpha beta beta gamma.",
		"the cat sat on the mat\nand looked at the dog", "The cat sat on the mat. And looked.",
		"谷物落在重的地方", "เมล็ดข้าว", "हिन्दी भाषा", "ΟΔΟΣ ὁδός İstanbul", "a\u00adb\u200bc\ufeffd", "!!! ... ???", "\xff\xfe broken",
	}
}

// Scorer checks what holds for every scorer on every pair of texts: no panic,
// numbers in [0,1] that are numbers, F1 between precision and recall, the same
// answer again and on reused memory, and 1 for identical texts that have items.
func Scorer(t *testing.T, s *algorithms.Scorer) {
	t.Helper()
	if err := algorithms.Validate(nil, []*algorithms.Scorer{s}); err != nil {
		t.Fatal(err)
	}
	var gold algorithms.Gold
	var trial algorithms.Trial
	if s.Snippets {
		snippetsAlone(t, s)
	}
	for _, g := range texts() {
		for _, e := range texts() {
			want := Score(t, s, g, e)
			gold.Reset()
			setGold(t, &gold, g)
			trial.Reset(&gold, []byte(e), whole(gold.Page), false)
			if got := s.Score(&trial); got != want {
				t.Errorf("%s(%q, %q): reused memory gives %+v, fresh %+v", s.Name, g, e, got, want)
			}
			for _, v := range []float64{want.Precision, want.Recall, want.F1} {
				if math.IsNaN(v) || v < 0 || v > 1 {
					t.Errorf("%s(%q, %q) = %+v: outside [0,1]", s.Name, g, e, want)
				}
			}
			if s.Mean != algorithms.MeanValue && want.Reason == algorithms.NoReason && want.Extracted > 0 && want.Gold > 0 {
				low, high := min(want.Precision, want.Recall), max(want.Precision, want.Recall)
				if want.F1 < low-1e-12 || want.F1 > high+1e-12 {
					t.Errorf("%s(%q, %q) = %+v: F1 is not between precision and recall", s.Name, g, e, want)
				}
				if g == e && want.F1 != 1 {
					t.Errorf("%s(%q, %q) = %+v: the same text, want 1", s.Name, g, e, want)
				}
			}
			if want.Common > want.Extracted || want.Common > want.Gold || want.Common < 0 {
				t.Errorf("%s(%q, %q) = %+v: more in common than there is", s.Name, g, e, want)
			}
		}
	}
}

// snippetsAlone checks that a scorer of snippets does not read the text of the gold.
func snippetsAlone(t *testing.T, s *algorithms.Scorer) {
	t.Helper()
	score := func(goldText string) algorithms.Score {
		gold := algorithms.Gold{Text: goldText, With: []string{"grain", "corn"}, Without: []string{"chaff", "straw"}}
		var trial algorithms.Trial
		trial.Reset(&gold, []byte("grain and chaff"), nil, false)
		return s.Score(&trial)
	}
	want := score("")
	if want.Reason != algorithms.NoReason {
		t.Errorf("%s: no score of a gold of snippets without a text: %+v", s.Name, want)
	}
	if got := score("grain and corn"); got != want {
		t.Errorf("%s: %+v with a gold text, %+v without: it reads more than snippets", s.Name, got, want)
	}
}

// Score scores the extraction e against the gold g on a page that holds the
// gold as its only text, selected whole.
func Score(t testing.TB, s *algorithms.Scorer, g, e string) algorithms.Score {
	t.Helper()
	var gold algorithms.Gold
	var trial algorithms.Trial
	setGold(t, &gold, g)
	trial.Reset(&gold, []byte(e), whole(gold.Page), false)
	return s.Score(&trial)
}

func setGold(t testing.TB, gold *algorithms.Gold, text string) {
	t.Helper()
	gold.Text = text
	gold.Page = new(page.Page)
	gold.Page.Parse([]byte("<body><pre>\n"+text+"</pre></body>"), page.Options{})
}

// whole returns the selection of all text of a page.
func whole(p *page.Page) *page.Selection {
	sel := new(page.Selection)
	if n := len(p.Body().Text); n > 0 {
		sel.Spans = append(sel.Spans, page.Span{Start: 0, End: int32(n)})
	}
	return sel
}

// ScorePieces scores the selection of pieces of a page's text, which must occur there
// in this order, against the gold g.
func ScorePieces(t testing.TB, s *algorithms.Scorer, html, g string, pieces ...string) algorithms.Score {
	t.Helper()
	var p page.Page
	p.Parse([]byte(html), page.Options{})
	b := p.Body()
	var sel page.Selection
	at := 0
	for _, piece := range pieces {
		i := strings.Index(string(b.Text[at:]), piece)
		if i < 0 {
			t.Fatalf("no %q in %q", piece, b.Text)
		}
		at += i
		sel.AddSpan(b, page.Span{Start: int32(at), End: int32(at + len(piece))})
		at += len(piece)
	}
	gold := algorithms.Gold{Text: g, Page: &p}
	var trial algorithms.Trial
	trial.Reset(&gold, sel.AppendText(nil, b), &sel, false)
	first := s.Score(&trial)
	trial.Reset(&gold, sel.AppendText(nil, b), &sel, false)
	if again := s.Score(&trial); again != first {
		t.Errorf("%s: %+v, then %+v", s.Name, first, again)
	}
	return first
}
