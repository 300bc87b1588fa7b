package arias

import (
	"math"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
)

func TestWorkedExamples(t *testing.T) {
	f := func(s *algorithms.Scorer, gold, text string, common, extracted, goldItems int64, p, r, f1 float64) {
		t.Helper()
		got := algotest.Score(t, s, gold, text)
		if got.Common != common || got.Extracted != extracted || got.Gold != goldItems {
			t.Errorf("%s: counts %d %d %d, want %d %d %d", s.Name, got.Common, got.Extracted, got.Gold, common, extracted, goldItems)
		}
		if math.Abs(got.Precision-p) > 5e-7 || math.Abs(got.Recall-r) > 5e-7 || math.Abs(got.F1-f1) > 5e-7 {
			t.Errorf("%s: %.6f %.6f %.6f, want %.6f %.6f %.6f", s.Name, got.Precision, got.Recall, got.F1, p, r, f1)
		}
	}
	const gold, text = "Alpha beta gamma. Alpha delta!", "Home Alpha beta beta gamma."
	f(LCString, gold, text, 11, 23, 26, 0.478261, 0.423077, 0.448980)
	f(LCSequence, gold, text, 15, 23, 26, 0.652174, 0.576923, 0.612245)

	// The paper's own example.
	const dog, fox = "the dog jumps over the brown fox", "the fox jumps over the brown dog"
	f(LCString, dog, fox, 17, 26, 26, 0.653846, 0.653846, 0.653846)
	f(LCSequence, dog, fox, 22, 26, 26, 0.846154, 0.846154, 0.846154)
}

func TestWhiteSpaceIsIgnored(t *testing.T) {
	for _, s := range Scorers {
		if got := algotest.Score(t, s, "über den\u00a0Wipfeln", "u\u0308berden\n\nWip\u00adfeln "); got.F1 != 1 {
			t.Errorf("%s: %+v", s.Name, got)
		}
		if got := algotest.Score(t, s, "", " \n"); got.F1 != 1 {
			t.Errorf("%s: both empty: %+v", s.Name, got)
		}
		if got := algotest.Score(t, s, "", "x"); got.F1 != 0 || !got.RUndefined {
			t.Errorf("%s: empty gold: %+v", s.Name, got)
		}
	}
}

func TestStringIsWithinSequence(t *testing.T) {
	texts := []string{"", "a", strings.Repeat("abc ", 40), "กินข้าว 東京", strings.Repeat("xay", 30) + "abcabc"}
	for _, g := range texts {
		for _, e := range texts {
			a, b := algotest.Score(t, LCString, g, e), algotest.Score(t, LCSequence, g, e)
			if a.Common > b.Common {
				t.Errorf("%q, %q: substring %d, subsequence %d", g, e, a.Common, b.Common)
			}
		}
	}
}
