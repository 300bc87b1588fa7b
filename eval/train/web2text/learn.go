package main

import (
	"math"
	"math/rand/v2"

	"github.com/winnow/winnow/algorithms/extract/portable"
	"github.com/winnow/winnow/algorithms/extract/web2text/nets"
)

// settings are the settings of training a network.
type settings struct {
	steps  int
	batch  int     // windows of a step
	window int     // blocks of a window
	keep   float32 // share of weights that a step keeps
	rate   float32
	decay  float32 // penalty of weights
}

// The authors' settings.
var (
	blockSettings = settings{steps: 2000, batch: 128, window: 9, keep: .75, rate: 1e-3, decay: 1e-4}
	edgeSettings  = settings{steps: 2000, batch: 128, window: 8, keep: .8, rate: 1e-3, decay: 1e-4}
)

// sequence is one page for one network: the features of every position, and which
// output is right.
type sequence struct {
	features []float32
	labels   []uint8
}

// minBlocks is the least number of blocks of a page that is trained on.
const minBlocks = 11

// trainer holds one network, its Adam moments and the memory of a step.
type trainer struct {
	settings
	shapes  [5]nets.Shape
	weights []float32

	dropped       []float32 // the weights of this step
	gradient      []float32
	first, second []float32    // moments
	outputs       [6][]float32 // of the layers, after the features
	errors        [2][]float32 // gradient by outputs
	random        *rand.Rand
}

func newTrainer(s settings, shapes [5]nets.Shape, seed uint64) *trainer {
	n := nets.Size(shapes)
	t := &trainer{settings: s, shapes: shapes, random: rand.New(rand.NewPCG(seed, 0)),
		weights: make([]float32, n), dropped: make([]float32, n), gradient: make([]float32, n), first: make([]float32, n), second: make([]float32, n)}
	for layer := range shapes {
		w, _ := nets.Layer(shapes, t.weights, layer)
		for i := range w {
			w[i] = .1 * t.normal()
		}
	}
	widest := 0
	for layer, s := range shapes {
		t.outputs[layer] = make([]float32, t.window*s.In)
		t.outputs[layer+1] = make([]float32, t.window*s.Out)
		widest = max(widest, t.window*s.In, t.window*s.Out)
	}
	for i := range t.errors {
		t.errors[i] = make([]float32, widest)
	}
	return t
}

// normal returns a normally distributed number within two deviations, as a sum of
// uniform ones. The generator's own function uses the exponential function, whose
// rounding differs between machines.
func (t *trainer) normal() float32 {
	for {
		sum := -6.0
		for range 12 {
			sum += t.random.Float64()
		}
		if math.Abs(sum) <= 2 {
			return float32(sum)
		}
	}
}

// train takes all steps over random windows of the pages.
func (t *trainer) train(pages []sequence) {
	var long []*sequence
	for i := range pages {
		if len(pages[i].labels) >= minBlocks {
			long = append(long, &pages[i])
		}
	}
	if len(long) == 0 {
		return
	}
	for step := 1; step <= t.steps; step++ {
		t.drop()
		clear(t.gradient)
		for range t.batch {
			p := long[t.random.IntN(len(long))]
			from := t.random.IntN(len(p.labels) - t.window + 1)
			in := t.shapes[0].In
			copy(t.outputs[0], p.features[from*in:(from+t.window)*in])
			t.windowLoss(p.labels[from : from+t.window])
		}
		t.adam(step)
	}
}

// drop chooses the weights of a step and scales them so that the expected sums do not
// change.
func (t *trainer) drop() {
	copy(t.dropped, t.weights)
	for layer := range t.shapes {
		w, _ := nets.Layer(t.shapes, t.dropped, layer)
		for i := range w {
			if t.random.Float32() < t.keep {
				w[i] /= t.keep
			} else {
				w[i] = 0
			}
		}
	}
}

