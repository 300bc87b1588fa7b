package stats

import (
	"math"
	"slices"
)

// NearestRank is the rank, from 1, of the value that num of den parts of n sorted
// values do not exceed: ceil(n num / den), the rule of every percentile here (spec
// scorers, 15.3).
func NearestRank(n, num, den int) int { return (n*num + den - 1) / den }

// ranked are n sorted values, of which at returns one by its rank, from 1.
type ranked struct {
	n  int
	at func(rank int) float64
}

// percentile is the p-th by nearest rank; NaN if there are no values.
func (r ranked) percentile(p int) float64 {
	if r.n == 0 {
		return math.NaN()
	}
	return r.at(NearestRank(r.n, p, 100))
}

// median is the value in the middle, or the mean of the two in the middle; NaN if
// there are no values.
func (r ranked) median() float64 {
	if r.n == 0 || r.n%2 == 1 {
		return r.percentile(50)
	}
	return (r.at(r.n/2) + r.at(r.n/2+1)) / 2
}

// interval95 are the bounds between which 95 % of sorted values lie.
func interval95(sorted []float64) (low, high float64) {
	n := len(sorted)
	return sorted[NearestRank(n, 25, 1000)-1], sorted[NearestRank(n, 975, 1000)-1]
}

// Median sorts values and returns their median, NaN if there are none.
func Median(values []float64) float64 {
	slices.Sort(values)
	return ranked{n: len(values), at: func(rank int) float64 { return values[rank-1] }}.median()
}
