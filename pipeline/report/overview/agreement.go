package overview

import (
	"context"
	"fmt"
	"html/template"

	"github.com/winnow/winnow/algorithms/compare/agreement"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// matrix shows the agreement of each pair of extractors. It is a table with coloured
// cells and not a picture, so that its figures can be read aloud and copied.
type matrix struct {
	Names []string
	Rows  [][]cell
}

type cell struct {
	Text  string // two decimals
	Style template.CSS
	Self  bool
}

// sums holds the agreement of a package's pairs.
type sums map[[2]string]agreement.Sum

// allPackages is the name under which the sums of all packages are kept.
const allPackages = schemas.AllPackages

// readMatrices reads the agreement of the packages that are shown, and of all together.
// A run of an older program has no such table.
func readMatrices(ctx context.Context, store blob.Store, shown map[string]bool) (map[string]sums, error) {
	if _, err := store.Stat(ctx, schemas.AgreementFile); err != nil {
		if isMissing(err) {
			return nil, nil
		}
		return nil, err
	}
	out := map[string]sums{allPackages: {}}
	add := func(name string, r *schemas.AgreementRow) {
		if out[name] == nil {
			out[name] = sums{}
		}
		s := out[name][[2]string{r.ExtractorA, r.ExtractorB}]
		s.N += r.Documents
		s.Total += r.SumE9
		out[name][[2]string{r.ExtractorA, r.ExtractorB}] = s
	}
	all := sums{}
	for row, err := range tables.Rows(ctx, store, columnar.Agreement, schemas.AgreementFile) {
		if err != nil {
			return nil, err
		}
		if shown[row.Package] {
			add(row.Package, row)
		}
		s := all[[2]string{row.ExtractorA, row.ExtractorB}]
		s.N += row.Documents
		s.Total += row.SumE9
		all[[2]string{row.ExtractorA, row.ExtractorB}] = s
	}
	if !shown[allPackages] { // a package may have this very name
		out[allPackages] = all
	}
	return out, nil
}

// matrix fills the package's matrix with the extractors in the order of the table.
func (p *pkg) matrix(s sums) {
	if len(s) == 0 {
		return
	}
	m := &matrix{}
	for _, l := range p.Lines {
		m.Names = append(m.Names, l.Extractor)
	}
	for _, a := range m.Names {
		row := make([]cell, len(m.Names))
		for j, b := range m.Names {
			if a == b {
				row[j] = cell{Self: true}
				continue
			}
			sum, known := s[[2]string{a, b}]
			if !known {
				sum = s[[2]string{b, a}]
			}
			row[j] = shade(sum.Mean())
		}
		m.Rows = append(m.Rows, row)
	}
	p.Matrix = m
}

// shade returns the colours of a share. The background goes from white for 0 to dark
// blue for 1. The letters are black or white, whichever has more contrast.
func shade(f agreement.Figure) cell {
	if !f.Known {
		return cell{Text: "–"}
	}
	x := max(0, min(f.Value, 1))
	// The scale is steeper near 1, where most extractors differ.
	mix := func(from, to float64) int { return int(from + (to-from)*x*x + 0.5) }
	style := fmt.Sprintf("background:rgb(%d,%d,%d)", mix(255, 8), mix(255, 64), mix(255, 129))
	if x > 0.85 { // above this value white letters have a contrast above 4.5, and black ones below
		style += ";color:#fff"
	}
	return cell{Text: fmt.Sprintf("%.2f", f.Value)[0:4], Style: template.CSS(style)}
}
