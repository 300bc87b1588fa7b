package paired

import (
	"cmp"
	"slices"
)

// Holm adjusts p values for multiple comparisons (Holm 1979). The i-th smallest of n is
// multiplied by n-i, with i from 0, and an adjusted value is never smaller than that of
// a smaller p value. The result is in the order of p.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted := make([]float64, len(p))
	highest := 0.0
	for i, k := range order {
		highest = max(highest, min(1, float64(len(p)-i)*p[k]))
		adjusted[k] = highest
	}
	return adjusted
}

// Groups assigns letters to the ranks of a ranking: two ranks with a common letter do
// not differ. Given n ranks, best first, and whether two of them differ, every maximal
// run of neighbours in which no two differ gets a letter.
func Groups(n int, differ func(i, j int) bool) []string {
	letters := make([]string, n)
	last := -1 // end of the longest run so far
	next := 0
	for i := range n {
		j := i
		for j+1 < n && !differsFromAny(i, j, j+1, differ) {
			j++
		}
		if j <= last {
			continue // the run lies inside one that has a letter
		}
		last = j
		for k := i; k <= j; k++ {
			letters[k] += letter(next)
		}
		next++
	}
	return letters
}

func differsFromAny(from, to, k int, differ func(i, j int) bool) bool {
	for i := from; i <= to; i++ {
		if differ(i, k) {
			return true
		}
	}
	return false
}

// letter returns a … z, followed by a1, b1 … for the rare table with more groups.
func letter(i int) string {
	s := string(rune('a' + i%26))
	if i >= 26 {
		s += string(rune('0' + i/26%10))
	}
	return s
}
