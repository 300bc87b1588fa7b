package write

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
)

func record() *Record {
	return &Record{
		Type: "response", ID: ID("a", "b"), Date: time.Date(2007, 3, 4, 6, 6, 7, 9, time.FixedZone("", 3600)),
		TargetURI: "http://a.example/", ContentType: "application/http; msgtype=response",
		Fields: []Field{{"WARC-Concurrent-To", "<urn:x>"}}, Block: []byte("HTTP/1.1 200 OK\r\n\r\nhi"),
	}
}

func TestWriteOneMemberPerRecord(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	var starts []int64
	for range 3 {
		starts = append(starts, w.Offset())
		if err := w.Write(record()); err != nil {
			t.Fatal(err)
		}
	}
	if w.Offset() != int64(out.Len()) {
		t.Errorf("offset %d, wrote %d bytes", w.Offset(), out.Len())
	}
	want := "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <" + ID("a", "b") + ">\r\n" +
		"WARC-Date: 2007-03-04T05:06:07Z\r\nWARC-Target-URI: http://a.example/\r\nWARC-Concurrent-To: <urn:x>\r\n" +
		"Content-Type: application/http; msgtype=response\r\n" +
		"WARC-Block-Digest: sha1:FNMQPCZGDE2HALVRMGIGENQEBHISOUSJ\r\nContent-Length: 21\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhi\r\n\r\n"
	for i, at := range starts {
		src := bytes.NewReader(out.Bytes()[at:]) // an io.ByteReader, so nothing is read ahead
		z, err := gzip.NewReader(src)
		if err != nil {
			t.Fatalf("record %d: %v", i, err)
		}
		z.Multistream(false)
		got, err := io.ReadAll(z)
		if err != nil || string(got) != want {
			t.Fatalf("record %d: %v\n got %q\nwant %q", i, err, got, want)
		}
	}
}

func TestWriteRefusesForgedFields(t *testing.T) {
	for name, spoil := range map[string]func(*Record){
		"uri":   func(r *Record) { r.TargetURI = "http://a/\r\nWARC-Type: request" },
		"type":  func(r *Record) { r.Type = "response\n" },
		"value": func(r *Record) { r.Fields[0].Value = "x\r\n\r\nblock" },
		"name":  func(r *Record) { r.Fields[0].Name = "a: b\r\nc" },
		"empty": func(r *Record) { r.Fields[0].Name = "" },
	} {
		var out bytes.Buffer
		r := record()
		spoil(r)
		if err := NewWriter(&out).Write(r); err == nil {
			t.Errorf("%s: no error", name)
		}
		if out.Len() != 0 {
			t.Errorf("%s: %d bytes written", name, out.Len())
		}
	}
	if _, err := HTTPResponse("200 OK\r\nX: y", nil, nil); err == nil {
		t.Error("forged status line accepted")
	}
}

func TestID(t *testing.T) {
	if ID("ab", "c") == ID("a", "bc") {
		t.Error("parts run together")
	}
	id := ID("x")
	if len(id) != len("urn:uuid:")+36 || id[9+14] != '8' || !strings.ContainsRune("89ab", rune(id[9+19])) {
		t.Errorf("%s is no UUID of version 8", id)
	}
}

func TestEscapeURI(t *testing.T) {
	for in, want := range map[string]string{
		"http://a.example/x?y#z":   "http://a.example/x?y#z",
		"http://a.example/a b\r\n": "http://a.example/a%20b%0D%0A",
		"<http://ü/>":              "%3Chttp://ü/%3E",
		"":                         "",
	} {
		if got := EscapeURI(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func ExampleWriter() {
	out, _ := os.CreateTemp("", "example*.warc.gz")
	defer os.Remove(out.Name())
	defer out.Close()
	w := NewWriter(out)
	block, _ := HTTPResponse("200 OK", []Field{{"Content-Type", "text/html"}}, []byte("<p>Grain"))
	err := w.Write(&Record{
		Type: "response", ID: ID("example", "1"), TargetURI: "http://a.example/",
		Date: time.Unix(0, 0), ContentType: "application/http; msgtype=response", Block: block,
	})
	fmt.Println(err)
	// Output: <nil>
}
