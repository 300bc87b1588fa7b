package figure

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestCurve(t *testing.T) {
	values := make([]float64, 100_000)
	values[50_001], values[70_000] = 7, -2 // peaks narrower than a pixel
	f := Curve{Title: hostile, X: "tokens", Y: "tags", Values: values, Threshold: 3, Chosen: [][2]int{{0, 10}, {11, 20}, {50_000, 60_000}, {99_999, 100_000}}}.Draw()
	check(t, f)
	if len(f.Drawing) > 40_000 {
		t.Errorf("%d bytes for a curve of any length", len(f.Drawing))
	}
	peaks := Curve{Values: []float64{0, 7, -2}, Threshold: 3}.Draw()
	if got, want := extremes(t, f), extremes(t, peaks); got != want {
		t.Errorf("a peak is lost: the curve is between %v, want %v", got, want)
	}
	// The first two stretches are in one pixel.
	if n := strings.Count(string(f.Drawing), `class="chosen"`); n != 3 || !strings.Contains(string(f.Drawing), "threshold 3") {
		t.Errorf("%d stretches, want 3, and the threshold: %s", n, f.Drawing[:600])
	}
	check(t, Curve{Title: "short", Values: []float64{1, 4, 2}, Threshold: math.NaN(), Chosen: [][2]int{{1, 2}}}.Draw())
	check(t, Curve{Title: "one", Values: []float64{1}, Threshold: math.NaN()}.Draw())
	check(t, Curve{Title: "none", Threshold: math.NaN()}.Draw())
}

// extremes returns the least and the largest vertical position of a curve.
func extremes(t *testing.T, f *Figure) [2]float64 {
	t.Helper()
	_, path, found := strings.Cut(string(f.Drawing), `<path class="curve" d="M`)
	if !found {
		t.Fatalf("there is no curve: %s", f.Drawing)
	}
	path, _, _ = strings.Cut(path, `"`)
	out := [2]float64{math.Inf(1), math.Inf(-1)}
	for position := range strings.SplitSeq(path, "L") {
		_, y, _ := strings.Cut(position, " ")
		v, err := strconv.ParseFloat(y, 64)
		if err != nil {
			t.Fatal(err)
		}
		out[0], out[1] = min(out[0], v), max(out[1], v)
	}
	return out
}
