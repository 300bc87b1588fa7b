package overview

import (
	"maps"
	"math"
	"slices"

	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
)

// heat is the table of extractors by page type and, for all packages together, by package.
// Its cells have colours, so that the weaknesses of an extractor are visible at once.
type heat struct {
	By      string // what the columns are
	Columns []heatColumn
	Rows    []heatRow
}

type heatColumn struct {
	Name, Package, Type string
	Pages               int64
}

type heatRow struct {
	Extractor string
	Cells     []cell
}

// heat fills the tables of all packages that are scored.
func (v *view) heat() {
	for i := range v.Packages {
		switch p := &v.Packages[i]; {
		case p.scored == 0:
		case p.All:
			p.Heats = v.heatsOfAll(p)
		case len(p.Types) > 1: // a table with one column would say what the leaderboard says
			h := heat{By: "page type", Columns: []heatColumn{{Name: "all pages", Package: p.Name}}}
			for _, t := range p.Types {
				h.Columns = append(h.Columns, heatColumn{Name: t, Package: p.Name, Type: t})
			}
			for k := range p.Lines {
				l := &p.Lines[k]
				h.row(p, l.Extractor, append([]schemas.PackageRow{l.Row}, l.Types...))
			}
			p.Heats = []heat{h}
		}
	}
}

// heatsOfAll returns the tables of all packages: one with a column for each of them, and one
// with a column for each page type, over the pages of all packages that are shown.
func (v *view) heatsOfAll(all *pkg) []heat {
	h, byType := heat{By: "package"}, heat{By: "page type"}
	types := map[string][]*pkg{}
	for i := range v.Packages[1:] {
		p := &v.Packages[i+1]
		if p.Scorer.Name != all.Scorer.Name {
			continue
		}
		h.Columns = append(h.Columns, heatColumn{Name: p.Name, Package: p.Name})
		for _, t := range p.Types {
			types[t] = append(types[t], p)
		}
	}
	names := slices.Sorted(maps.Keys(types))
	for _, t := range names {
		c := heatColumn{Name: t, Type: t}
		if len(types[t]) == 1 { // only then are the worst pages of the column known
			c.Package = types[t][0].Name
		}
		byType.Columns = append(byType.Columns, c)
	}
	for k := range all.Lines {
		extractor := all.Lines[k].Extractor
		var rows []schemas.PackageRow
		for i := range v.Packages[1:] {
			if p := &v.Packages[i+1]; p.Scorer.Name == all.Scorer.Name {
				row := schemas.PackageRow{Headline: math.NaN()}
				if l := p.line(extractor); l != nil {
					row = l.Row
				}
				rows = append(rows, row)
			}
		}
		h.row(all, extractor, rows)
		rows = nil
		for _, t := range names {
			var part []schemas.PackageRow
			for _, p := range types[t] {
				if l := p.line(extractor); l != nil && l.Types[slices.Index(p.Types, t)].Scorer != "" {
					r := l.Types[slices.Index(p.Types, t)]
					r.PageType = ""
					part = append(part, r)
				}
			}
			row := schemas.PackageRow{Headline: math.NaN()}
			if pooled := stats.Pool(stats.Tables{Packages: part}).Packages; len(pooled) > 0 {
				row = pooled[0]
			}
			rows = append(rows, row)
		}
		byType.row(all, extractor, rows)
	}
	if len(names) < 2 {
		return []heat{h}
	}
	return []heat{h, byType}
}

// row adds the row of an extractor, with its figures of each column.
func (h *heat) row(p *pkg, extractor string, rows []schemas.PackageRow) {
	out := heatRow{Extractor: extractor}
	for j := range rows {
		r := &rows[j]
		h.Columns[j].Pages = max(h.Columns[j].Pages, r.Scored+r.SkippedGold)
		out.Cells = append(out.Cells, shade(p.Ranked(*r), p.F1()))
	}
	h.Rows = append(h.Rows, out)
}

// line returns the line of an extractor, or nil.
func (p *pkg) line(extractor string) *line {
	for i := range p.Lines {
		if p.Lines[i].Extractor == extractor {
			return &p.Lines[i]
		}
	}
	return nil
}
