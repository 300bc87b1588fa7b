package paired

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// rank returns the same value as sorting does, for random, tied and sorted values and
// for orders in which the choice of pivots is poor.
func TestRankIsThatOfTheSortedValues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	shapes := map[string]func(i, n int) float64{
		"random":   func(int, int) float64 { return r.NormFloat64() },
		"tied":     func(int, int) float64 { return float64(r.IntN(4)) },
		"equal":    func(int, int) float64 { return 7 },
		"rising":   func(i, _ int) float64 { return float64(i) },
		"falling":  func(i, _ int) float64 { return -float64(i) },
		"organ":    func(i, n int) float64 { return float64(min(i, n-i)) },
		"two ends": func(i, n int) float64 { return float64((i * i) % n) },
	}
	for name, value := range shapes {
		for _, n := range []int{1, 2, 12, 13, 40, 1000, 10_001} {
			values := make([]float64, n)
			for i := range values {
				values[i] = value(i, n)
			}
			sorted := slices.Sorted(slices.Values(values))
			for _, place := range []int{0, n / 40, n / 2, n - 1 - n/40, n - 1} {
				got := slices.Clone(values)
				if x := rank(got, place); x != sorted[place] {
					t.Fatalf("%s, place %d of %d: %g, want %g", name, place, n, x, sorted[place])
				}
				if slices.Max(got[:place+1]) > sorted[place] || slices.Min(got[place:]) < sorted[place] {
					t.Fatalf("%s, place %d of %d: the others are on the wrong side", name, place, n)
				}
			}
			low, high := interval(slices.Clone(values))
			if wantLow, wantHigh := sorted[(25*n+999)/1000-1], sorted[(975*n+999)/1000-1]; low != wantLow || high != wantHigh {
				t.Errorf("%s: interval of %d from %g to %g, want %g to %g", name, n, low, high, wantLow, wantHigh)
			}
		}
	}
}

// go test -run - -bench Difference ./pipeline/report/paired
func BenchmarkDifference(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	scores, clusters := make([][]float64, 2), make([]int, 100)
	for i := range clusters {
		clusters[i] = i
		scores[0], scores[1] = append(scores[0], r.Float64()), append(scores[1], r.Float64())
	}
	boot := NewBootstrap(scores, clusters, 50_000, 1)
	b.ReportAllocs()
	for b.Loop() {
		boot.Difference(0, 1)
	}
}

// go test -run - -bench Bootstrap ./pipeline/report/paired
//
// BenchmarkBootstrap draws the replicates for all methods of a table at once, and for
// two of them only. A table would need methods (methods-1)/2 of the latter if every
// pair had its own draws. The last case is a package of a large crawl.
func BenchmarkBootstrap(b *testing.B) {
	for _, c := range []struct{ methods, documents, clusters, replicates int }{{2, 1356, 1128, 66_600}, {37, 1356, 1128, 66_600}, {4, 60_000, 60_000, 1000}} {
		b.Run(fmt.Sprintf("methods=%d/documents=%d", c.methods, c.documents), func(b *testing.B) {
			r := rand.New(rand.NewPCG(3, 4))
			scores, clusters := make([][]float64, c.methods), make([]int, c.documents)
			for i := range clusters {
				clusters[i] = i * c.clusters / c.documents
				for m := range scores {
					scores[m] = append(scores[m], r.Float64())
				}
			}
			for b.Loop() {
				NewBootstrap(scores, clusters, c.replicates, 1)
			}
		})
	}
}

// TestIntervalOfManyValues verifies that the percentiles equal those of the sorted list
// for all distributions of values, even if the sample of bounds is misleading.
func TestIntervalOfManyValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	shortcuts := 0
	f := func(name string, value func(i int) float64) {
		t.Helper()
		values := make([]float64, 20_000)
		for i := range values {
			values[i] = value(i)
		}
		sorted := slices.Clone(values)
		slices.Sort(sorted)
		if _, _, ok := tails(slices.Clone(values), 499, 19_499); ok {
			shortcuts++
		}
		if low, high := interval(values); low != sorted[499] || high != sorted[19_499] {
			t.Errorf("%s: %v to %v, want %v to %v", name, low, high, sorted[499], sorted[19_499])
		}
	}
	f("normal", func(int) float64 { return rng.NormFloat64() })
	f("few values", func(int) float64 { return float64(rng.IntN(3)) })
	f("constant", func(int) float64 { return 0 })
	f("skewed", func(int) float64 { return rng.ExpFloat64() })
	if shortcuts != 4 {
		t.Errorf("%d of 4 lists took the shortcut", shortcuts)
	}
	f("sample too low", func(i int) float64 { return float64(i) })
	f("sample too high", func(i int) float64 { return -float64(i) })
	if shortcuts != 4 {
		t.Error("a sample that misleads was believed")
	}
}
