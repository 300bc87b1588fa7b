package signature

import (
	"encoding/binary"
	"math"
)

// Functions is the number of hash functions of MinHash.
const Functions = 128

// MinHash has the smallest value of each hash function.
type MinHash [Functions]uint32

// Jaccard estimates the similarity of the texts that a and b were made of.
func (a *MinHash) Jaccard(b *MinHash) float64 {
	same := 0
	for i, x := range a {
		if x == b[i] {
			same++
		}
	}
	return float64(same) / Functions
}

// Size is the length of a MinHash in bytes.
const Size = 4 * Functions

// Append appends the values to dst, each in four bytes, the lowest first.
func (a *MinHash) Append(dst []byte) []byte {
	for _, x := range a {
		dst = binary.LittleEndian.AppendUint32(dst, x)
	}
	return dst
}

// Read sets a to what Append made, and says whether b has the right length.
func (a *MinHash) Read(b []byte) bool {
	if len(b) != Size {
		return false
	}
	for i := range a {
		a[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return true
}

// Signature is what is known of a text.
type Signature struct {
	MinHash  MinHash
	SimHash  uint64
	Shingles int // each as often as it occurs
}

// Signer signs texts. It holds the working memory from one text to the next and is not
// for use by several goroutines at a time. The zero value is ready.
type Signer struct {
	words    []uint64
	lower    []byte
	shingles []uint64
}

// Sign returns the signature of text; ok is false if text has no words.
func (s *Signer) Sign(text []byte) (sig Signature, ok bool) {
	s.shingles = s.AppendShingles(s.shingles[:0], text)
	return signatureOf(s.shingles)
}

func signatureOf(shingles []uint64) (sig Signature, ok bool) {
	if len(shingles) == 0 {
		return sig, false
	}
	sig.Shingles = len(shingles)
	minHash(&sig.MinHash, shingles)
	sig.SimHash = simHash(shingles)
	return sig, true
}

// functions are the multipliers and addends of the hash functions.
var functions = func() (f [Functions]struct{ a, b uint64 }) {
	state := uint64(0)
	next := func() uint64 {
		state += base
		return splitMix(state)
	}
	for i := range f {
		f[i].a, f[i].b = next(), next()
	}
	return f
}()

// minHash keeps the smallest sums of eight functions in registers while it reads the
// shingles. The upper half of the smallest sum is the smallest of the upper halves.
func minHash(to *MinHash, shingles []uint64) {
	for i := 0; i < Functions; i += 4 {
		f := functions[i : i+4 : i+4]
		a0, a1, a2, a3 := f[0].a, f[1].a, f[2].a, f[3].a
		b0, b1, b2, b3 := f[0].b, f[1].b, f[2].b, f[3].b
		m0, m1, m2, m3 := uint64(math.MaxUint64), uint64(math.MaxUint64), uint64(math.MaxUint64), uint64(math.MaxUint64)
		for _, s := range shingles {
			x := s >> 32
			m0 = min(m0, a0*x+b0)
			m1 = min(m1, a1*x+b1)
			m2 = min(m2, a2*x+b2)
			m3 = min(m3, a3*x+b3)
		}
		to[i], to[i+1], to[i+2], to[i+3] = uint32(m0>>32), uint32(m1>>32), uint32(m2>>32), uint32(m3>>32)
	}
}

// simHash counts the ones of each of 64 bits in 64 columns of binary digits: digits[k]
// has digit k of every count. Adding a hash costs a few operations on whole words instead
// of 64 on single bits.
func simHash(shingles []uint64) (hash uint64) {
	var digits [40]uint64
	for _, h := range shingles {
		for k := 0; h != 0; k++ {
			digits[k], h = digits[k]^h, digits[k]&h
		}
	}
	// A bit is set if its count is greater than half, compared from the highest digit.
	half := uint64(len(shingles)) / 2
	equal := ^uint64(0)
	for k := len(digits) - 1; k >= 0; k-- {
		if half>>k&1 == 0 {
			hash |= equal & digits[k]
			equal &^= digits[k]
		} else {
			equal &= digits[k]
		}
	}
	return hash
}

// Bands is how values of a MinHash are grouped to find candidates.
type Bands struct{ Bands, Rows int }

// wanted is the probability with which a pair that is as similar as the threshold is found.
const wanted = .995

// BandsFor returns the bands of the most rows, so with the fewest candidates below the
// threshold, that find a pair at the threshold with a probability of at least .995. The
// threshold is above 0.
func BandsFor(threshold float64) Bands {
	best := Bands{Functions, 1}
	for rows := 2; rows <= Functions; rows++ {
		if b := (Bands{Functions / rows, rows}); b.Found(threshold) >= wanted {
			best = b
		}
	}
	return best
}

// Found is the probability that a pair of the given similarity is a candidate.
func (b Bands) Found(similarity float64) float64 {
	return 1 - math.Pow(1-math.Pow(similarity, float64(b.Rows)), float64(b.Bands))
}

// Key is a hash of the values in a band.
func (b Bands) Key(m *MinHash, band int) uint64 {
	key := uint64(band)
	for _, x := range m[band*b.Rows : (band+1)*b.Rows] {
		key = splitMix(key + base ^ uint64(x))
	}
	return key
}
