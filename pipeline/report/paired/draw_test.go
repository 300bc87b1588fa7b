package paired

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A resample has as many clusters as there are, and the number of draws of a cluster has the
// binomial distribution, whether all are drawn one by one or not.
func TestDraws(t *testing.T) {
	for _, n := range []int{manyClusters - 1, manyClusters, 100_003} {
		d := newDraws(n, 5)
		if many := d.few != nil; many != (n >= manyClusters) {
			t.Fatalf("%d clusters: many is %t", n, many)
		}
		const resamples = 40
		times, counts := make([]uint32, n), [5]int{}
		products := 0.0 // sum over neighbours of the products of their deviations from 1
		for range resamples {
			d.next(times)
			sum := uint32(0)
			for i, k := range times {
				sum += k
				if int(k) < len(counts) {
					counts[k]++
				}
				products += (float64(k) - 1) * (float64(times[(i+1)%n]) - 1)
			}
			if int(sum) != n {
				t.Fatalf("%d of %d clusters are drawn", sum, n)
			}
		}
		all := float64(n * resamples)
		p := math.Pow(1-1/float64(n), float64(n)) // probability that a cluster is not drawn
		for k, got := range counts {
			if sd := math.Sqrt(all * p * (1 - p)); math.Abs(float64(got)-all*p) > 4*sd {
				t.Errorf("%d clusters: %d are drawn %d times, want %.0f ± %.0f", n, got, k, all*p, sd)
			}
			p *= float64(n-k) / float64(k+1) / float64(n-1)
		}
		if sd := math.Sqrt(all); math.Abs(products+resamples) > 4*sd {
			t.Errorf("%d clusters: the covariance of neighbours is %g, want %g ± %.2g", n, products/all, -resamples/all, sd/all)
		}
	}
}

// The intervals of a large sample are as wide as theory says, and methods that differ are
// told apart.
func TestBootstrapOfManyClusters(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	const n = 5000
	scores, clusters := make([][]float64, 2), make([]int, n)
	for i := range n {
		clusters[i] = i
		base := random.Float64()
		scores[0] = append(scores[0], base)
		scores[1] = append(scores[1], base+0.01*random.Float64())
	}
	b := NewBootstrap(scores, clusters, 2001, 1) // not a multiple of lanes
	if low, high := b.Interval(0); math.Abs((high-low)/(2*1.96/math.Sqrt(12*n))-1) > 0.1 {
		t.Errorf("interval [%v, %v] has width %v", low, high, high-low)
	}
	if mean, low, high, p := b.Difference(1, 0); low > mean || high < mean || math.Abs((high-low)/(2*1.96*0.01/math.Sqrt(12*n))-1) > 0.1 || p > 0.01 {
		t.Errorf("difference %v [%v, %v], p %v", mean, low, high, p)
	}
}
