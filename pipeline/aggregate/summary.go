package aggregate

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/schemas"
)

// Summary is the end of a run in a few numbers, for a terminal or a program.
type Summary struct {
	Run     schemas.RunID `json:"run"`
	Records int64         `json:"records"`
	Pages   int64         `json:"pages"`
	NotHTML int64         `json:"not_html"` // records that are no pages
	Refused int64         `json:"refused"`  // records that should have been pages
	Dead    int           `json:"dead"`     // items given up

	Scorers  []string         `json:"scorers"` // in the order of the run's recipe
	Packages []PackageSummary `json:"packages"`
	// All is over all packages, if there are several: sums, and means over all
	// documents.
	All *PackageSummary `json:"all,omitempty"`
}

// PackageSummary is a package's part of a Summary.
type PackageSummary struct {
	Package    string             `json:"package"`
	Extractors []ExtractorSummary `json:"extractors"`
}

// ExtractorSummary is what became of one extractor on one package.
type ExtractorSummary struct {
	Extractor string         `json:"extractor"`
	Documents int64          `json:"documents"`
	Failures  int64          `json:"failures"`
	MBPerS    *float64       `json:"mb_per_s"` // null if it never ran
	Scores    []ScoreSummary `json:"scores"`   // in the order of Summary.Scorers
}

// ScoreSummary is one measure. Null numbers are not defined.
type ScoreSummary struct {
	Scorer string   `json:"scorer"`
	Scored int64    `json:"scored"`
	MeanF1 *float64 `json:"mean_f1"`
	SDF1   *float64 `json:"sd_f1"`
}

// Summarize makes the summary of a run of its package table.
func Summarize(m *schemas.Manifest, rows []schemas.PackageRow) *Summary {
	s := &Summary{Run: m.Run.ID}
	for i := range m.Parts {
		c := &m.Parts[i].Counts
		s.Records += c.Records
		s.Pages += c.Pages
		s.NotHTML += sumMap(c.NotHTML)
		s.Refused += sumMap(c.Refused)
		for _, item := range m.Parts[i].Items {
			if item.Dead {
				s.Dead++
			}
		}
	}
	for _, c := range m.Run.Recipe.Scorers {
		s.Scorers = append(s.Scorers, c.Name)
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b schemas.PackageRow) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Extractor, b.Extractor))
	})
	s.Packages = summarize(rows, s.Scorers)
	if len(s.Packages) > 1 {
		s.All = &summarize(pool(rows), s.Scorers)[0]
	}
	return s
}

// summarize groups rows, sorted by package and extractor.
func summarize(rows []schemas.PackageRow, scorers []string) []PackageSummary {
	var out []PackageSummary
	for i := range rows {
		r := &rows[i]
		if len(out) == 0 || out[len(out)-1].Package != r.Package {
			out = append(out, PackageSummary{Package: r.Package})
		}
		p := &out[len(out)-1]
		if n := len(p.Extractors); n == 0 || p.Extractors[n-1].Extractor != r.Extractor {
			e := ExtractorSummary{Extractor: r.Extractor, Documents: r.Documents, Failures: r.Failures, MBPerS: number(r.MBPerS), Scores: make([]ScoreSummary, len(scorers))}
			for j, name := range scorers {
				e.Scores[j].Scorer = name
			}
			p.Extractors = append(p.Extractors, e)
		}
		e := &p.Extractors[len(p.Extractors)-1]
		if j := slices.Index(scorers, r.Scorer); j >= 0 {
			e.Scores[j] = ScoreSummary{r.Scorer, r.Scored, number(r.MeanF1), number(r.SDF1)}
		}
	}
	return out
}

// pool joins the packages: one row per extractor and scorer, of package "(all)".
// Means and standard deviations are those over all documents, by the rule of
// Chan, Golub and LeVeque (1979).
func pool(rows []schemas.PackageRow) []schemas.PackageRow {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b schemas.PackageRow) int {
		return cmp.Or(cmp.Compare(a.Extractor, b.Extractor), cmp.Compare(a.Scorer, b.Scorer))
	})
	var out []schemas.PackageRow
	for i := range rows {
		r := &rows[i]
		if n := len(out); n == 0 || out[n-1].Extractor != r.Extractor || out[n-1].Scorer != r.Scorer {
			out = append(out, *r)
			out[n].Package = "(all)"
			continue
		}
		all := &out[len(out)-1]
		all.Documents += r.Documents
		all.Failures += r.Failures
		all.HTMLBytes += r.HTMLBytes
		all.ExtractNS += r.ExtractNS
		all.MeanF1, all.SDF1 = chan1979(all, r)
		all.Scored += r.Scored
	}
	for i := range out {
		out[i].SPerKB, out[i].MBPerS = throughput(out[i].HTMLBytes, out[i].ExtractNS)
	}
	return out
}

