package main

import (
	"github.com/winnow/winnow/algorithms/extract/web2text/collapsed"
	"github.com/winnow/winnow/algorithms/extract/web2text/nets"
	"github.com/winnow/winnow/eval/corpus"
)

// minCoverage is the share of a gold's words that must be on its page. If more is
// missing, the rest of the gold says little about the blocks.
const minCoverage = 0.7

// examples holds the pages for both networks.
type examples struct{ blocks, edges []sequence }

// read makes examples of the documents that can be learned from.
func read(documents []*corpus.Document) (x examples) {
	var r corpus.Reader
	var p collapsed.Page
	for _, d := range documents {
		if !p.Fill(r.Parse(d)) || len(p.Rows) < minBlocks {
			continue
		}
		content, coverage := r.Labels(d, p.Rows)
		if coverage < minCoverage {
			continue
		}
		n := len(p.Rows)
		blocks := sequence{make([]float32, n*collapsed.BlockFeatures), make([]uint8, n)}
		edges := sequence{make([]float32, (n-1)*collapsed.EdgeFeatures), make([]uint8, n-1)}
		for i, is := range content {
			p.Block(blocks.features[i*collapsed.BlockFeatures:][:collapsed.BlockFeatures], i)
			if is {
				blocks.labels[i] = 1
			}
			if i > 0 {
				p.Edge(edges.features[(i-1)*collapsed.EdgeFeatures:][:collapsed.EdgeFeatures], i-1)
				edges.labels[i-1] = 2*blocks.labels[i-1] + blocks.labels[i]
			}
		}
		x.blocks, x.edges = append(x.blocks, blocks), append(x.edges, edges)
	}
	return x
}

// lambdas lists the weights of pairs that are tried.
var lambdas = []float32{.05, .1, .25, .5, 1}

// One in validation pages is set aside for choosing λ.
const validation = 10

// train learns both networks on the pages of nine tenths of the domains, and λ on
// those of the others, by the number of blocks that are labelled right.
func train(documents []*corpus.Document, steps int) *nets.Model {
	var learn, check []*corpus.Document
	for _, d := range documents {
		if d.Fold(validation) == 0 {
			check = append(check, d)
		} else {
			learn = append(learn, d)
		}
	}
	x := read(learn)
	block, edge := blockSettings, edgeSettings
	block.steps, edge.steps = steps, steps
	b, e := newTrainer(block, nets.BlockShapes, 1), newTrainer(edge, nets.EdgeShapes, 2)
	b.train(x.blocks)
	e.train(x.edges)
	m := &nets.Model{Blocks: nets.Net{Shapes: nets.BlockShapes, Weights: b.weights}, Edges: nets.Net{Shapes: nets.EdgeShapes, Weights: e.weights}}
	m.Lambda = choose(m, check)
	return m
}

// choose returns the λ that labels the most blocks of documents correctly, the first of
// equals.
func choose(m *nets.Model, documents []*corpus.Document) float32 {
	right := make([]int, len(lambdas))
	var r corpus.Reader
	var p collapsed.Page
	var w nets.Working
	for _, d := range documents {
		if !p.Fill(r.Parse(d)) {
			continue
		}
		content, _ := r.Labels(d, p.Rows)
		m.Run(&w, &p)
		for k, lambda := range lambdas {
			for i, is := range w.Decode(lambda) {
				if is == content[i] {
					right[k]++
				}
			}
		}
	}
	best := 0
	for k := range lambdas {
		if right[k] > right[best] {
			best = k
		}
	}
	return lambdas[best]
}
