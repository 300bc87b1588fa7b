package conversion

import (
	"bytes"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

var info = Info{Name: "item-7", Build: "1.2", Run: "may", Hash: "abc", Created: time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC),
	Recipe: &schemas.Recipe{Facts: []schemas.Fact{{Name: "facts", Documents: []schemas.FactColumn{{Name: "words", Kind: schemas.FactInt}, {Name: "language", Kind: schemas.FactText}}}}}}

// file returns an archive of the texts.
func file(t testing.TB, rows ...schemas.Text) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, info)
	for i := range rows {
		if err == nil {
			err = w.Append(&rows[i])
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil || w.Rows() != int64(len(rows)) {
		t.Fatalf("%d rows, %v", w.Rows(), err)
	}
	return b.Bytes()
}

func read(data []byte) (rows []schemas.Text, err error) {
	for row, err := range Read(bytes.NewReader(data)) {
		if err != nil {
			return rows, err
		}
		rows = append(rows, *row)
	}
	return rows, nil
}

// TestRecord checks the bytes of a record.
func TestRecord(t *testing.T) {
	data := file(t, schemas.Text{Form: "text", Run: "may", Package: "news", DocID: "a.warc.gz:12:0", URL: "http://h.example/ü x", Extractor: "bte", Facts: []schemas.Value{{}, {Known: true, Text: "de"}},
		Text: "Größe\n\nmatters", RecordID: "<urn:uuid:0a8d6d9b-7c57-4b0f-a1a5-1b5b1d6a0001>", Date: "2020-01-02T03:04:05Z"})
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	_, got, found := bytes.Cut(got, []byte("\r\n\r\nWARC/1.1\r\n"))
	id := "WARC-Record-ID: <urn:uuid:"
	at := bytes.Index(got, []byte(id))
	if !found || at < 0 {
		t.Fatalf("no second record, or none with an id:\n%s", got)
	}
	got = slices.Delete(got, at+len(id), at+len(id)+36) // the id is a hash of the row's names
	// The SHA-1 was computed with sha1sum and base32.
	want := strings.ReplaceAll(`WARC-Type: conversion
WARC-Record-ID: <urn:uuid:>
WARC-Date: 2020-01-02T03:04:05Z
WARC-Target-URI: http://h.example/ü%20x
WARC-Refers-To: <urn:uuid:0a8d6d9b-7c57-4b0f-a1a5-1b5b1d6a0001>
Winnow-Run: may
Winnow-Package: news
Winnow-Document: a.warc.gz:12:0
Winnow-Extractor: bte
WARC-Identified-Content-Language: deu
Content-Type: text/plain; charset=utf-8
WARC-Block-Digest: sha1:DIGEST
Content-Length: 16

`, "\n", "\r\n") + "Größe\n\nmatters\r\n\r\n"
	want = strings.Replace(want, "DIGEST", digestOfText, 1)
	if string(got) != want {
		t.Errorf("%q\nwant\n%q", got, want)
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	rows := []schemas.Text{
		{Form: "text", Run: "may", Package: "p", DocID: "1", URL: "http://h.example/", Extractor: "bte", Text: "one", RecordID: "<urn:uuid:1>", Date: "2020-01-02T03:04:05Z"},
		{Form: "markdown", Run: "may", Package: "p", DocID: "1", URL: "http://h.example/", Extractor: "dsc", Text: "", RecordID: "<urn:uuid:1>", Date: "2020-01-02T03:04:05Z"},
		{Form: "text", Run: "may", Package: " 100% \r\nX: y\x00", DocID: "größer\x7f%0d", URL: "", Extractor: "ccb:t=0.5", Text: "WARC/1.1\r\n\r\n", Date: "2020-01-02T03:04:05Z"},
		{Form: "html", Run: "may", Package: "p", DocID: "3", URL: "urn:x", Extractor: "bte", Text: strings.Repeat("long text ", 1<<17), RecordID: "<urn:uuid:3>", Date: "2020-01-02T03:04:05Z"},
	}
	data := file(t, rows...)
	got, err := read(data)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, rows) {
		t.Errorf("%.300v\nwant\n%.300v", got, rows)
	}
	if !bytes.Equal(data, file(t, rows...)) {
		t.Error("the same rows gave other bytes")
	}
}

// A value that a header cannot hold is omitted or replaced, and no part of it becomes a
// field of its own.
func TestHostileNames(t *testing.T) {
	for _, c := range []struct{ row, want schemas.Text }{
		{schemas.Text{Form: "text", Extractor: "x", URL: "http://h/\r\nWARC-Type: response", Date: "no date"},
			schemas.Text{Form: "text", Extractor: "x", URL: "http://h/%0D%0AWARC-Type:%20response", Date: "2024-05-06T07:08:09Z"}},
		{schemas.Text{Form: "text", Extractor: "x", RecordID: "<urn:x\r\nY: z>", Date: "12345-01-01T00:00:00Z"},
			schemas.Text{Form: "text", Extractor: "x", Date: "2024-05-06T07:08:09Z"}},
		{schemas.Text{Form: "text", Extractor: "x", RecordID: "no-uri"}, schemas.Text{Form: "text", Extractor: "x", Date: "2024-05-06T07:08:09Z"}},
		{schemas.Text{Form: "text", Extractor: "x", RecordID: "urn:bare"}, schemas.Text{Form: "text", Extractor: "x", RecordID: "<urn:bare>", Date: "2024-05-06T07:08:09Z"}},
	} {
		got, err := read(file(t, c.row))
		if err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], c.want) {
			t.Errorf("%+v: %v, %+v", c.row, err, got)
		}
	}
}

