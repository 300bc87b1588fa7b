// Package portable has the functions for training that must give the same result on
// every machine. math.Exp does not: on amd64 it rounds differently if the processor has
// fused multiply-add.
//
// This package is internal to Winnow and may change in any release.
package portable

import "math"

// Exp returns e to the power of x, with a relative error under 1e-15.
//
//	x = k·ln 2 + r,  |r| ≤ ln 2 / 2,  e^x = 2^k · e^r
//
// Products are converted explicitly, so that no compiler fuses them with an addition.
func Exp(x float64) float64 {
	const (
		// ln 2 in two parts, the first with enough zeros that k·ln2High is exact.
		ln2High = 0x1.62e42fep-1
		ln2Low  = math.Ln2 - ln2High
	)
	switch {
	case x > 709:
		return math.Inf(1)
	case x < -708:
		return 0
	case x != x:
		return x
	}
	k := math.Floor(float64(x*(1/math.Ln2)) + 0.5)
	r := x - float64(k*ln2High)
	r -= float64(k * ln2Low)
	sum := 1.0
	for n := 14; n >= 1; n-- { // the series of e^r: the term after these is under 1e-18
		sum = 1 + float64(float64(r/float64(n))*sum)
	}
	return math.Ldexp(sum, int(k))
}
