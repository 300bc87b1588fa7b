package portable

import (
	"math"
	"testing"
)

func TestExp(t *testing.T) {
	for x := -708.0; x < 709; x += 0.0371 {
		if got, want := Exp(x), math.Exp(x); math.Abs(got-want) > 1e-15*want {
			t.Fatalf("Exp(%v) = %v, want %v", x, got, want)
		}
	}
	if Exp(0) != 1 || Exp(-1e9) != 0 || !math.IsInf(Exp(1e9), 1) || !math.IsNaN(Exp(math.NaN())) {
		t.Errorf("at the ends: %v %v %v %v", Exp(0), Exp(-1e9), Exp(1e9), Exp(math.NaN()))
	}
}
