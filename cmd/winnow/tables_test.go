package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/winnow/winnow/pipeline/source/ccindex"
)

// TestRunsByTables runs over the records of real crawls by a table in the schema of Common
// Crawl, by CDXJ of the same records, by another number of workers and size of items, and by the
// copies of the records that the first run made. The texts and what the index says of the pages
// are the same.
func TestRunsByTables(t *testing.T) {
	names := []string{"dolma-sample-0000.warc.gz", "ukwa-wikipedia-mona-lisa.warc.gz", "aut-example.warc.gz"}
	folder := filepath.Join(os.Getenv("WINNOW_SHARED"), "warcs/crawls")
	if os.Getenv("WINNOW_SHARED") == "" {
		names, folder = []string{"crawl.warc.gz"}, "../../examples"
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	var rows []ccindex.Row
	var lines bytes.Buffer
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		more, err := ccindex.Rows(bytes.NewReader(data), name)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, more...)
	}
	for _, r := range rows {
		if r.FetchStatus == 200 && r.ContentMIMEDetected == "text/html" {
			fmt.Fprintf(&lines, `%s 20240101000000 {"url": %q, "mime-detected": "text/html", "status": 200, "languages": %q, "filename": %q, "offset": %d, "length": %d}`+"\n",
				r.URLSurtKey, r.URL, r.ContentLanguages, r.WARCFilename, *r.WARCRecordOffset, *r.WARCRecordLength)
		}
	}
	dir := t.TempDir()
	var table bytes.Buffer
	if err := ccindex.Write(&table, rows, 30); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"x.parquet": table.Bytes(), "x.cdxj": lines.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// texts returns the texts of a run and what the index says of their pages, by record.
	texts := func(name string, args ...string) map[string]string {
		out := filepath.Join(dir, name)
		var words bytes.Buffer
		args = append([]string{"run", "--run", "r", "--out", out, "--extractors", "plain,bte", "--scorers", "none", "--facts", "index", "--package-by", "host", "--texts", "jsonl", "--records"}, args...)
		if code := run(t.Context(), args, nil, &bytes.Buffer{}, &words); code != 0 {
			t.Fatalf("%s: exit code %d\n%s", name, code, words.String())
		}
		if code := run(t.Context(), []string{"verify", out}, nil, &bytes.Buffer{}, &words); code != 0 {
			t.Errorf("%s: verify: exit code %d\n%s", name, code, words.String())
		}
		found := map[string]string{}
		for _, table := range []string{"pages", "texts"} {
			var lines bytes.Buffer
			if code := run(t.Context(), []string{"report", "--table", table, "--format", "json", out}, nil, &lines, &words); code != 0 {
				t.Fatalf("%s: report: exit code %d\n%s", name, code, words.String())
			}
			in := bufio.NewScanner(&lines)
			for in.Buffer(nil, 16<<20); in.Scan(); {
				var row struct {
					RecordID  string `json:"record_id"`
					Extractor string
					Text      string
					Languages string `json:"content_languages"`
					Detected  string `json:"content_mime_detected"`
					Status    int    `json:"fetch_status"`
				}
				if err := json.Unmarshal(in.Bytes(), &row); err != nil {
					t.Fatal(err)
				}
				found[row.RecordID+" "+row.Extractor] = fmt.Sprint(row.Languages, " ", row.Detected, " ", row.Status, " ", row.Text)
			}
		}
		return found
	}
	where := `fetch_status = 200 and content_mime_detected in ["text/html"]`
	want := texts("table", "--base", folder, "--where", where, filepath.Join(dir, "x.parquet"))
	if len(want) < 100 {
		t.Errorf("%d pages and texts: %q", len(want), slices.Sorted(maps.Keys(want)))
	}
	copies, err := filepath.Glob(filepath.Join(dir, "table/records/*.cdxj"))
	if err != nil || len(copies) < len(names) {
		t.Fatalf("copies: %q, %v", copies, err)
	}
	for name, args := range map[string][]string{
		"cdxj":   {"--base", folder, filepath.Join(dir, "x.cdxj")},
		"pieces": {"--base", folder, "--workers", "3", "--item-size", "40000", "--where", where, filepath.Join(dir, "x.parquet")},
		"copies": copies,
	} {
		if got := texts(name, args...); !maps.Equal(got, want) {
			t.Errorf("%s: %d pages and texts differ from the %d of the table", name, len(got), len(want))
		}
	}
}
