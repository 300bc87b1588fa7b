package compact

import (
	"bytes"
	"fmt"
	"iter"
	"log/slog"
	"math"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/blob/blobtest"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// planned returns a run of one file with the extractors dsc and bte.
func planned() schemas.Run {
	return schemas.Run{Version: schemas.Version, ID: "r", Hash: "hash", Phase: schemas.PhaseExtract, State: schemas.RunActive,
		Recipe: schemas.Recipe{Version: schemas.Version, Extractors: []schemas.Method{{Name: "dsc"}, {Name: "bte"}}},
		Files:  []schemas.File{{URL: "file:///0.warc", Size: 10, Items: 1}}}
}

// This is the agreement of the example in the specification (14), in which a family
// counts once.
func TestAgreementTable(t *testing.T) {
	store, run := new(blobtest.Memory), planned()
	run.Recipe.Extractors = []schemas.Method{{Name: "a", Family: "x"}, {Name: "b", Family: "x"}, {Name: "c", Family: "y"}}
	m := schemas.Manifest{Version: schemas.Version, Run: run}
	var documents []schemas.Document
	for _, doc := range []string{"1", "2"} {
		for _, e := range []string{"a", "b", "c"} {
			documents = append(documents, schemas.Document{Package: "p", DocID: doc, Extractor: e, Outcome: "ok", ConsensusF1: 0.25})
		}
	}
	pair := func(a, b string, n, sum, empty, failed int64) schemas.AgreementRow {
		return schemas.AgreementRow{Run: "r", Package: "p", ExtractorA: a, ExtractorB: b, Documents: n, SumE9: sum, BothEmpty: empty, Failed: failed}
	}
	for i, rows := range [][]schemas.AgreementRow{
		{pair("a", "b", 1, 666_666_667, 0, 0), pair("a", "c", 1, 0, 0, 0), pair("b", "c", 1, 0, 0, 0)},
		{pair("a", "b", 1, 333_333_333, 0, 0), pair("a", "c", 1, 500_000_000, 0, 0), pair("b", "c", 0, 0, 0, 1)},
	} {
		p := schemas.Part{Seq: i, Counts: schemas.Counts{Pages: 1}}
		agreement, err := tables.Write(t.Context(), store, columnar.Agreement, schemas.PartName(schemas.TableAgreement, i, 1)+".parquet", &run, columnar.Size{Fast: true}, all(rows))
		if err != nil {
			t.Fatal(err)
		}
		docs, err := tables.Write(t.Context(), store, columnar.Documents, schemas.PartName(schemas.TableDocuments, i, 1)+".parquet", &run, columnar.Size{Fast: true}, all(documents[3*i:3*i+3]))
		if err != nil {
			t.Fatal(err)
		}
		pages, err := tables.Write(t.Context(), store, columnar.Pages, schemas.PartName(schemas.TablePages, i, 1)+".parquet", &run, columnar.Size{Fast: true},
			all([]schemas.Page{{Package: "p", DocID: documents[3*i].DocID}}))
		if err != nil {
			t.Fatal(err)
		}
		p.Files = []schemas.Shard{*pages, *docs, *agreement}
		m.Parts = append(m.Parts, p)
	}
	data, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := blob.WriteAll(t.Context(), store, schemas.ManifestFile, data); err != nil {
		t.Fatal(err)
	}
	if _, err := Recompute(t.Context(), store); err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	for row, err := range tables.Rows(t.Context(), store, columnar.Agreement, schemas.AgreementFile) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%s %s %d %.6f %d %d\n", row.ExtractorA, row.ExtractorB, row.Documents, row.MeanF1, row.BothEmpty, row.Failed)
	}
	if want := "a b 2 0.500000 0 0\na c 2 0.250000 0 0\nb c 1 0.000000 0 1\n"; got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
	rows, err := tables.Packages(t.Context(), store)
	if err != nil || len(rows.Speed) != 3 || len(rows.Packages) != 3 {
		t.Fatalf("%+v, %v", rows, err)
	}
	for i, want := range []float64{(0.5 + 0.25) / 2, (0.5 + 0) / 2, (0.25 + 0) / 2} {
		near(t, "mean agreement of "+rows.Speed[i].Extractor, rows.Speed[i].AgreeMean, want, 1e-9)
		near(t, "consensus", rows.Speed[i].ConsensusF1, 0.25, 1e-9)
	}
	// A page that is missing in the agreement of every part is an error.
	m.Parts[1].Counts.Pages++
	data, _ = m.Encode()
	if _, err := blob.WriteAll(t.Context(), store, schemas.ManifestFile, data); err != nil {
		t.Fatal(err)
	}
	if _, err := Recompute(t.Context(), store); err == nil || !strings.Contains(err.Error(), "comparisons of extractors") {
		t.Errorf("error %v", err)
	}
}

