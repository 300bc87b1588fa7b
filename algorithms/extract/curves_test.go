package extract_test

import (
	"math"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/suite"
)

// A curve has values that can be drawn, its stretches lie on it, and something is chosen on
// it where the extractor selects something.
func TestCurves(t *testing.T) {
	n := 0
	for _, e := range suite.Extractors() {
		if e.Curves == nil {
			continue
		}
		n++
		for _, html := range []string{algotest.Conformance(), "", "only words here", algotest.Random(1), algotest.Random(2), algotest.Random(3)} {
			p := algotest.Pass(html)
			curves := e.Curves(p)
			if err := e.Run(p); err != nil {
				t.Fatal(err)
			}
			if len(curves) == 0 && !p.Out.Empty() {
				t.Errorf("%s: no curve of a page with a selection", e.Name)
			}
			for _, c := range curves {
				checkCurve(t, e.Name, &c)
				if len(c.Chosen) == 0 && !p.Out.Empty() {
					t.Errorf("%s: a selection, but nothing is chosen on the curve %q", e.Name, c.Name)
				}
			}
		}
	}
	if n < 10 {
		t.Errorf("%d extractors have curves", n)
	}
}

func checkCurve(t *testing.T, name string, c *algorithms.Curve) {
	t.Helper()
	if c.Name == "" || c.X == "" || c.Y == "" {
		t.Errorf("%s: a curve without names: %+v", name, c)
	}
	for i, v := range c.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("%s: %s at %d is %v", name, c.Name, i, v)
			return
		}
	}
	at := 0
	for _, s := range c.Chosen {
		if s.Start < at || s.End <= s.Start || s.End > len(c.Values) {
			t.Errorf("%s: stretch %v after %d on %d values", name, s, at, len(c.Values))
		}
		at = s.End
	}
}
