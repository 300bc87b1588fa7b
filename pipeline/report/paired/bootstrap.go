package paired

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Bootstrap resamples clusters of documents and keeps, for every replicate, the
// mean of every method. One set of replicates serves all pairs of methods: the
// difference of two methods in a replicate is the difference of their means, so
// the cost is methods·documents·replicates, not pairs·documents·replicates.
type Bootstrap struct {
	means [][]float64 // by method, by replicate
	real  []float64   // by method: the mean over the sample itself
}

// NewBootstrap draws the replicates. scores[m][i] is the score of method m on
// document i, all of them numbers; clusters[i], from 0 on and dense, is the
// site of document i, resampled as a whole because its pages resemble each
// other (every document its own cluster if sites are not known). The same seed
// gives the same replicates.
func NewBootstrap(scores [][]float64, clusters []int, replicates int, seed uint64) *Bootstrap {
	count := 0
	for _, c := range clusters {
		count = max(count, c+1)
	}
	size := make([]float64, count)
	for _, c := range clusters {
		size[c]++
	}
	sums := make([][]float64, len(scores)) // by method, by cluster
	b := &Bootstrap{means: make([][]float64, len(scores)), real: make([]float64, len(scores))}
	for m := range scores {
		sums[m] = make([]float64, count)
		for i, x := range scores[m] {
			sums[m][clusters[i]] += x
			b.real[m] += x
		}
		b.real[m] /= math.Max(1, float64(len(clusters)))
		b.means[m] = make([]float64, replicates)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	drawn := make([]float64, count)
	for r := range replicates {
		clear(drawn)
		documents := 0.0
		for range count {
			c := random.IntN(count)
			drawn[c]++
			documents += size[c]
		}
		for m := range sums {
			total := 0.0
			for c, times := range drawn {
				total += float64(times * sums[m][c])
			}
			b.means[m][r] = total / math.Max(1, documents)
		}
	}
	return b
}

// Mean is the mean of method m over the sample.
func (b *Bootstrap) Mean(m int) float64 { return b.real[m] }

// Interval is the 95 % percentile interval of the mean of method m.
func (b *Bootstrap) Interval(m int) (low, high float64) {
	sorted := slices.Clone(b.means[m])
	slices.Sort(sorted)
	return percentile(sorted, 0.025), percentile(sorted, 0.975)
}

// Difference is the mean difference of two methods, its 95 % percentile
// interval, and the two-sided p value of no difference.
func (b *Bootstrap) Difference(m, n int) (mean, low, high, p float64) {
	replicates := len(b.means[m])
	d := make([]float64, replicates)
	below, above := 1, 1 // the sample itself counts as one replicate (Davison & Hinkley 1997, 4.2)
	for r := range d {
		d[r] = b.means[m][r] - b.means[n][r]
		if d[r] <= 0 {
			below++
		}
		if d[r] >= 0 {
			above++
		}
	}
	slices.Sort(d)
	p = math.Min(1, 2*float64(min(below, above))/float64(replicates+1))
	return b.real[m] - b.real[n], percentile(d, 0.025), percentile(d, 0.975), p
}

// percentile is the nearest rank of a sorted sample.
func percentile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, min(len(sorted)-1, int(math.Ceil(q*float64(len(sorted))))-1))]
}
