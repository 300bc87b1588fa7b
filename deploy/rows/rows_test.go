package rows

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

type testRow struct {
	Run     string   `parquet:"run"`
	File    string   `parquet:"file"`
	DocID   string   `parquet:"doc_id"`
	F1      *float64 `parquet:"f1,optional"`
	ParseNS int64    `parquet:"parse_ns"`
	Speed   float64  `parquet:"mb_per_s_p50"`
	Spans   []int32  `parquet:"spans,list"`
}

// writeRun writes an output folder with the rows in as many parts as are given.
func writeRun(t *testing.T, parts ...[]testRow) string {
	t.Helper()
	out := t.TempDir()
	var listed []string
	for i, rows := range parts {
		name := fmt.Sprintf("documents/part-%05d.parquet", i)
		file := filepath.Join(out, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := parquet.WriteFile(file, rows); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		listed = append(listed, fmt.Sprintf(`{"files":[{"table":"documents","name":%q,"sha256":%q}]}`, name, hex.EncodeToString(sum[:])))
	}
	manifest := `{"finished":"2026-01-01T00:00:00Z","parts":[` + strings.Join(listed, ",") + `]}`
	if err := os.WriteFile(filepath.Join(out, "run.json"), []byte(manifest), 0o666); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRowsAreComparedWithoutTimings(t *testing.T) {
	f := func(x float64) *float64 { return &x }
	base := []testRow{
		{"r", "file:///a/x.warc.gz", "1", f(0.5), 17, 3, []int32{1, 2}},
		{"r", "file:///a/x.warc.gz", "2", nil, 18, 4, nil},
	}
	read := func(parts ...[]testRow) Tables {
		t.Helper()
		got, left, err := Read(writeRun(t, parts...))
		if err != nil || len(left) > 0 {
			t.Fatal(left, err)
		}
		return got
	}
	want := read(base)
	if want.Rows() != 2 {
		t.Fatalf("%d rows", want.Rows())
	}
	for _, c := range []struct {
		name  string
		parts [][]testRow
		says  string // "" if the tables are equal
	}{
		{"other run, folder, times, order and parts", [][]testRow{{{"s", "s3://b/x.warc.gz", "2", nil, 1, 2, nil}}, {{"s", "s3://b/x.warc.gz", "1", f(0.5), 3, 4, []int32{1, 2}}}}, ""},
		{"lost row", [][]testRow{base[:1]}, "1 rows of the undisturbed run are missing, 0 rows are too many"},
		{"row twice", [][]testRow{base, base[:1]}, "0 rows of the undisturbed run are missing, 1 rows are too many"},
		{"other value", [][]testRow{{base[0], {"r", "file:///a/x.warc.gz", "2", f(0), 18, 4, nil}}}, "1 rows of the undisturbed run are missing, 1 rows are too many"},
		{"other list", [][]testRow{{{"r", "file:///a/x.warc.gz", "1", f(0.5), 17, 3, []int32{1, 3}}, base[1]}}, "1 rows of the undisturbed run are missing, 1 rows are too many"},
		{"no table", nil, "2 rows of the undisturbed run are missing"},
	} {
		lines := strings.Join(read(c.parts...).Difference(want), "\n")
		if c.says == "" && lines != "" || !strings.Contains(lines, c.says) {
			t.Errorf("%s: %s", c.name, lines)
		}
	}
}

func TestFilesAreComparedWithTheManifest(t *testing.T) {
	rows := []testRow{{DocID: "1"}}
	for _, c := range []struct {
		name   string
		damage func(out string) error
		says   string
	}{
		{"stray part", func(out string) error {
			return os.WriteFile(filepath.Join(out, "documents/part-00009.parquet"), nil, 0o666)
		}, "part-00009.parquet is left"},
		{"stray commit", func(out string) error {
			return os.CopyFS(filepath.Join(out, "commits"), os.DirFS(filepath.Join(out, "documents")))
		}, "commits/part-00000.parquet is left"},
		{"missing part", func(out string) error { return os.Remove(filepath.Join(out, "documents/part-00000.parquet")) }, "part-00000.parquet is missing"},
		{"other bytes", func(out string) error {
			return os.WriteFile(filepath.Join(out, "documents/part-00000.parquet"), []byte("x"), 0o666)
		}, "another digest"},
		{"unfinished", func(out string) error {
			return os.WriteFile(filepath.Join(out, "run.json"), []byte(`{"parts":[]}`), 0o666)
		}, "not say that the run is finished"},
		{"no manifest", func(out string) error { return os.Remove(filepath.Join(out, "run.json")) }, "run.json"},
	} {
		out := writeRun(t, rows)
		if err := c.damage(out); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Read(out); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestShardsThatAreLeftAreListed(t *testing.T) {
	out := writeRun(t, []testRow{{DocID: "1"}})
	if err := os.CopyFS(filepath.Join(out, "shards", "x"), os.DirFS(filepath.Join(out, "documents"))); err != nil {
		t.Fatal(err)
	}
	rows, left, err := Read(out)
	if err != nil || rows.Rows() != 1 || len(left) != 1 || left[0] != filepath.Join("shards", "x", "part-00000.parquet") {
		t.Errorf("%d rows, left %v, %v", rows.Rows(), left, err)
	}
}
