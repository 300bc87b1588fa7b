package main

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/optimize"

	"github.com/winnow/winnow/algorithms/extract/crf/chain"
	"github.com/winnow/winnow/algorithms/extract/portable"
)

// settings are the settings of training.
type settings struct {
	variance   float64 // of each label's weights, by which they are penalised
	iterations int
	change     float64 // relative, of the objective: training ends where it is smaller
	minPages   int     // an observation on fewer has no weight
}

var defaults = settings{variance: 10, iterations: 300, change: 1e-5, minPages: 5}

func (s settings) String() string {
	return fmt.Sprintf("L-BFGS on the penalised likelihood, variance of the weights %g, at most %d iterations, until the objective changes by less than %g of itself; "+
		"observations on fewer than %d pages have no weight.", s.variance, s.iterations, s.change, s.minPages)
}

// train finds the weights of the highest penalised likelihood.
func (s settings) train(pages []sequence, log io.Writer) *chain.Model {
	o := objective{pages: pages, variance: s.variance}
	o.keep(s.minPages)
	start := make([]float64, o.parameters())
	result, err := optimize.Minimize(
		optimize.Problem{
			Func: func(x []float64) float64 { o.at(x); return o.value },
			Grad: func(grad, x []float64) { o.at(x); copy(grad, o.gradient) },
		},
		start,
		&optimize.Settings{
			MajorIterations: s.iterations,
			Converger:       &optimize.FunctionConverge{Relative: s.change, Iterations: 2},
		},
		&optimize.LBFGS{Linesearcher: &optimize.MoreThuente{}, Store: 10},
	)
	// A line search that finds no better point ends training, and the best point is the
	// result.
	if err != nil {
		fmt.Fprintf(log, "L-BFGS ended early: %v\n", err)
	}
	fmt.Fprintf(log, "%d pages, %d parameters: objective %.2f after %d iterations (%v)\n",
		len(pages), len(start), result.F, result.MajorIterations, result.Status)
	return o.model(result.X)
}

// objective is the negative log-likelihood of the pages' labels, with the penalty:
//
//	-Σ ln P(labels | page)  +  Σ w²/4σ²  +  Σ t²/2σ²
//
// w is the difference of an observation's two weights, which at the best point are w/2
// and -w/2, so that their two penalties (w/2)²/2σ² make w²/4σ².
type objective struct {
	pages    []sequence
	variance float64
	index    []int32 // parameter of an observation, -1 if it has none
	kept     int

	x        []float64 // where value and gradient are of
	value    float64
	gradient []float64

	scores, alpha, norms []float64 // of one page
}

// keep gives a parameter to every observation on at least minPages pages.
func (o *objective) keep(minPages int) {
	on := make([]int, chain.Observations)
	last := make([]int, chain.Observations)
	for i := range o.pages {
		for _, v := range o.pages[i].observed {
			if last[v] != i+1 {
				last[v] = i + 1
				on[v]++
			}
		}
	}
	o.index = make([]int32, chain.Observations)
	for v, n := range on {
		o.index[v] = -1
		if n >= minPages {
			o.index[v] = int32(o.kept)
			o.kept++
		}
	}
}

// parameters returns the number of parameters: one for each kept observation, then the
// four transitions.
func (o *objective) parameters() int { return o.kept + 4 }

// at computes value and gradient at x, unless they are already computed there.
func (o *objective) at(x []float64) {
	if o.x != nil && same(o.x, x) {
		return
	}
	o.x = append(o.x[:0], x...)
	o.gradient = make([]float64, len(x))
	o.value = 0
	weights := make([]float64, len(o.index)) // by observation, so that none need be asked for
	for v, k := range o.index {
		if k >= 0 {
			weights[v] = x[k]
		}
	}
	byObservation := make([]float64, len(o.index))
	for i := range o.pages {
		o.page(&o.pages[i], weights, x[o.kept:], byObservation, o.gradient[o.kept:])
	}
	for v, k := range o.index {
		if k >= 0 {
			o.gradient[k] = byObservation[v]
		}
	}
	for k, w := range x {
		variance := 2 * o.variance
		if k >= o.kept {
			variance = o.variance
		}
		o.value += float64(float64(w*w) / (2 * variance))
		o.gradient[k] += w / variance
	}
}

func same(a, b []float64) bool {
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
			return false
		}
	}
	return len(a) == len(b)
}

