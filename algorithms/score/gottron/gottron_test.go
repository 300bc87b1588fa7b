package gottron

import (
	"math"
	"testing"

	"github.com/winnow/winnow/algorithms"
)

func score(s *algorithms.Scorer, text, gold string) algorithms.Score {
	var g algorithms.Gold
	g.Reset()
	g.Text = gold
	var t algorithms.Trial
	t.Reset(&g, []byte(text), nil, false)
	return s.Score(&t)
}

func TestPairA(t *testing.T) {
	const gold, text = "Alpha beta gamma. Alpha delta!", "Home Alpha beta beta gamma."
	f := func(s *algorithms.Scorer, common, extracted, goldItems int64, p, r, f1 float64) {
		t.Helper()
		got := score(s, text, gold)
		if got.Common != common || got.Extracted != extracted || got.Gold != goldItems {
			t.Errorf("%s: counts %d %d %d, want %d %d %d", s.Name, got.Common, got.Extracted, got.Gold, common, extracted, goldItems)
		}
		for i, x := range [3][2]float64{{got.Precision, p}, {got.Recall, r}, {got.F1, f1}} {
			if math.Abs(x[0]-x[1]) > 5e-7 {
				t.Errorf("%s: %s %.6f, want %.6f", s.Name, [3]string{"P", "R", "F1"}[i], x[0], x[1])
			}
		}
	}
	f(Str, 17, 27, 30, 0.629630, 0.566667, 0.596491)
	f(Seq, 3, 5, 5, 0.6, 0.6, 0.6)
	f(Vec, 3, 5, 5, 0.6, 0.6, 0.6)
	f(Set, 3, 4, 4, 0.75, 0.75, 0.75)
}

func TestEdges(t *testing.T) {
	for _, s := range Scorers {
		if got := score(s, "", ""); got.F1 != 1 || got.PUndefined || got.RUndefined {
			t.Errorf("%s: both empty: %+v", s.Name, got)
		}
		if got := score(s, " \n\u200b", "a"); got.F1 != 0 || !got.PUndefined {
			t.Errorf("%s: blank extraction: %+v", s.Name, got)
		}
		if got := score(s, "a", "\u00a0"); got.F1 != 0 || !got.RUndefined {
			t.Errorf("%s: blank gold: %+v", s.Name, got)
		}
		if got := score(s, "Caf\u00e9 \u0e01\u0e34\u0e19 東京", "Cafe\u0301 \u0e01\u0e34\u0e19 東\u200b京"); got.F1 != 1 {
			t.Errorf("%s: the same text in two encodings: %+v", s.Name, got)
		}
	}
}
