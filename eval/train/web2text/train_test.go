package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/winnow/winnow/algorithms/extract/web2text/nets"
	"github.com/winnow/winnow/eval/corpus/corpustest"
)

var command = corpustest.Command{Name: "web2text", Run: run, Quick: []string{"--steps", "3"}}

func TestSameModelAgain(t *testing.T) { command.CheckSameModel(t, 0.8, "--steps", "20") }

func TestFoldsAndCard(t *testing.T) { command.CheckCardOfFolds(t) }

func TestRefusals(t *testing.T) {
	command.CheckRefusals(t, nil)
}

// TestGradient compares the gradient of the loss of one window with differences.
func TestGradient(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	shapes := nets.Shapes(6, 4)
	s := edgeSettings
	s.keep = 1
	tr := newTrainer(s, shapes, 5)
	labels := make([]uint8, s.window)
	for i := range labels {
		labels[i] = uint8(random.IntN(4))
	}
	// Larger weights than at the start: the loss is in single precision, and its
	// differences must stand out of the rounding.
	for i := range tr.weights {
		tr.weights[i] = float32(.3 * random.NormFloat64())
	}
	for i := range tr.outputs[0] {
		tr.outputs[0][i] = float32(random.NormFloat64())
	}
	loss := func() float64 {
		tr.drop()
		clear(tr.gradient)
		return tr.windowLoss(labels)
	}
	loss()
	gradient := append([]float32(nil), tr.gradient...)
	far, large := 0, 0
	for range 400 {
		i := random.IntN(len(tr.weights))
		const step = 1e-3
		at := tr.weights[i]
		tr.weights[i] = at + step
		above := loss()
		tr.weights[i] = at - step
		below := loss()
		tr.weights[i] = at
		want := (above - below) / (2 * step)
		if math.Abs(want) > .1 {
			large++
		}
		if math.Abs(float64(gradient[i])-want) > .02*max(1, math.Abs(want)) {
			far++
		}
	}
	// A weight at whose change a channel is cut off has no such difference.
	if far > 8 || large < 40 {
		t.Errorf("%d of 400 derivatives are wrong, %d are large", far, large)
	}
}
