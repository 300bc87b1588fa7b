// Package chain is the linear-chain conditional random field of Victor: the weights of
// the observations at a page's blocks, and the best sequence of labels.
//
//	score(y) = Σ score[i]·y[i] + Σ Transition[y[i-1]][y[i]]      y[i] is 0 (noise) or 1 (content)
//	score[i] = Σ weights of what is observed at blocks i-2 … i+2
//
// With two labels only the difference of an observation's two weights matters, so a
// model has one weight for each: content's minus noise's.
//
// This package is internal to Winnow and may change in any release.
package chain

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/extract/crf/blocks"
	"github.com/winnow/winnow/algorithms/extract/modelfile"
)

// Model holds the learned weights.
type Model struct {
	// Weights are those of observations. First says where those of a feature begin.
	Weights    []float32
	Transition [2][2]float32
}

// First[f][d+Reach] is where the weights of feature f at a distance d from the block
// begin; those of its values 1, 2, … follow. Observations is the number of all.
var First, Observations = layout()

func layout() (first [][]int, n int) {
	for _, f := range blocks.Features {
		var at []int
		for d := -f.Reach; d <= f.Reach; d++ {
			at = append(at, n)
			n += f.Levels
		}
		first = append(first, at)
	}
	return first, n
}

// Format is the version of the model file.
const Format = 1

// File returns the kind of the model file: the weights of observations, then the
// transitions from noise to noise, from noise to content, from content to noise, and
// from content to content.
func File() modelfile.Kind {
	return modelfile.Kind{Magic: "WCRF", Format: Format, Features: blocks.Schema(), Weights: Observations + 4}
}

// Encode returns the file of m. data identifies the pages that it was trained on.
func (m *Model) Encode(data uint64) []byte {
	weights := append(m.Weights[:len(m.Weights):len(m.Weights)], m.Transition[0][0], m.Transition[0][1], m.Transition[1][0], m.Transition[1][1])
	return File().Encode(data, weights)
}

// Decode reads a file that Encode made.
func Decode(file []byte) (*Model, error) {
	weights, err := File().Decode(file)
	if err != nil {
		return nil, err
	}
	t := weights[Observations:]
	return &Model{Weights: weights[:Observations], Transition: [2][2]float32{{t[0], t[1]}, {t[2], t[3]}}}, nil
}

// Score appends the blocks' scores to dst[:0]. Every score is summed in the order of
// features and distances, so it is the same on all machines.
func (m *Model) Score(dst []float64, p *blocks.Page) []float64 {
	n := len(p.Rows)
	dst = algorithms.Zeros(dst, n)
	for f := range blocks.Features {
		column, reach := p.Column(f), blocks.Features[f].Reach
		var weights [1 << 5]float64 // indexed by value; there are at most 24 values, and value 0 has no weight
		for k, first := range First[f] {
			for v := range blocks.Features[f].Levels {
				weights[v+1] = float64(m.Weights[first+v])
			}
			// Block i observes the value of block i+d.
			d := k - reach
			from, to := max(0, -d), min(n, n-d)
			if from >= to {
				continue
			}
			at := dst[from:to]
			for i, v := range column[from+d : to+d] {
				at[i] += weights[v&31]
			}
		}
	}
	return dst
}

// Decode finds the labels with the highest score. Of two equal scores it prefers noise.
// back is working memory, which is returned for the next page.
func (m *Model) Decode(labels []bool, back []uint8, scores []float64) ([]bool, []uint8) {
	n := len(scores)
	labels, back = algorithms.Zeros(labels, n), algorithms.Zeros(back, n)
	if n == 0 {
		return labels, back
	}
	var t [2][2]float64
	for a := range t {
		for b := range t[a] {
			t[a][b] = float64(m.Transition[a][b])
		}
	}
	noise, content := 0.0, scores[0]
	for i := 1; i < n; i++ {
		toNoise, toContent := noise+t[0][0], noise+t[0][1]
		var from uint8
		if s := content + t[1][0]; s > toNoise {
			toNoise, from = s, from|1
		}
		if s := content + t[1][1]; s > toContent {
			toContent, from = s, from|2
		}
		back[i] = from
		noise, content = toNoise, toContent+scores[i]
	}
	label := uint8(0)
	if content > noise {
		label = 1
	}
	for i := n - 1; i >= 0; i-- {
		labels[i] = label == 1
		label = back[i] >> label & 1
	}
	return labels, back
}
