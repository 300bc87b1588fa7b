package gottron

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
)

func TestPairA(t *testing.T) {
	const gold, text = "Alpha beta gamma. Alpha delta!", "Home Alpha beta beta gamma."
	f := func(s *algorithms.Scorer, common, extracted, goldItems int64, p, r, f1 float64) {
		t.Helper()
		got := algotest.Score(t, s, gold, text)
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
		if got := algotest.Score(t, s, "", ""); got.F1 != 1 || got.PUndefined || got.RUndefined {
			t.Errorf("%s: both empty: %+v", s.Name, got)
		}
		if got := algotest.Score(t, s, "a", " \n\u200b"); got.F1 != 0 || !got.PUndefined {
			t.Errorf("%s: blank extraction: %+v", s.Name, got)
		}
		if got := algotest.Score(t, s, "\u00a0", "a"); got.F1 != 0 || !got.RUndefined {
			t.Errorf("%s: blank gold: %+v", s.Name, got)
		}
		if got := algotest.Score(t, s, "Cafe\u0301 \u0e01\u0e34\u0e19 東\u200b京", "Caf\u00e9 \u0e01\u0e34\u0e19 東京"); got.F1 != 1 {
			t.Errorf("%s: the same text in two encodings: %+v", s.Name, got)
		}
	}
}

// What must hold for any two texts.
func TestInvariants(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range r.IntN(60) {
			fmt.Fprintf(&b, "w%d ", r.IntN(12))
		}
		return b.String()
	}
	for range 300 {
		g, e := text(), text()
		seq, vec, set := algotest.Score(t, Seq, g, e), algotest.Score(t, Vec, g, e), algotest.Score(t, Set, g, e)
		if seq.Common > vec.Common || vec.Common > min(vec.Extracted, vec.Gold) || seq.F1 > vec.F1 || set.Common > vec.Common {
			t.Errorf("%q against %q: seq %+v, vec %+v, set %+v", e, g, seq, vec, set)
		}
		for _, s := range Scorers {
			a, b := algotest.Score(t, s, g, e), algotest.Score(t, s, e, g)
			if a.F1 != b.F1 || a.Precision != b.Recall || a.Common != b.Common {
				t.Errorf("%s is not symmetric on %q and %q: %+v, %+v", s.Name, g, e, a, b)
			}
			if same := algotest.Score(t, s, g, g); same.F1 != 1 {
				t.Errorf("%s of %q and itself: %+v", s.Name, g, same)
			}
		}
	}
}

// Beyond its bound a measure in order says so and gives two bounds.
func TestBound(t *testing.T) {
	small, err := Str.With(map[string]string{"cells": "10"})
	if err != nil {
		t.Fatal(err)
	}
	const gold, text = "Alpha beta gamma. Alpha delta!", "Home Alpha beta beta gamma."
	exact, got := algotest.Score(t, Str, gold, text), algotest.Score(t, small, gold, text)
	if exact.Method != "exact" || exact.CommonHigh != 0 {
		t.Errorf("within the bound: %+v", exact)
	}
	if got.Method != "anchored-partial" || got.Common > exact.Common || got.CommonHigh < exact.Common {
		t.Errorf("beyond the bound: %+v, exactly %d characters are in common", got, exact.Common)
	}
	if _, err := Str.With(map[string]string{"cells": "no"}); err == nil {
		t.Error("a wrong setting is taken")
	}
}
