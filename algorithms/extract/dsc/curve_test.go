package dsc

import (
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
)

// A page of 120 tokens as in TestCurve: 40 words, a tag and a word in turn, 40 words. The
// parser adds no token for elements that are not in the source.
func TestCurves(t *testing.T) {
	p := algotest.Pass(strings.Repeat("word ", 40) + strings.Repeat("<br>word ", 20) + strings.Repeat("word ", 40))
	c := New(Params{Window: 20, Factor: 0.5, Run: 3, Fit: 8}).Curves(p)[0]
	if len(c.Values) != 121 || c.Values[40] != 0 || c.Values[60] != 10 || c.Values[80] != 20 || c.Values[120] != 20 {
		t.Fatalf("curve %v", c.Values)
	}
	if want := []algorithms.Stretch{{Start: 0, End: 40}, {Start: 80, End: 120}}; !slices.Equal(c.Chosen, want) {
		t.Errorf("chosen %v, want %v", c.Chosen, want)
	}
}
