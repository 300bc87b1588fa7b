package warc

import (
	"bytes"
	"strings"
	"testing"

	"github.com/pierrec/lz4/v4"
)

// FuzzRead reads any bytes as a file, in one piece and cut in three. There must be no
// panic and no error, every byte must be counted, and the records must be the same both
// times.
func FuzzRead(f *testing.F) {
	a, b := page("http://a/"), page("http://b/")
	for _, seed := range [][]byte{
		nil,
		[]byte(a + b),
		join(gz(a), gz(b)),
		join(gz(a), gz(b)[:60], gz(a), "garbage", gz(b), make([]byte, 9)),
		join(gz(a), b, gz(b)),
		inMembers(a+b+a, 50),
		gz(a + b + recordWith("response", "http://c/", "99999", "x") + "\r\n\r\n" + a),
		flip(join(gz(a+b), gz(b)), 100),
		[]byte(strings.ReplaceAll(a+b, "\r\n", "\n")),
		[]byte(recordWith("response", "http://c/", "2000000", "x") + "\r\n\r\n" + a + b),
		[]byte(arcVersion + arcPage("http://a/") + arcPage("http://b/")),
		join(gz(arcVersion), gz(arcPage("http://a/")), flip(gz(arcPage("http://b/")), 30), gz(arcPage("http://c/"))),
		inMembers(arcVersion+arcPage("http://a/")+arcRecordWith("http://b/", "-1", "x\n")+arcPage("http://c/"), 50),
		[]byte(arcVersion + arcRecordWith("http://b/", "2000000", "x\n") + arcPage("http://c/") + arcRecordWith("http://b/", "1", "xyz\n")),
		join(lz(a), lz(b), lz(a+b)),
		join(lz(a), lz(b)[:60], flip(lz(a), 40), "garbage", lz(b)),
		lzFrame(a+strings.Repeat(b, 200), lz4.BlockSizeOption(lz4.Block64Kb), lz4.BlockChecksumOption(true)),
	} {
		f.Add(seed, uint16(7), uint16(100))
	}
	var r Reader
	f.Fuzz(func(t *testing.T, file []byte, x, y uint16) {
		src := bytes.NewReader(file)
		opt := Options{MaxHeader: 4 << 10, MaxFields: 20, MaxBlock: 8 << 10, MaxUnit: 1 << 20}
		var want account
		recs, s := readAll(t, src, opt)
		want.add(recs, s)
		size := int64(len(file))
		cuts := []int64{min(int64(x), size), min(int64(x)+int64(y), size)}
		sum, _, _ := partition(t, &r, src, cuts, opt)
		if d := sum.diff(&want); d != "" {
			t.Fatalf("cut at %v: %s", cuts, d)
		}
	})
}

// FuzzHeader parses any bytes as the fields of a header.
func FuzzHeader(f *testing.F) {
	f.Add([]byte("WARC-Type: response\r\nContent-Length: 12\r\n"))
	f.Add([]byte(" folded\r\nA: b\r\n c\r\n\td: e\r\nA: 2\n:\nno colon\r\r\n\xff: \x00\rx"))
	f.Add([]byte("content-length\t: 5\nCONTENT-LENGTH:6\nX:\n y"))
	f.Add([]byte("K\xe2\x84\xaa: 1\nk\xe2\x84\xaa: 2\nWARC-Target-URI: <>\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var h Header
		h.parse(raw, 50)
		if len(h.Fields) > 50 {
			t.Fatalf("%d fields", len(h.Fields))
		}
		rec := Record{Header: &h}
		for _, field := range h.Fields {
			if len(field.Name) == 0 || bytes.ContainsAny(field.Name, ":\n") || bytes.Contains(field.Value, []byte("\n")) {
				t.Fatalf("field %q: %q", field.Name, field.Value)
			}
			if value := rec.Field(string(field.Name)); !bytes.Contains(h.Get(string(field.Name)), []byte(value)) {
				t.Fatalf("field %q is %q, delivered as %q", field.Name, h.Get(string(field.Name)), value)
			}
		}
	})
}

// FuzzMember parses any bytes as the beginning of a gzip member, a zstd frame or
// an ARC record.
func FuzzMember(f *testing.F) {
	f.Add(gz("WARC/1.0\r\n"))
	f.Add([]byte{0x1f, 0x8b, 8, 0x1f, 0, 0, 0, 0, 0, 0, 3, 0, 1, 2, 3, 'n', 0, 'c', 0, 1, 1})
	f.Add([]byte("http://a/ b 1.2.3.4 20080430204826 text/html 5\n"))
	f.Add([]byte{0x28, 0xb5, 0x2f, 0xfd, 0xe3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})
	p := newProber()
	f.Fuzz(func(t *testing.T, b []byte) {
		n, a := memberHeader(b)
		if a == yes && (n < 10 || n > len(b)) {
			t.Fatalf("header of %d bytes in %d", n, len(b))
		}
		if content, _ := p.content(b); a != yes && len(content) > 0 {
			t.Fatal("content without header")
		}
		if n, _ := frameHeader(b); n > 18 {
			t.Fatalf("frame header of %d bytes", n)
		}
		_, _ = versionLine(b)
		_ = plausible(b, true)
		if n, a := arcLine(b); a == yes {
			var h Header
			h.parseARC(b[:n-1])
			if h.Type() == "" || len(h.Get("warc-target-uri")) == 0 || plausibleARC(b, false) != yes {
				t.Fatalf("line %q: %q", b[:n], h.Fields)
			}
		}
	})
}
