package cetd

import (
	"math"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/html"
)

// The curve has the densities of TestConformanceDensities, elements only, and the elements
// of the selected subtrees are chosen.
func TestCurves(t *testing.T) {
	p := algotest.Pass(algotest.Conformance())
	c := CompositeDS.Curves(p)[0]
	position := map[int]int{}
	for row, tag := range p.Body.Tag {
		if tag != html.TagText {
			position[row] = len(position)
		}
	}
	if len(c.Values) != len(position) {
		t.Fatalf("%d values, want one for each of %d elements", len(c.Values), len(position))
	}
	for row, want := range map[int]float64{1: 15.430734, 28: 337.232606, 38: 123.786162, 59: 46.877055} {
		if at, element := position[row]; element && math.Abs(c.Values[at]-want) > 5e-7 {
			t.Errorf("row %d: %v, want %v", row, c.Values[at], want)
		}
	}
	chosen := map[int]bool{}
	for _, s := range c.Chosen {
		for i := s.Start; i < s.End; i++ {
			chosen[i] = true
		}
	}
	// 28 and 38 hold the paragraphs, 2 is the navigation.
	if !chosen[position[28]] || !chosen[position[38]] || chosen[position[2]] || math.IsNaN(c.Threshold) {
		t.Errorf("chosen %v, positions %v, threshold %v", c.Chosen, position, c.Threshold)
	}
	for _, e := range all {
		if e.Curves != nil && e.Curves(algotest.Pass("")) != nil {
			t.Errorf("%s has a curve of nothing", e.Name)
		}
	}
}
