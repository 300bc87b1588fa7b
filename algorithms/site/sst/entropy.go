package sst

import "math/bits"

// entropy is −Σ p log p with p = n/Σn over counts n, as a logarithm to base m, for m >
// 1. All steps but the last division use whole numbers, so that every machine computes
// the same value.
type entropy struct {
	sum  int64 // Σ n
	logs int64 // Σ n log2 n, in units of 2^-32
}

func (e *entropy) add(n int64) {
	e.sum += n
	e.logs += n * log2(uint64(n))
}

// base returns the entropy to base m.
func (e *entropy) base(m int) float64 {
	if e.sum == 0 {
		return 0
	}
	return float64(e.sum*log2(uint64(e.sum))-e.logs) / (float64(e.sum) * float64(log2(uint64(m))))
}

// maxCount bounds the count of one feature on one page, so that MaxSample such counts
// and their logarithm fit into an int64.
const maxCount = 1<<16 - 1

// logBits is the number of bits of a logarithm after the point.
const logBits = 32

// log2 is the logarithm of n ≥ 1 to base 2 in units of 2^-32, rounded down.
func log2(n uint64) int64 {
	if n <= uint64(len(smallLogs)) {
		return smallLogs[n-1]
	}
	return findLog2(n)
}

// smallLogs has log2(1) to log2(64): most counts, and every number of pages.
var smallLogs = func() (t [64]int64) {
	for i := range t {
		t[i] = findLog2(uint64(i + 1))
	}
	return t
}()

// findLog2 squares the mantissa, once for each bit of the logarithm.
func findLog2(n uint64) int64 {
	whole := bits.Len64(n) - 1
	x := n << (63 - whole) // the mantissa, in [1,2), with 63 bits after the point
	log := int64(whole)
	for range logBits {
		hi, lo := bits.Mul64(x, x) // 126 bits after the point
		log <<= 1
		if hi>>63 == 1 { // 2 or more
			log |= 1
			x = hi
		} else {
			x = hi<<1 | lo>>63
		}
	}
	return log
}
