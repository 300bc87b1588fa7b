package signature

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/winnow/winnow/algorithms/internal/eight"
)

// Functions is the number of values of a MinHash.
const Functions = 128

// MinHash has a value of each of 128 bins. Equal sets of shingles have equal values; of
// two sets, each value is equal with a probability that is their Jaccard similarity.
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

// Read sets a to what Append made, and reports whether b has the right length.
func (a *MinHash) Read(b []byte) bool {
	if len(b) != Size {
		return false
	}
	for i := range a {
		a[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return true
}

// Signature holds the hashes of a text.
type Signature struct {
	MinHash  MinHash
	SimHash  uint64
	Shingles int // number of shingles, repetitions included
}

// Signer signs texts. It holds the working memory from one text to the next and is not
// for use by several goroutines at a time. The zero value is ready.
type Signer struct {
	runs     eight.Edges // runs of characters that contain words
	words    []uint64
	lower    []byte
	shingles []uint64
	kinds    []kind // kinds of the characters met so far; 0 for others
}

// Sign returns the signature of text; ok is false if text has no words.
func (s *Signer) Sign(text []byte) (sig Signature, ok bool) {
	s.shingles = s.AppendShingles(s.shingles[:0], text)
	return signatureOf(s.shingles)
}

// signatureOf may change the order of shingles.
func signatureOf(shingles []uint64) (sig Signature, ok bool) {
	if len(shingles) == 0 {
		return sig, false
	}
	sig.Shingles = len(shingles)
	sig.SimHash = simHash(shingles)
	minHash(&sig.MinHash, shingles)
	return sig, true
}

// place returns the bin that a hash falls into, and the value with which it competes
// for that bin.
func place(hash uint64) (bin int, value uint32) { return int(hash >> 57), uint32(hash >> 25) }

// manyShingles is a number of different shingles that leaves a bin empty in the first
// round once in 10¹² texts.
const manyShingles = 4096

// minHash fills the bins in rounds. A text of a thousand different shingles usually needs
// one of them, a text of a hundred about seven.
func minHash(to *MinHash, shingles []uint64) {
	for bin := range to {
		to[bin] = math.MaxUint32
	}
	var filled [Functions]bool
	for _, s := range shingles {
		bin, value := place(s)
		to[bin] = min(to[bin], value)
		filled[bin] = true
	}
	left := 0
	for _, f := range filled {
		if !f {
			left++
		}
	}
	if left > 0 && len(shingles) > manyShingles { // most of them are repeated
		slices.Sort(shingles)
		shingles = slices.Compact(shingles)
	}
	for round := uint64(1); left > 0 && round < Functions; round++ {
		before := filled
		for _, s := range shingles {
			bin, value := place(splitMix(s + round*base))
			if before[bin] {
				continue
			}
			if !filled[bin] {
				filled[bin] = true
				left--
			}
			to[bin] = min(to[bin], value)
		}
	}
	for bin := 0; left > 0 && bin < Functions; bin++ {
		if filled[bin] {
			continue
		}
		left--
		for _, s := range shingles {
			_, value := place(splitMix(s + uint64(Functions+bin)*base))
			to[bin] = min(to[bin], value)
		}
	}
}

// simHash counts the ones of each of 64 bits in 64 columns of binary digits: digits[k]
// has digit k of every count. Eight hashes are first added to the three lowest digits,
// so that a carry runs through the higher ones only once in eight hashes.
func simHash(shingles []uint64) (hash uint64) {
	var digits [40]uint64
	n := len(shingles)
	for ; len(shingles) >= 8; shingles = shingles[8:] {
		addEight(&digits, (*[8]uint64)(shingles))
	}
	var last [8]uint64
	copy(last[:], shingles)
	addEight(&digits, &last)
	// A bit is set if its count is greater than half, compared from the highest digit.
	half := uint64(n) / 2
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

// addEight adds eight hashes to the columns.
func addEight(digits *[40]uint64, h *[8]uint64) {
	ones, twosA := add(digits[0], h[0], h[1])
	ones, twosB := add(ones, h[2], h[3])
	twos, foursA := add(digits[1], twosA, twosB)
	ones, twosA = add(ones, h[4], h[5])
	ones, twosB = add(ones, h[6], h[7])
	twos, foursB := add(twos, twosA, twosB)
	fours, carry := add(digits[2], foursA, foursB)
	digits[0], digits[1], digits[2] = ones, twos, fours
	for k := 3; carry != 0; k++ {
		digits[k], carry = digits[k]^carry, digits[k]&carry
	}
}

// add adds three binary digits in each of 64 columns.
func add(a, b, c uint64) (sum, carry uint64) {
	u := a ^ b
	return u ^ c, a&b | u&c
}

// Bands describes how values of a MinHash are grouped to find candidates.
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
