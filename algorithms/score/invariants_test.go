package score_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/suite"
)

// letters are words of several scripts, with what normalisation and tokenisers
// stumble over.
var letters = strings.Fields("grain Grain chaff wind wind the the the of of. a, b! e\u0301t\u00e9 \u00e9t\u00e9 Σίσυφος İ 東京 हिन्दी x\u200by 42 3.14 “said” Mr. _ — <p> &amp; don't")

// someText returns up to n words in lines.
func someText(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n) {
		b.WriteString(letters[r.IntN(len(letters))])
		b.WriteString([]string{" ", " ", " ", "\n", " \u00a0"}[r.IntN(5)])
	}
	return b.String()
}

// onPage returns a page of the given lines, and a selection of some of its words.
func onPage(r *rand.Rand, text string) (*page.Page, *page.Selection) {
	p := new(page.Page)
	escaped := strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(text)
	p.Parse([]byte("<div>menu here</div><p>"+strings.ReplaceAll(escaped, "\n", "</p><p>")+"</p><ul><li>the end</ul>"), page.Options{})
	b, s := p.Body(), new(page.Selection)
	for i, n := 0, len(b.Words().Span); i < n; {
		j := min(n, i+1+r.IntN(8))
		if r.IntN(3) > 0 {
			s.AddWords(b, i, j)
		}
		i = j + r.IntN(3)
	}
	return p, s
}

// TestInvariants checks what holds for the scores of every scorer, whatever the texts,
// and between scorers.
func TestInvariants(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	scorers := suite.Scorers()
	var used algorithms.Gold
	var trial algorithms.Trial
	for i := range 150 {
		text, gold := someText(r, 80), someText(r, 60)
		p, sel := onPage(r, text)
		if i%2 == 0 {
			gold = string(sel.AppendText(nil, p.Body())) + gold
		}
		extracted := sel.AppendText(nil, p.Body())
		snippets := []string{"the", "of.", "nowhere"}
		score := func(g *algorithms.Gold, t *algorithms.Trial, s *algorithms.Scorer) algorithms.Score {
			g.Reset()
			g.Text, g.Page, g.With, g.Without = gold, p, snippets[:1], snippets[1:]
			t.Reset(g, extracted, sel, false)
			return s.Score(t)
		}
		of := map[string]algorithms.Score{}
		for _, s := range scorers {
			x := score(&used, &trial, s)
			of[s.Name] = x
			var g algorithms.Gold
			var fresh algorithms.Trial
			if again := score(&g, &fresh, s); again != x {
				t.Fatalf("%s: %+v, in fresh memory %+v", s.Name, x, again)
			}
			if x.Reason != algorithms.NoReason {
				continue
			}
			top := max(s.Top, 1)
			for _, v := range []float64{x.Precision, x.Recall, x.F1, x.Coverage, x.Value / top} {
				if !(v >= 0 && v <= 1) {
					t.Fatalf("%s: %+v", s.Name, x)
				}
			}
			if x.Common < 0 || x.Common > min(x.Extracted, x.Gold) && s.Mean != algorithms.MeanValue {
				t.Fatalf("%s: more in common than there is: %+v", s.Name, x)
			}
			if low, high := min(x.Precision, x.Recall), max(x.Precision, x.Recall); s.Mean != algorithms.MeanValue && (x.F1 < low-1e-12 || x.F1 > high+1e-12) && x.Extracted > 0 && x.Gold > 0 {
				t.Fatalf("%s: F1 is not between precision and recall: %+v", s.Name, x)
			}
		}
		// In order ≤ as a bag, on the same items.
		atMost := func(a, b string) {
			t.Helper()
			if of[a].Common > of[b].Common {
				t.Fatalf("%s has %d in common, %s %d\n%q\n%q", a, of[a].Common, b, of[b].Common, extracted, gold)
			}
		}
		atMost("seq", "vec")
		atMost("set", "vec")
		atMost("lcstring", "lcsequence")
		atMost("lcsequence", "str")
		atMost("cleaneval-evert", "cleaneval-lcs")
		if a, b := of["str"], of["cetd-lcs"]; a != b {
			t.Fatalf("str %+v, cetd-lcs %+v", a, b)
		}
		if of["levenshtein"].Common > of["rouge-lsum"].Gold || of["cleaneval"].Value != (of["cleaneval-to"].Value+of["cleaneval-tm"].Value)/2 {
			t.Fatalf("%+v", of)
		}
	}
}

// symmetric scorers treat both texts alike. Evert's do not, because marks in the gold
// determine how the other text is read.
var symmetric = []string{"str", "seq", "vec", "set", "lcstring", "lcsequence", "cetd-lcs", "cetd-lcs-word",
	"cleaneval-to", "levenshtein", "shingle-4", "wcxb-word-f1"}

// textual scorers give a text scored against itself the best score.
var textual = slices.Concat(symmetric, []string{"cleaneval", "cleaneval-tm", "cleaneval-evert", "cleaneval-lcs", "rouge-lsum"})

func TestTextAgainstItselfAndTurned(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var g algorithms.Gold
	var trial algorithms.Trial
	for range 400 {
		a, b := someText(r, 60), someText(r, 60)
		for _, s := range suite.Scorers() {
			score := func(gold, text string) algorithms.Score {
				g.Reset()
				g.Text = gold
				trial.Reset(&g, []byte(text), nil, false)
				return s.Score(&trial)
			}
			if slices.Contains(textual, s.Name) {
				if x := score(a, a); x.F1 != 1 && x.Value != max(s.Top, 1) {
					t.Fatalf("%s: %q against itself: %+v", s.Name, a, x)
				}
			}
			if slices.Contains(symmetric, s.Name) {
				x, y := score(a, b), score(b, a)
				y.Extracted, y.Gold = y.Gold, y.Extracted
				y.Precision, y.Recall = y.Recall, y.Precision
				y.PUndefined, y.RUndefined = y.RUndefined, y.PUndefined
				if x != y {
					t.Fatalf("%s: %q and %q: %+v, turned %+v", s.Name, a, b, x, y)
				}
			}
		}
	}
}
