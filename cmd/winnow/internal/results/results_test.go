package results

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/blob/blobtest"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// folder is a run of two documents, one extractor that failed once, and two scorers.
func folder(t *testing.T) blob.Store {
	t.Helper()
	store := new(blobtest.Memory)
	m := &schemas.Manifest{Version: schemas.Version, Run: schemas.Run{Version: schemas.Version, ID: "r", Hash: "h", Phase: schemas.PhaseExtract, State: schemas.RunDone,
		Recipe: schemas.Recipe{Extractors: []schemas.Method{{Name: "plain"}}, Scorers: []schemas.Method{{Name: "str"}, {Name: "vec"}, {Name: "with", Mean: "value"}}}}}
	m.Parts = []schemas.Part{{Files: []schemas.Shard{
		{Table: schemas.TableDocuments, Name: "documents/part-00000.parquet", SHA256: strings.Repeat("0", 64)},
		{Table: schemas.TableScores, Name: "scores/part-00000.parquet", SHA256: strings.Repeat("0", 64)},
		{Table: schemas.TablePages, Name: "pages/part-00000.parquet", SHA256: strings.Repeat("0", 64)},
	}}}
	data, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	put(t, store, schemas.ManifestFile, func(w *blob.Writer) error { _, err := w.Write(data); return err })
	table(t, store, columnar.Pages, "pages/part-00000.parquet", []schemas.Page{{Package: "p", DocID: "1", GoldLanguage: "en-GB"}, {Package: "p", DocID: "2"}, {Package: "q", DocID: "1"}})
	table(t, store, columnar.Documents, "documents/part-00000.parquet", []schemas.Document{
		{HasGold: true, Package: "p", DocID: "1", Extractor: "bte", Outcome: "ok", ExtractNS: 2_000_000, TextHash: 0xef46db3751d8e999, URL: "http://example.org/a\tb,\"c\""},
		{HasGold: true, Package: "p", DocID: "2", Extractor: "bte", Outcome: "failed", Reason: "panic", ExtractNS: 4_000_000},
		{Package: "q", DocID: "1", Extractor: "dsc", Outcome: "ok", ExtractNS: 1},
	})
	table(t, store, columnar.Scores, "scores/part-00000.parquet", []schemas.ScoreRow{
		{Package: "p", DocID: "1", Extractor: "bte", Scorer: "str", Precision: 0.5, Recall: 1, F1: 0.75},
		{Package: "p", DocID: "1", Extractor: "bte", Scorer: "vec", Precision: 1, Recall: 1, F1: 1},
		{Package: "p", DocID: "2", Extractor: "bte", Scorer: "str", Precision: 0.5, Recall: 0.5, F1: 0.25},
		{Package: "p", DocID: "2", Extractor: "bte", Scorer: "vec", Reason: "no_answer"},
		{Package: "p", DocID: "1", Extractor: "bte", Scorer: "with", Value: 0.5},
		{Package: "p", DocID: "2", Extractor: "bte", Scorer: "with", Value: 1},
	})
	return store
}

