package wcxb

import (
	"math"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
)

func TestWordF1(t *testing.T) {
	f := func(gold, text string, p, r, f1 float64) {
		t.Helper()
		got := algotest.Score(t, WordF1, gold, text)
		if math.Abs(got.Precision-p) > 5e-7 || math.Abs(got.Recall-r) > 5e-7 || math.Abs(got.F1-f1) > 5e-7 {
			t.Errorf("%q against %q: %+v, want %v %v %v", text, gold, got, p, r, f1)
		}
	}
	f("Alpha beta gamma. Alpha delta!", "Home Alpha beta beta gamma.", 0.6, 0.6, 0.6)
	f("", " .", 1, 1, 1)
	f("", "a", 0, 0, 0)
	f("a", "", 0, 0, 0)
	f("ALPHA İ ΣΑΣ", "alpha i\u0307 σας", 1, 1, 1) // lower case as Python's
	f("हिन्दी", "ह न द", 1, 1, 1)                  // \w cuts at vowel signs
}

func TestSnippets(t *testing.T) {
	const text = "Home Alpha beta beta\n gamma."
	f := func(s *algorithms.Scorer, with, without []string, want algorithms.Score) {
		t.Helper()
		var g algorithms.Gold
		g.Reset()
		g.With, g.Without = with, without
		var trial algorithms.Trial
		trial.Reset(&g, []byte(text), nil, false)
		if got := s.Score(&trial); got != want {
			t.Errorf("%s with %q without %q:\n got  %+v\n want %+v", s.Name, with, without, got, want)
		}
	}
	score := func(n int64, v float64) algorithms.Score { return algorithms.Score{Universe: n, Value: v} }
	none := []string{}
	f(With, []string{"alpha beta", "zeta"}, none, score(2, 0.5))
	f(With, none, []string{"x"}, score(0, 1))
	f(With, nil, []string{"x"}, score(0, 1))
	f(With, nil, nil, algorithms.Score{Reason: algorithms.ReasonNoGold})
	f(Without, []string{"x"}, none, score(0, 1))
	f(WithoutAdj, []string{"x"}, none, algorithms.Score{Reason: algorithms.ReasonNotDefined})
	f(WithoutAdj, nil, []string{"HOME", "x", "Y", "z"}, score(4, 0.25))
	f(With, []string{"beta gamma"}, none, score(1, 0))
	f(WithWS, []string{" Beta \n gamma."}, none, score(1, 1))
	f(WithoutWS, none, []string{"beta gamma", "q"}, score(2, 0.5))
}
