package warc

import (
	"fmt"
	"strings"
	"testing"
)

// framing is one row of the lists of framing and header oddities. It holds the pieces of
// a file, which is read as plain text and with one gzip member for each piece.
type framing struct {
	row    string
	pieces []string
	want   []string
	code   []Code
	// gzipWant and gzipCode are the expected results with one member for each piece, if
	// they differ, and nil otherwise. skipGzip is set if the row makes no sense there.
	gzipWant []string
	gzipCode []Code
	skipGzip bool
	opt      Options
}

func (c *framing) check(t *testing.T) {
	plain := torment{row: c.row, file: []byte(strings.Join(c.pieces, "")), want: c.want, code: c.code, opt: c.opt}
	t.Run("plain", plain.check)
	if c.skipGzip {
		return
	}
	zipped := plain
	zipped.file = nil
	for _, p := range c.pieces {
		zipped.file = append(zipped.file, gz(p)...)
	}
	if c.gzipWant != nil {
		zipped.want = c.gzipWant
	}
	if c.gzipCode != nil {
		zipped.code = c.gzipCode
	}
	t.Run("gzip", zipped.check)
}

func TestFraming(t *testing.T) {
	a, b, c := page("http://a/"), page("http://b/"), page("http://c/")
	wantA, wantB, wantC := "response http://a/ 31", "response http://b/ 31", "response http://c/ 31"
	abc := []string{wantA, wantB, wantC}
	block := "HTTP/1.1 200 OK\r\n\r\n<p>http://b/" // block of record b: 31 bytes
	with := func(length string) string { return recordWith("response", "http://b/", length, block) + "\r\n\r\n" }
	version := func(v string) string { return v + strings.TrimPrefix(b, "WARC/1.0") }
	lf := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
	bare := func(rec string) string { return strings.TrimSuffix(rec, "\r\n\r\n") }
	lfHead := func(rec string) string { // LF in the WARC header only
		head, rest, _ := strings.Cut(rec, "\r\n\r\n")
		return lf(head) + "\n\n" + rest
	}
	verbatim := record("resource", "http://w/", "see:\r\n\r\n"+a+b+"the end")
	huge := "HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("0123456789abcde\n", 200_000) // 3.2 MB
	hugeLen := fmt.Sprint(len(huge))

	for _, c := range []framing{
		{row: "F1 versions", pieces: []string{version("WARC/0.17"), version("WARC/0.18"), version("WARC/1.0"), version("WARC/1.1")},
			want: []string{wantB, wantB, wantB, wantB}},
		{row: "F1 unknown version", pieces: []string{a, version("WARC/2.13"), c}, want: abc, code: []Code{VersionUnknown}},
		{row: "F2 lower case", pieces: []string{a, version("warc/1.0"), c}, want: abc, code: []Code{VersionCase}},
		{row: "F3 three numbers", pieces: []string{a, version("WARC/1.0.0"), c}, want: []string{wantA, wantC}, code: []Code{Gap}},
		{row: "F3 no number", pieces: []string{a, version("WARC/"), c}, want: []string{wantA, wantC}, code: []Code{Gap}},
		{row: "F3 letter", pieces: []string{a, version("WARC/1.x"), c}, want: []string{wantA, wantC}, code: []Code{Gap}},
		{row: "F3 none", pieces: []string{a, strings.TrimPrefix(b, "WARC/1.0\r\n"), c}, want: []string{wantA, wantC}, code: []Code{Gap}},
		{row: "F3 white space behind", pieces: []string{a, version("WARC/1.0 \t "), c}, want: abc},
		{row: "F4 LF only", pieces: []string{lfHead(a), lfHead(b), lfHead(c)}, want: abc, code: []Code{EOLOdd}},
		{row: "F4 CR CR LF", pieces: []string{a, strings.ReplaceAll(b[:strings.Index(b, "HTTP/")], "\r\n", "\r\r\n") + b[strings.Index(b, "HTTP/"):], c},
			want: abc, code: []Code{EOLOdd}},
		{row: "F4 LF trailer", pieces: []string{bare(a) + "\n\n", bare(b) + "\n\n", c}, want: abc},
		{row: "F5 BOM", pieces: []string{"\xef\xbb\xbf" + a, b, c}, want: abc, code: []Code{LeadingBytes}},
		{row: "F5 line ends", pieces: []string{"\r\n\r\n\n" + a, b, c}, want: abc, code: []Code{LeadingBytes}},
		{row: "F5 many line ends", pieces: []string{strings.Repeat("\r\n", 9999) + a, b, c}, want: abc,
			code: []Code{Padding}, gzipCode: []Code{LeadingBytes}},
		{row: "F6 no line end", pieces: []string{bare(a), bare(b), c}, want: abc, code: []Code{TrailerOdd}},
		{row: "F6 one line end", pieces: []string{bare(a) + "\r\n", bare(b) + "\r\n", c}, want: abc, code: []Code{TrailerOdd}},
		{row: "F6 three line ends", pieces: []string{a + "\r\n", b + "\r\n", c}, want: abc, code: []Code{TrailerOdd}},
		{row: "F6 a megabyte of line ends", pieces: []string{a + strings.Repeat("\r\n", 1<<19), b, c}, want: abc, code: []Code{TrailerOdd}},
		{row: "F7 no line end at the end", pieces: []string{a, b, bare(c)}, want: abc},
		{row: "F8 into the separator", pieces: []string{a, with("33"), c}, want: []string{wantA, "response http://b/ 33", wantC}, code: []Code{TrailerOdd}},
		{row: "F8 into the version line", pieces: []string{a, with("36"), c}, want: []string{wantA, wantB + " length", wantC}, code: []Code{LengthLong},
			gzipWant: []string{wantA, wantB + " truncated", wantC}, gzipCode: []Code{Truncated}},
		{row: "F8 into the next fields", pieces: []string{a, with("60"), c}, want: []string{wantA, wantB + " length", wantC}, code: []Code{LengthLong},
			gzipWant: []string{wantA, wantB + " truncated", wantC}, gzipCode: []Code{Truncated}},
		{row: "F9 too short", pieces: []string{a, with("20"), c}, want: []string{wantA, wantB + " length", wantC}, code: []Code{LengthShort}},
		{row: "F9 zero", pieces: []string{a, with("0"), c}, want: []string{wantA, wantB + " length", wantC}, code: []Code{LengthShort}},
		{row: "F9 too short, last", pieces: []string{a, with("20")}, want: []string{wantA, wantB + " length"}, code: []Code{LengthShort}},
		{row: "F9 much too short", pieces: []string{a, recordWith("response", "http://b/", "17", huge) + "\r\n\r\n", c},
			// The last line end of the block cannot be distinguished from those after
			// the block.
			want: []string{wantA, fmt.Sprintf("response http://b/ %d length", len(huge)-1), wantC}, code: []Code{LengthShort},
			gzipWant: []string{wantA, "response http://b/ " + hugeLen + " length", wantC}},
		{row: "F10 missing", pieces: []string{a, strings.Replace(b, "Content-Length: 31\r\n", "", 1), c}, want: []string{wantA, wantB + " length", wantC}, code: []Code{LengthBad}},
		{row: "F10 empty", pieces: []string{a, with(""), c}, want: []string{wantA, wantB + " length", wantC}, code: []Code{LengthBad}},
		{row: "F10 abc", pieces: []string{a, with("abc"), c}, want: []string{wantA, wantB + " length", wantC}, code: []Code{LengthBad}},
		{row: "F10 12x", pieces: []string{a, with("12x"), c}, want: []string{wantA, wantB + " length", wantC}, code: []Code{LengthBad}},
		{row: "F10 negative", pieces: []string{a, with("-1"), c}, want: []string{wantA, wantB + " length", wantC}, code: []Code{LengthBad}},
		{row: "F10 signed", pieces: []string{a, with("+10"), c}, want: []string{wantA, wantB + " length", wantC}, code: []Code{LengthBad}},
		{row: "F10 2^63", pieces: []string{a, with("9223372036854775808"), c}, want: []string{wantA, wantB + " length", wantC}, code: []Code{LengthBad}},
		{row: "F10 10^30", pieces: []string{a, with("1" + strings.Repeat("0", 30)), c}, want: []string{wantA, wantB + " length", wantC}, code: []Code{LengthBad}},
		{row: "F11 2^63-1", pieces: []string{a, with("9223372036854775807"), c}, want: []string{wantA, wantB + " length", wantC}, code: []Code{LengthLong},
			gzipWant: []string{wantA, wantB + " truncated", wantC}, gzipCode: []Code{Truncated}},
		{row: "F11 10^18, last", pieces: []string{a, with("1000000000000000000")}, want: []string{wantA, wantB + " truncated"}, code: []Code{Truncated}},
		{row: "F12 swallows records", pieces: []string{a, with(fmt.Sprint(31 + 4 + len(c) - 40)), c, a}, want: []string{wantA, wantB + " length", wantC, wantA},
			code: []Code{LengthLong}, gzipWant: []string{wantA, wantB + " truncated", wantC, wantA}, gzipCode: []Code{Truncated}},
		{row: "F12 swallows large records", pieces: []string{a, with("2000000"), record("resource", "http://x/", huge), c},
			want: []string{wantA, wantB + " length", "resource http://x/ " + hugeLen, wantC}, code: []Code{LengthLong},
			gzipWant: []string{wantA, wantB + " truncated", "resource http://x/ " + hugeLen, wantC}, gzipCode: []Code{Truncated}},
		{row: "F13 verbatim WARC", pieces: []string{a, verbatim, c},
			want: []string{wantA, fmt.Sprintf("resource http://w/ %d", 8+len(a)+len(b)+7), wantC}},
		{row: "F13 large verbatim WARC", pieces: []string{a, record("resource", "http://w/", "x\r\n"+a+b+huge), c},
			want: []string{wantA, fmt.Sprintf("resource http://w/ %d", 3+len(a)+len(b)+len(huge)), wantC}},
		{row: "F14 empty block", pieces: []string{record("response", "http://a/", ""), record("revisit", "http://b/", ""), c},
			want: []string{"response http://a/ 0", "revisit http://b/ 0", wantC}},
		{row: "F15 zero byte", pieces: []string{a, b + "\x00", c}, want: abc, code: []Code{Gap}},
		{row: "F15 garbage line", pieces: []string{a, b + "the monkeys are coming\r\n", c}, want: abc, code: []Code{Gap}},
		{row: "F16 ends in the header", pieces: []string{a, b[:70]}, want: []string{wantA, "response http://b/ 0 header-cut"}, code: []Code{HeaderCut, DateBad, IDBad}},
		{row: "F16 ends in the version line", pieces: []string{a, "WARC/1.0"}, want: []string{wantA}, code: []Code{Gap},
			gzipWant: []string{wantA, "0 header-cut"}, gzipCode: []Code{HeaderCut, TypeMissing, URIBad, DateBad, IDBad}},
		{row: "F17 beyond the limit", pieces: []string{a, record("response", "http://b/", huge), c}, opt: Options{MaxBlock: 100_000},
			want: []string{wantA, "response http://b/ " + hugeLen + " over-limit", wantC}, code: []Code{BlockOverLimit}},
	} {
		t.Run(c.row, c.check)
	}
}

