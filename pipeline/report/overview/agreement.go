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

// shades are the classes of the cells of a matrix: their colours are rules of the style
// sheet, because the page's policy forbids styles of single elements.
var shades = func() string {
	var b strings.Builder
	for k := range 101 {
		back, letters := colours(float64(k) / 100)
		fmt.Fprintf(&b, ".h%d{background:rgb(%d,%d,%d);color:%s}", k, back[0], back[1], back[2], letters)
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

// colours returns the colours of a share. The background goes from white for 0 to dark
// blue for 1. The letters are black or white, whichever has more contrast: at least 4.5
// for every background.
func colours(x float64) (back [3]uint8, letters string) {
	// The scale is steeper near 1, where most extractors differ.
	mix := func(from, to float64) uint8 { return uint8(from + (to-from)*x*x + 0.5) }
	back = [3]uint8{mix(255, 8), mix(255, 64), mix(255, 129)}
	if y := luminance(back); 1.05/(y+0.05) > (y+0.05)/0.05 {
		return back, "#fff"
	}
	return back, "#000"
}

// luminance returns the relative luminance of a colour (WCAG 2.2).
func luminance(rgb [3]uint8) float64 {
	var linear [3]float64
	for i, c := range rgb {
		if x := float64(c) / 255; x <= 0.04045 {
			linear[i] = x / 12.92
		} else {
			linear[i] = math.Pow((x+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*linear[0] + 0.7152*linear[1] + 0.0722*linear[2]
}