// page adds the negative log-likelihood of one page and its derivatives, by the
// forward-backward algorithm. The potentials of every block and the forward sums
// are divided by their total, so that nothing overflows.
func (o *objective) page(s *sequence, weights, t, gradient, transitions []float64) {
	n := len(s.content)
	if n == 0 {
		return
	}
	o.scores, o.alpha, o.norms = o.scores[:0], o.alpha[:0], o.norms[:0]
	from := int32(0)
	for _, end := range s.ends {
		sum := 0.0
		for _, v := range s.observed[from:end] {
			sum += weights[v]
		}
		o.scores = append(o.scores, sum)
		from = end
	}
	var e [4]float64 // of transitions
	for k := range e {
		e[k] = portable.Exp(t[k])
	}
	logZ, noise, content := 0.0, 1.0, 1.0 // before the first block there is no transition
	for i, score := range o.scores {
		toNoise, toContent := noise, content
		if i > 0 {
			toNoise = float64(noise*e[0]) + float64(content*e[2])
			toContent = float64(noise*e[1]) + float64(content*e[3])
		}
		// exp(0) and exp(score), divided by the larger one.
		if score > 0 {
			toNoise *= portable.Exp(-score)
			logZ += score
		} else {
			toContent *= portable.Exp(score)
		}
		total := toNoise + toContent
		noise, content = toNoise/total, toContent/total
		logZ += math.Log(total)
		o.alpha = append(o.alpha, content)
		o.norms = append(o.norms, total)
		if s.content[i] {
			logZ -= score
		}
		if i > 0 {
			k := pair(s.content[i-1], s.content[i])
			logZ -= t[k]
			transitions[k]--
		}
	}
	o.value += logZ
	betaNoise, betaContent := 1.0, 1.0
	for i := n - 1; i >= 0; i-- {
		p := float64(o.alpha[i] * betaContent)
		q := float64((1 - o.alpha[i]) * betaNoise)
		p /= p + q
		if s.content[i] {
			p--
		}
		if i > 0 {
			from = s.ends[i-1]
		} else {
			from = 0
		}
		for _, v := range s.observed[from:s.ends[i]] {
			gradient[v] += p
		}
		if i == 0 {
			break
		}
		// These are the weights of what leads to each label of block i, times those of
		// what follows.
		toNoise, toContent := betaNoise, betaContent
		if score := o.scores[i]; score > 0 {
			toNoise *= portable.Exp(-score)
		} else {
			toContent *= portable.Exp(score)
		}
		toNoise /= o.norms[i]
		toContent /= o.norms[i]
		a, b := 1-o.alpha[i-1], o.alpha[i-1]
		joint := [4]float64{float64(float64(a*e[0]) * toNoise), float64(float64(a*e[1]) * toContent),
			float64(float64(b*e[2]) * toNoise), float64(float64(b*e[3]) * toContent)}
		sum := joint[0] + joint[1] + joint[2] + joint[3]
		for k := range joint {
			transitions[k] += joint[k] / sum
		}
		betaNoise, betaContent = float64(e[0]*toNoise)+float64(e[1]*toContent), float64(e[2]*toNoise)+float64(e[3]*toContent)
	}
}

// lossOf returns the negative log-likelihood of the labels of pages under m.
func lossOf(m *chain.Model, pages []sequence) float64 {
	weights := make([]float64, len(m.Weights))
	for v, w := range m.Weights {
		weights[v] = float64(w)
	}
	t := []float64{float64(m.Transition[0][0]), float64(m.Transition[0][1]), float64(m.Transition[1][0]), float64(m.Transition[1][1])}
	var o objective
	gradient, transitions := make([]float64, len(weights)), make([]float64, len(t))
	for i := range pages {
		o.page(&pages[i], weights, t, gradient, transitions)
	}
	return o.value
}

// pair returns the number of a transition.
func pair(from, to bool) (k int) {
	if from {
		k = 2
	}
	if to {
		k++
	}
	return k
}

// model returns the model with the parameters x as weights.
func (o *objective) model(x []float64) *chain.Model {
	m := &chain.Model{Weights: make([]float32, len(o.index))}
	for v, k := range o.index {
		if k >= 0 {
			m.Weights[v] = float32(x[k])
		}
	}
	for k, t := range x[o.kept:] {
		m.Transition[k/2][k%2] = float32(t)
	}
	return m
}
