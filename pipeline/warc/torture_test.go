package warc

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// torment is one row of the torture list: a file, its expected records, and the codes of
// all its defects.
type torment struct {
	row  string
	file []byte
	want []string // "type uri size flags"
	code []Code
	opt  Options
}

// check reads the file in one piece and in a hundred partitions.
func (c *torment) check(t *testing.T) {
	src := bytes.NewReader(c.file)
	recs, s := readAll(t, src, c.opt)
	var have []string
	for _, r := range recs {
		have = append(have, strings.TrimSpace(fmt.Sprintf("%s %s %d %s", r.typ, r.uri, r.size, strings.Join(r.flags.Names(), ","))))
	}
	if !slices.Equal(have, c.want) {
		t.Errorf("records\n\t%s\nwant\n\t%s\ndefects %v", strings.Join(have, "\n\t"), strings.Join(c.want, "\n\t"), s.Defects)
	}
	var codes []Code
	for code := range s.Defects {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	slices.Sort(c.code)
	if !slices.Equal(codes, c.code) {
		t.Errorf("defects %v, want %v", codes, c.code)
	}
	for _, d := range s.Ledger {
		if d.Offset < 0 || d.Offset+d.Length > int64(len(c.file)) || len(d.Detail) > maxDetail {
			t.Errorf("ledger entry outside of the file: %+v", d)
		}
	}
	n := 100
	if testing.Short() {
		n = 10
	}
	checkPartitions(t, src, n, c.opt)
}

func page(uri string) string { return record("response", uri, "HTTP/1.1 200 OK\r\n\r\n<p>"+uri) }

func join(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			b = append(b, p...)
		case []byte:
			b = append(b, p...)
		}
	}
	return b
}

// gzHeader returns a gzip member with the given header.
func gzHeader(content string, h gzip.Header) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Header = h
	z.Write([]byte(content))
	z.Close()
	return b.Bytes()
}

// gzCRC returns a member with FHCRC set, which the library cannot write.
func gzCRC(content string) []byte {
	m := gz(content)
	m[3] |= flagHeaderCRC
	crc := uint16(crc32.ChecksumIEEE(m[:10]))
	return join(m[:10], binary.LittleEndian.AppendUint16(nil, crc), m[10:])
}

// flip returns b with one bit of the byte at i changed; negative i counts from the end.
func flip(b []byte, i int) []byte {
	b = slices.Clone(b)
	if i < 0 {
		i += len(b)
	}
	b[i] ^= 4
	return b
}

func repeatGz(n int, uri string) []byte {
	var b []byte
	for i := range n {
		b = append(b, gz(page(fmt.Sprint(uri, i)))...)
	}
	return b
}

func pages(n int, uri string) []string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("response %s%d %d", uri, i, 22+len(fmt.Sprint(uri, i))))
	}
	return list
}

// inMembers cuts content into members of n bytes, regardless of the records.
func inMembers(content string, n int) []byte {
	var b []byte
	for len(content) > 0 {
		k := min(n, len(content))
		b = append(b, gz(content[:k])...)
		content = content[k:]
	}
	return b
}

func frameOf(t *testing.T, content string, opts ...zstd.EOption) []byte {
	z, err := zstd.NewWriter(nil, opts...)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	return z.EncodeAll([]byte(content), nil)
}

