package overview

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/report/figure"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
)

// drawn is a figure of the page. Figures of the same kind for different measures and
// page types are in one place, of which a switch shows one.
type drawn struct {
	*figure.Figure
	Name          string // of the files that it is saved as
	Caption       string
	Measure, Type string // "" for all page types
	Shown         bool   // without a choice
}

// place is one figure for each choice of measure and page type.
type place struct {
	Name    string
	Figures []drawn
	Fixed   bool // it does not depend on the choice
}

// pageBytes is how large the page may become: figures of the measure that ranks come first;
// of others those that fit.
const pageBytes = 4_900_000

// draw draws the figures of all packages, in as many bytes as are left.
func (v *view) draw(left int) {
	take := func(p *place, d drawn) {
		if d.Figure.Empty() || d.Bytes() > left {
			if !d.Figure.Empty() {
				v.Undrawn++
			}
			return
		}
		left -= d.Bytes()
		p.Figures = append(p.Figures, d)
	}
	for i := range v.Packages {
		p := &v.Packages[i]
		p.Places = []place{{Name: "accuracy and speed"}, {Name: "precision and recall"}, {Name: "distribution"}, {Name: "differences"}, {Name: "agreement", Fixed: true}}
		take(&p.Places[4], drawn{Figure: p.tree(), Name: "agreement", Caption: "Which extractors choose the same words: those that agree most are joined first, at their mean agreement. No gold is needed.", Shown: true})
	}
	// By how much a reader would miss them: the measure that ranks, other measures, page
	// types.
	for round := range 3 {
		for i := range v.Packages {
			p := &v.Packages[i]
			if p.scored == 0 {
				continue
			}
			for _, m := range v.Scorers {
				types := []string{""}
				if round == 2 {
					types = p.Types
				} else if (m.Name == p.Scorer.Name) != (round == 0) {
					continue
				}
				for _, pageType := range types {
					for k, d := range p.figures(m, pageType) {
						d.Measure, d.Type, d.Shown = m.Name, pageType, round == 0
						take(&p.Places[k], d)
					}
				}
			}
		}
	}
	v.Across = place{Name: "means"}
	for _, m := range v.Scorers {
		take(&v.Across, drawn{Figure: v.panels(m), Name: "means", Caption: "Mean over the pages of each package, and one standard deviation to both sides (Gottron 2007, figures 1 and 3). Extractors are in the order of their mean over the packages, and bounds, which read the gold, are the last.",
			Measure: m.Name, Shown: m.Name == v.Scorer.Name})
	}
	for i := range v.Packages {
		p := &v.Packages[i]
		p.Places = slices.DeleteFunc(p.Places, func(l place) bool { return len(l.Figures) == 0 })
	}
}

