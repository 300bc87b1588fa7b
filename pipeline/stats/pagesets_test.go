package stats

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// A site-level extractor without a template for a package is skipped there, and its mean
// over the easier package must not place it above extractors with means over both.
func TestSummaryRanksAmongTheSamePages(t *testing.T) {
	m := &schemas.Manifest{Run: schemas.Run{ID: "r", Recipe: schemas.Recipe{Scorers: []schemas.Method{{Name: "vec"}}}}}
	row := func(pkg, extractor string, documents, scored int64, f1 float64) schemas.PackageRow {
		return schemas.PackageRow{Package: pkg, Extractor: extractor, Scorer: "vec", Documents: documents, Skipped: documents - scored, Scored: scored, MeanF1: f1, Headline: f1, SDF1: math.NaN(), MBPerS: math.NaN()}
	}
	s := NewSummary(m, []schemas.PackageRow{
		row("easy", "bte", 4, 4, 0.75), row("easy", "lqf", 4, 4, 0.5), row("easy", "sst", 4, 4, 0.9),
		row("hard", "bte", 4, 4, 0.25), row("hard", "lqf", 4, 4, 0.75), row("hard", "sst", 4, 0, math.NaN()),
	})
	var table bytes.Buffer
	if err := s.Table(&table, 0, Columns); err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(table.String(), "sst            4         0        4")
	_, got, _ = strings.Cut(got, "\n")
	want := `(all), on 8 pages  lqf            8         0        0  0.625     -
                   bte            8         0        0  0.500     -
(all), on 4 pages  sst            8         0        4  0.900     -
`
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", table.String(), want)
	}
}
