package overview

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/winnow/winnow/algorithms/compare/agreement"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// cell is a figure of the table by page type, with its colour.
type cell struct {
	Text  string // two decimals
	Class string // class of its colours
}

// sums holds the agreement of a package's pairs.
type sums map[[2]string]agreement.Sum

// readMatrices reads the agreement of the packages that are shown, and of all together.
// A run of an older program has no such table.
func readMatrices(ctx context.Context, store blob.Store, shown map[string]bool) (map[string]sums, error) {
	if _, err := store.Stat(ctx, schemas.AgreementFile); err != nil {
		if isMissing(err) {
			return nil, nil
		}
		return nil, err
	}
	out, all := map[string]sums{}, sums{}
	for row, err := range tables.Rows(ctx, store, columnar.Agreement, schemas.AgreementFile) {
		if err != nil {
			return nil, err
		}
		if shown[row.Package] {
			if out[row.Package] == nil {
				out[row.Package] = sums{}
			}
			out[row.Package].add(row)
		}
		all.add(row)
	}
	if !shown[schemas.AllPackages] { // a package may have this very name
		out[schemas.AllPackages] = all
	}
	return out, nil
}

func (s sums) add(r *schemas.AgreementRow) {
	pair := [2]string{r.ExtractorA, r.ExtractorB}
	sum := s[pair]
	sum.N, sum.Total = sum.N+r.Documents, sum.Total+r.SumE9
	s[pair] = sum
}

// agree computes the mean agreement of each extractor with the others over all packages.
// The package table has it for each package only.
func (p *pkg) agree(s sums, extractors []schemas.Method) {
	if !p.All {
		return
	}
	var families []string
	for _, e := range extractors {
		families = append(families, cmp.Or(e.Family, e.Name))
	}
	m := agreement.NewMatrix(families)
	for i, a := range extractors {
		for j, b := range extractors[:i] {
			m.At(i, j).Agreement = s.of(a.Name, b.Name)
		}
	}
	for i, e := range extractors {
		mean := m.Mean(i)
		for k := range p.Lines {
			if p.Lines[k].Extractor == e.Name && mean.Known {
				p.Lines[k].Speed.AgreeMean = mean.Value
			}
		}
	}
}

// of returns the sum of a pair.
func (s sums) of(a, b string) agreement.Sum {
	if sum, known := s[[2]string{a, b}]; known {
		return sum
	}
	return s[[2]string{b, a}]
}

// inkFrom is the share, in hundredths, from which a cell has the letters of dark cells in
// light, and of light cells in dark. Every cell then has a contrast of at least 4.5.
const inkFrom = 85

// shades are the classes of the cells of a matrix, from the lightest to the darkest in light
// and the other way round in dark. They are rules of the style sheet, because the page's
// policy forbids styles of single elements.
var shades = func() string {
	var b strings.Builder
	b.WriteString(".matrix [class^=h]{background:color-mix(in srgb,var(--heat1) var(--k),var(--heat0));color:var(--on)}")
	for k := range 101 {
		ink := 0
		if k >= inkFrom {
			ink = 1
		}
		// The scale is steeper near 1, where most extractors differ.
		fmt.Fprintf(&b, ".h%d{--k:%.4g%%;--on:var(--ink%d)}", k, float64(k*k)/100, ink)
	}
	return b.String()
}()

// shade returns the cell of a figure from 0 to 1, or of any other without a colour.
func shade(x float64, f1 bool) cell {
	switch {
	case math.IsNaN(x):
		return cell{Text: "–"}
	case !f1:
		return cell{Text: short(x)}
	}
	return cell{Text: fmt.Sprintf("%.2f", x), Class: fmt.Sprintf("h%.0f", 100*max(0, min(x, 1)))}
}
