package winnow

import (
	"cmp"
	"math"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/extract/winnow/internal/blocks"
)

// reasons is how many an explanation gives for a block.
const reasons = 5

// explain judges the page again and says what moved each block.
func (p *Params) explain(pass *algorithms.Pass) ([]algorithms.Judged, error) {
	s, err := p.judge(pass)
	if err != nil {
		return nil, err
	}
	whole := s.page.Whole()
	var out []algorithms.Judged
	for i := range s.blocks.Blocks {
		k := &s.blocks.Blocks[i]
		j := algorithms.Judged{
			Text:        string(whole.Text[k.Start:k.End]),
			Probability: float64(s.judgment.P[i]),
			Chosen:      s.chosen(i),
		}
		var moved [256]float64
		for m := range shipped.Second {
			shipped.Second[m].Contributions(&s.blocks.Rows[i], &moved)
		}
		for f, v := range moved[:len(blocks.Names)] {
			if v != 0 {
				j.Reasons = append(j.Reasons, algorithms.Because{
					Feature: blocks.Names[f], Value: int(s.blocks.Rows[i][f]), Moved: v / float64(len(shipped.Second)),
				})
			}
		}
		slices.SortStableFunc(j.Reasons, func(a, b algorithms.Because) int {
			return cmp.Compare(math.Abs(b.Moved), math.Abs(a.Moved))
		})
		j.Reasons = j.Reasons[:min(reasons, len(j.Reasons))]
		out = append(out, j)
	}
	return out, nil
}
