package infodiscoverer

import (
	"math"
	"testing"
)

func spreadOf(tf ...uint64) *spread {
	var s spread
	for _, n := range tf {
		if n > 0 {
			s.add(n)
		}
	}
	return &s
}

// TestEntropy has worked examples over four pages.
func TestEntropy(t *testing.T) {
	f := func(want float64, units uint8, tf ...uint64) float64 {
		t.Helper()
		s := spreadOf(tf...)
		if got := s.entropy(4); math.Abs(got-want) > 5e-6 {
			t.Errorf("%v: %v, want %v", tf, got, want)
		}
		if got := s.rounded(4); got != units {
			t.Errorf("%v: %d units, want %d", tf, got, units)
		}
		return s.entropy(4)
	}
	sum := f(1, 255, 1, 1, 1, 1) + f(0.5, 128, 2, 2, 0, 0) + f(0.40564, 103, 3, 1, 0, 0) + f(0, 0, 5, 0, 0, 0)
	if math.Abs(sum/4-0.47641) > 5e-6 {
		t.Errorf("block: %v", sum/4)
	}
	if spreadOf(7).rounded(2) != 0 || spreadOf(1<<30, 1<<30).rounded(2) != unit {
		t.Error("the ends")
	}
}

func TestLn(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 5, 7, 64, 1000, 1 << 30, 1<<36 - 1, 1<<53 - 1} {
		if got, want := ln(n), math.Log(float64(n)); math.Abs(got-want) > 1e-15*max(1, want) {
			t.Errorf("ln %d: %v, want %v", n, got, want)
		}
	}
	for n := uint64(2); n < 5000; n++ {
		if ln(n) <= ln(n-1) {
			t.Errorf("ln %d is not above ln %d", n, n-1)
		}
	}
}

func TestTenth(t *testing.T) {
	for _, c := range []struct{ sum, k, want int }{
		{0, 3, 1}, {76, 3, 1}, {77, 3, 2}, {110, 3, 2}, {51, 1, 2}, {52, 1, 3}, {255, 1, 10}, {510, 2, 10},
	} {
		if got := tenth(c.sum, c.k); got != c.want {
			t.Errorf("%d units, %d terms: %d tenths, want %d", c.sum, c.k, got, c.want)
		}
	}
}

func TestScan(t *testing.T) {
	f := func(want int, first ...int) {
		t.Helper()
		var all [11]int
		copy(all[1:], first)
		if got := scan(all); got != want {
			t.Errorf("%v: %d tenths, want %d", first, got, want)
		}
	}
	f(2, 6, 5, 0, 0, 0, 0, 0, 0, 0, 2)           // F = 6 11 11 … 13
	f(1, 7, 0, 5, 0, 0, 0, 0, 0, 0, 1)           // F(0.1) = 7 of 13, no gain at 0.2
	f(4, 0, 0, 0, 900, 9, 91, 0, 0, 0, 0)        // 9 of 1000 are within a hundredth
	f(6, 0, 0, 0, 900, 11, 89, 0, 0, 0, 0)       // 11 are not
	f(7, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10) // always a gain: 0.7
	f(9, 1, 0, 1, 1, 1, 1, 1, 1, 9, 0)           // before, too few or a gain
	f(1)                                         // no terms at all
}
