// Package mask counts on how many pages of a sample something occurs.
//
// Sample pages are numbered from 0 in rank order, at most 64. "Key x occurs on
// page r" is bit r of a uint64, so merging is bitwise or, a document frequency a
// population count, and leaving a page out the clearing of its bit.
//
//	sketch of page 0   {a, b, c}         map    a  0b101      DF(a) = 2, without page 0: 1
//	sketch of page 1   {b}                      b  0b111      DF(b) = 3
//	sketch of page 2   {a, b}                   c  0b001      DF(c) = 1
package mask

import "math/bits"

// Threshold is DFmax(n) = max(1, ⌈percent·n/100⌉): a key that occurs on that many of n
// other pages is template.
func Threshold(percent, n int) int { return max(1, (percent*n+99)/100) }

// Others is the sample of n pages without the page that a template is applied to, whose
// index in the sample is page, or -1.
type Others struct {
	N int // pages that count

	without uint64
}

// Without returns a sample of n pages without the one at the given index; -1 means
// none.
func Without(n, page int) Others {
	if page < 0 || page >= n {
		return Others{N: n}
	}
	return Others{N: n - 1, without: 1 << page}
}

// Before returns the first n pages of a sample, which is what was known when the page
// after them arrived.
func Before(n int) Others { return Others{N: n, without: ^uint64(0) << n} }

// Count returns the number of other pages in m.
func (o Others) Count(m uint64) int { return bits.OnesCount64(m &^ o.without) }