func TestIDs(t *testing.T) {
	one := schemas.Text{Form: "text", Package: "p", DocID: "1", RecordID: "<urn:uuid:1>", Extractor: "a"}
	rows := []schemas.Text{one, one, one, one}
	rows[1].Extractor, rows[2].DocID, rows[3].Package = "b", "2", "q"
	data := file(t, rows...)
	r, err := warc.Open(bytes.NewReader(data), 0, int64(len(data)), 0, warc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var rec warc.Record
	for r.Next(&rec) == nil {
		seen[rec.RecordID] = true
	}
	if len(seen) != 5 {
		t.Errorf("%d ids of 5 records", len(seen))
	}
}

func TestDamage(t *testing.T) {
	data := file(t, schemas.Text{Form: "text", Extractor: "bte", Text: "one two three"}, schemas.Text{Form: "text", Extractor: "dsc", Text: "four"})
	for n := range data {
		if rows, err := read(data[:n]); err == nil && len(rows) == 2 {
			t.Errorf("%d of %d bytes: both texts and no error", n, len(data))
		}
	}
	flipped := bytes.Clone(data)
	flipped[len(data)-6] ^= 1 // a bit of the last member's checksum
	if _, err := read(flipped); err == nil || !strings.Contains(err.Error(), "offset") {
		t.Errorf("a wrong checksum: %v", err)
	}
	if _, err := read([]byte("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n\r\n\r\n")); err == nil {
		t.Error("a response was read as a text")
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file(f, schemas.Text{Form: "text", Extractor: "bte", Text: "one", Package: "p%"}))
	f.Add([]byte("WARC/1.0\r\nWARC-Type: conversion\r\nWinnow-Extractor: %zz\r\nContent-Length: 3\r\n\r\none\r\n\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, err := read(data)
		if err != nil {
			return
		}
		// The rows that were read can be written, and reading them again gives the same.
		again, err := read(file(t, rows...))
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			if rows[i].Date == "" {
				rows[i].Date = again[i].Date
			}
			rows[i].URL, rows[i].RecordID = again[i].URL, again[i].RecordID // they may not be valid in a header
		}
		if !reflect.DeepEqual(rows, again) {
			t.Errorf("%+v\nwant\n%+v", again, rows)
		}
	})
}

const digestOfText = "4KNVH3VQLM5DWWVRCMUHGVSGT6QSOHOM"
