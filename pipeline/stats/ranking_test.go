package stats

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// rankedTable returns the table of a run with scorers of these names.
func rankedTable(t *testing.T, r schemas.Recipe, scorers []string, rows ...schemas.PackageRow) string {
	t.Helper()
	for _, name := range scorers {
		r.Scorers = append(r.Scorers, schemas.Method{Name: name})
	}
	tables := Tables{Packages: rows}
	for _, r := range rows {
		if r.Scorer == scorers[0] {
			tables.Speed = append(tables.Speed, schemas.SpeedRow{Package: r.Package, Extractor: r.Extractor, Documents: r.Documents, Skipped: r.Skipped})
		}
	}
	var table bytes.Buffer
	if err := NewSummary(&schemas.Manifest{Run: schemas.Run{ID: "r", Recipe: r}}, tables).Table(&table, 0, Columns); err != nil {
		t.Fatal(err)
	}
	return table.String()
}

func rankedRow(pkg, extractor, scorer string, documents, scored int64, f1 float64) schemas.PackageRow {
	return schemas.PackageRow{Package: pkg, Extractor: extractor, Scorer: scorer, Documents: documents, Skipped: documents - scored, SkippedGold: documents - scored,
		Scored: scored, MeanF1: f1, Headline: f1, SDF1: math.NaN(), MBPerS: math.NaN()}
}

// A site-level extractor without a template for a package is skipped there, and its mean
// over the easier package must not place it above extractors with means over both. All
// are in one table.
func TestRanksCountSkippedPagesAsZero(t *testing.T) {
	got := rankedTable(t, schemas.Recipe{}, []string{"vec"},
		rankedRow("easy", "bte", "vec", 40, 40, 0.75), rankedRow("easy", "lqf", "vec", 40, 40, 0.5), rankedRow("easy", "sst", "vec", 40, 40, 0.9),
		rankedRow("hard", "bte", "vec", 40, 40, 0.25), rankedRow("hard", "lqf", "vec", 40, 40, 0.75), rankedRow("hard", "sst", "vec", 40, 0, math.NaN()))
	want := `
(all)    lqf           80         0        0  0.625     -
         bte           80         0        0  0.500     -
         sst           80         0       40  0.900     -
figures leave out pages that were skipped; the order counts these as 0
`
	if !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, c := range []struct {
		scored, skipped int64
		lower           bool
		want            float64
	}{{10, 0, false, 0.5}, {5, 5, false, 0.25}, {5, 5, true, 1}, {0, 10, false, 0.5}} {
		if got := RankedFigure(0.5, c.scored, c.skipped, c.lower); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// An extractor that reads the gold is not better than others.
func TestBoundsFollowTheRanking(t *testing.T) {
	oracle := rankedRow("p", "oracle", "vec", 40, 40, 1)
	oracle.Bound = true
	got := rankedTable(t, schemas.Recipe{}, []string{"vec"}, oracle, rankedRow("p", "bte", "vec", 40, 40, 0.5))
	want := `
p        bte                40         0  0.500     -
         oracle (bound)     40         0  1.000     -
bounds, which read the gold and have no rank: oracle
`
	if !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The scorer that ranks is the first column, wherever the recipe has it.
func TestDefaultScorerIsShownFirst(t *testing.T) {
	got := rankedTable(t, schemas.Recipe{}, []string{"str", "vec", "lcs"}, rankedRow("p", "a", "str", 40, 40, 0.5), rankedRow("p", "a", "vec", 40, 40, 0.25),
		rankedRow("p", "b", "str", 40, 40, 0.25), rankedRow("p", "b", "vec", 40, 40, 0.5))
	if want := "   vec    str  lcs  MB/s\np        b "; !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A mean over a few pages tells nothing of an extractor.
func TestTooFewPages(t *testing.T) {
	for pages, warned := range map[int64]bool{MinPages - 1: true, MinPages: false} {
		got := rankedTable(t, schemas.Recipe{}, []string{"vec"}, rankedRow("p", "a", "vec", pages, pages, 0.5))
		if strings.Contains(got, fmt.Sprintf("too few scored pages to tell extractors apart (fewer than %d): p\n", MinPages)) != warned {
			t.Errorf("%d pages:\n%s", pages, got)
		}
	}
}
