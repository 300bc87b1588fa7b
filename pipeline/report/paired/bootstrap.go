package paired

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/winnow/winnow/pipeline/stats"
)

// Bootstrap resamples clusters of documents and keeps, for every replicate, the
// mean of every method. One set of replicates serves all pairs of methods: the
// difference of two methods in a replicate is the difference of their means, so
// the cost is methods·documents·replicates, not pairs·documents·replicates.
type Bootstrap struct {
	means [][]float64 // by method, by replicate
	real  []float64   // by method: the mean over the sample itself
}

// NewBootstrap draws the replicates. scores[m][i] is the score of method m on document
// i and must be a number. clusters[i] is the cluster of document i, numbered from 0
// without gaps. It is the document's site, because pages of a site resemble each other
// and are therefore resampled together. If sites are not known, every document is a
// cluster of its own. The same seed gives the same replicates.
func NewBootstrap(scores [][]float64, clusters []int, replicates int, seed uint64) *Bootstrap {
	count := 0
	for _, c := range clusters {
		count = max(count, c+1)
	}
	size := make([]float64, count)
	for _, c := range clusters {
		size[c]++
	}
	methods := len(scores)
	sums := make([]float64, count*methods) // by cluster, by method
	b := &Bootstrap{means: make([][]float64, methods), real: make([]float64, methods)}
	for m := range scores {
		for i, x := range scores[m] {
			sums[clusters[i]*methods+m] += x
			b.real[m] += x
		}
		b.real[m] /= math.Max(1, float64(len(clusters)))
		b.means[m] = make([]float64, replicates)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	drawn, totals := make([]float64, count), make([]float64, methods)
	for r := range replicates {
		clear(drawn)
		documents := 0.0
		for range count {
			c := random.IntN(count)
			drawn[c]++
			documents += size[c]
		}
		// The sums are added cluster by cluster, because these additions do not depend
		// on each other, and a third of the clusters was not drawn.
		clear(totals)
		for c, times := range drawn {
			if times == 0 {
				continue
			}
			of := sums[c*methods:][:len(totals)]
			for m := range totals {
				totals[m] += float64(times * of[m])
			}
		}
		for m := range totals {
			b.means[m][r] = totals[m] / math.Max(1, documents)
		}
	}
	return b
}

// Mean returns the mean of method m over the sample.
func (b *Bootstrap) Mean(m int) float64 { return b.real[m] }

// Interval returns the 95 % percentile interval of the mean of method m.
func (b *Bootstrap) Interval(m int) (low, high float64) {
	return interval(slices.Clone(b.means[m]))
}

// Difference returns the mean difference of two methods, its 95 % percentile interval,
// and the two-sided p value of the hypothesis that they do not differ.
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
	p = math.Min(1, 2*float64(min(below, above))/float64(replicates+1))
	low, high = interval(d)
	return b.real[m] - b.real[n], low, high, p
}

// interval returns the 2.5th and the 97.5th percentile of a sample by nearest rank. It
// changes the order of values.
func interval(values []float64) (low, high float64) {
	if len(values) == 0 {
		return 0, 0
	}
	l, h := stats.NearestRank(len(values), 25, 1000)-1, stats.NearestRank(len(values), 975, 1000)-1
	if low, high, ok := tails(values, l, h); ok {
		return low, high
	}
	low = rank(values, l)
	return low, rank(values[l:], h-l) // the higher values follow behind
}

// tails returns the values of the ranks l and h, which are near the ends, in one pass. It
// selects them among the values beyond the bounds of the outer 4 % of a small sample, which
// takes a quarter of the time of selecting among all. ok is false if those bounds turned out
// to be wrong, or if there are few values.
func tails(values []float64, l, h int) (low, high float64, ok bool) {
	const sampled = 1024
	if len(values) < 8*sampled {
		return 0, 0, false
	}
	var sample [sampled]float64 // replicates are independent, so any of them can be the sample
	copy(sample[:], values)
	slices.Sort(sample[:])
	const outer = sampled * 4 / 100
	from, to := sample[outer], sample[sampled-1-outer]
	lower, upper := make([]float64, 0, len(values)/16), make([]float64, 0, len(values)/16)
	for _, v := range values {
		if v <= from {
			lower = append(lower, v)
		}
		if v >= to {
			upper = append(upper, v)
		}
	}
	above := len(values) - 1 - h
	if len(lower) <= l || len(upper) <= above {
		return 0, 0, false
	}
	return rank(lower, l), rank(upper, len(upper)-1-above), true
}
