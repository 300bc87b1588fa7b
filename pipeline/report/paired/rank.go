package paired

import (
	"math/bits"
	"slices"
)

// rank returns the value that has the given index in the sorted order of values, and
// partially sorts values: none before the index is larger, none after it is smaller.
// Sorting all of them would take most of the time of a comparison, which needs two
// ranks for every pair of methods.
func rank(values []float64, place int) float64 {
	low, high := 0, len(values) // the index is in [low, high)
	for rounds := 2 * bits.Len(uint(len(values))); high-low > 12; rounds-- {
		if rounds == 0 {
			break // the pivots do not halve the range, so the rest is sorted
		}
		pivot := middle(values[low], values[low+(high-low)/2], values[high-1])
		// Three parts, because replicates of few documents have many equal values.
		less, i, more := low, low, high
		for i < more {
			switch v := values[i]; {
			case v < pivot:
				values[less], values[i] = v, values[less]
				less++
				i++
			case v > pivot:
				more--
				values[i], values[more] = values[more], v
			default:
				i++
			}
		}
		switch {
		case place < less:
			high = less
		case place >= more:
			low = more
		default:
			return pivot
		}
	}
	slices.Sort(values[low:high])
	return values[place]
}

// middle returns the median of three values.
func middle(a, b, c float64) float64 {
	return max(min(a, b), min(max(a, b), c))
}
