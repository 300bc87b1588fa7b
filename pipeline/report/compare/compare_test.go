package compare

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/blob/blobtest"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// folder writes an output folder whose parts have at most n of the given rows.
func folder(t *testing.T, scores []schemas.ScoreRow, documents []schemas.Document, n int) blob.Store {
	t.Helper()
	store := new(blobtest.Memory)
	m := &schemas.Manifest{Version: schemas.Version, Run: schemas.Run{Version: schemas.Version, ID: "r", Hash: "h", Phase: schemas.PhaseExtract, State: schemas.RunDone,
		Recipe: schemas.Recipe{Extractors: []schemas.Method{{Name: "fair", TrainedOn: []string{"p"}}, {Name: "good", TrainedOn: []string{"q"}}, {Name: "oracle", Bound: true}}, Scorers: []schemas.Method{{Name: "vec", Mean: "macro"}, {Name: "junk", Mean: "value", Lower: true},
			{Name: "shingle-4", Mean: string(algorithms.F1OfDefined)}}}}}
	for i := 0; i*n < max(len(scores), len(documents)); i++ {
		of := documents[min(i*n, len(documents)):min(i*n+n, len(documents))]
		m.Parts = append(m.Parts, schemas.Part{Seq: i, Files: []schemas.Shard{
			table(t, store, columnar.Scores, schemas.TableScores, i, scores[min(i*n, len(scores)):min(i*n+n, len(scores))]),
			table(t, store, columnar.Pages, schemas.TablePages, i, pagesOf(of)),
			table(t, store, columnar.Documents, schemas.TableDocuments, i, of),
		}})
	}
	data, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	put(t, store, schemas.ManifestFile, func(w *blob.Writer) error { _, err := w.Write(data); return err })
	return store
}

// pagesOf returns the pages of documents. Those of world are in two languages, by turns.
func pagesOf(documents []schemas.Document) (pages []schemas.Page) {
	for _, d := range documents {
		if n := len(pages); n == 0 || pages[n-1].Package != d.Package || pages[n-1].DocID != d.DocID {
			var number int
			fmt.Sscanf(d.DocID, "d%d", &number)
			pages = append(pages, schemas.Page{Package: d.Package, DocID: d.DocID, GoldLanguage: []string{"en-GB", "de"}[number%2]})
		}
	}
	return pages
}

func table[T any](t *testing.T, store blob.Store, of *columnar.Table[T], name schemas.Table, part int, rows []T) schemas.Shard {
	t.Helper()
	file := fmt.Sprintf("%s/part-%05d.parquet", name, part)
	put(t, store, file, func(w *blob.Writer) error {
		out, err := columnar.NewWriter(of, w, "r", "", columnar.Size{})
		if err != nil {
			return err
		}
		for i := range rows {
			if err := out.Append(&rows[i]); err != nil {
				return err
			}
		}
		return out.Close()
	})
	return schemas.Shard{Table: name, Name: file, SHA256: strings.Repeat("0", 64)}
}

