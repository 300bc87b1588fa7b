package stats

import (
	"math"
	"math/big"
	"math/bits"
)

// unit is the resolution at which values are summed: 10^-9.
const unit = 1e9

// maxExact bounds the magnitude of values, so that 2^28 squares fit into 128 bits.
const maxExact = 1e6

// exact is the sum and the sum of squares of values, each rounded to a multiple of
// 10^-9, in integers. Unlike a running mean in floating point, it does not depend on
// the order of additions and merges. The same documents therefore give the same bytes,
// however they are divided into parts. The zero value is empty.
type exact struct {
	n          int64
	sumHi      int64 // sum, 128 bits, two's complement
	sumLo      uint64
	sqHi, sqLo uint64
}

// fixed returns x in units, rounded. Values out of bounds are clamped. F1 and its parts
// are within [0, 1], and the values of other scorers are small.
func fixed(x float64) int64 {
	return int64(math.RoundToEven(max(-maxExact, min(x, maxExact)) * unit))
}

// add adds a value in units.
func (e *exact) add(x int64) {
	var carry uint64
	e.n++
	e.sumLo, carry = bits.Add64(e.sumLo, uint64(x), 0)
	e.sumHi += x>>63 + int64(carry)
	a := uint64(x)
	if x < 0 {
		a = -a
	}
	hi, lo := bits.Mul64(a, a)
	e.sqLo, carry = bits.Add64(e.sqLo, lo, 0)
	e.sqHi += hi + carry
}

// merge adds the values of o.
func (e *exact) merge(o *exact) {
	var carry uint64
	e.n += o.n
	e.sumLo, carry = bits.Add64(e.sumLo, o.sumLo, 0)
	e.sumHi += o.sumHi + int64(carry)
	e.sqLo, carry = bits.Add64(e.sqLo, o.sqLo, 0)
	e.sqHi += o.sqHi + carry
}

func wide(hi, lo uint64) *big.Int {
	w := new(big.Int).Lsh(new(big.Int).SetUint64(hi), 64)
	return w.Or(w, new(big.Int).SetUint64(lo))
}

func (e *exact) sum() *big.Int {
	s := wide(uint64(e.sumHi), e.sumLo)
	if e.sumHi < 0 {
		s.Sub(s, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	return s
}

// mean returns the mean of the values, or NaN if there are none.
func (e *exact) mean() float64 {
	if e.n == 0 {
		return math.NaN()
	}
	return quotient(e.sum(), new(big.Int).Mul(big.NewInt(e.n), big.NewInt(unit)))
}

// sd returns the sample standard deviation, with divisor n-1, or NaN for fewer than
// two values.
func (e *exact) sd() float64 {
	if e.n < 2 {
		return math.NaN()
	}
	// The formula is (n * sum of squares - square of sum) / (n * (n-1)). It is computed
	// in integers, so that no digits cancel.
	n, s := big.NewInt(e.n), e.sum()
	top := new(big.Int).Mul(n, wide(e.sqHi, e.sqLo))
	top.Sub(top, s.Mul(s, s))
	below := new(big.Int).Mul(n, big.NewInt(e.n-1))
	below.Mul(below, new(big.Int).Mul(big.NewInt(unit), big.NewInt(unit)))
	return math.Sqrt(quotient(top, below))
}

// quotient returns a/b, rounded once.
func quotient(a, b *big.Int) float64 {
	f, _ := new(big.Rat).SetFrac(a, b).Float64()
	return f
}
