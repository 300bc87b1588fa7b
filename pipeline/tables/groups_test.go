package tables

import (
	"fmt"
	"iter"
	"math"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/blob/blobtest"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// grouped is a run of two packages in two parts. Package p has ten pages and package q
// has two, both with the extractors a and b. All pages have a score by s, and those of
// p have one by t too.
func grouped(t *testing.T) (blob.Store, *schemas.Manifest) {
	t.Helper()
	store := new(blobtest.Memory)
	m := &schemas.Manifest{Version: schemas.Version, Run: schemas.Run{Version: schemas.Version, ID: "r", Hash: "hash"}}
	m.Run.Recipe.Scorers = []schemas.Method{{Name: "s"}, {Name: "t"}}
	languages := []string{"en", "EN-us", "eng", "de_AT", "", "not a tag", "en", "de", "", "fr"}
	part := func(seq int, pkg string, pages int) {
		var documents []schemas.Document
		var scores []schemas.ScoreRow
		for i := range pages {
			for k, extractor := range []string{"a", "b"} {
				d := schemas.Document{HasGold: true, Package: pkg, DocID: fmt.Sprint(i), Extractor: extractor, Outcome: "ok", GoldLanguage: languages[i],
					HTMLBytes: int64(100 * (i + 1)), Complexity: float64(i) / 10, URL: fmt.Sprintf("http://www%d.s%d.co.uk/x", i, i/4),
					PageType: []string{"forum", ""}[i%2]}
				if pkg == "q" {
					d.URL, d.Complexity, d.PageType = "urn:x", math.NaN(), ""
				}
				documents = append(documents, d)
				scores = append(scores, schemas.ScoreRow{Package: pkg, DocID: d.DocID, Extractor: extractor, Scorer: "s", F1: float64(i+k) / 10})
				if pkg == "p" {
					scores = append(scores, schemas.ScoreRow{Package: pkg, DocID: d.DocID, Extractor: extractor, Scorer: "t", F1: 1})
				}
			}
		}
		docs, err := Write(t.Context(), store, columnar.Documents, schemas.PartName(schemas.TableDocuments, seq, 1)+".parquet", &m.Run, columnar.Size{Fast: true}, all(documents))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := Write(t.Context(), store, columnar.Scores, schemas.PartName(schemas.TableScores, seq, 1)+".parquet", &m.Run, columnar.Size{Fast: true}, all(scores))
		if err != nil {
			t.Fatal(err)
		}
		m.Parts = append(m.Parts, schemas.Part{Seq: seq, Files: []schemas.Shard{*docs, *rows}})
	}
	part(0, "p", 10)
	part(1, "q", 2)
	return store, m
}

func TestGroups(t *testing.T) {
	store, m := grouped(t)
	for by, want := range map[stats.Grouping]string{
		// Pages 0, 2, 4, 6 and 8 of p are forums with the mean (0+2+4+6+8)/50. The
		// other pages are 1, 3, 5, 7 and 9.
		stats.ByPageType: "p (none) 5 0.50, p forum 5 0.40, q (none) 2 0.05",
		// Pages 0, 1, 2 and 6 are en, 3 and 7 are de, and 9 is fr. The pages of q say
		// en and EN-us.
		stats.ByLanguage: "p (none) 3 0.57, p de 2 0.50, p en 4 0.23, p fr 1 0.90, q en 2 0.05",
		stats.BySite:     "p s0.co.uk 4 0.15, p s1.co.uk 4 0.55, p s2.co.uk 2 0.85, q (none) 2 0.05",
		// The quartiles of 0.0 to 0.9 are the third value and the eighth: pages 0 to 2
		// are low, 3 to 7 medium, 8 and 9 high.
		stats.ByComplexity: "p high 2 0.85, p low 3 0.10, p medium 5 0.50, q (none) 2 0.05",
		// Ten pages are one per decile. Of two pages, the first is the median: it is
		// the size of deciles one to five, and the second page is the size of the
		// others.
		stats.BySize: "p decile-01 1 0.00, p decile-02 1 0.10, p decile-03 1 0.20, p decile-04 1 0.30, p decile-05 1 0.40, " +
			"p decile-06 1 0.50, p decile-07 1 0.60, p decile-08 1 0.70, p decile-09 1 0.80, p decile-10 1 0.90, q decile-01 1 0.00, q decile-06 1 0.10",
	} {
		groups, err := Groups(t.Context(), store, m, stats.GroupOptions{By: by, Extractors: []string{"a"}, Scorers: []string{"s"}})
		if err != nil {
			t.Errorf("%s: %v", by, err)
			continue
		}
		var got []string
		for _, g := range groups {
			if g.Row.PageType != "" || g.Row.Extractor != "a" || g.Row.Scorer != "s" || !math.IsNaN(g.Row.AgreeMean) {
				t.Errorf("%s: %+v", by, g)
			}
			got = append(got, fmt.Sprintf("%s %s %d %.2f", g.Row.Package, g.Key, g.Row.Documents, g.Row.MeanF1))
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s:\ngot  %s\nwant %s", by, s, want)
		}
	}
}

func TestGroupsAreChosenAndBounded(t *testing.T) {
	store, m := grouped(t)
	f := func(o stats.GroupOptions, rows int, message string) {
		t.Helper()
		groups, err := Groups(t.Context(), store, m, o)
		switch {
		case message != "" && (err == nil || !strings.Contains(err.Error(), message)):
			t.Errorf("%+v: error %v, want it to say %q", o, err, message)
		case message == "" && (err != nil || len(groups) != rows):
			t.Errorf("%+v: %d rows, error %v; want %d", o, len(groups), err, rows)
		}
	}
	f(stats.GroupOptions{By: stats.BySite}, (3+1)*2*2, "")
	f(stats.GroupOptions{By: stats.BySite, Packages: []string{"p"}, Scorers: []string{"t"}}, 3*2, "")
	// An extraction without a score has a row too.
	f(stats.GroupOptions{By: stats.BySite, Packages: []string{"q"}, Scorers: []string{"t"}}, 2, "")
	f(stats.GroupOptions{By: stats.BySite, MaxRows: 16}, 16, "")
	f(stats.GroupOptions{By: stats.BySite, MaxRows: 15}, 0, "more than 15 rows: choose")
	f(stats.GroupOptions{By: "colour"}, 0, `no grouping "colour"; there are: [page_type language site complexity size]`)
}

func all[T any](rows []T) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for i := range rows {
			if !yield(&rows[i], nil) {
				return
			}
		}
	}
}