func put(t *testing.T, store blob.Store, name string, write func(*blob.Writer) error) {
	t.Helper()
	w, err := store.Create(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := write(w); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(); err != nil {
		t.Fatal(err)
	}
}

// world returns 60 pages of 12 sites. "good" is better than "fair" on every page.
// "same" is as good as "fair" on average. "fails" fails on every third page. "site"
// skipped half of the pages.
func world() (scores []schemas.ScoreRow, documents []schemas.Document) {
	for i := range 60 {
		id := fmt.Sprintf("d%02d", i)
		quality := 0.5 + float64(i%7)/20
		wobble := float64(i%2*2-1) / 50 // +-0.02
		for _, e := range []struct {
			name    string
			f1      float64
			outcome string
		}{
			{"good", quality + 0.1, "ok"}, {"fair", quality, "ok"}, {"same", quality + wobble, "ok"},
			{"fails", quality, map[bool]string{true: "failed", false: "ok"}[i%3 == 0]},
			{"site", quality + 0.2, map[bool]string{true: "skipped", false: "ok"}[i%2 == 0]},
		} {
			row := schemas.ScoreRow{Run: "r", Package: "p", DocID: id, Extractor: e.name, Scorer: "vec", F1: e.f1}
			if e.outcome != "ok" {
				row.F1, row.Reason = 0, "no_answer"
			}
			scores = append(scores, row)
			documents = append(documents, schemas.Document{HasGold: true, Run: "r", Package: "p", DocID: id, URL: fmt.Sprintf("http://www.s%d.example/%s", i%12, id), Extractor: e.name, Outcome: e.outcome})
		}
	}
	scores = append(scores, schemas.ScoreRow{Run: "r", Package: "p", DocID: "nogold", Extractor: "good", Scorer: "vec", Reason: "no_gold"})
	return scores, documents
}

func TestRun(t *testing.T) {
	scores, documents := world()
	all, err := Run(context.Background(), folder(t, scores, documents, 1000), Options{Replicates: 2000})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 1 || all[0].Documents != 60 || all[0].Sites != 12 {
		t.Fatalf("%+v", all)
	}
	c := all[0]
	var order []string
	byName := map[string]Method{}
	for _, m := range c.Ranking {
		order = append(order, m.Extractor)
		byName[m.Extractor] = m
	}
	if got := strings.Join(order, " "); got != "good fair same fails site" && got != "good same fair fails site" {
		t.Errorf("ranking %s", got)
	}
	if byName["site"].Documents != 30 || byName["fails"].Documents != 60 {
		t.Errorf("a skipped page counts, or a failed one does not: %+v", byName)
	}
	if byName["fails"].Mean > byName["fair"].Mean*0.7 {
		t.Errorf("failures do not count as 0: %+v", byName)
	}
	if byName["fair"].Group != byName["same"].Group || byName["fair"].Group == byName["good"].Group {
		t.Errorf("groups: %+v", byName)
	}
	for _, p := range c.Pairs {
		switch {
		case p.A == "good" && p.B == "fair":
			if !p.Differ || p.Wins != 60 || p.Effect != 1 || p.MeanDifference < 0.0999 || p.MeanDifference > 0.1001 {
				t.Errorf("%+v", p)
			}
		case p.B == "site":
			if p.Documents != 30 {
				t.Errorf("a pair is not compared on common pages: %+v", p)
			}
		case p.A == "fair" && p.B == "same" || p.A == "same" && p.B == "fair":
			if p.Differ {
				t.Errorf("noise differs: %+v", p)
			}
		}
	}
	var text bytes.Buffer
	if err := WriteText(&text, all, true); err != nil || !strings.Contains(text.String(), "60 pages of 12 sites") ||
		!strings.Contains(text.String(), "better here than on unseen pages: fair.\n") || !strings.Contains(text.String(), "count as 0 in its rank: site (30).\n") {
		t.Errorf("%v: %s", err, text.String())
	}
}

// An extractor that reads the gold has figures, but no rank, no letter and no pair.
func TestBoundsAreNotCompared(t *testing.T) {
	scores, documents := world()
	for i := range scores {
		if scores[i].Extractor == "same" {
			scores[i].Extractor, scores[i].F1 = "oracle", 1
			documents[i].Extractor = "oracle"
		}
	}
	all, err := Run(context.Background(), folder(t, scores, documents, 1000), Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := all[0]
	if len(c.Ranking) != 4 || c.Ranking[0].Extractor != "good" || len(c.Pairs) != 6 {
		t.Errorf("%d pairs, ranking %+v", len(c.Pairs), c.Ranking)
	}
	if len(c.Bounds) != 1 || c.Bounds[0].Extractor != "oracle" || c.Bounds[0].Mean != 1 || c.Bounds[0].Low != 1 || c.Bounds[0].Group != "" {
		t.Errorf("bounds %+v", c.Bounds)
	}
	var text bytes.Buffer
	if err := WriteText(&text, all, false); err != nil || !strings.Contains(text.String(), "bound     oracle  1.0000  1.0000 to 1.0000     60      -") ||
		!strings.Contains(text.String(), "\nBounds read the gold, so they have no rank and are not compared: oracle.\n") {
		t.Errorf("%v: %s", err, text.String())
	}
}

// A few pages do not tell whether two extractors are equally good.
func TestTooFewPagesToTell(t *testing.T) {
	scores, documents := world()
	for pages, told := range map[int]bool{2: false, stats.MinPages - 1: false, stats.MinPages: true} {
		all, err := Run(context.Background(), folder(t, scores[:5*pages], documents[:5*pages], 1000), Options{})
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := WriteText(&text, all, true); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text.String(), "share a letter do not differ") != told || strings.Contains(text.String(), "too few to tell which extractors differ") == told ||
			(all[0].Ranking[0].Group != "") != told || !strings.Contains(text.String(), "too few\n") { // site has half of the pages
			t.Errorf("%d pages:\n%s", pages, text.String())
		}
	}
}

// The result does not depend on how the rows are divided into parts.
func TestPartsDoNotMatter(t *testing.T) {
	scores, documents := world()
	one, err := Run(context.Background(), folder(t, scores, documents, 1000), Options{Replicates: 100})
	if err != nil {
		t.Fatal(err)
	}
	many, err := Run(context.Background(), folder(t, scores, documents, 35), Options{Replicates: 100})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(one, many) {
		t.Error("the answer depends on the parts")
	}
}

func TestErrors(t *testing.T) {
	scores, documents := world()
	store := folder(t, scores, documents, 1000)
	if _, err := Run(context.Background(), store, Options{Scorers: []string{"nonesuch"}}); err == nil || !strings.Contains(err.Error(), "no scores") {
		t.Errorf("error %v", err)
	}
	if _, err := Run(context.Background(), store, Options{MaxDocuments: 10}); err == nil || !strings.Contains(err.Error(), "more than 10 pages") {
		t.Errorf("error %v", err)
	}
}

// The report compares packages of any size: only a bound that was asked for refuses one.
// The package has its 300,000 pages already, of which no table is written here.
func TestNoBoundOfPages(t *testing.T) {
	const many = 300_000
	row := &schemas.ScoreRow{Package: "p", DocID: "next", Extractor: "bte", Scorer: "vec", F1: 0.5}
	for bound, refused := range map[int]bool{0: false, many + 1: false, many: true} {
		p := &pages{index: map[string]int{}, ids: make([]string, many), site: make([]string, many), group: make([]string, many)}
		tables := map[tableKey]*gathered{}
		err := add(tables, map[pagesKey]*pages{{pkg: "p"}: p}, row, schemas.Method{Name: "vec", Mean: "macro"}, Options{MaxDocuments: bound})
		if refused != (err != nil) || refused != (len(p.site) == many) {
			t.Errorf("bound %d: %v, %d pages", bound, err, len(p.site))
		}
	}
}

// If there is a single site, pages are resampled, because one cluster would have no
// spread.
func TestOneSite(t *testing.T) {
	scores, documents := world()
	for i := range documents {
		documents[i].URL = "http://only.example/" + documents[i].DocID
	}
	all, err := Run(context.Background(), folder(t, scores, documents, 1000), Options{Replicates: 200})
	if err != nil {
		t.Fatal(err)
	}
	if all[0].Sites != 1 {
		t.Errorf("%d sites", all[0].Sites)
	}
	var text bytes.Buffer
	if err := WriteText(&text, all, false); err != nil || !strings.Contains(text.String(), "p, vec: 60 pages of 1 site. ") {
		t.Errorf("%v: %s", err, text.String())
	}
	for _, m := range all[0].Ranking {
		if m.High <= m.Low {
			t.Errorf("%s: interval from %v to %v", m.Extractor, m.Low, m.High)
		}
	}
}

// A scorer without F1 is compared by its own figure, and the smaller figure may be the
// better one. An extractor that skipped all pages is not compared.
func TestOtherMeasures(t *testing.T) {
	scores, documents := world()
	for i := range scores {
		s := &scores[i]
		if s.Scorer = "junk"; s.Reason == "" {
			s.Value, s.F1 = s.F1, 0
		}
	}
	for i := range 60 {
		id := fmt.Sprintf("d%02d", i)
		scores = append(scores, schemas.ScoreRow{Run: "r", Package: "p", DocID: id, Extractor: "none", Scorer: "junk", Reason: "no_answer"})
		documents = append(documents, schemas.Document{HasGold: true, Run: "r", Package: "p", DocID: id, URL: fmt.Sprintf("http://www.s%d.example/%s", i%12, id), Extractor: "none", Outcome: "skipped"})
	}
	all, err := Run(context.Background(), folder(t, scores, documents, 1000), Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := all[0]
	if !c.Lower || c.Replicates != 10_000 || !reflect.DeepEqual(c.Unranked, []string{"none"}) || len(c.Ranking) != 5 || len(c.Pairs) != 10 {
		t.Errorf("%+v", c)
	}
	// Failures are 0, which is the best value where nothing should be found. A program
	// that treats a missing answer as an empty text gives the same value.
	if c.Ranking[0].Extractor != "fails" || c.Ranking[4].Extractor != "site" {
		t.Errorf("ranking %+v", c.Ranking)
	}
	for _, p := range c.Pairs {
		if p.A == "fair" && p.B == "good" && (p.Wins != 60 || p.Losses != 0 || p.MeanDifference > -0.0999 || !p.Differ) {
			t.Errorf("%+v", p)
		}
	}
	var text bytes.Buffer
	if err := WriteText(&text, all, false); err != nil || !strings.Contains(text.String(), "Skipped on every page: none.") {
		t.Errorf("%v: %s", err, text.String())
	}
}

// The number of replicates must be able to satisfy Holm's correction, or the text must
// say that it cannot.
func TestReplicatesSufficeForThePairs(t *testing.T) {
	var scores []schemas.ScoreRow
	var documents []schemas.Document
	for e := range 24 { // 276 pairs
		for i := range 60 {
			id := fmt.Sprint("d", i)
			scores = append(scores, schemas.ScoreRow{Package: "p", DocID: id, Extractor: fmt.Sprintf("e%02d", e), Scorer: "vec", F1: float64(e)/30 + float64(i%5)/100})
			documents = append(documents, schemas.Document{HasGold: true, Package: "p", DocID: id, Extractor: fmt.Sprintf("e%02d", e), Outcome: "ok"})
		}
	}
	store := folder(t, scores, documents, 10_000)
	all, err := Run(context.Background(), store, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if all[0].Replicates != 27_600 {
		t.Errorf("%d replicates", all[0].Replicates)
	}
	for _, p := range all[0].Pairs {
		if !p.Differ {
			t.Errorf("%s is better than %s on every page, p %g and %g", p.A, p.B, p.PBootstrap, p.PWilcoxon)
		}
	}
	if all, err = Run(context.Background(), store, Options{Replicates: 10_000}); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := WriteText(&text, all, false); err != nil || !strings.Contains(text.String(), "no two of 24 extractors can differ: ask for more than 11040") {
		t.Errorf("%v: %s", err, text.String())
	}
}
