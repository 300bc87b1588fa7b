package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// forge changes fields of every row of a table: texts become hostile names, and numbers n.
func forge[T any](t *testing.T, store blob.Store, m *schemas.Manifest, table *columnar.Table[T], name string, n float64, fields ...string) {
	t.Helper()
	var all []T
	for row, err := range tables.Rows(t.Context(), store, table, name) {
		if err != nil {
			t.Fatal(err)
		}
		for field, v := range reflect.ValueOf(row).Elem().Fields() {
			if !slices.Contains(fields, field.Name) && !slices.Contains(fields, field.Type.Kind().String()) {
				continue
			}
			switch v.Kind() {
			case reflect.String:
				v.SetString(hostileNames[len(all)%len(hostileNames)])
			case reflect.Int64, reflect.Int32:
				v.SetInt(int64(n))
			case reflect.Float64:
				v.SetFloat(n) // NaN is stored as null
			case reflect.Struct:
				v.Set(reflect.ValueOf(schemas.Percentiles{P50: n, P90: n, P99: n}))
			case reflect.Slice:
				if v.Type().Elem().Kind() == reflect.Int32 {
					v.Set(reflect.ValueOf([]int32{math.MaxInt32, math.MinInt32, -1}))
				}
			}
		}
		all = append(all, *row)
	}
	if _, err := tables.Write(t.Context(), store, table, name, &m.Run, columnar.Size{}, func(yield func(*T, error) bool) {
		for i := range all {
			if !yield(&all[i], nil) {
				return
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
}

// The output folder of a stranger may hold anything in any column. Verbs answer, or say what is
// wrong, and nothing of it becomes active in a browser.
func TestForgedFolders(t *testing.T) {
	out := ran(t, "--extractors", "plain,bte", "--scorers", "vec,str", "--spans", "--texts", "parquet", "--facts", "links,signature", "../../examples/crawl.warc.gz")
	client := blob.New(blob.Options{})
	defer client.Close()
	_, m, err := openRun(t.Context(), client, out)
	if err != nil {
		t.Fatal(err)
	}
	forged := filepath.Join(t.TempDir(), "forged")
	// verbs calls what reads the tables of a forged copy of the run.
	verbs := func(what string, change func(blob.Store)) {
		t.Helper()
		if err := os.RemoveAll(forged); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(forged, os.DirFS(out)); err != nil {
			t.Fatal(err)
		}
		store, err := client.Store(t.Context(), forged)
		if err != nil {
			t.Fatal(err)
		}
		change(store)
		for _, args := range [][]string{{"report", forged}, {"compare", forged}, {"diff", forged, out}, {"dedup", forged}, {"failures", forged}, {"status", forged},
			{"verify", forged}, {"inspect", "--run", forged, "--worst", "3", "--format", "text"}} {
			var words strings.Builder
			if code := run(t.Context(), args, strings.NewReader(""), &words, &words); code > 3 || strings.Contains(words.String(), "goroutine ") {
				t.Errorf("%s: %q ends with exit code %d: %.1000s", what, args, code, words.String())
			}
		}
		if report, err := os.ReadFile(filepath.Join(forged, "report.html")); err != nil || len(active(t, report)) > 0 {
			t.Errorf("%s: the report has %q, %v", what, active(t, report), err)
		}
	}
	const first = "/part-00000.parquet"
	for _, n := range []float64{math.NaN(), -1, math.MaxInt64} {
		numbers := []string{"int64", "int32", "float64", "struct", "slice"}
		verbs("numbers of pages", func(s blob.Store) { forge(t, s, m, columnar.PagesOf(&m.Run.Recipe), "pages"+first, n, numbers...) })
		verbs("numbers of documents", func(s blob.Store) {
			forge(t, s, m, columnar.DocumentsOf(&m.Run.Recipe), "documents"+first, n, numbers...)
		})
		verbs("numbers of scores", func(s blob.Store) { forge(t, s, m, columnar.Scores, "scores"+first, n, numbers...) })
		verbs("numbers of speed", func(s blob.Store) { forge(t, s, m, columnar.Speed, schemas.SpeedFile, n, numbers...) })
		verbs("numbers of packages", func(s blob.Store) { forge(t, s, m, columnar.Packages, schemas.PackagesFile, n, numbers...) })
	}
	for _, text := range []string{"Package", "Extractor", "Scorer", "PageType", "string"} {
		verbs(text+" of packages", func(s blob.Store) { forge(t, s, m, columnar.Packages, schemas.PackagesFile, 0, text) })
		verbs(text+" of speed", func(s blob.Store) { forge(t, s, m, columnar.Speed, schemas.SpeedFile, 0, text) })
		verbs(text+" of documents", func(s blob.Store) { forge(t, s, m, columnar.DocumentsOf(&m.Run.Recipe), "documents"+first, 0, text) })
	}

	// Extractors and scorers are called like scripts, in the manifest and in the tables.
	name := hostileNames[0]
	quoted, err := json.Marshal(name)
	if err != nil {
		t.Fatal(err)
	}
	verbs("names of the manifest", func(s blob.Store) {
		data, err := os.ReadFile(filepath.Join(forged, schemas.ManifestFile))
		if err == nil {
			err = os.WriteFile(filepath.Join(forged, schemas.ManifestFile), []byte(strings.NewReplacer(`"bte"`, string(quoted), `"vec"`, string(quoted)).Replace(string(data))), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		forge(t, s, m, columnar.Packages, schemas.PackagesFile, 0, "Extractor", "Scorer")
	})
}
