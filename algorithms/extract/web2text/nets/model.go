package nets

import (
	"math"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/extract/modelfile"
	"github.com/winnow/winnow/algorithms/extract/portable"
	"github.com/winnow/winnow/algorithms/extract/web2text/collapsed"
)

// Layers of the two networks: a block has two labels, a pair of blocks four (00, 01,
// 10, 11).
var (
	BlockShapes = Shapes(collapsed.BlockFeatures, 2)
	EdgeShapes  = Shapes(collapsed.EdgeFeatures, 4)
)

// Model holds the learned weights.
type Model struct {
	Blocks, Edges Net
	Lambda        float32 // the weight of pairs
}

// Format is the version of the model file.
const Format = 1

// File is the kind of file that a model is in: the weights of blocks, those of
// edges, and λ.
func File() modelfile.Kind {
	return modelfile.Kind{Magic: "WW2T", Format: Format, Features: collapsed.Schema, Weights: Size(BlockShapes) + Size(EdgeShapes) + 1}
}

// Encode returns the file of m. data identifies the pages that it was trained on.
func (m *Model) Encode(data uint64) []byte {
	weights := append(m.Blocks.Weights[:len(m.Blocks.Weights):len(m.Blocks.Weights)], m.Edges.Weights...)
	return File().Encode(data, append(weights, m.Lambda))
}

// Decode reads a file that Encode made.
func Decode(file []byte) (*Model, error) {
	weights, err := File().Decode(file)
	if err != nil {
		return nil, err
	}
	n := Size(BlockShapes)
	return &Model{
		Blocks: Net{BlockShapes, weights[:n]},
		Edges:  Net{EdgeShapes, weights[n : len(weights)-1]},
		Lambda: weights[len(weights)-1],
	}, nil
}

// Working is the memory of Label, used again for every page.
type Working struct {
	blocks, edges []float32
	memory        buffers
	labels        []bool
	back          []uint8
}

// Label returns which blocks of p are content, valid until the next call.
func (m *Model) Label(w *Working, p *collapsed.Page) []bool {
	m.Run(w, p)
	return w.Decode(m.Lambda)
}

// Run computes the outputs of both networks, as logarithms of probabilities.
func (m *Model) Run(w *Working, p *collapsed.Page) {
	n := len(p.Rows)
	w.blocks = m.Blocks.run(w.blocks, &w.memory, n, p.Block)
	w.edges = m.Edges.run(w.edges, &w.memory, max(0, n-1), p.Edge)
	normalise(w.blocks, 2)
	normalise(w.edges, 4)
}

// normalise turns every group of outputs into logarithms of probabilities.
func normalise(x []float32, size int) {
	for ; len(x) > 0; x = x[size:] {
		most := x[0]
		for _, v := range x[1:size] {
			most = max(most, v)
		}
		sum := 0.0
		for _, v := range x[:size] {
			sum += portable.Exp(float64(v - most))
		}
		log := most + float32(math.Log(sum))
		for i := range x[:size] {
			x[i] -= log
		}
	}
}

// Decode finds the labels with the highest sum of logarithms, where those of pairs are
// multiplied by lambda. Of two equal sums it prefers noise.
func (w *Working) Decode(lambda float32) []bool {
	n := len(w.blocks) / 2
	w.labels, w.back = algorithms.Zeros(w.labels, n), algorithms.Zeros(w.back, n)
	if n == 0 {
		return w.labels
	}
	noise, content := float64(w.blocks[0]), float64(w.blocks[1])
	for i := 1; i < n; i++ {
		var e [4]float64
		for k := range e {
			e[k] = float64(float64(lambda) * float64(w.edges[4*(i-1)+k]))
		}
		toNoise, toContent := noise+e[0], noise+e[1]
		var from uint8
		if s := content + e[2]; s > toNoise {
			toNoise, from = s, from|1
		}
		if s := content + e[3]; s > toContent {
			toContent, from = s, from|2
		}
		w.back[i] = from
		noise, content = toNoise+float64(w.blocks[2*i]), toContent+float64(w.blocks[2*i+1])
	}
	label := uint8(0)
	if content > noise {
		label = 1
	}
	for i := n - 1; i >= 0; i-- {
		w.labels[i] = label == 1
		label = w.back[i] >> label & 1
	}
	return w.labels
}