// figures draws the figures of a package by a measure, over the pages of a type, in the
// order of pkg.Places.
func (p *pkg) figures(m schemas.Method, pageType string) map[int]drawn {
	of := ""
	if pageType != "" {
		of = ", pages of type " + pageType
	}
	rows := p.rowsBy(m.Name, pageType)
	if len(rows) == 0 {
		return nil
	}
	hasF1 := m.Mean != string(algorithms.MeanValue)
	unit := m.Name + " (0 to 1)"
	if !hasF1 {
		unit = m.Name
	}
	speed := figure.Scatter{Title: "Accuracy against speed: " + m.Name + of, Name: "extractor", Front: true, Lower: m.Lower,
		X: figure.Axis{Label: "MB of HTML per second, the extractor alone", Log: true}, Y: figure.Axis{Label: unit}}
	fit := figure.Scatter{Title: "Precision against recall: " + m.Name + of, Name: "extractor", F1: true,
		X: figure.Axis{Label: "recall (0 to 1)"}, Y: figure.Axis{Label: "precision (0 to 1)"}}
	spread := figure.Spreads{Title: "Distribution over pages: " + m.Name + of, Name: "extractor", X: figure.Axis{Label: unit}}
	for _, r := range rows {
		speed.Points = append(speed.Points, figure.Point{Name: r.Extractor, X: r.MBPerS, Y: stats.RankedFigure(r.Headline, r.Scored, r.SkippedGold, m.Lower), Bound: r.Bound})
		if hasF1 {
			fit.Points = append(fit.Points, figure.Point{Name: r.Extractor, X: r.HeadlineRecall, Y: r.HeadlinePrecision, Bound: r.Bound})
		}
		mean := r.MeanF1
		if !hasF1 {
			mean = r.Headline
		}
		if !math.IsNaN(r.P50) {
			spread.Of = append(spread.Of, figure.Spread{Name: r.Extractor, P05: r.P05, P50: r.P50, P95: r.P95, Mean: mean, Low: r.CILow, Top: r.CIHigh})
		}
	}
	out := map[int]drawn{
		0: {Figure: speed.Draw(), Name: "accuracy-speed", Caption: "Quality against throughput. The broken line joins the extractors that no other one surpasses in both: the Pareto front. Hollow points are bounds, which read the gold. A page that was skipped counts as 0, and the time of an ensemble includes its members. Names without room are in the data."},
		1: {Figure: fit.Draw(), Name: "precision-recall", Caption: "Precision against recall (Gottron 2007, figure 2), with lines of equal F1. An extractor at the lower right keeps too much, one at the upper left too little. Hollow points are bounds, which read the gold. Names without room are in the data."},
		2: {Figure: spread.Draw(), Name: "distribution", Caption: "Distribution over the pages: the bar reaches from the 5th to the 95th percentile, the stroke is the median, the dot the mean with its 95 % bootstrap interval."},
	}
	if groups := p.groups[m.Name]; groups != nil && pageType == "" {
		differ := figure.Differences{Title: "Groups that do not differ: " + m.Name, Name: "extractor", X: figure.Axis{Label: "mean of " + unit}}
		for _, r := range rows {
			if g, known := groups[r.Extractor]; known {
				mean := r.MeanF1
				if !hasF1 {
					mean = r.Headline
				}
				differ.Of = append(differ.Of, figure.Ranked{Name: r.Extractor, Mean: mean, Groups: g})
			}
		}
		out[3] = drawn{Figure: differ.Draw(), Name: "differences", Caption: "A bar joins extractors of which no two differ (as the letters in the table), like a critical-difference diagram (Demšar 2006)."}
	}
	return out
}

// rowsBy returns the package's rows by a scorer for a page type, in the order of Lines.
func (p *pkg) rowsBy(scorer, pageType string) []*schemas.PackageRow {
	byName := map[string]*schemas.PackageRow{}
	for i := range p.rows {
		if r := &p.rows[i]; r.Scorer == scorer && r.PageType == pageType && r.Scored > 0 {
			byName[r.Extractor] = r
		}
	}
	var out []*schemas.PackageRow
	for i := range p.Lines {
		if r := byName[p.Lines[i].Extractor]; r != nil {
			out = append(out, r)
		}
	}
	return out
}

