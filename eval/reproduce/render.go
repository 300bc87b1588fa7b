package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/winnow/winnow/eval/programs"
	"github.com/winnow/winnow/schemas"
)

// key identifies a row of the packages table.
type key struct{ pkg, extractor, scorer string }

// developmentPackages are the columns of the quality table.
var developmentPackages = []string{"cleaneval-dev", "cleaneval-final", "cleanportaleval", "dragnet", "l3s-gn1", "readability", "wcxb-dev"}

func write(w io.Writer, rows []schemas.PackageRow) error {
	byKey := make(map[key]*schemas.PackageRow, len(rows))
	for i := range rows {
		byKey[key{rows[i].Package, rows[i].Extractor, rows[i].Scorer}] = &rows[i]
	}
	var b strings.Builder
	b.WriteString("# Reproduction\n\nWritten by `go -C eval run ./reproduce --packages DIR OUT...` from the packages tables of runs over the gold test packages; " +
		"not by hand. Figures are percentages; a difference of more than 3 points is explained beside it. " +
		"The pages of CleanEval and CleanPortalEval are without the element that the packages put around each (`winnow pack --unwrap`), in all tables. " +
		"The explanations and readings are ours, written after the runs that they tell of; figures in them do not follow when the tables are made again.\n")
	for _, t := range published {
		writeTable(&b, &t, byKey)
	}
	writeLearned(&b)
	b.WriteString("\n## Rankings\n\nWhere the published pages are not public only the order can be compared: " +
		"Spearman's rank correlation of the published order with ours on the packages named.\n")
	for _, r := range rankings {
		writeRanking(&b, &r, byKey)
	}
	writeQuality(&b, rows, byKey)
	_, err := io.WriteString(w, b.String())
	return err
}

func (c column) of(r *schemas.PackageRow) float64 {
	switch c {
	case precision:
		return r.MeanPrecision
	case recall:
		return r.MeanRecall
	case f1OfMeans, f1Micro:
		return r.Headline
	case pMicro:
		return r.HeadlinePrecision
	case rMicro:
		return r.HeadlineRecall
	}
	return r.MeanF1
}

func writeTable(b *strings.Builder, t *table, rows map[key]*schemas.PackageRow) {
	fmt.Fprintf(b, "\n## %s\n\n%s. Ours: package `%s`, scorer `%s`, %s.", t.title, t.source, t.pkg, t.scorer, t.column)
	if t.note != "" {
		fmt.Fprintf(b, " %s", t.note)
	}
	theirs := cmp.Or(t.theirs, "published")
	cell := func(string) string { return "" }
	if t.systems != nil {
		cell = func(content string) string { return " " + content + " |" }
	}
	fmt.Fprintf(b, "\n\n| extractor |%s %s | ours | difference | why |\n|---|%s--:|--:|--:|---|\n", cell("their system"), theirs, strings.ReplaceAll(cell("---"), " ", ""))
	for _, f := range t.figures {
		fmt.Fprintf(b, "| `%s` |%s %.1f |", f.extractor, cell(t.systems[f.extractor]), 100*f.value)
		row := rows[key{t.pkg, f.extractor, t.scorer}]
		if row == nil {
			b.WriteString(" | | not in this run |\n")
			continue
		}
		ours := t.column.of(row)
		difference, why := ours-f.value, ""
		if math.Abs(difference) > tolerance {
			why = cmp.Or(t.because[f.extractor], "**unexplained**")
		}
		if row.Skipped > 0 {
			why = strings.TrimSpace(fmt.Sprintf("%s %d pages that it skipped are in no mean.", why, row.Skipped))
		}
		fmt.Fprintf(b, " %.1f | %+.1f | %s |\n", 100*ours, 100*difference, why)
	}
}

func writeRanking(b *strings.Builder, r *ranking, rows map[key]*schemas.PackageRow) {
	fmt.Fprintf(b, "\n### %s\n\n%s. %s\n\n| package | order by `%s`, best first | correlation |\n|---|---|--:|\n| published | %s | |\n",
		r.title, r.source, r.note, r.scorer, strings.Join(r.order, ", "))
	for _, pkg := range r.packages {
		ours := slices.Clone(r.order)
		missing := slices.ContainsFunc(ours, func(e string) bool { return rows[key{pkg, e, r.scorer}] == nil })
		if missing {
			fmt.Fprintf(b, "| %s | not in this run | |\n", pkg)
			continue
		}
		sort.SliceStable(ours, func(i, j int) bool {
			return r.column.of(rows[key{pkg, ours[i], r.scorer}]) > r.column.of(rows[key{pkg, ours[j], r.scorer}])
		})
		var cells []string
		for _, e := range ours {
			cells = append(cells, fmt.Sprintf("%s %.1f", e, 100*r.column.of(rows[key{pkg, e, r.scorer}])))
		}
		fmt.Fprintf(b, "| %s | %s | %.2f |\n", pkg, strings.Join(cells, ", "), spearman(r.order, ours))
	}
	if r.reading != "" {
		fmt.Fprintf(b, "\n%s\n", r.reading)
	}
}

// spearman returns the rank correlation of two orders of the same names, without ties.
func spearman(a, b []string) float64 {
	n, sum := float64(len(a)), 0.0
	for i, name := range a {
		d := float64(i - slices.Index(b, name))
		sum += float64(d * d)
	}
	return 1 - 6*sum/(n*(n*n-1))
}

// writeQuality writes the figures of all extractors on all packages by one scorer.
func writeQuality(b *strings.Builder, rows []schemas.PackageRow, byKey map[key]*schemas.PackageRow) {
	const scorer = "vec"
	var packages, extractors []string
	for _, pkg := range developmentPackages {
		if slices.ContainsFunc(rows, func(r schemas.PackageRow) bool { return r.Package == pkg }) {
			packages = append(packages, pkg)
		}
	}
	for _, e := range programs.Extractors() {
		if slices.ContainsFunc(rows, func(r schemas.PackageRow) bool { return r.Scorer == scorer && r.Extractor == e.Name }) {
			extractors = append(extractors, e.Name)
		}
	}
	for _, r := range rows { // extractors with settings of their own
		if r.Scorer == scorer && !slices.Contains(extractors, r.Extractor) {
			extractors = append(extractors, r.Extractor)
		}
	}
	b.WriteString("\n## Quality\n\nMean F1 of `vec` (words as a bag) and its standard deviation over documents; failed extractions count as 0. " +
		"Pages that an extractor skipped are in no mean: libraries skip pages over 1 MiB (81 of wcxb-dev, 4 of readability), site-level extractors those of which the site has too few.\n\n| extractor |")
	for _, p := range packages {
		fmt.Fprintf(b, " %s |", p)
	}
	b.WriteString(" mean |\n|---|" + strings.Repeat("--:|", len(packages)+1) + "\n")
	for _, e := range extractors {
		fmt.Fprintf(b, "| `%s` |", e)
		sum, n := 0.0, 0
		for _, p := range packages {
			if row := byKey[key{p, e, scorer}]; row != nil {
				fmt.Fprintf(b, " %.1f ± %.1f |", 100*row.MeanF1, 100*row.SDF1)
				sum += row.MeanF1
				n++
			} else {
				b.WriteString(" |")
			}
		}
		fmt.Fprintf(b, " %.1f |\n", 100*sum/float64(max(n, 1)))
	}
}