// windowLoss adds the gradient of the loss of one window, whose features are in
// outputs[0], to gradient. It returns the loss.
func (t *trainer) windowLoss(labels []uint8) (loss float64) {
	n := len(labels)
	for layer, s := range t.shapes {
		w, bias := nets.Layer(t.shapes, t.dropped, layer)
		nets.Convolve(t.outputs[layer+1], t.outputs[layer], n, s, w, bias, layer == 4)
	}
	out := t.shapes[4].Out
	for i, label := range labels {
		x, e := t.outputs[5][i*out:i*out+out], t.errors[0][i*out:i*out+out]
		sum := 0.0
		for _, v := range x {
			sum += portable.Exp(float64(v - x[label]))
		}
		loss += math.Log(sum)
		for o, v := range x {
			e[o] = float32(portable.Exp(float64(v-x[label])) / sum)
		}
		e[label]--
	}
	of, by := t.errors[0], t.errors[1]
	for layer := 4; layer >= 0; layer-- {
		s := t.shapes[layer]
		w, _ := nets.Layer(t.shapes, t.dropped, layer)
		gw, gb := nets.Layer(t.shapes, t.gradient, layer)
		back(by, of, t.outputs[layer], n, s, w, gw, gb, layer == 0)
		of, by = by, of
	}
	return loss
}

// back adds the gradient of a layer's weights and biases, and sets by to that of its
// inputs, given that of its outputs in of. Inputs are cut off below 0, so an input of 0
// has no gradient. The features are not cut off, but their gradient is not needed.
func back(by, of, in []float32, n int, s nets.Shape, w, gw, gb []float32, features bool) {
	clear(by[:n*s.In])
	half := s.Width / 2
	for i := range n {
		e := of[i*s.Out : i*s.Out+s.Out]
		for o, g := range e {
			gb[o] += g
		}
		for k := range s.Width {
			at := i + k - half
			if at < 0 || at >= n {
				continue
			}
			to := by[at*s.In : at*s.In+s.In]
			for c, x := range in[at*s.In : at*s.In+s.In] {
				if x == 0 {
					continue
				}
				row := (k*s.In + c) * s.Out
				g := gw[row : row+s.Out][:len(e)]
				if features {
					for o, v := range e {
						g[o] += float32(x * v)
					}
					continue
				}
				sum := float32(0)
				r := w[row : row+s.Out][:len(e)]
				for o, v := range e {
					g[o] += float32(x * v)
					sum += float32(r[o] * v)
				}
				to[c] += sum
			}
		}
	}
}

// adam takes one step along the mean gradient of a batch.
func (t *trainer) adam(step int) {
	const beta1, beta2, epsilon = .9, .999, 1e-8
	// β^step is computed by products, because the rounding of the power function
	// differs between machines.
	power1, power2 := 1.0, 1.0
	for range step {
		power1 *= beta1
		power2 *= beta2
	}
	rate := t.rate * float32(math.Sqrt(1-power2)/(1-power1))
	scale := 1 / float32(t.batch*t.window)
	for layer := range t.shapes {
		w, bias := nets.Layer(t.shapes, t.weights, layer)
		dropped, _ := nets.Layer(t.shapes, t.dropped, layer)
		g, gb := nets.Layer(t.shapes, t.gradient, layer)
		m, mb := nets.Layer(t.shapes, t.first, layer)
		v, vb := nets.Layer(t.shapes, t.second, layer)
		for i := range w {
			slope := float32(t.decay * w[i])
			if dropped[i] != 0 {
				slope += float32(float32(g[i]*scale) / t.keep)
			}
			move(&w[i], &m[i], &v[i], slope, rate, beta1, beta2, epsilon)
		}
		for i := range bias {
			move(&bias[i], &mb[i], &vb[i], float32(gb[i]*scale), rate, beta1, beta2, epsilon)
		}
	}
}

func move(w, m, v *float32, slope, rate, beta1, beta2, epsilon float32) {
	*m = float32(beta1**m) + float32((1-beta1)*slope)
	*v = float32(beta2**v) + float32((1-beta2)*float32(slope*slope))
	*w -= float32(rate**m) / (float32(math.Sqrt(float64(*v))) + epsilon)
}