func TestHeaders(t *testing.T) {
	a, b, c := page("http://a/"), page("http://b/"), page("http://c/")
	wantA, wantB, wantC := "response http://a/ 31", "response http://b/ 31", "response http://c/ 31"
	abc := []string{wantA, wantB, wantC}
	change := func(old, new string) []string { return []string{a, strings.Replace(b, old, new, 1), c} }
	add := func(line string) []string { return change("WARC-Date", line+"\r\nWARC-Date") }
	manyFields := strings.Repeat("X-Field: y\r\n", 2000)
	long := "http://b/" + strings.Repeat("x", 100_000)

	for _, c := range []framing{
		{row: "H1 case", pieces: change("WARC-Type: response", "wArC-tYpE: RESPONSE"), want: abc},
		{row: "H1 space before the colon", pieces: change("Content-Length: 31", "Content-Length \t: 31"), want: abc},
		{row: "H1 no space", pieces: change("Content-Length: 31", "Content-Length:31"), want: abc},
		{row: "H1 tabs and padding", pieces: change("Content-Length: 31", "Content-Length:\t  31 \t "), want: abc},
		{row: "H1 leading zeros", pieces: change("Content-Length: 31", "Content-Length: 00031"), want: abc},
		{row: "H2 folded", pieces: change("WARC-Target-URI: http://b/", "WARC-Target-URI:\r\n http://b/"), want: abc, code: []Code{Folded}},
		{row: "H2 folded with colon", pieces: add("X-Note: a\r\n\tContent-Length: 7\r\n  more"), want: abc, code: []Code{Folded}},
		{row: "H2 folded first of all", pieces: change("WARC-Type", " lost: line\r\nWARC-Type"), want: abc, code: []Code{Folded}},
		{row: "H3 duplicates", pieces: add("Content-Length: 999\r\nWARC-Type: request"), want: []string{wantA, wantB + " length", wantC}, code: []Code{FieldRepeated, LengthLong},
			gzipWant: []string{wantA, wantB + " truncated", wantC}, gzipCode: []Code{FieldRepeated, Truncated}},
		{row: "H3 duplicate behind", pieces: change("Content-Length: 31", "Content-Length: 31\r\nContent-Length: 999\r\nWARC-Type: request"), want: abc, code: []Code{FieldRepeated}},
		{row: "H3 repeatable", pieces: add("WARC-Concurrent-To: <a>\r\nWARC-Concurrent-To: <b>\r\nWARC-Protocol: h2\r\nWARC-Protocol: tls/1.3"), want: abc},
		{row: "H4 no colon", pieces: add("what is this"), want: abc, code: []Code{HeaderLineBad}},
		{row: "H4 no name", pieces: add(": value"), want: abc, code: []Code{HeaderLineBad}},
		{row: "H4 line feed in the URI", pieces: change("http://b/\r\n", "http://b/\nrest\r\n"), want: abc, code: []Code{HeaderLineBad, EOLOdd}},
		{row: "H4 control and non-ASCII bytes", pieces: add("X-\x01: \x00\xff\xfe\rx\r\nX-\xc3\x84: \xe4\r\nX-\xff: 1"), want: abc},
		{row: "H5 next version line in the header", pieces: []string{a, b[:strings.Index(b, "\r\n\r\n")+2], c},
			want: []string{wantA, "response http://b/ 0 header-cut", wantC}, code: []Code{HeaderCut}},
		{row: "H6 no type", pieces: change("WARC-Type: response", "Content-Type: Application/HTTP; MsgType=response"), want: abc, code: []Code{TypeMissing}},
		{row: "H6 no type, other content", pieces: change("WARC-Type: response", "Content-Type: application/http; msgtype=request"),
			want: []string{wantA, "http://b/ 31", wantC}, code: []Code{TypeMissing}},
		{row: "H7 unknown type", pieces: change("WARC-Type: response", "WARC-Type: hello_kitty"), want: []string{wantA, "hello_kitty http://b/ 31", wantC}},
		{row: "H7 upper case", pieces: change("WARC-Type: response", "WARC-Type: RESPONSE"), want: abc},
		{row: "H8 brackets", pieces: change("URI: http://b/", "URI: <http://b/>"), want: abc, code: []Code{URIBrackets}},
		{row: "H9 missing", pieces: change("WARC-Target-URI: http://b/\r\n", ""), want: []string{wantA, "response  31", wantC}, code: []Code{URIBad}},
		{row: "H9 relative", pieces: change("URI: http://b/", "URI: /b"), want: []string{wantA, "response /b 31", wantC}, code: []Code{URIBad}},
		{row: "H9 space", pieces: change("URI: http://b/", "URI: http://b/ b"), want: []string{wantA, "response http://b/ b 31", wantC}, code: []Code{URIBad}},
		{row: "H9 non-ASCII", pieces: change("URI: http://b/", "URI: http://b/\xe4"), want: []string{wantA, "response http://b/\xe4 31", wantC}, code: []Code{URIBad}},
		{row: "H9 100 kB", pieces: change("http://b/", long), want: []string{wantA, "response " + long + " 31", wantC}},
		{row: "H9 data", pieces: change("URI: http://b/", "URI: data:text/html,x"), want: []string{wantA, "response data:text/html,x 31", wantC}},
		{row: "H10 impossible", pieces: change("2020-02-02T02:02:02Z", "2009-03-65T08:43:19-0800"), want: abc, code: []Code{DateBad}},
		{row: "H10 far", pieces: change("2020-02-02T02:02:02Z", "5088968-01-01T00:00:00Z"), want: abc, code: []Code{DateBad}},
		{row: "H10 missing", pieces: change("WARC-Date: 2020-02-02T02:02:02Z\r\n", ""), want: abc, code: []Code{DateBad}},
		{row: "H10 prefix forms", pieces: []string{strings.Replace(a, "-02-02T02:02:02Z", "", 1), strings.Replace(b, "T02:02:02Z", "", 1), strings.Replace(c, "02:02:02Z", "02:02Z", 1)}, want: abc},
		{row: "H10 nanoseconds", pieces: change("02:02:02Z", "02:02:02.123456789Z"), want: abc},
		{row: "H11 no ID", pieces: change("WARC-Record-ID: <urn:uuid:http://b/>\r\n", ""), want: abc, code: []Code{IDBad}},
		{row: "H12 digests", pieces: add("WARC-Block-Digest: sha1:WRONG\r\nWARC-Payload-Digest: rot13:x"), want: abc},
		{row: "H13 truncated", pieces: add("WARC-Truncated: time"), want: []string{wantA, wantB + " declared-cut", wantC}, code: []Code{TruncationDeclared}},
		{row: "R7 segment", pieces: add("WARC-Segment-Number: 1"), want: []string{wantA, wantB + " segmented", wantC}},
		{row: "limit 1000 fields", pieces: add(strings.TrimSuffix(manyFields, "\r\n")), want: []string{wantA, "response http://b/ 31 length", wantC},
			code: []Code{FieldsOverLimit, FieldRepeated, LengthBad, DateBad, IDBad}},
		{row: "limit header", pieces: add("X-Long: " + strings.Repeat("x", 3<<20)), want: []string{wantA, "response http://b/ 31 length,header-too-big", wantC},
			code: []Code{HeaderTooBig, LengthBad, DateBad, IDBad}},
		{row: "limit header, length known", pieces: change("WARC-Date", "Content-Length: 31\r\nX-Long: "+strings.Repeat("x", 3<<20)+"\r\nWARC-Date"),
			want: []string{wantA, wantB + " header-too-big", wantC}, code: []Code{HeaderTooBig, DateBad, IDBad}},
	} {
		t.Run(c.row, c.check)
	}
}
