package pack

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/source/gold/goldtest"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
)

// A document that cannot be read is omitted, and those after it are packed.
func TestWriteGoesOn(t *testing.T) {
	files := map[string]string{
		"1.html": "one", "1.json": `{"sha256":"00"}`,
		"2.html": "two", "2.json": `{"html_bytes":7}`,
		"3.html": "three", "3.json": `{`,
		"4.html": strings.Repeat("4", 100),
		"5.html": "five", "5.txt": "five", "5.json": `{"html_bytes":4,"sha256":"222b0bd51fcef7e65c2e62db2ed65457013bab56be6fafeb19ee11d453153c80"}`,
	}
	p, err := gold.Open(goldtest.Folder(t, files), gold.Limits{PageBytes: 99})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	done, err := Write(t.Context(), write.NewWriter(io.Discard), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if done.Documents != 1 || done.HTMLBytes != 4 || len(done.Refused) != 4 {
		t.Fatalf("%+v", done)
	}
	for i, want := range []string{"sha256 says 00", "html_bytes says 7", "unexpected end", "more than 99 bytes"} {
		if got := done.Refused[i].Detail; !strings.Contains(got, want) {
			t.Errorf("refused: %s, want %q", got, want)
		}
	}
}

func TestWriteStopsWhenCancelled(t *testing.T) {
	p, err := gold.Open(goldtest.Folder(t, goldtest.Small), gold.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Write(ctx, write.NewWriter(io.Discard), p, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// members inflates every gzip member of a file on its own.
func members(t *testing.T, data []byte) []string {
	t.Helper()
	var out []string
	src := bytes.NewReader(data)
	var z gzip.Reader
	for src.Len() > 0 {
		if err := z.Reset(src); err != nil {
			t.Fatal(err)
		}
		z.Multistream(false)
		b, err := io.ReadAll(&z)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(b))
	}
	return out
}

func field(record, name string) string {
	for line := range strings.SplitSeq(record, "\r\n") {
		if v, ok := strings.CutPrefix(line, name+": "); ok {
			return v
		}
		if line == "" {
			break
		}
	}
	return ""
}

func TestWrite(t *testing.T) {
	archived := filepath.Join(t.TempDir(), "a.tar")
	if err := os.WriteFile(archived, goldtest.Tarball(t, goldtest.Names(goldtest.Small), goldtest.Small, "small/"), 0o644); err != nil {
		t.Fatal(err)
	}
	var first []byte
	for form, path := range map[string]string{"folder": goldtest.Folder(t, goldtest.Small), "archive": archived} {
		p, err := gold.Open(path, gold.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		done, err := Write(t.Context(), write.NewWriter(&b), p, Options{})
		p.Close()
		if err != nil {
			t.Fatal(err)
		}
		if done.Documents != 6 || done.Snippets != 1 || done.NoGold != 2 || done.EmptyGold != 1 || done.Refused != nil {
			t.Errorf("%s: %+v", form, done)
		}
		if first == nil {
			first = b.Bytes()
		} else if !bytes.Equal(first, b.Bytes()) {
			t.Errorf("%s: other bytes than the form before", form)
		}
	}
	records := members(t, first)
	if len(records) != 13 || field(records[0], "WARC-Type") != "warcinfo" || !strings.Contains(records[0], "description: Two lines\r\n") {
		t.Fatalf("%d records, first %s", len(records), records[0])
	}
	ids := map[string]bool{}
	for i := 1; i < len(records); i += 2 {
		page, gold := records[i], records[i+1]
		if field(page, "WARC-Type") != "response" || field(gold, "WARC-Type") != "metadata" {
			t.Errorf("record %d: %s, %s", i, field(page, "WARC-Type"), field(gold, "WARC-Type"))
		}
		if field(gold, "WARC-Concurrent-To") != field(page, "WARC-Record-ID") || field(gold, "WARC-Target-URI") != field(page, "WARC-Target-URI") {
			t.Errorf("record %d: gold is about another record", i)
		}
		ids[field(page, "WARC-Record-ID")], ids[field(gold, "WARC-Record-ID")] = true, true
		_, block, _ := strings.Cut(gold, "\r\n\r\n")
		g, err := schemas.DecodeGold([]byte(block))
		if err != nil {
			t.Fatal(err)
		}
		if g.ID == "1" {
			if g.URL != "http://a.example/a b" || field(page, "WARC-Target-URI") != "http://a.example/a%20b" {
				t.Errorf("urls %q and %q", g.URL, field(page, "WARC-Target-URI"))
			}
			if string(g.Meta["spa"]) != "true" || len(g.Meta) != 1 || g.With[0] != "One" || g.Language != "en" {
				t.Errorf("metadata is lost: %+v", g)
			}
		} else if want := "urn:winnow:small/" + g.ID; field(page, "WARC-Target-URI") != want {
			t.Errorf("target %s, want %s", field(page, "WARC-Target-URI"), want)
		}
	}
	if len(ids) != 12 {
		t.Errorf("%d record ids, want 12 different ones", len(ids))
	}
	if !strings.Contains(records[1], "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\n<p>One</p>") {
		t.Errorf("response: %q", records[1])
	}
}

// Every page of a packed package is read with its gold.
func TestPackedPagesHaveTheirGold(t *testing.T) {
	p, err := gold.Open(goldtest.Folder(t, map[string]string{"a.html": "<p>one", "a.txt": "one", "b.html": "<p>two", "b.txt": "two"}), gold.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var archive bytes.Buffer
	if _, err := Write(t.Context(), write.NewWriter(&archive), p, Options{}); err != nil {
		t.Fatal(err)
	}
	var s source.WARC
	if err := s.Reset(bytes.NewReader(archive.Bytes()), source.Range{End: int64(archive.Len())}, source.Options{}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for page, err := range source.Pages(t.Context(), "packed", &s) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(page.HTML)+", gold of "+page.Gold.ID)
	}
	if want := []string{"<p>one, gold of a", "<p>two, gold of b"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
