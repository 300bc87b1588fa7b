package cetdlcs

import (
	"math"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
)

func TestPairA(t *testing.T) {
	const gold, text = "Alpha beta gamma. Alpha delta!", "Home Alpha beta beta gamma."
	if got := algotest.Score(t, LCS, gold, text); got.Common != 17 || got.Extracted != 27 || got.Gold != 30 || math.Abs(got.F1-0.596491) > 5e-7 {
		t.Errorf("characters: %+v", got)
	}
	// Home Alpha beta beta gamma. against Alpha beta gamma. Alpha delta!
	if got := algotest.Score(t, LCSWord, gold, text); got.Common != 3 || got.Extracted != 5 || got.Gold != 5 {
		t.Errorf("words: %+v", got)
	}
	// Punctuation belongs to a word here.
	if got := algotest.Score(t, LCSWord, "a b. c", "a b c"); got.Common != 2 {
		t.Errorf("words with punctuation: %+v", got)
	}
}
