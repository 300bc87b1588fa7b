package paired

import (
	"math"
	"math/rand/v2"
)

// draws resamples clusters: it draws as many of them, with replacement, as there are.
type draws struct {
	source *rand.PCG
	random *rand.Rand // reads from source
	few    *poisson   // nil if there are not many clusters
}

// manyClusters is the number of clusters from which most of a resample is not drawn one by
// one.
const manyClusters = 1 << 12

func newDraws(clusters int, seed uint64) *draws {
	source := rand.NewPCG(seed, 0)
	d := &draws{source: source, random: rand.New(source)}
	if clusters >= manyClusters {
		// The sum of the variables is 4 standard deviations below the number of clusters.
		d.few = newPoisson(1 - 4/math.Sqrt(float64(clusters)))
	}
	return d
}

// next sets times to how often each cluster is drawn.
//
// Independent Poisson variables with the same mean, given their sum, are distributed as
// numbers of draws with replacement, as many as the sum. With those that are missing, which
// are drawn one by one, the distribution is therefore exactly that of drawing all of them
// one by one. That takes several times as long, because each draw is a division and an access
// to memory at random.
func (d *draws) next(times []uint32) {
	missing := -1
	for d.few != nil && missing < 0 {
		missing = len(times) - d.few.fill(times, d.source)
	}
	if d.few == nil {
		clear(times)
		missing = len(times)
	}
	for range missing {
		times[d.random.IntN(len(times))]++
	}
}

// poisson draws Poisson variables with a mean of at most 1.
type poisson struct {
	// below[k] is 2^32 times the probability that a variable is at most k. Beyond the last
	// k the probability is less than 2^-32.
	below [12]uint64
	// byByte has the variable for the upper eight bits of a draw from 32 bits, or unsure if
	// these bits do not determine it.
	byByte [256]uint8
}

const unsure = 255

func newPoisson(mean float64) *poisson {
	p := new(poisson)
	term, sum := math.Exp(-mean), 0.0
	for k := range p.below {
		sum += term
		p.below[k] = uint64(sum * (1 << 32))
		term *= mean / float64(k+1)
	}
	p.below[len(p.below)-1] = 1 << 32
	for b := range p.byByte {
		first, last := uint64(b)<<24, uint64(b)<<24|(1<<24-1)
		if p.byByte[b] = p.of(first); p.of(last) != p.byByte[b] {
			p.byByte[b] = unsure
		}
	}
	return p
}

// of returns the variable for 32 bits of a draw.
func (p *poisson) of(draw uint64) uint8 {
	k := uint8(0)
	for draw >= p.below[k] {
		k++
	}
	return k
}

// fill sets times to independent variables and returns their sum.
func (p *poisson) fill(times []uint32, source *rand.PCG) (sum int) {
	bits, left := uint64(0), 0
	for i := range times {
		if left == 0 {
			bits, left = source.Uint64(), 8
		}
		k := p.byByte[uint8(bits)]
		if k == unsure {
			k = p.of(bits&0xff<<24 | source.Uint64()>>40)
		}
		bits >>= 8
		left--
		times[i] = uint32(k)
		sum += int(k)
	}
	return sum
}
