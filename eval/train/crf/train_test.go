package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/winnow/winnow/algorithms/extract/crf/chain"
	"github.com/winnow/winnow/eval/corpus/corpustest"
)

var command = corpustest.Command{Name: "crf", Run: run, Quick: []string{"--variance", "1,10"}}

func TestSameModelAgain(t *testing.T) { command.CheckSameModel(t, 0.95) }

func TestFoldsAndCard(t *testing.T) { command.CheckCardOfFolds(t) }

func TestRefusals(t *testing.T) {
	command.CheckRefusals(t, map[string][]string{"no number above 0": {"--variance", "1,-1"}})
}

// made are a few short random sequences over a handful of observations.
func made(random *rand.Rand) (pages []sequence) {
	for range 6 {
		var s sequence
		for range random.IntN(6) {
			for range random.IntN(4) {
				s.observed = append(s.observed, uint16(random.IntN(5)))
			}
			s.ends = append(s.ends, int32(len(s.observed)))
			s.content = append(s.content, random.IntN(2) == 1)
		}
		pages = append(pages, s)
	}
	return pages
}

// slow is the objective by its definition: a sum over all sequences of labels.
func slow(o *objective, x []float64) (value float64) {
	t := x[o.kept:]
	for _, s := range o.pages {
		score := func(label func(i int) bool) (sum float64) {
			from := int32(0)
			for i, end := range s.ends {
				for _, v := range s.observed[from:end] {
					if k := o.index[v]; k >= 0 && label(i) {
						sum += x[k]
					}
				}
				if i > 0 {
					sum += t[pair(label(i-1), label(i))]
				}
				from = end
			}
			return sum
		}
		z := 0.0
		for set := range 1 << len(s.content) {
			z += math.Exp(score(func(i int) bool { return set>>i&1 == 1 }))
		}
		value += math.Log(z) - score(func(i int) bool { return s.content[i] })
	}
	for k, w := range x {
		if k < o.kept {
			value += w * w / (4 * o.variance)
		} else {
			value += w * w / (2 * o.variance)
		}
	}
	return value
}

// TestObjective compares value and gradient with their definitions.
func TestObjective(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		o := objective{pages: made(random), variance: 2}
		o.keep(2)
		x := make([]float64, o.parameters())
		for k := range x {
			x[k] = 2 * random.NormFloat64()
		}
		o.at(x)
		if want := slow(&o, x); math.Abs(o.value-want) > 1e-9*max(1, want) {
			t.Fatalf("value %v, want %v", o.value, want)
		}
		for k := range x {
			const step = 1e-5
			at := x[k]
			x[k] = at + step
			above := slow(&o, x)
			x[k] = at - step
			below := slow(&o, x)
			x[k] = at
			if want := (above - below) / (2 * step); math.Abs(o.gradient[k]-want) > 1e-6 {
				t.Fatalf("derivative %d is %v, want %v", k, o.gradient[k], want)
			}
		}
	}
}

// TestObjectiveOfLargeScores: no score is too large for the exponential function.
func TestObjectiveOfLargeScores(t *testing.T) {
	o := objective{pages: made(rand.New(rand.NewPCG(3, 4))), variance: 10}
	o.keep(1)
	x := make([]float64, o.parameters())
	for k := range o.kept {
		x[k] = 2000 * float64(1-k%2*2)
	}
	o.at(x)
	for k, g := range append(o.gradient, o.value) {
		if math.IsNaN(g) || math.IsInf(g, 0) {
			t.Fatalf("derivative %d is %v", k, g)
		}
	}
}

func TestRareObservationsHaveNoWeight(t *testing.T) {
	o := objective{pages: []sequence{{observed: []uint16{1, 1, 2}}, {observed: []uint16{2, 3}}}}
	o.keep(2)
	if o.kept != 1 || o.index[2] != 0 || o.index[1] != -1 || len(o.index) != chain.Observations {
		t.Errorf("%d parameters, index %v", o.kept, o.index[:5])
	}
}
