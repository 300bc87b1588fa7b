package payload

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/winnow/winnow/pipeline/source/payload/charset"
)

const htmlDoc = "<html><body><p>grain and chaff, grain and chaff</p></body></html>"

// pack compresses with a content coding.
func pack(t testing.TB, coding, s string) string {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	switch coding {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "zlib":
		w = zlib.NewWriter(&b)
	case "raw":
		w, err = flate.NewWriter(&b, 6)
	case "br":
		w = brotli.NewWriter(&b)
	case "zstd":
		w, err = zstd.NewWriter(&b)
	}
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

func http(fields, payload string) string {
	return "HTTP/1.1 200 OK\r\n" + fields + "\r\n" + payload
}

// TestTorture goes through the rows P1 to P16, E1, E2 and E5 of the torture list.
func TestTorture(t *testing.T) {
	const ct = "Content-Type: text/html\r\n"
	const te = ct + "Transfer-Encoding: chunked\r\n"
	ce := func(list string) string { return ct + "Content-Encoding: " + list + "\r\n" }
	chunks := "1d\r\n" + htmlDoc[:0x1d] + "\r\n" + fmt.Sprintf("%x\r\n", len(htmlDoc)-0x1d) + htmlDoc[0x1d:] + "\r\n0\r\n\r\n"
	long := htmlDoc + strings.Repeat("<p>more</p>", 9000)
	zipped := pack(t, "gzip", htmlDoc)

	for _, c := range []struct {
		row, block string
		outcome    Outcome
		reason     Reason
		html       string
		flags      Flags
	}{
		{row: "P1 no reason phrase", block: "HTTP/1.1 200\r\n" + ct + "\r\n" + htmlDoc, html: htmlDoc},
		{row: "P1 spaces", block: "HTTP/1.1   200   OK\r\n" + ct + "\r\n" + htmlDoc, html: htmlDoc},
		{row: "P1 HTTP/2", block: "HTTP/2 200\r\n" + ct + "\r\n" + htmlDoc, html: htmlDoc},
		{row: "P1 HTTP/3", block: "HTTP/3 200 \r\n" + ct + "\r\n" + htmlDoc, html: htmlDoc},
		{row: "P1 ICY", block: "ICY 200 OK\r\n" + ct + "\r\n" + htmlDoc, html: htmlDoc},
		{row: "P1 interim response", block: "HTTP/1.1 100 Continue\r\n\r\n" + http(ct, htmlDoc), html: htmlDoc},
		{row: "P2 status 0", block: "HTTP/1.1 0 \r\n" + ct + "\r\n" + htmlDoc, outcome: Refused, reason: StatusBad},
		{row: "P2 HTTPX", block: "HTTPX/1.1 200 OK\r\n" + ct + "\r\n" + htmlDoc, outcome: Refused, reason: StatusBad},
		{row: "P2 SSH banner", block: "SSH-2.0-OpenSSH_5.1\r\n", outcome: Refused, reason: StatusBad},
		{row: "R1 other status", block: "HTTP/1.1 404 Not Found\r\n" + ct + "\r\n" + htmlDoc, outcome: NotPage, reason: OtherStatus},
		{row: "R2 DNS", block: "20080430204825\nwww.archive.org. 589 IN A 1.2.3.4\n", outcome: NotPage, reason: NotHTTP, flags: FlagHeaderOdd},
		{row: "R2 HTML without head", block: htmlDoc, outcome: Refused, reason: HTTPMissing},
		{row: "R2 empty", block: "", outcome: Refused, reason: HTTPMissing},
		{row: "P3 LF", block: "HTTP/1.1 200 OK\n" + "Content-Type: text/html\n\n" + htmlDoc, html: htmlDoc, flags: FlagHeaderOdd},
		{row: "P3 CR CR LF", block: "HTTP/1.1 200 OK\r\r\nContent-Type: text/html\r\r\n\r\r\n" + htmlDoc, html: htmlDoc, flags: FlagHeaderOdd},
		{row: "P3 mixed", block: "HTTP/1.1 200 OK\r\nContent-Type: text/html\n\r\n" + htmlDoc, html: htmlDoc, flags: FlagHeaderOdd},
		{row: "P4 no blank line", block: "HTTP/1.1 200 OK\r\n" + ct, flags: FlagHeaderCut},
		{row: "P4 head beyond the limit", block: http(ct+strings.Repeat("X-Y: z\r\n", 60_000), htmlDoc), flags: FlagHeaderCut},
		{row: "P5 strange lines", block: http(ct+"no colon\r\n: no name\r\n<p>html</p>\r\nX: \x00\xff\r\nX : y\r\n", htmlDoc), html: htmlDoc, flags: FlagHeaderOdd},
		{row: "P5 folded", block: http("Content-Type: text/html;\r\n charset=utf-8\r\n", htmlDoc), html: htmlDoc, flags: FlagHeaderOdd},
		{row: "P5 space before the colon", block: http("Content-Type : text/html\r\n", htmlDoc), html: htmlDoc},
		{row: "P6 last sound type", block: http("Content-Type: image/png\r\nContent-Type: text/html\r\nContent-Type: nonsense\r\n", htmlDoc), html: htmlDoc, flags: FlagTypeRepeated},
		{row: "P7 wrong length", block: http(ct+"Content-Length: 5\r\n", htmlDoc), html: htmlDoc},
		{row: "P8 chunked", block: http(te, chunks), html: htmlDoc},
		{row: "P8 zeros, spaces, extension", block: http(te, "00001d  ;x=y\r\n"+chunks[4:]), html: htmlDoc},
		{row: "P8 LF only", block: http(te, strings.ReplaceAll(chunks, "\r\n", "\n")), html: htmlDoc},
		{row: "P8 trailers", block: http(te, strings.TrimSuffix(chunks, "\r\n")+"X-T: 1\r\n\r\n"), html: htmlDoc},
		{row: "P8 no last chunk", block: http(te, strings.TrimSuffix(chunks, "0\r\n\r\n")), html: htmlDoc, flags: FlagChunkCut},
		{row: "P8 cut in a chunk", block: http(te, chunks[:50]), html: htmlDoc[:40], flags: FlagChunkCut},
		{row: "P9 plain already", block: http(te, htmlDoc), html: htmlDoc, flags: FlagTransferUndone},
		{row: "P9 begins like a size", block: http(te, "abc\n"+htmlDoc+strings.Repeat("x", 4000)), html: "abc\n" + htmlDoc + strings.Repeat("x", 4000), flags: FlagTransferUndone},
		{row: "P10 wrong size in mid-stream", block: http(te, chunks[:35]+"zz\r\nrest"), html: htmlDoc[:0x1d] + "zz\r\nrest", flags: FlagChunkBad},
		{row: "P10 negative size", block: http(te, chunks[:35]+"-5\r\nrest"), html: htmlDoc[:0x1d] + "-5\r\nrest", flags: FlagChunkBad},
		{row: "P10 absurd size", block: http(te, chunks[:35]+"fffffffffffffffffffff\r\nrest"), html: htmlDoc[:0x1d] + "fffffffffffffffffffff\r\nrest", flags: FlagChunkBad},
		{row: "P11 gzip", block: http(ce("gzip"), zipped), html: htmlDoc},
		{row: "P11 x-gzip", block: http(ce("X-GZip"), zipped), html: htmlDoc},
		{row: "P11 deflate zlib", block: http(ce("deflate"), pack(t, "zlib", htmlDoc)), html: htmlDoc},
		{row: "P11 deflate raw", block: http(ce("deflate"), pack(t, "raw", htmlDoc)), html: htmlDoc},
		{row: "P11 br", block: http(ce("br"), pack(t, "br", htmlDoc)), html: htmlDoc},
		{row: "P11 zstd", block: http(ce("zstd"), pack(t, "zstd", htmlDoc)), html: htmlDoc},
		{row: "P11 list", block: http(ce("br, gzip"), pack(t, "gzip", pack(t, "br", htmlDoc))), html: htmlDoc},
		{row: "P11 three layers", block: http(ce("gzip, zstd, br"), pack(t, "br", pack(t, "zstd", zipped))), html: htmlDoc},
		{row: "P11 identity none utf-8 unknown", block: http(ce("identity, none, utf-8, rot13"), htmlDoc), html: htmlDoc},
		{row: "P11 in chunks", block: http(te+"Content-Encoding: gzip\r\n", fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(zipped), zipped)), html: htmlDoc},
		{row: "P11 in the transfer coding", block: http(ct+"Transfer-Encoding: gzip, chunked\r\n", fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(zipped), zipped)), html: htmlDoc},
		{row: "P12 gzip announced, plain", block: http(ce("gzip"), htmlDoc), html: htmlDoc, flags: FlagCodingUndone},
		{row: "P12 br announced, plain", block: http(ce("br"), htmlDoc), html: htmlDoc, flags: FlagCodingUndone},
		{row: "P12 deflate announced, plain", block: http(ce("deflate"), htmlDoc), html: htmlDoc, flags: FlagCodingUndone},
		{row: "P12 zstd announced, plain", block: http(ce("zstd"), htmlDoc), html: htmlDoc, flags: FlagCodingUndone},
		{row: "P13 undeclared", block: http(ct, zipped), html: htmlDoc, flags: FlagCodingOdd},
		{row: "P13 twice", block: http(ce("gzip"), pack(t, "gzip", zipped)), html: htmlDoc, flags: FlagCodingOdd},
		{row: "P14 gzip that yields nothing", block: http(ce("gzip"), "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff"), outcome: Refused, reason: CodingBad, flags: FlagCodingBad},
		{row: "P15 line ends before the payload", block: http("", "\r\n\r\n"+htmlDoc), html: "\r\n\r\n" + htmlDoc, flags: FlagTypeSniffed},
		{row: "P15 line ends before gzip", block: http(ce("gzip"), "\r\n"+zipped), html: htmlDoc},
		{row: "P16 archived fields", block: http("X-Archive-Orig-Content-Encoding: gzip\r\nX-Crawler-Content-Type: image/png\r\n"+ct, htmlDoc), html: htmlDoc},
		{row: "E1 no type, HTML", block: http("", "  \n<!DOCTYPE html>"+htmlDoc), html: "  \n<!DOCTYPE html>" + htmlDoc, flags: FlagTypeSniffed},
		{row: "E1 no type, other", block: http("", "just text"), outcome: NotPage, reason: OtherMedia},
		{row: "E1 other type", block: http("Content-Type: image/png\r\n", htmlDoc), outcome: NotPage, reason: OtherMedia},
		{row: "E1 PDF", block: http("Content-Type: application/PDF; name=a.pdf\r\n", "x"), outcome: NotPage, reason: DocumentPDF},
		{row: "E1 word file", block: http("Content-Type: application/vnd.openxmlformats-officedocument.wordprocessingml.document\r\n", "x"), outcome: NotPage, reason: DocumentWord},
		{row: "E1 old spreadsheet", block: http("Content-Type: application/vnd.ms-excel\r\n", "x"), outcome: NotPage, reason: DocumentSheet},
		{row: "E1 spreadsheet with macros", block: http("Content-Type: application/vnd.ms-excel.sheet.macroEnabled.12\r\n", "x"), outcome: NotPage, reason: DocumentSheet},
		{row: "E1 slides", block: http("Content-Type: application/vnd.oasis.opendocument.presentation\r\n", "x"), outcome: NotPage, reason: DocumentSlides},
		{row: "E1 book", block: http("Content-Type: application/epub+zip\r\n", "x"), outcome: NotPage, reason: DocumentBook},
		{row: "E1 no type, PDF", block: http("", "%PDF-1.7 x"), outcome: NotPage, reason: DocumentPDF},
		{row: "E2 PDF", block: http(ct, "%PDF-1.4 ..."), outcome: Refused, reason: Binary},
		{row: "E2 PNG", block: http(ct, "\x89PNG\r\n\x1a\n"), outcome: Refused, reason: Binary},
		{row: "E2 zip", block: http(ct, "PK\x03\x04..."), outcome: Refused, reason: Binary},
		{row: "E2 NUL bytes", block: http(ct, strings.Repeat("\x00", 900)+"xyz"), outcome: Refused, reason: Binary},
		{row: "E5 some NUL bytes", block: http(ct, "<p>a\x00b</p>"), html: "<p>a\x00b</p>"},
		{row: "E5 empty", block: http(ct, "")},
		{row: "E5 white space", block: http(ct, " \r\n\t "), html: " \r\n\t "},
		{row: "C19 bomb as content coding", block: http(ce("gzip"), pack(t, "gzip", long)), html: long[:50_000], flags: FlagPayloadOverLimit},
	} {
		t.Run(c.row, func(t *testing.T) {
			d := Decoder{Options: Options{MaxPayload: 50_000}}
			for range 2 { // the second time with the state that the first left in the decoder
				doc := d.Decode(Message{Block: []byte(c.block)})
				if doc.Outcome != c.outcome || doc.Reason != c.reason || string(doc.HTML) != c.html || doc.Flags != c.flags {
					t.Fatalf("%v %q %.200q %v\nwant %v %q %.200q %v", doc.Outcome, doc.Reason, doc.HTML, doc.Flags.Names(),
						c.outcome, c.reason, c.html, c.flags.Names())
				}
			}
		})
	}
	t.Run("P13 cut", func(t *testing.T) {
		var d Decoder
		whole := pack(t, "gzip", long)
		doc := d.Decode(Message{Block: []byte(http(ce("gzip"), whole[:len(whole)/2]))})
		if doc.Flags != FlagCodingCut || len(doc.HTML) == 0 || !strings.HasPrefix(long, string(doc.HTML)) {
			t.Errorf("%v, %d bytes", doc.Flags.Names(), len(doc.HTML))
		}
	})
	t.Run("limit of layers", func(t *testing.T) {
		var d Decoder
		doc := d.Decode(Message{Block: []byte(http(ce("gzip, gzip, gzip, gzip"), pack(t, "gzip", pack(t, "gzip", pack(t, "gzip", zipped)))))})
		if doc.Flags&FlagCodingLayers == 0 || doc.Outcome != Refused || doc.Reason != Binary {
			t.Errorf("%v %v %v", doc.Outcome, doc.Reason, doc.Flags.Names())
		}
	})
}

