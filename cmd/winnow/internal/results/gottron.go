package results

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// Options choose rows. Empty lists mean all.
type Options struct {
	// Scorers applies to the tables results, scores, packages and groups.
	Packages, Extractors, Scorers []string
	// By divides the documents of the table groups. Default: by page type.
	By stats.Grouping
	// MaxRows bounds the rows of the table groups. The default is that of
	// tables.Groups.
	MaxRows int
	// Pages is the number of pages of each extractor in the table confidence. Default
	// 100.
	Pages int
	// MaxLines bounds the lines (documents x extractors) of the results table that are
	// held in memory. Default 2,000,000.
	MaxLines int
}

func (o *Options) wantsScorer(name string) bool {
	return len(o.Scorers) == 0 || slices.Contains(o.Scorers, name)
}

func (o *Options) wants(pkg, extractor string) bool {
	return (len(o.Packages) == 0 || slices.Contains(o.Packages, pkg)) &&
		(len(o.Extractors) == 0 || slices.Contains(o.Extractors, extractor))
}

// resultKey identifies one line: a document of a package and an extractor.
type resultKey struct{ pkg, extractor, doc string }

// result holds the figures of a line: the time and the columns of every scorer.
type result struct {
	key    resultKey
	timeNS int64
	scores []float64 // NaN if there is none
}

// scorerColumns are the columns of a scorer: precision, recall and F1, or its one value
// if it does not compute an F1. The file has the deviation of the last of them.
type scorerColumns struct {
	name    string
	at      int
	isValue bool
}

func columnsOf(r *schemas.Recipe, o *Options) (list []scorerColumns, columns int) {
	for _, s := range r.Scorers {
		if !o.wantsScorer(s.Name) {
			continue
		}
		m := scorerColumns{s.Name, columns, s.Mean == string(algorithms.MeanValue)}
		list = append(list, m)
		columns += len(m.columns())
	}
	return list, columns
}

// columns returns the names of the scorer's columns.
func (m *scorerColumns) columns() []string {
	if m.isValue {
		return []string{m.name + "_value"}
	}
	return []string{m.name + "_precision", m.name + "_recall", m.name + "_f1"}
}

// last reports whether column c is the last of its scorer.
func last(list []scorerColumns, c int) bool {
	return slices.ContainsFunc(list, func(m scorerColumns) bool { return m.at+len(m.columns())-1 == c })
}

// writeResults writes Gottron's result file.
func writeResults(ctx context.Context, out *sheet, store blob.Store, m *schemas.Manifest, o Options) error {
	if o.MaxLines <= 0 {
		o.MaxLines = 2_000_000
	}
	scorers, columns := columnsOf(&m.Run.Recipe, &o)
	at := map[resultKey]int{}
	var lines []result
	for row, err := range tables.TableRows(ctx, store, columnar.Documents, m) {
		if err != nil {
			return err
		}
		if !o.wants(row.Package, row.Extractor) {
			continue
		}
		if len(lines) == o.MaxLines {
			return fmt.Errorf("results: more than %d lines: choose packages or extractors, or take the tables as they are", o.MaxLines)
		}
		key := resultKey{row.Package, row.Extractor, row.DocID}
		at[key] = len(lines)
		lines = append(lines, result{key: key, timeNS: row.ExtractNS, scores: slices.Repeat([]float64{math.NaN()}, columns)})
	}
	for row, err := range tables.TableRows(ctx, store, columnar.Scores, m) {
		if err != nil {
			return err
		}
		i, ok := at[resultKey{row.Package, row.Extractor, row.DocID}]
		s := slices.IndexFunc(scorers, func(m scorerColumns) bool { return m.name == row.Scorer })
		switch {
		case !ok || s < 0 || row.Reason != "":
		case scorers[s].isValue:
			lines[i].scores[scorers[s].at] = row.Value
		default:
			copy(lines[i].scores[scorers[s].at:], []float64{row.Precision, row.Recall, row.F1})
		}
	}
	slices.SortFunc(lines, func(a, b result) int {
		return cmp.Or(cmp.Compare(a.key.pkg, b.key.pkg), cmp.Compare(a.key.extractor, b.key.extractor), cmp.Compare(a.key.doc, b.key.doc))
	})
	names := []string{"package", "extractor", "document", "time_s"}
	for i := range scorers {
		names = append(names, scorers[i].columns()...)
	}
	if err := out.header(names); err != nil {
		return err
	}
	for from := 0; from < len(lines); {
		to := from
		for to < len(lines) && lines[to].key.pkg == lines[from].key.pkg && lines[to].key.extractor == lines[from].key.extractor {
			if err := out.row(lines[to].cells()); err != nil {
				return err
			}
			to++
		}
		for _, cells := range ends(lines[from:to], scorers) {
			if err := out.row(cells); err != nil {
				return err
			}
		}
		from = to
	}
	return nil
}

func (r *result) cells() []columnar.Cell {
	cells := []columnar.Cell{{Text: r.key.pkg}, {Text: r.key.extractor}, {Text: r.key.doc},
		number(float64(r.timeNS) / 1e9)}
	for _, v := range r.scores {
		cells = append(cells, number(v))
	}
	return cells
}

// ends returns the two lines that follow the documents of one package and extractor:
// the means, and the sample standard deviation of F1 (of the value for a scorer without
// F1).
func ends(lines []result, scorers []scorerColumns) [2][]columnar.Cell {
	label := func(name string) []columnar.Cell {
		return []columnar.Cell{{Text: lines[0].key.pkg}, {Text: lines[0].key.extractor}, {Text: name}}
	}
	mean, sd := label("mean"), label("standard deviation")
	time := 0.0
	for i := range lines {
		time += float64(lines[i].timeNS) / 1e9
	}
	mean = append(mean, number(time/float64(len(lines))))
	sd = append(sd, number(math.NaN()))
	for c := range lines[0].scores {
		n, sum := 0.0, 0.0
		for i := range lines {
			if v := lines[i].scores[c]; !math.IsNaN(v) {
				n++
				sum += v
			}
		}
		squares := 0.0
		for i := range lines {
			if v := lines[i].scores[c]; !math.IsNaN(v) {
				squares += float64((v - sum/n) * (v - sum/n))
			}
		}
		mean = append(mean, number(sum/n)) // NaN if there are no documents
		if last(scorers, c) && n > 1 {
			sd = append(sd, number(math.Sqrt(squares/(n-1))))
		} else {
			sd = append(sd, number(math.NaN()))
		}
	}
	return [2][]columnar.Cell{mean, sd}
}

// number returns a figure with nine digits, because more of them are noise.
func number(v float64) columnar.Cell { return columnar.FloatCell(v, 9) }