// panels draws the mean of each package by a measure.
func (v *view) panels(m schemas.Method) *figure.Figure {
	unit := m.Name
	if m.Mean != string(algorithms.MeanValue) {
		unit += " (0 to 1)"
	}
	d := figure.Panels{Title: "Means of every package: " + m.Name, Name: "extractor", X: figure.Axis{Label: unit}}
	if m.Mean != string(algorithms.MeanValue) {
		d.X.To = 1
	}
	type total struct {
		sum float64
		n   int
	}
	means, bounds := map[string]total{}, map[string]float64{}
	byPackage := map[int]map[string]*schemas.PackageRow{}
	for i := range v.Packages {
		p := &v.Packages[i]
		if p.All {
			continue
		}
		for _, r := range p.rowsBy(m.Name, "") {
			if byPackage[i] == nil {
				byPackage[i] = map[string]*schemas.PackageRow{}
			}
			byPackage[i][r.Extractor] = r
			t := means[r.Extractor]
			means[r.Extractor] = total{t.sum + r.Headline, t.n + 1}
			if r.Bound {
				bounds[r.Extractor] = 1
			}
		}
	}
	if len(byPackage) < 2 {
		return nil
	}
	d.Names = slices.SortedFunc(maps.Keys(means), func(a, b string) int {
		x, y := means[a].sum/float64(means[a].n), means[b].sum/float64(means[b].n)
		if m.Lower {
			x, y = y, x
		}
		return cmp.Or(cmp.Compare(bounds[a], bounds[b]), cmp.Compare(y, x), strings.Compare(a, b))
	})
	for _, i := range slices.Sorted(maps.Keys(byPackage)) {
		d.Columns = append(d.Columns, v.Packages[i].Name)
		var cells []figure.Cell
		for _, name := range d.Names {
			cell := figure.Cell{Mean: math.NaN(), SD: math.NaN()}
			if r := byPackage[i][name]; r != nil {
				if cell = (figure.Cell{Mean: r.Headline, SD: r.SDF1}); m.Mean == string(algorithms.MeanValue) {
					cell.SD = r.SDValue
				}
			}
			cells = append(cells, cell)
		}
		d.Of = append(d.Of, cells)
	}
	return d.Draw()
}

// tree draws which extractors agree.
func (p *pkg) tree() *figure.Figure {
	if p.Matrix == nil {
		return nil
	}
	t := p.Matrix.tree().Known()
	t.Title, t.X = "Which extractors agree", figure.Axis{Label: "mean agreement (F1 of words, 0 to 1)"}
	return t.Draw()
}

// failuresByReason draws why extractions failed or were skipped, over all packages.
func (v *view) failuresByReason(rows []schemas.SpeedRow) {
	s := figure.Stacks{Title: "Extractions that failed or were skipped, by reason", Name: "extractor", X: figure.Axis{Label: "pages"}}
	counted := map[string]map[string]float64{}
	totals := map[string]int64{}
	for i := range rows {
		r := &rows[i]
		if r.PageType != "" || r.Reasons == "" {
			continue
		}
		for part := range strings.SplitSeq(r.Reasons, ",") {
			reason, n, _ := strings.Cut(part, ":")
			count, err := strconv.ParseInt(n, 10, 64)
			if err != nil {
				continue
			}
			if counted[r.Extractor] == nil {
				counted[r.Extractor] = map[string]float64{}
			}
			counted[r.Extractor][reason] += float64(count)
			totals[reason] += count
		}
	}
	for _, c := range counts(totals) {
		s.Kinds = append(s.Kinds, c.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(counted)) {
		s.Of = append(s.Of, figure.Stack{Name: name, Parts: counted[name]})
	}
	if f := s.Draw(); !f.Empty() {
		v.Failed = fixedPlace("failures", "Why extractions failed or were skipped, over all packages. A failed extraction counts as 0, a skipped one is left out.", f)
	}
	if len(v.Reasons) > 0 {
		s := figure.Stacks{Title: "Records that became no page, by reason", Name: "reason", X: figure.Axis{Label: "records"}, Kinds: []string{"records"}}
		for _, c := range v.Reasons {
			s.Of = append(s.Of, figure.Stack{Name: c.Name, Parts: map[string]float64{"records": float64(c.N)}})
		}
		v.Refusals = fixedPlace("refused", "Why records that should have been pages became none.", s.Draw())
	}
}

// fixedPlace returns the place of a figure that does not depend on a choice.
func fixedPlace(name, caption string, f *figure.Figure) *place {
	if f.Empty() {
		return nil
	}
	return &place{Name: name, Fixed: true, Figures: []drawn{{Figure: f, Name: name, Caption: caption, Shown: true}}}
}

// id returns the identifier of a section.
func id(n int) string { return fmt.Sprint("p", n) }
