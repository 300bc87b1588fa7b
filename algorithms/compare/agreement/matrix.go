package agreement

import "math"

// scale is the resolution of sums. Figures are added as whole numbers, so neither the
// order of pages nor the grouping of sums changes the result. Nine billion pages fit.
const scale = 1e9

// Sum is a running mean.
type Sum struct {
	N     int64
	Total int64 // sum of the figures, in units of 1e-9
}

func (s *Sum) add(v float64) {
	s.N++
	s.Total += int64(math.Round(v * scale))
}

// Mean returns the mean of the figures added.
func (s Sum) Mean() Figure {
	if s.N == 0 {
		return Figure{}
	}
	return Figure{float64(s.Total) / scale / float64(s.N), true}
}

// Cell sums up one pair of extractors over pages.
type Cell struct {
	Agreement         Sum
	BothEmpty, Failed int64
}

// Matrix sums up the pages of a package.
type Matrix struct {
	Families  []string // family of each extractor
	Cells     []Cell   // one for each pair, see At
	Consensus []Sum    // by extractor
	Strength  Sum
}

// NewMatrix returns an empty Matrix of extractors. families has the family of each.
func NewMatrix(families []string) *Matrix {
	n := len(families)
	return &Matrix{Families: families, Cells: make([]Cell, Pairs(n)), Consensus: make([]Sum, n)}
}

// At returns the cell of extractors i and j, i ≠ j.
func (m *Matrix) At(i, j int) *Cell { return &m.Cells[triangle(len(m.Families), i, j)] }

// Add adds a page of the same extractors.
func (m *Matrix) Add(p *Page) {
	for k, x := range p.pairs {
		switch c := &m.Cells[k]; x.State {
		case Known:
			c.Agreement.add(x.Value)
		case BothEmpty:
			c.BothEmpty++
		case Failed:
			c.Failed++
		}
	}
	for i, x := range p.Consensus {
		if x.Known {
			m.Consensus[i].add(x.Value)
		}
	}
	if p.Strength.Known {
		m.Strength.add(p.Strength.Value)
	}
}

// Mean returns the mean agreement of extractor i with the others, where a family counts
// once.
func (m *Matrix) Mean(i int) Figure {
	families := map[string]int{}
	for j, f := range m.Families {
		if j != i && m.At(i, j).Agreement.N > 0 {
			families[f]++
		}
	}
	sum := 0.0
	for j, f := range m.Families {
		if j == i {
			continue
		}
		if a := m.At(i, j).Agreement.Mean(); a.Known {
			sum += a.Value / float64(families[f])
		}
	}
	if len(families) == 0 {
		return Figure{}
	}
	return Figure{sum / float64(len(families)), true}
}
