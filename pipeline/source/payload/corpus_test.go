package payload_test

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/winnow/winnow/pipeline/source/payload"
	"github.com/winnow/winnow/pipeline/warc"
)

// TestRealCollection decodes every response and resource of the WARC collection. In the
// well-formed part, the number of responses with status 200 and an HTML type must be
// that of the manifest.
func TestRealCollection(t *testing.T) {
	root := os.Getenv("WINNOW_SHARED")
	if root == "" {
		t.Skip("WINNOW_SHARED is not set: no collection of WARC files")
	}
	dir := filepath.Join(root, "warcs")
	manifest, err := os.Open(filepath.Join(dir, "manifest.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer manifest.Close()
	sc := bufio.NewScanner(manifest)
	sc.Scan() // names of the columns
	total := map[string]int{}
	byHand := map[string]int{"malformed/node-warc-books.toscrape.warc": 1, "crawls/aut-example.warc.gz": 94} // counted in the files
	for sc.Scan() {
		col := strings.Split(sc.Text(), "\t")
		if col[6] == "ARC" {
			continue
		}
		want, err := strconv.Atoi(col[10])
		if err != nil {
			t.Fatalf("%s: %v", col[0], err)
		}
		got := countPages(t, filepath.Join(dir, col[0]), total)
		if known, ok := byHand[col[0]]; ok && got != known {
			t.Errorf("%s: %d HTML responses with status 200, want %d", col[0], got, known)
		}
		if got != want && !strings.HasPrefix(col[0], "malformed/") {
			t.Errorf("%s: %d HTML responses with status 200, manifest %d", col[0], got, want)
		} else if got != want {
			t.Logf("%s: %d HTML responses with status 200, manifest %d", col[0], got, want)
		}
	}
	t.Log(total)
}

// countPages decodes all records of a file and returns how many of them are
// responses with status 200 and an HTML type.
func countPages(t *testing.T, name string, total map[string]int) int {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	r, err := warc.Open(io.NewSectionReader(f, 0, st.Size()), 0, st.Size(), -1, warc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var rec warc.Record
	var d payload.Decoder
	pages := 0
	for {
		if err := r.Next(&rec); err == io.EOF {
			return pages
		} else if err != nil {
			t.Fatal(err)
		}
		m := payload.Message{Block: rec.Block}
		switch rec.Type {
		case warc.TypeResponse:
		case warc.TypeResource:
			m.Kind, m.ContentType = payload.Resource, rec.ContentType
		default:
			continue
		}
		doc := d.Decode(m)
		if !utf8.Valid(doc.HTML) {
			t.Errorf("%s: %v: not UTF-8", name, rec.Address)
		}
		total[doc.Outcome.String()+" "+string(doc.Reason)]++
		total["charset "+string(doc.CharsetSource)]++
		for _, flag := range doc.Flags.Names() {
			total["flag "+flag]++
			if testing.Verbose() && m.Kind == payload.Response {
				t.Log(filepath.Base(name), rec.Address, flag, doc.Charset, doc.Replaced, rec.TargetURI)
			}
		}
		if doc.Outcome == payload.Refused {
			t.Log(filepath.Base(name), rec.Address, doc.Reason, doc.Status, rec.ContentType)
		}
		if m.Kind == payload.Response && doc.Status == 200 && (doc.MediaType == "text/html" || doc.MediaType == "application/xhtml+xml") {
			pages++
		}
	}
}
