package sst

import (
	"math"
	"testing"
)

func TestLog2(t *testing.T) {
	for n := uint64(1); n < 70_000; n++ {
		if got, want := float64(log2(n))/(1<<logBits), math.Log2(float64(n)); math.Abs(got-want) > 1e-9 {
			t.Fatalf("log2(%d) = %v, want %v", n, got, want)
		}
	}
	if got := log2(1 << 20); got != 20<<logBits {
		t.Errorf("log2(2^20) = %d", got)
	}
}

// TestEntropy has the vectors of node importance: shares of styles among pages.
func TestEntropy(t *testing.T) {
	f := func(want float64, m int, counts ...int64) {
		t.Helper()
		var e entropy
		for _, n := range counts {
			e.add(n)
		}
		if got := e.base(m); math.Abs(got-want) > 5e-6 {
			t.Errorf("entropy of %v to base %d = %.6f, want %v", counts, m, got, want)
		}
	}
	f(0, 100, 100)
	f(0.29210, 100, 35, 25, 25, 15)
	f(1, 4, 1, 1, 1, 1)
	f(0.40564, 4, 3, 1)
	f(0.5, 4, 2, 2)
	f(0, 4, 5)
	f(0, 4)
	var full entropy // the largest sum fits
	for range 64 {
		full.add(maxCount)
	}
	if got := full.base(64); got != 1 {
		t.Errorf("64 pages with the largest count: %v, want 1", got)
	}
}
