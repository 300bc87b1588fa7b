package tables

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/blob/blobtest"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// grouped is a run of two packages in two parts. Package p has ten pages and package q
// has two, both with the extractors a and b. All pages have a score by s, and those of
// p have one by t too.
func grouped(t *testing.T, facts ...schemas.Fact) (blob.Store, *schemas.Manifest) {
	t.Helper()
	store := new(blobtest.Memory)
	m := &schemas.Manifest{Version: schemas.Version, Run: schemas.Run{Version: schemas.Version, ID: "r", Hash: "hash"}}
	m.Run.Recipe.Scorers = []schemas.Method{{Name: "s"}, {Name: "t"}}
	m.Run.Recipe.Facts = facts
	found := []string{"de", "en", ""}
	languages := []string{"en", "EN-us", "eng", "de_AT", "", "not a tag", "en", "de", "", "fr"}
	part := func(seq int, pkg string, pages int) {
		var of []schemas.Page
		var documents []schemas.Document
		var scores []schemas.ScoreRow
		for i := range pages {
			p := schemas.Page{Package: pkg, DocID: fmt.Sprint(i), PageID: uint64(i), GoldLanguage: languages[i], HTMLBytes: int64(100 * (i + 1)),
				Complexity: float64(i) / 10, PageConsensus: math.NaN(), URL: fmt.Sprintf("http://www%d.s%d.co.uk/x", i, i/4), PageType: []string{"forum", ""}[i%2],
				Facts: []schemas.Value{{}, {Known: i != 2, Text: found[i%len(found)]}}}
			if pkg == "q" {
				p.URL, p.Complexity, p.PageType = "urn:x", math.NaN(), ""
			}
			of = append(of, p)
			for k, extractor := range []string{"a", "b"} {
				d := schemas.Document{HasGold: true, Package: pkg, DocID: fmt.Sprint(i), Extractor: extractor, Outcome: "ok", PageID: p.PageID, HTMLBytes: p.HTMLBytes, URL: p.URL, PageType: p.PageType}
				documents = append(documents, d)
				scores = append(scores, schemas.ScoreRow{Package: pkg, DocID: d.DocID, Extractor: extractor, Scorer: "s", F1: float64(i+k) / 10})
				if pkg == "p" {
					scores = append(scores, schemas.ScoreRow{Package: pkg, DocID: d.DocID, Extractor: extractor, Scorer: "t", F1: 1})
				}
			}
		}
		rowsOfPages, err := Write(t.Context(), store, columnar.PagesOf(&m.Run.Recipe), schemas.PartName(schemas.TablePages, seq, 1)+".parquet", &m.Run, columnar.Size{Fast: true}, all(of))
		if err != nil {
			t.Fatal(err)
		}
		docs, err := Write(t.Context(), store, columnar.Documents, schemas.PartName(schemas.TableDocuments, seq, 1)+".parquet", &m.Run, columnar.Size{Fast: true}, all(documents))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := Write(t.Context(), store, columnar.Scores, schemas.PartName(schemas.TableScores, seq, 1)+".parquet", &m.Run, columnar.Size{Fast: true}, all(scores))
		if err != nil {
			t.Fatal(err)
		}
		m.Parts = append(m.Parts, schemas.Part{Seq: seq, Files: []schemas.Shard{*rowsOfPages, *docs, *rows}})
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
			if g.Row.PageType != "" || g.Row.Extractor != "a" || g.Row.Scorer != "s" {
				t.Errorf("%s: %+v", by, g)
			}
			got = append(got, fmt.Sprintf("%s %s %d %.2f", g.Row.Package, g.Key, g.Row.Documents, g.Row.MeanF1))
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s:\ngot  %s\nwant %s", by, s, want)
		}
	}
}

// A run with the fact "language" is grouped by the languages that were found, whatever
// its gold states.
func TestGroupsByTheLanguageFound(t *testing.T) {
	store, m := grouped(t, schemas.Fact{Name: "language", Pages: []schemas.FactColumn{{Name: "declared_language", Kind: schemas.FactText}, {Name: "language", Kind: schemas.FactText}}})
	groups, err := Groups(t.Context(), store, m, stats.GroupOptions{By: stats.ByLanguage, Packages: []string{"p"}, Extractors: []string{"a"}, Scorers: []string{"s"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range groups {
		got = append(got, fmt.Sprintf("%s %d %.2f", g.Key, g.Row.Documents, g.Row.MeanF1))
	}
	if s, want := strings.Join(got, ", "), "(none) 3 0.50, de 4 0.45, en 3 0.40"; s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}

// A page that was archived twice under one id has two rows in pages, and two by every
// extractor in documents: each finds its own.
func TestDocumentsAreJoinedWithTheirPages(t *testing.T) {
	store, run := new(blobtest.Memory), &schemas.Run{Version: schemas.Version, ID: "r", Hash: "hash"}
	pages := []schemas.Page{{Package: "p", DocID: "1", PageID: 1, Site: "one"}, {Package: "p", DocID: "2", PageID: 2, Site: "two"},
		{Package: "p", DocID: "2", PageID: 3, Site: "three"}, {Package: "p", DocID: "3", PageID: 4, Site: "four"}, {Package: "q", DocID: "1", PageID: 5, Site: "five"}}
	document := func(pkg, id, extractor string, page uint64) schemas.Document {
		return schemas.Document{Package: pkg, DocID: id, Extractor: extractor, PageID: page}
	}
	join := func(documents ...schemas.Document) (string, error) {
		var part schemas.Part
		for _, write := range []func() (*schemas.Shard, error){
			func() (*schemas.Shard, error) {
				return Write(t.Context(), store, columnar.Pages, "pages/part-00000.parquet", run, columnar.Size{}, all(pages))
			},
			func() (*schemas.Shard, error) {
				return Write(t.Context(), store, columnar.Documents, "documents/part-00000.parquet", run, columnar.Size{}, all(documents))
			},
		} {
			f, err := write()
			if err != nil {
				t.Fatal(err)
			}
			part.Files = append(part.Files, *f)
		}
		var got []string
		for row, err := range Documents(t.Context(), store, PageColumns(&run.Recipe, ""), &part) {
			if err != nil {
				return "", err
			}
			got = append(got, row.Extractor+" "+row.Page.Site)
		}
		return strings.Join(got, ", "), nil
	}
	got, err := join(document("p", "1", "a", 1), document("p", "1", "b", 1), document("p", "2", "a", 2), document("p", "2", "a", 3),
		document("p", "2", "b", 2), document("p", "2", "b", 3), document("q", "1", "a", 5))
	if want := "a one, b one, a two, a three, b two, b three, a five"; err != nil || got != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
	for _, d := range []schemas.Document{document("p", "2", "a", 9), document("p", "4", "a", 1), document("z", "1", "a", 1)} {
		if _, err := join(document("p", "1", "a", 1), d); !errors.Is(err, account.ErrConservation) {
			t.Errorf("%s %s: %v", d.Package, d.DocID, err)
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