// chan1979 is the mean and standard deviation of the documents of two rows.
func chan1979(a, b *schemas.PackageRow) (mean, sd float64) {
	na, nb := float64(a.Scored), float64(b.Scored)
	switch {
	case nb == 0:
		return a.MeanF1, a.SDF1
	case na == 0:
		return b.MeanF1, b.SDF1
	}
	squares := func(sd, n float64) float64 {
		if n < 2 {
			return 0
		}
		return float64(sd*sd) * (n - 1)
	}
	n, delta := na+nb, b.MeanF1-a.MeanF1
	m2 := squares(a.SDF1, na) + squares(b.SDF1, nb) + float64(float64(delta*delta)*na*nb/n)
	return a.MeanF1 + float64(delta*nb/n), math.Sqrt(m2 / (n - 1))
}

func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// JSON writes the summary as one indented object.
func (s *Summary) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(s)
}

// columnsMax is how many measures a terminal has room for.
const columnsMax = 4

// Table writes the summary as a table for a terminal, with at most so many
// packages (0: all) and the first few measures of the recipe. Numbers are mean
// F1 and its standard deviation; the best extractor of a package by the first
// measure comes first.
func (s *Summary) Table(w io.Writer, packages int) error {
	columns := s.Scorers[:min(columnsMax, len(s.Scorers))]
	head := append([]string{"package", "extractor", "documents", "failures"}, columns...)
	lines := [][]string{append(head, "MB/s")}
	add := func(p *PackageSummary) {
		for i, e := range p.ranked() {
			name := p.Package
			if i > 0 {
				name = "" // once is enough
			}
			lines = append(lines, e.cells(name, len(columns)))
		}
	}
	shown := len(s.Packages)
	if packages > 0 {
		shown = min(shown, packages)
	}
	for i := range s.Packages[:shown] {
		add(&s.Packages[i])
	}
	if s.All != nil {
		add(s.All)
	}
	out := bufio.NewWriter(w)
	writeColumns(out, lines, 2)
	if rest := len(s.Packages) - shown; rest > 0 {
		fmt.Fprintf(out, "%d more packages are in %s\n", rest, PackagesFile)
	}
	if rest := len(s.Scorers) - len(columns); rest > 0 {
		fmt.Fprintf(out, "%d more measures are in %s\n", rest, PackagesFile)
	}
	fmt.Fprintf(out, "%d records: %d pages, %d no pages, %d refused", s.Records, s.Pages, s.NotHTML, s.Refused)
	if s.Dead > 0 {
		fmt.Fprintf(out, "; %d items given up", s.Dead)
	}
	fmt.Fprintln(out)
	return out.Flush()
}

// ranked is the package's extractors, best by the first measure first; those
// without a number keep their order at the end.
func (p *PackageSummary) ranked() []*ExtractorSummary {
	list := make([]*ExtractorSummary, len(p.Extractors))
	for i := range p.Extractors {
		list[i] = &p.Extractors[i]
	}
	first := func(e *ExtractorSummary) float64 {
		if len(e.Scores) == 0 || e.Scores[0].MeanF1 == nil {
			return -1
		}
		return *e.Scores[0].MeanF1
	}
	slices.SortStableFunc(list, func(a, b *ExtractorSummary) int { return cmp.Compare(first(b), first(a)) })
	return list
}

// cells are an extractor's line of the table.
func (e *ExtractorSummary) cells(name string, measures int) []string {
	line := []string{name, e.Extractor, fmt.Sprint(e.Documents), fmt.Sprint(e.Failures)}
	for _, c := range e.Scores[:measures] {
		cell := "-"
		if c.MeanF1 != nil {
			cell = fmt.Sprintf("%.3f", *c.MeanF1)
			if c.SDF1 != nil {
				cell += fmt.Sprintf(" ±%.3f", *c.SDF1)
			}
		}
		line = append(line, cell)
	}
	if e.MBPerS == nil {
		return append(line, "-")
	}
	return append(line, fmt.Sprintf("%.1f", *e.MBPerS))
}

// writeColumns writes lines of cells: the first columns to the left, the others
// to the right. Names come from a crawl: what would move a terminal's cursor is
// replaced, and what is long is cut.
func writeColumns(w io.Writer, lines [][]string, left int) {
	const most = 40
	var width []int
	for _, line := range lines {
		for i, cell := range line {
			line[i] = printable(cell, most)
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(line[i]))
		}
	}
	for _, line := range lines {
		for i, cell := range line {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			switch {
			case i == len(line)-1:
				fmt.Fprintf(w, "%s%s\n", pad, cell)
			case i < left:
				fmt.Fprintf(w, "%s%s  ", cell, pad)
			default:
				fmt.Fprintf(w, "%s%s  ", pad, cell)
			}
		}
	}
}

func printable(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}
