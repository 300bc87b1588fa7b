// Package nets has the two convolutional networks of Web2Text, one for blocks and
// one for pairs of neighbours, and the search for the best labels.
//
//	features ─ 1×50 ─ 1×50 ─ 3×50 ─ 3×10 ─ 3×out      (width × channels)
//
// The channels of all layers except the last are cut off below 0. Before the first and
// after the last position there are zeros. Every sum is computed in the order of
// positions and channels, with each product rounded, so it is the same on all machines.
//
// This package is internal to Winnow and may change in any release.
package nets

import "github.com/winnow/winnow/algorithms"

// Shape is one layer.
type Shape struct{ Width, In, Out int }

// Weights is the number of the layer's weights; Out biases follow them.
func (s Shape) Weights() int { return s.Width * s.In * s.Out }

// Shapes are the layers of a network with the given numbers of features and outputs.
func Shapes(features, outputs int) [5]Shape {
	return [5]Shape{{1, features, 50}, {1, 50, 50}, {3, 50, 50}, {3, 50, 10}, {3, 10, outputs}}
}

// reach is how many positions to each side a network's output depends on. Three layers
// see one each.
const reach = 3

// Net is a network: weights by position, then input channel, then output channel,
// and biases, layer by layer.
type Net struct {
	Shapes  [5]Shape
	Weights []float32
}

// Size is the number of weights and biases of a network of these layers.
func Size(shapes [5]Shape) (n int) {
	for _, s := range shapes {
		n += s.Weights() + s.Out
	}
	return n
}

// Layer returns the weights and biases of a layer, as views.
func Layer(shapes [5]Shape, weights []float32, layer int) (w, bias []float32) {
	at := 0
	for _, s := range shapes[:layer] {
		at += s.Weights() + s.Out
	}
	s := shapes[layer]
	return weights[at : at+s.Weights()], weights[at+s.Weights() : at+s.Weights()+s.Out]
}

// Convolve computes one layer over n positions of in, and cuts off below 0 if it is
// not the last.
func Convolve(out, in []float32, n int, s Shape, weights, bias []float32, last bool) {
	half := s.Width / 2
	for i := range n {
		to := out[i*s.Out : i*s.Out+s.Out]
		copy(to, bias)
		for k := range s.Width {
			at := i + k - half
			if at < 0 || at >= n {
				continue
			}
			from := in[at*s.In : at*s.In+s.In]
			accumulate(to, from, weights[k*s.In*s.Out:])
		}
		if !last {
			for o, x := range to {
				if x < 0 {
					to[o] = 0
				}
			}
		}
	}
}

// accumulate adds to the sums of a position what one position of the input contributes:
// channel c of it, times row c of the weights. Four channels are added at a time, in their
// order, so that a sum is loaded and stored once for four products.
func accumulate(to, from, weights []float32) {
	var row [4][]float32
	var value [4]float32
	n := 0
	for c, x := range from {
		if x == 0 { // half of what is cut off below 0
			continue
		}
		row[n], value[n] = weights[c*len(to):c*len(to)+len(to)], x
		if n++; n < len(row) {
			continue
		}
		n = 0
		w0, w1, w2, w3 := row[0][:len(to)], row[1][:len(to)], row[2][:len(to)], row[3][:len(to)]
		x0, x1, x2, x3 := value[0], value[1], value[2], value[3]
		for o, sum := range to {
			sum += float32(x0 * w0[o])
			sum += float32(x1 * w1[o])
			sum += float32(x2 * w2[o])
			to[o] = sum + float32(x3*w3[o])
		}
	}
	for i, row := range row[:n] {
		for o, w := range row[:len(to)] {
			to[o] += float32(value[i] * w)
		}
	}
}

// chunk is the number of positions that are computed at a time, so that a long page
// needs no more memory than a short one.
const chunk = 512

// buffers are the memory of a run.
type buffers struct{ a, b []float32 }

// run appends the outputs at n positions to dst[:0]. features writes those of one
// position.
func (net *Net) run(dst []float32, m *buffers, n int, features func(to []float32, i int)) []float32 {
	in, out := net.Shapes[0].In, net.Shapes[4].Out
	dst = algorithms.Zeros(dst, n*out)
	widest := max(in, 50)
	m.a = algorithms.Zeros(m.a, (chunk+2*reach)*widest)
	m.b = algorithms.Zeros(m.b, (chunk+2*reach)*widest)
	for start := 0; start < n; start += chunk {
		// Positions within reach of the chunk are computed with it and not kept,
		// because the zeros there are not those of the page's ends.
		from, to := max(0, start-reach), min(n, start+chunk+reach)
		count := to - from
		a, b := m.a, m.b
		for i := range count {
			features(a[i*in:i*in+in], from+i)
		}
		for layer, s := range net.Shapes {
			w, bias := Layer(net.Shapes, net.Weights, layer)
			Convolve(b, a, count, s, w, bias, layer == 4)
			a, b = b, a
		}
		end := min(n, start+chunk)
		copy(dst[start*out:end*out], a[(start-from)*out:(end-from)*out])
	}
	return dst
}
