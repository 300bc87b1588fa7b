package overview

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"
)

// correlate computes how well the order of extractors by consensus, which needs no
// gold, agrees with the order by the scorer that ranks.
func (p *pkg) correlate() {
	var consensus, gold []float64
	for i := range p.Lines {
		r, agreed := &p.Lines[i].Row, p.Lines[i].Speed.ConsensusF1
		if p.Lines[i].Bound || r.Scored == 0 || math.IsNaN(agreed) || math.IsNaN(r.Headline) {
			continue
		}
		consensus = append(consensus, agreed)
		figure := p.Ranked(*r)
		if p.Scorer.Lower {
			figure = -figure
		}
		gold = append(gold, figure)
	}
	const least = 3 // fewer extractors have no meaningful order
	if len(gold) < least {
		return
	}
	if rho := stat.Correlation(ranks(consensus), ranks(gold), nil); !math.IsNaN(rho) {
		p.Rho = strconv.FormatFloat(rho, 'f', 2, 64)
	}
}

// ranks returns the rank of each value; equal values share the mean of their ranks.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	out := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			out[i] = float64(from+to+1) / 2
		}
		from = to
	}
	return out
}
