package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
)

// The verb extract gives every page the same name as a run does, because both use one
// rule to find the gold of a page. The name is the same whether the gold names the
// page, names no page, names another page, is damaged, or does not follow the page
// directly.
func TestExtractAndRunAgreeOnGold(t *testing.T) {
	var buf bytes.Buffer
	w := write.NewWriter(&buf)
	record := func(r write.Record) {
		t.Helper()
		r.Date, r.TargetURI = time.Unix(0, 0), "http://h.example/"
		if err := w.Write(&r); err != nil {
			t.Fatal(err)
		}
	}
	page := func(id string) {
		block, err := write.HTTPResponse("200 OK", []write.Field{{Name: "Content-Type", Value: "text/html"}}, []byte("<p>Page "+id))
		if err != nil {
			t.Fatal(err)
		}
		record(write.Record{Type: "response", ID: write.ID(id), ContentType: "application/http; msgtype=response", Block: block})
	}
	gold := func(id string, fields ...write.Field) {
		record(write.Record{Type: "metadata", ID: write.ID("gold of " + id), ContentType: schemas.GoldMediaType, Fields: fields,
			Block: []byte(`{"package":"p","id":"` + id + `","text":"grain"}`)})
	}
	about := func(id string) write.Field {
		return write.Field{Name: "WARC-Concurrent-To", Value: "<" + write.ID(id) + ">"}
	}
	page("named")
	gold("named", about("named"))
	page("bare")
	gold("bare")
	page("other")
	gold("other", about("named"))
	page("apart")
	record(write.Record{Type: "request", ID: write.ID("request"), ContentType: "application/http; msgtype=request", Block: []byte("GET / HTTP/1.1\r\n\r\n")})
	gold("apart", about("apart"))
	page("damaged")
	gold("damaged", about("damaged"))
	data := buf.Bytes()
	data[len(data)-5] ^= 1 // the checksum of the last record
	archive := filepath.Join(t.TempDir(), "a.warc.gz")
	if err := os.WriteFile(archive, data, 0o666); err != nil {
		t.Fatal(err)
	}

	ids := func(lines []byte) (ids []string) {
		for line := range strings.Lines(string(lines)) {
			var row schemas.Text
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, row.Package+" "+row.DocID)
		}
		slices.Sort(ids)
		return ids
	}
	var extracted, words bytes.Buffer
	code := run(t.Context(), []string{"extract", "--extractors", "plain", "--format", "jsonl", archive}, nil, &extracted, &words)
	if code != 3 || strings.Count(words.String(), "gold-bad") != 3 {
		t.Errorf("exit code %d, and not 3 bad gold records in\n%s", code, words.String())
	}
	out := t.TempDir()
	if code := run(t.Context(), []string{"run", "--extractors", "plain", "--scorers", "none", "--texts", "jsonl", "--out", out, archive}, nil, &bytes.Buffer{}, &words); code == 1 {
		t.Fatalf("exit code %d\n%s", code, words.String())
	}
	var rows bytes.Buffer
	if code := run(t.Context(), []string{"report", "--table", "texts", "--format", "json", out}, nil, &rows, &words); code != 0 {
		t.Fatalf("exit code %d\n%s", code, words.String())
	}
	got, want := ids(extracted.Bytes()), ids(rows.Bytes())
	if len(want) != 5 || !slices.Contains(want, "p bare") || !slices.Equal(got, want) {
		t.Errorf("extract: %q, run: %q", got, want)
	}
}
