package paired

import (
	"math"
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
	methods := len(scores)
	sums := make([][]float64, methods+1) // by method, by cluster; the last are the numbers of documents
	for m := range sums {
		sums[m] = make([]float64, count)
	}
	b := &Bootstrap{means: make([][]float64, methods), real: make([]float64, methods)}
	for m := range scores {
		for i, x := range scores[m] {
			sums[m][clusters[i]] += x
			b.real[m] += x
		}
		b.real[m] /= math.Max(1, float64(len(clusters)))
		b.means[m] = make([]float64, replicates)
	}
	for _, c := range clusters {
		sums[methods][c]++
	}
	drawn := newDraws(count, seed)
	var times [lanes][]uint32
	for l := range times {
		times[l] = make([]uint32, count)
	}
	totals := make([][lanes]float64, len(sums))
	for from := 0; from < replicates; from += lanes {
		for l := range times {
			drawn.next(times[l])
		}
		add(totals, sums, times)
		for m := range b.means {
			for l := range min(lanes, replicates-from) {
				b.means[m][from+l] = totals[m][l] / math.Max(1, totals[methods][l])
			}
		}
	}
	return b
}

// lanes is the number of replicates that are added up at a time. Their additions do not
// depend on each other, so the processor overlaps them.
const lanes = 4

// add sets totals to the sums over all clusters in each of some replicates. times are the
// numbers by which the clusters count there. It goes through the clusters in blocks that fit
// into the processor's first cache.
func add(totals [][lanes]float64, sums [][]float64, times [lanes][]uint32) {
	clear(totals)
	var block [512][lanes]float64
	for from := 0; from < len(times[0]); from += len(block) {
		to := min(from+len(block), len(times[0]))
		for l := range times {
			for i, n := range times[l][from:to] {
				block[i][l] = float64(n)
			}
		}
		for m := range sums {
			t := &totals[m]
			t0, t1, t2, t3 := t[0], t[1], t[2], t[3] // an array would not be kept in registers
			for i, x := range sums[m][from:to] {
				w := &block[i&(len(block)-1)]
				t0 += float64(w[0] * x)
				t1 += float64(w[1] * x)
				t2 += float64(w[2] * x)
				t3 += float64(w[3] * x)
			}
			*t = [lanes]float64{t0, t1, t2, t3}
		}
	}
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
	return low, rank(values[l:], h-l) // the higher values follow
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