func table[T any](t *testing.T, store blob.Store, of *columnar.Table[T], name string, rows []T) {
	t.Helper()
	put(t, store, name, func(w *blob.Writer) error {
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

func TestResults(t *testing.T) {
	var out bytes.Buffer
	if err := Write(context.Background(), &out, folder(t), "results", "tsv", Options{Packages: []string{"p"}}); err != nil {
		t.Fatal(err)
	}
	want := "package\textractor\tdocument\ttime_s\tstr_precision\tstr_recall\tstr_f1\tvec_precision\tvec_recall\tvec_f1\twith_value\n" +
		"p\tbte\t1\t0.002\t0.5\t1.0\t0.75\t1.0\t1.0\t1.0\t0.5\n" +
		"p\tbte\t2\t0.004\t0.5\t0.5\t0.25\t\t\t\t1.0\n" +
		"p\tbte\tmean\t0.003\t0.5\t0.75\t0.5\t1.0\t1.0\t1.0\t0.75\n" +
		"p\tbte\tstandard deviation\t\t\t\t0.353553391\t\t\t\t0.353553391\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	if err := Write(context.Background(), &out, folder(t), "results", "tsv", Options{MaxLines: 2}); err == nil || !strings.Contains(err.Error(), "more than 2 lines") {
		t.Errorf("error %v", err)
	}
}

func TestScorersAreChosen(t *testing.T) {
	var out bytes.Buffer
	if err := Write(context.Background(), &out, folder(t), "results", "tsv", Options{Packages: []string{"q"}, Scorers: []string{"with"}}); err != nil {
		t.Fatal(err)
	}
	if want := "package\textractor\tdocument\ttime_s\twith_value\nq\tdsc\t1\t1e-09\t\n"; !strings.HasPrefix(out.String(), want) {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	out.Reset()
	if err := Write(context.Background(), &out, folder(t), "scores", "tsv", Options{Scorers: []string{"vec"}}); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(out.String(), "\n"); lines != 3 || strings.Contains(out.String(), "\tstr\t") {
		t.Errorf("%d lines\n%s", lines, out.String())
	}
}

// Page 1 of p has the language en-GB. Page 2 has none, and an extractor failed on it,
// which counts as 0.
func TestGroups(t *testing.T) {
	var out bytes.Buffer
	o := Options{Packages: []string{"p"}, Scorers: []string{"str"}, By: stats.ByLanguage}
	if err := Write(context.Background(), &out, folder(t), "groups", "csv", o); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatalf("%v: %q", err, rows)
	}
	f1 := slices.Index(rows[0], "mean_f1")
	var got []string
	for _, row := range rows {
		got = append(got, strings.Join(append(row[1:7:7], row[f1]), " "))
	}
	want := []string{"package grouping group extractor scorer documents mean_f1", "p language (none) bte str 1 0.25", "p language en bte str 1 0.75"}
	if !slices.Equal(got, want) || slices.Contains(rows[0], "page_type") {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := Write(context.Background(), &out, folder(t), "groups", "csv", Options{By: "colour"}); err == nil || !strings.Contains(err.Error(), "page_type") {
		t.Errorf("error %v", err)
	}
	if err := Write(context.Background(), &out, folder(t), "groups", "csv", Options{MaxRows: 1}); err == nil || !strings.Contains(err.Error(), "more than 1 rows") {
		t.Errorf("error %v", err)
	}
}

func TestTables(t *testing.T) {
	var out bytes.Buffer
	if err := Write(context.Background(), &out, folder(t), "documents", "csv", Options{}); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(rows) != 4 || rows[1][4] != "http://example.org/a\tb,\"c\"" {
		t.Errorf("%v: %q", err, rows)
	}
	out.Reset()
	if err := Write(context.Background(), &out, folder(t), "scores", "json", Options{Extractors: []string{"bte"}}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 6 {
		t.Fatalf("%d lines", len(lines))
	}
	var last map[string]any
	if err := json.Unmarshal([]byte(lines[3]), &last); err != nil {
		t.Fatal(err)
	}
	if f1, present := last["f1"]; !present || f1 != nil || last["reason"] != "no_answer" {
		t.Errorf("%v", last)
	}
	// A hash has the same sixteen digits in every format. This one is xxHash64 of "".
	for format, want := range map[string]string{"csv": ",ef46db3751d8e999,", "tsv": "\tef46db3751d8e999\t", "json": `"text_hash":"ef46db3751d8e999"`} {
		out.Reset()
		if err := Write(context.Background(), &out, folder(t), "documents", format, Options{}); err != nil || strings.Count(out.String(), want) != 1 ||
			!strings.Contains(out.String(), strings.Replace(want, "ef46db3751d8e999", "0000000000000000", 1)) {
			t.Errorf("%s, %v: no %s in\n%s", format, err, want, out.String())
		}
	}
	for _, bad := range [][2]string{{"nonesuch", "csv"}, {"scores", "xml"}} {
		if err := Write(context.Background(), &out, folder(t), bad[0], bad[1], Options{}); err == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
}