func TestContainers(t *testing.T) {
	a, b := page("http://a/"), page("http://b/")
	wantA, wantB, wantC := "response http://a/ 31", "response http://b/ 31", "response http://c/ 31"
	abc := []string{wantA, wantB, wantC}
	big := "HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("lorem ipsum ", 4000)
	manyContent := ""
	for i := range 40 {
		manyContent += page(fmt.Sprint("http://m/", i))
	}
	inner := repeatGz(20, "http://inner/")
	for _, c := range []torment{
		{row: "C1 gzip called .warc", file: join(gz(a), gz(b)), opt: Options{Name: "x.warc"},
			want: []string{wantA, wantB}, code: []Code{NameMismatch}},
		{row: "C1 plain called .warc.gz", file: join(a, b), opt: Options{Name: "x.warc.gz"},
			want: []string{wantA, wantB}, code: []Code{NameMismatch}},
		{row: "C3 LZ4", file: join("\x04\x22\x4d\x18", strings.Repeat("\x12\x34", 999)), code: []Code{UnknownContainer}},
		{row: "C3 LZ4 then records", file: join("\x04\x22\x4d\x18xyz", gz(a), gz(b)),
			want: []string{wantA, wantB}, code: []Code{Gap}},
		{row: "C4 empty file"},
		{row: "C4 one empty member", file: gz("")},
		{row: "C5 FEXTRA", file: join(gzHeader(a, gzip.Header{Extra: []byte("sl\x08\x0012345678")}), gz(b)), want: []string{wantA, wantB}},
		{row: "C5 FNAME FCOMMENT", file: join(gzHeader(a, gzip.Header{Name: "a.warc", Comment: "no"}), gz(b)), want: []string{wantA, wantB}},
		{row: "C5 FHCRC", file: join(gzCRC(a), gzCRC(b)), want: []string{wantA, wantB}},
		{row: "C5 MTIME XFL OS", file: join([]byte{0x1f, 0x8b, 8, 0, 9, 9, 9, 9, 77, 88}, gz(a)[10:], gz(b)), want: []string{wantA, wantB}},
		{row: "C6 long FNAME", file: join(gz(a), gzHeader(b, gzip.Header{Name: strings.Repeat("n", 4000)}), gz(c0())), want: []string{wantA, wantB, wantC}},
		{row: "C6 long FCOMMENT", file: join(gzHeader(a, gzip.Header{Comment: strings.Repeat("n", 70_000)}), gz(b)), want: []string{wantA, wantB}},
		{row: "C7 single member", file: gz(a + b + c0()), want: abc, code: []Code{MemberMisaligned, SingleMember}},
		{row: "C8 several records per member", file: join(gz(a+b), gz(c0())), want: abc, code: []Code{MemberMisaligned}},
		{row: "C8 members of 100 bytes", file: inMembers(manyContent, 100), want: pages(40, "http://m/"), code: []Code{MemberMisaligned, TrailerOdd}},
		{row: "C8 members of 1 byte", file: inMembers(a+b, 1), want: []string{wantA, wantB}, code: []Code{MemberMisaligned}},
		{row: "C8 header and body apart", file: join(gz(a[:strings.Index(a, "HTTP/")]), gz(a[strings.Index(a, "HTTP/"):]), gz(b)),
			want: []string{wantA, wantB}, code: []Code{MemberMisaligned}},
		{row: "C9 empty members", file: join(gz(""), gz(a), gz(""), gz(""), gz(b), gz("")), want: []string{wantA, wantB}},
		{row: "C10 zero padding", file: join(gz(a), make([]byte, 3000), gz(b), make([]byte, 512)), want: []string{wantA, wantB}, code: []Code{Padding}},
		{row: "C11 garbage with gzip magic", file: join(gz(a), "garbage \x1f\x8b\x08\x00 more \x1f\x8b\x08\xff", gz(b), "tail"),
			want: []string{wantA, wantB}, code: []Code{Gap}},
		{row: "C12 plain between members", file: join(gz(a), b, gz(c0())), want: abc, code: []Code{MixedContainer}},
		{row: "C12 members appended to a plain file", file: join(a, b, gz(c0())), want: abc, code: []Code{MixedContainer}},
		{row: "C12 members, then plain with wrong length, then a member",
			file: join(gz(a), recordWith("response", "http://b/", "99999", "body")+"\r\n\r\n", gz(c0())),
			want: []string{wantA, "response http://b/ 4 length", wantC}, code: []Code{LengthLong, MixedContainer}},
		{row: "C13 truncated last member", file: join(gz(a), gz(record("response", "http://b/", big))[:200]),
			want: []string{wantA, "response http://b/ 7255 truncated,unverified"}, code: []Code{Truncated, UnitTruncated}},
		{row: "C13 cut in the member header", file: join(gz(a), gz(b)[:6]), want: []string{wantA}, code: []Code{UnitTruncated}},
		{row: "C13 cut in the trailer", file: join(gz(a), gz(b)[:len(gz(b))-3]), want: []string{wantA, wantB + " unverified"}, code: []Code{UnitTruncated}},
		{row: "C14 bad CRC", file: join(gz(a), flip(gz(b), -7), gz(c0())), want: []string{wantA, wantB + " unverified", wantC}, code: []Code{UnitCorrupt}},
		{row: "C14 bad ISIZE", file: join(gz(a), flip(gz(b), -2), gz(c0())), want: []string{wantA, wantB + " unverified", wantC}, code: []Code{UnitCorrupt}},
		{row: "C15 cut member, next at once", file: join(gz(a), gz(b)[:150], gz(c0()), gz(page("http://d/"))),
			want: []string{wantA, wantB + " unverified", wantC + " after-resync", "response http://d/ 31"}, code: []Code{UnitCorrupt, Gap}},
		{row: "C16 members within a stored member", file: join(gz(a), gzLevel(record("resource", "http://x.warc.gz", string(inner)), 0), gz(b)),
			want: []string{wantA, fmt.Sprintf("resource http://x.warc.gz %d", len(inner)), wantB}},
		{row: "C17 zstd frame per record", file: join(frameOf(t, a, zstd.WithSingleSegment(true)), frameOf(t, b, zstd.WithSingleSegment(true))), want: []string{wantA, wantB}},
		{row: "C17 zstd oddities", file: join(skippable(3, 100), frameOf(t, a, zstd.WithEncoderCRC(false)), frameOf(t, ""), skippable(0, 0), frameOf(t, b[:60]), frameOf(t, b[60:])),
			want: []string{wantA, wantB}, code: []Code{ZstdNonconforming}},
		{row: "C18 zstd two records in a frame", file: join(frameOf(t, a+b), frameOf(t, c0())), want: abc, code: []Code{ZstdNonconforming}},
		{row: "C18 zstd truncated", file: frameOf(t, a+b+record("response", "http://c/", noise(300_000)))[:200_000],
			want: []string{wantA, wantB, "response http://c/ 130542 truncated,unverified"}, code: []Code{UnitTruncated, Truncated, ZstdNonconforming}},
		{row: "C18 zstd garbage between frames", file: join(frameOf(t, a), "garbage", frameOf(t, b)), want: []string{wantA, wantB}, code: []Code{Gap, ZstdNonconforming}},
		{row: "C19 bomb beyond the limit", file: join(gz(a), gz(record("response", "http://b/", strings.Repeat("x", 1<<20))), gz(c0())), opt: Options{MaxUnit: 1 << 17},
			want: []string{wantA, "response http://b/ 130915 truncated,unverified", wantC}, code: []Code{UnitOverLimit, Truncated, Gap}},
		{row: "C19 high ratio within the limit", file: join(gz(record("response", "http://b/", strings.Repeat("x", 1<<20))), gz(c0())),
			want: []string{"response http://b/ 1048576", wantC}},
	} {
		t.Run(c.row, c.check)
	}
}

func c0() string { return page("http://c/") }

// skippable returns a zstd skippable frame of n bytes.
func skippable(kind byte, n int) []byte {
	b := []byte{0x50 | kind, 0x2a, 0x4d, 0x18}
	return append(binary.LittleEndian.AppendUint32(b, uint32(n)), make([]byte, n)...)
}

// noise returns n bytes that do not compress, the same ones every time.
func noise(n int) string {
	b := make([]byte, n)
	x := uint32(1)
	for i := range b {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b[i] = byte(x)
	}
	return string(b)
}
