package infodiscoverer

import "math/bits"

// unit represents the entropy 1 of a term.
const unit = 255

// spread describes how a term is spread over pages.
type spread struct {
	pages int
	total uint64  // Σ tf
	sum   float64 // Σ tf·ln tf
}

// add counts a page on which the term occurs tf times. Pages must always come in the
// same order, so that sums of floating-point numbers are always the same.
func (s *spread) add(tf uint64) {
	s.pages++
	s.total += tf
	if tf > 1 {
		s.sum += float64(float64(tf) * ln(tf))
	}
}

// entropy is H for n pages, n ≥ 2, with log_N w = (ln tf − ln Σtf) / ln N:
//
//	H = (Σtf·ln Σtf − Σ tf·ln tf) / (Σtf·ln N)
func (s *spread) entropy(n int) float64 {
	if s.pages < 2 {
		return 0
	}
	t := float64(s.total)
	return (float64(t*ln(s.total)) - s.sum) / float64(t*ln(uint64(n)))
}

// rounded returns the entropy in units.
func (s *spread) rounded(n int) uint8 {
	return uint8(min(unit, max(0, int(float64(s.entropy(n)*unit)+0.5))))
}

// ln returns the natural logarithm of n ≥ 1. The conversions keep products from being
// fused with sums, which only some machines do.
//
//	n = 2^e·m, √½ < m ≤ √2,  s = (m−1)/(m+1),  ln n = e·ln 2 + 2·Σ s^(2k+1)/(2k+1)
//
// |s| < 0.172, so 13 terms leave less than 10⁻²⁰.
func ln(n uint64) float64 {
	const ln2, sqrt2 = 0.693147180559945309417232121458, 1.41421356237309504880168872421
	e := bits.Len64(n) - 1
	m := float64(n) / float64(uint64(1)<<e)
	if m > sqrt2 {
		m /= 2
		e++
	}
	s := (m - 1) / (m + 1)
	z := float64(s * s)
	acc := 0.0
	for k := 12; k >= 0; k-- {
		acc = float64(acc*z) + 1/float64(2*k+1)
	}
	return float64(float64(e)*ln2) + float64(2*float64(s*acc))
}

// tenth returns the smallest τ, in tenths and at least 0.1, with H(B) ≤ τ, for a block
// of k terms whose entropies add up to sum units.
func tenth(sum, k int) int { return max(1, (10*sum+unit*k-1)/(unit*k)) }

// scan finds τ, in tenths. first[t] is the number of terms whose block of least entropy
// is at t tenths.
func scan(first [11]int) int {
	var f [11]int // F(t/10)
	for t := 1; t <= 10; t++ {
		f[t] = f[t-1] + first[t]
	}
	for t := 1; t <= 9; t++ {
		if 2*f[t] >= f[10] && 100*(f[t+1]-f[t]) <= f[10] {
			return t
		}
	}
	return 7
}