// In a run of many packages, the small packages are joined into one package of the
// agreement table, and their sums are kept. In a run of few packages, each has its own
// rows.
func TestSmallPackagesAreOneInTheAgreementTable(t *testing.T) {
	for _, test := range []struct{ packages, most, rows, pooled int }{
		{stats.ManyPackages, 0, stats.ManyPackages, 0},          // few
		{stats.ManyPackages + 1, 0, 1 + 1, stats.ManyPackages},  // all but the large one have 2 pages
		{stats.ManyPackages + 1, 2, stats.ManyPackages + 1, 0},  // none has fewer than 2
		{stats.ManyPackages + 1, 51, 1, stats.ManyPackages + 1}, // all have
		{stats.ManyPackages + 1, 1, stats.ManyPackages + 1, 0},  // with 1 every package keeps its own rows
	} {
		store, run := new(blobtest.Memory), planned()
		run.Recipe.AgreementPages = test.most
		var rows []schemas.AgreementRow
		var pages, sum int64
		for i := range test.packages {
			r := schemas.AgreementRow{Run: "r", Package: fmt.Sprintf("p%05d", i), ExtractorA: "bte", ExtractorB: "dsc", Documents: 1, SumE9: int64(i), Failed: 1}
			if i == 7 {
				r.Documents = 49
			}
			pages += stats.Comparisons(&r)
			sum += r.SumE9
			rows = append(rows, r)
		}
		file, err := tables.Write(t.Context(), store, columnar.Agreement, schemas.PartName(schemas.TableAgreement, 0, 1)+".parquet", &run, columnar.Size{Fast: true}, all(rows))
		if err != nil {
			t.Fatal(err)
		}
		m := &schemas.Manifest{Version: schemas.Version, Run: run, Parts: []schemas.Part{{Files: []schemas.Shard{*file}, Counts: schemas.Counts{Pages: pages}}}}
		var log bytes.Buffer
		c := New(store, &run)
		c.Size, c.Log = columnar.Size{Fast: true}, slog.New(slog.NewTextHandler(&log, nil))
		if _, err := c.runAgreement(t.Context(), m, c.Store); err != nil {
			t.Fatal(err)
		}
		n := 0
		for row, err := range tables.Rows(t.Context(), store, columnar.Agreement, schemas.AgreementFile) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			pages -= stats.Comparisons(row)
			sum -= row.SumE9
			if row.Package == schemas.SmallPackages && int(row.Failed) != test.pooled {
				t.Errorf("%+v: the small packages are %d", test, row.Failed)
			}
		}
		if n != test.rows || pages != 0 || sum != 0 {
			t.Errorf("%+v: %d rows, %d pages and a sum of %d are missing", test, n, pages, sum)
		}
		if said := strings.Contains(log.String(), "small packages"); said != (test.pooled > 0) {
			t.Errorf("%+v: the log says %q", test, log.String())
		}
	}
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.IsNaN(want) != math.IsNaN(got) || math.Abs(got-want) > within {
		t.Errorf("%s: %.9f, want %.9f", what, got, want)
	}
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
