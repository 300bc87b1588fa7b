package main

import (
	"github.com/winnow/winnow/algorithms/extract/crf/blocks"
	"github.com/winnow/winnow/algorithms/extract/crf/chain"
	"github.com/winnow/winnow/eval/corpus"
)

// sequence is one page: the observations at each block, and its label.
type sequence struct {
	observed []uint16 // observations of all blocks, one block after the other
	ends     []int32  // where those of each block end
	content  []bool
}

// minCoverage is the share of a gold's words that must be on its page. If more is
// missing, the rest of the gold says little about the blocks.
const minCoverage = 0.7

// sequencesOf returns the pages as sequences. A page that cannot be learned from has an
// empty one.
func sequencesOf(documents []*corpus.Document) []sequence {
	all := make([]sequence, len(documents))
	var r corpus.Reader
	var p blocks.Page
	for i, d := range documents {
		pg := r.Parse(d)
		if !p.Fill(pg.Body()) {
			continue
		}
		if labels, coverage := r.Labels(d, p.Rows); coverage >= minCoverage {
			all[i] = observe(&p)
			all[i].content = labels
		}
	}
	return all
}

// observe lists the observations of every block of p.
func observe(p *blocks.Page) (s sequence) {
	n := len(p.Rows)
	for i := range n {
		for f, feature := range blocks.Features {
			column := p.Column(f)
			for k, first := range chain.First[f] {
				if at := i + k - feature.Reach; at >= 0 && at < n && column[at] > 0 {
					s.observed = append(s.observed, uint16(first+int(column[at])-1))
				}
			}
		}
		s.ends = append(s.ends, int32(len(s.observed)))
	}
	return s
}
