package figure

import (
	"math"
	"strings"
	"testing"
)

func TestCurve(t *testing.T) {
	values := make([]float64, 100_000)
	values[50_001], values[70_000] = 7, -2 // peaks narrower than a pixel
	f := Curve{Title: hostile, X: Axis{Label: "tokens"}, Y: Axis{Label: "tags"}, Values: values, Threshold: 3, Chosen: [][2]int{{0, 10}, {11, 20}, {50_000, 60_000}, {99_999, 100_000}}}.Draw()
	check(t, f)
	if len(f.Drawing) > 40_000 {
		t.Errorf("%d bytes for a curve of any length", len(f.Drawing))
	}
	shown := map[string]bool{}
	for _, row := range f.Rows {
		shown[row[0]+" "+row[1]] = true
	}
	if !shown["50001 7"] || !shown["70000 -2"] {
		t.Error("a peak is lost")
	}
	// The first two stretches are in one pixel.
	if n := strings.Count(string(f.Drawing), `class="chosen"`); n != 3 || !strings.Contains(string(f.Drawing), "threshold 3") {
		t.Errorf("%d stretches, want 3, and the threshold: %s", n, f.Drawing[:600])
	}
	check(t, Curve{Title: "short", Values: []float64{1, 4, 2}, Threshold: math.NaN(), Chosen: [][2]int{{1, 2}}}.Draw())
	check(t, Curve{Title: "one", Values: []float64{1}, Threshold: math.NaN()}.Draw())
	if none := (Curve{Title: "none", Threshold: math.NaN()}).Draw(); !none.Empty() {
		t.Error("a curve of nothing is not empty")
	}
}
