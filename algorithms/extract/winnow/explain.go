package winnow

import (
	"cmp"
	"math"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/extract/winnow/blocks"
	"github.com/winnow/winnow/algorithms/extract/winnow/model"
	"github.com/winnow/winnow/algorithms/page"
)

// reasons is the number of features that an explanation lists for a block.
const reasons = 5

// explain runs the model on the page again and reports what influenced each block: by
// how much its log-odds in the second stage would differ if one feature had its median
// value on the page and the others were unchanged.
func (p *Params) explain(pass *algorithms.Pass) ([]algorithms.Decision, error) {
	s, err := p.predict(pass)
	if err != nil {
		return nil, err
	}
	// second returns the log-odds that the second stage gives a row.
	second := func(row *blocks.Row) float64 { return float64(s.model.Second.Sum(row)) / model.Unit }
	usual := median(&s.blocks)
	var out []algorithms.Decision
	for i := range s.blocks.Blocks {
		k := &s.blocks.Blocks[i]
		j := algorithms.Decision{
			Span:        page.Span{Start: k.Start, End: k.End},
			Probability: float64(s.prediction.P[i]),
			Chosen:      s.in[i],
		}
		features := s.blocks.Row(i)
		have := second(&features)
		for f := range blocks.Names {
			row := features
			value := row[f]
			if row[f] = usual[f]; row[f] == value {
				continue
			}
			j.Evidence = append(j.Evidence, algorithms.Evidence{Feature: blocks.Names[f], Value: int(value), LogOdds: have - second(&row)})
		}
		slices.SortStableFunc(j.Evidence, func(a, b algorithms.Evidence) int {
			return cmp.Compare(math.Abs(b.LogOdds), math.Abs(a.LogOdds))
		})
		j.Evidence = j.Evidence[:min(reasons, len(j.Evidence))]
		out = append(out, j)
	}
	return out, nil
}

// median returns the median of each feature over the blocks of a page.
func median(p *blocks.Page) (m blocks.Row) {
	for f := range m {
		var count [256]int
		for i := range p.Blocks {
			count[p.Tiles[i/blocks.Lanes][f][i%blocks.Lanes]]++
		}
		below := 0
		for v, n := range count {
			if below += n; 2*below >= len(p.Blocks) {
				m[f] = uint8(v)
				break
			}
		}
	}
	return m
}
