package ccb

import "math"

// kernel is a Gauss kernel convolved with itself a number of times.
type kernel struct {
	radius int32
	steep  float64 // largest weight: bounds the change of a blurred value between neighbours
	// sum[j] is the total of the weights at distances less than j − radius, for
	// j from 0 (nothing) to 2·radius+1 (everything).
	sum []float64
}

// newKernel returns the kernel of all iterations.
func newKernel(p Params) *kernel {
	one := gauss(p.Range, p.Sigmas)
	all := one
	for range p.Iterations - 1 {
		all = convolve(all, one)
	}
	k := &kernel{radius: int32(len(all) / 2), sum: make([]float64, len(all)+1)}
	for i, w := range all {
		k.sum[i+1] = k.sum[i] + w
		k.steep = max(k.steep, w)
	}
	return k
}

// gauss returns the kernel of one iteration: standard deviation width/sigmas, sum 1.
func gauss(width int, sigmas float64) []float64 {
	s := float64(width) / sigmas
	k := make([]float64, 2*width+1)
	total := 0.0
	for i := range k {
		d := float64(i - width)
		k[i] = math.Exp(-float64(d*d) / float64(2*float64(s*s)))
		total += k[i]
	}
	for i := range k {
		k[i] /= total
	}
	return k
}

func convolve(a, b []float64) []float64 {
	c := make([]float64, len(a)+len(b)-1)
	for i, x := range a {
		for j, y := range b {
			c[i+j] += float64(x * y)
		}
	}
	return c
}

// upTo returns the total weight at distances less than d.
func (k *kernel) upTo(d int32) float64 {
	return k.sum[max(0, min(d+k.radius, int32(len(k.sum)-1)))]
}
