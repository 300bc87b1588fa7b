package paired

import (
	"math"
	"slices"
)

// tie is the difference below which two scores count as equal.
const tie = 1e-9

// maxExact is the largest number of non-zero differences for which the distribution of
// the rank sum is enumerated.
const maxExact = 25

// SignedRank is the result of Wilcoxon's test.
type SignedRank struct {
	Plus, Minus        float64 // rank sums of positive and negative differences
	P                  float64 // two-sided
	Exact              bool    // P was enumerated; otherwise normal approximation with tie and continuity correction
	Wins, Ties, Losses int     // differences above, at and below zero
}

// Effect returns the matched-pairs rank-biserial correlation, from -1 to 1: the share
// of the rank sum in favour minus the share against. It is 0 if all differences are
// zero.
func (s SignedRank) Effect() float64 {
	if s.Plus+s.Minus == 0 {
		return 0
	}
	return (s.Plus - s.Minus) / (s.Plus + s.Minus)
}

// Wilcoxon tests whether the differences d are symmetric about zero (Wilcoxon
// 1945; zeros by Pratt 1959: they are ranked, then their ranks are dropped).
// O(n log n); with at most maxExact non-zero differences also O(n·exactMax²).
func Wilcoxon(d []float64) SignedRank {
	order := make([]int, len(d))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch x, y := magnitude(d[a]), magnitude(d[b]); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return a - b
	})
	var s SignedRank
	var doubled []int // twice the mid-rank of each non-zero difference: whole numbers
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && magnitude(d[order[j]])-magnitude(d[order[i]]) < tie {
			j++
		}
		twice := i + 1 + j // (first rank + last rank) of the tied block
		for _, k := range order[i:j] {
			switch {
			case math.Abs(d[k]) < tie:
				s.Ties++
				continue
			case d[k] > 0:
				s.Wins++
				s.Plus += float64(twice) / 2
			default:
				s.Losses++
				s.Minus += float64(twice) / 2
			}
			doubled = append(doubled, twice)
		}
		i = j
	}
	switch {
	case len(doubled) == 0:
		s.P, s.Exact = 1, true
	case len(doubled) <= maxExact:
		s.P, s.Exact = exactP(doubled, int(math.Round(2*s.Plus))), true
	default:
		s.P = normalP(doubled, s.Plus)
	}
	return s
}

// magnitude returns |x|, or zero if it is below tie, so that rounding errors do not get
// ranks.
func magnitude(x float64) float64 {
	if x = math.Abs(x); x < tie {
		return 0
	}
	return x
}

// exactP returns the probability, over all assignments of signs, of a rank sum at least
// as far from its mean as the observed one. Sums are doubled.
func exactP(doubled []int, observed int) float64 {
	total := 0
	for _, r := range doubled {
		total += r
	}
	ways := make([]float64, total+1) // number of ways to reach a sum: at most 2^25, exact in float64
	ways[0] = 1
	reach := 0
	for _, r := range doubled {
		for sum := reach; sum >= 0; sum-- {
			ways[sum+r] += ways[sum]
		}
		reach += r
	}
	distance := abs(2*observed - total)
	far := 0.0
	for sum, n := range ways {
		if abs(2*sum-total) >= distance {
			far += n
		}
	}
	return far / math.Pow(2, float64(len(doubled)))
}

// normalP returns the approximation by a normal distribution. The variance is a quarter
// of the sum of squared ranks. Mid-ranks correct it for ties.
func normalP(doubled []int, plus float64) float64 {
	sum, squares := 0.0, 0.0
	for _, r := range doubled {
		rank := float64(r) / 2
		sum += rank
		squares += float64(rank * rank)
	}
	distance := math.Abs(plus-sum/2) - 0.5
	if distance <= 0 {
		return 1
	}
	return math.Min(1, math.Erfc(distance/math.Sqrt(squares/4)/math.Sqrt2))
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}
