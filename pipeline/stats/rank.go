package stats

import (
	"math"
	"slices"
)

// NearestRank returns the rank, from 1, of the smallest of n sorted values that is not
// below num/den of them: ceil(n num / den). All percentiles here use this rule.
func NearestRank(n, num, den int) int { return (n*num + den - 1) / den }

// ranked gives access to n sorted values. at returns the value with a rank, from 1.
type ranked struct {
	n  int
	at func(rank int) float64
}

// percentile returns the p-th percentile by nearest rank, or NaN if there are no
// values.
func (r ranked) percentile(p int) float64 {
	if r.n == 0 {
		return math.NaN()
	}
	return r.at(NearestRank(r.n, p, 100))
}

// median returns the value in the middle, or the mean of the two in the middle. It
// returns NaN if there are no values.
func (r ranked) median() float64 {
	if r.n == 0 || r.n%2 == 1 {
		return r.percentile(50)
	}
	return (r.at(r.n/2) + r.at(r.n/2+1)) / 2
}

// interval95 returns the bounds between which 95 % of sorted values lie.
func interval95(sorted []float64) (low, high float64) {
	n := len(sorted)
	return sorted[NearestRank(n, 25, 1000)-1], sorted[NearestRank(n, 975, 1000)-1]
}

// Median sorts values and returns their median, NaN if there are none.
func Median(values []float64) float64 {
	slices.Sort(values)
	return ranked{n: len(values), at: func(rank int) float64 { return values[rank-1] }}.median()
}