// TestBombs decodes bodies that expand to 256 MiB, also through two codings: the result ends
// at the limit, and no more is allocated than a few windows of the codings.
func TestBombs(t *testing.T) {
	plain := "<p>" + strings.Repeat("x", 128<<20)
	for _, codings := range [][]string{{"gzip"}, {"br"}, {"zstd"}, {"br", "br"}, {"br", "gzip"}} {
		t.Run(strings.Join(codings, ", "), func(t *testing.T) {
			body := plain
			for _, c := range codings {
				body = pack(t, c, body)
			}
			block := []byte(http("Content-Type: text/html\r\nContent-Encoding: "+strings.Join(codings, ", ")+"\r\n", body))
			d := Decoder{Options: Options{MaxPayload: 1 << 20}}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			doc := d.Decode(Message{Block: block})
			runtime.ReadMemStats(&after)
			if len(doc.HTML) != 1<<20 || doc.Flags&FlagPayloadOverLimit == 0 || doc.Outcome != 0 {
				t.Errorf("%d bytes became %d, outcome %v, %v", len(body), len(doc.HTML), doc.Outcome, doc.Flags.Names())
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 64<<20 {
				t.Errorf("%d bytes of body: %d MiB were allocated", len(body), n>>20)
			}
		})
	}
}

// TestCharset goes through the rows E3 to E5.
func TestCharset(t *testing.T) {
	utf16 := func(s string, big bool) string {
		var b []byte
		for _, c := range s {
			if big {
				b = append(b, byte(c>>8), byte(c))
			} else {
				b = append(b, byte(c), byte(c>>8))
			}
		}
		return string(b)
	}
	for _, c := range []struct {
		row, label, raw, html, charset string
		source                         charset.Source
		replaced                       int
		flags                          Flags
	}{
		{row: "E3 BOM", raw: "\xef\xbb\xbfä", html: "ä", charset: "utf-8", source: charset.FromBOM},
		{row: "E3 HTTP", label: "ISO-8859-1", raw: "\xe4", html: "ä", charset: "windows-1252", source: charset.FromHTTP},
		{row: "E3 meta", raw: "<meta charset='koi8-r'>\xc1", html: "<meta charset='koi8-r'>а", charset: "koi8-r", source: charset.FromMeta},
		{row: "E3 pragma", raw: `<META content="text/html; charset = 'windows-1251'" http-equiv=Content-Type>` + "\xe0",
			html: `<META content="text/html; charset = 'windows-1251'" http-equiv=Content-Type>а`, charset: "windows-1251", source: charset.FromMeta},
		{row: "E3 content without pragma", raw: `<meta content="text/html; charset=koi8-r"><p>`, html: `<meta content="text/html; charset=koi8-r"><p>`, charset: "windows-1252", source: charset.FromDefault},
		{row: "E3 meta in a comment", raw: "<!-- <meta charset=koi8-r> --><p>", html: "<!-- <meta charset=koi8-r> --><p>", charset: "windows-1252", source: charset.FromDefault},
		{row: "E3 XML declaration", raw: `<?xml version="1.0" encoding="koi8-r"?>` + "\xc1", html: `<?xml version="1.0" encoding="koi8-r"?>а`, charset: "koi8-r", source: charset.FromMeta},
		{row: "E3 meta behind 1024 bytes", raw: strings.Repeat(" ", 1024) + "<meta charset=koi8-r>", html: strings.Repeat(" ", 1024) + "<meta charset=koi8-r>", charset: "windows-1252", source: charset.FromDefault},
		{row: "E3 unknown label", label: "iso-8559-1", raw: "ä", html: "ä", charset: "utf-8", source: charset.FromDetection, flags: FlagCharsetUnknown},
		{row: "E3 default", raw: "plain", html: "plain", charset: "windows-1252", source: charset.FromDefault},
		{row: "E4 UTF-16LE with BOM", raw: "\xff\xfe" + utf16("<p>ä", false), html: "<p>ä", charset: "utf-16le", source: charset.FromBOM},
		{row: "E4 UTF-16BE without BOM", raw: utf16("<html><p>ä</p></html>", true), html: "<html><p>ä</p></html>", charset: "utf-16be", source: charset.FromDetection},
		{row: "E4 BOM contradicts HTTP", label: "koi8-r", raw: "\xef\xbb\xbfä", html: "ä", charset: "utf-8", source: charset.FromBOM, flags: FlagCharsetOverridden},
		{row: "E4 meta contradicts the bytes", raw: "<meta charset=gb2312>腊八粥", html: "<meta charset=gb2312>腊八粥", charset: "utf-8", source: charset.FromDetection, flags: FlagCharsetOverridden},
		{row: "E4 meta says utf-16", raw: "<meta charset=utf-16>ä", html: "<meta charset=utf-16>ä", charset: "utf-8", source: charset.FromMeta},
		{row: "E4 several metas", raw: "<meta charset=nonsense><meta charset=koi8-r><meta charset=utf-8>\xc1", html: "<meta charset=nonsense><meta charset=koi8-r><meta charset=utf-8>а", charset: "koi8-r", source: charset.FromMeta, flags: FlagCharsetUnknown},
		{row: "E4 invalid bytes", label: "utf-8", raw: "a\xff\xe4\xbd b\xf0\x9f\x98", html: "a\ufffd\ufffd b\ufffd", charset: "utf-8", source: charset.FromHTTP, replaced: 3, flags: FlagCharsetReplaced},
		{row: "E5 lone surrogate", raw: "\xff\xfea\x00\x00\xd8b\x00", html: "a\ufffdb", charset: "utf-16le", source: charset.FromBOM, replaced: 1, flags: FlagCharsetReplaced},
		{row: "E5 surrogate in UTF-8", label: "utf-8", raw: "\xed\xa0\x80", html: "\ufffd\ufffd\ufffd", charset: "utf-8", source: charset.FromHTTP, replaced: 3, flags: FlagCharsetReplaced},
	} {
		t.Run(c.row, func(t *testing.T) {
			var d Decoder
			doc := d.DecodeHTML([]byte(c.raw), c.label)
			if string(doc.HTML) != c.html || doc.Charset != c.charset || doc.CharsetSource != c.source || doc.Replaced != c.replaced || doc.Flags != c.flags {
				t.Errorf("%q %s %s %d %v\nwant %q %s %s %d %v", doc.HTML, doc.Charset, doc.CharsetSource, doc.Replaced, doc.Flags.Names(),
					c.html, c.charset, c.source, c.replaced, c.flags.Names())
			}
		})
	}
}

// TestNoCopy checks that a document that is UTF-8 already is not copied: the result is
// a part of the block.
func TestNoCopy(t *testing.T) {
	block := []byte(http("Content-Type: text/html; charset=utf-8\r\n", htmlDoc+"ä"))
	var d Decoder
	doc := d.Decode(Message{Block: block})
	if &doc.HTML[0] != &block[bytes.Index(block, []byte("<html>"))] {
		t.Error("copied")
	}
}

// FuzzDecode decodes any block and type with a decoder that was used before and with a
// new one. Both must give the same result, which is valid UTF-8 within the limits.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(http("Content-Type: text/html\r\nContent-Encoding: gzip\r\n", pack(f, "gzip", htmlDoc))), "text/html")
	f.Add([]byte(http("Transfer-Encoding: chunked\r\n", "5\r\n<html\r\n1\r\n>\r\n0\r\n\r\n")), "")
	f.Add([]byte("\xff\xfe<\x00p\x00"), "text/html; charset=utf-16")
	f.Add([]byte("<meta http-equiv=content-type content='charset=koi8-r'>\xc1\xc2"), "text/html")
	f.Add([]byte(http("Content-Type: text/html\r\nContent-Encoding: br, deflate, zstd\r\n", pack(f, "zstd", pack(f, "zlib", pack(f, "br", htmlDoc))))), "")
	used := Decoder{Options: Options{MaxPayload: 4000}}
	f.Fuzz(func(t *testing.T, block []byte, contentType string) {
		before := bytes.Clone(block)
		for _, kind := range []Kind{Response, Resource} {
			fresh := Decoder{Options: used.Options}
			m := Message{Kind: kind, ContentType: contentType, Block: block}
			a, b := used.Decode(m), fresh.Decode(m)
			if !utf8.Valid(a.HTML) || len(a.HTML) > 4000*4 || a.Outcome != Page && len(a.HTML) > 0 {
				t.Fatalf("%v, %d bytes", a.Outcome, len(a.HTML))
			}
			if a.Outcome != b.Outcome || a.Reason != b.Reason || a.Flags != b.Flags || !bytes.Equal(a.HTML, b.HTML) || a.Charset != b.Charset {
				t.Fatalf("used decoder: %v %v %v; new: %v %v %v", a.Outcome, a.Reason, a.Flags.Names(), b.Outcome, b.Reason, b.Flags.Names())
			}
			file, status, err := used.File(m)
			again, _, _ := fresh.File(m)
			if len(file) > 4000 || !bytes.Equal(file, again) || err != nil && file != nil {
				t.Fatalf("file: %d bytes, status %d, %v; new: %d bytes", len(file), status, err, len(again))
			}
		}
		if !bytes.Equal(before, block) {
			t.Fatal("the block was changed")
		}
	})
}
