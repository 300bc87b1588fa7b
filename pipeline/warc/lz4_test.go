package warc

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pierrec/lz4/v4"
)

// lzFrame makes one LZ4 frame.
func lzFrame(content string, options ...lz4.Option) []byte {
	var b bytes.Buffer
	z := lz4.NewWriter(&b)
	if err := z.Apply(options...); err != nil {
		panic(err)
	}
	z.Write([]byte(content))
	z.Close()
	return b.Bytes()
}

func lz(content string) []byte { return lzFrame(content) }

// toolRecords are the records of testdata/tool.warc.lz4: short ones, ones of several
// blocks, and one that does not shrink.
func toolRecords() []string {
	rng := rand.New(rand.NewPCG(4, 4))
	var all []string
	for i := range 10 {
		body := fmt.Sprintf("HTTP/1.1 200 OK\r\n\r\n<p>Page %d.", i)
		switch {
		case i%3 == 1:
			body += strings.Repeat(fmt.Sprintf("A line of page %d that comes again. ", i), 5000)
		case i == 6:
			for range 8000 {
				body += string(rune('0' + rng.IntN(75)))
			}
		}
		all = append(all, record("response", fmt.Sprint("http://tool/", i), body))
	}
	return all
}

// TestLZ4Tool reads a file whose frames were written by the lz4 program (1.9.4), one
// for each record, with these options: none, "-B4 -BD" (blocks of 64 KiB, linked),
// -9, "-12 --content-size", "-B4 -BX" (checksums of blocks), --no-frame-crc,
// "-B5 -BD -BX", "-B4 -BD -9 --content-size", --fast=5 and "-BI -B6".
func TestLZ4Tool(t *testing.T) {
	file, err := os.ReadFile("testdata/tool.warc.lz4")
	if err != nil {
		t.Fatal(err)
	}
	src := bytes.NewReader(file)
	if f, err := Probe(src); f != FormatLZ4 || err != nil {
		t.Fatalf("probe: %v, %v", f, err)
	}
	records := toolRecords()
	want, _ := readAll(t, strings.NewReader(strings.Join(records, "")), Options{})
	recs, s := readAll(t, src, Options{Name: "tool.warc.lz4"})
	same := func(a, b got) bool { return a.sum == b.sum && a.typ == b.typ && a.uri == b.uri && a.flags == 0 }
	if len(want) != 10 || !slices.EqualFunc(recs, want, same) || len(s.Defects) > 0 || s.BytesUnits != int64(len(file)) {
		t.Errorf("%d of %d records, defects %v\n%v", len(recs), len(want), s.Defects, recs)
	}
	for cut := 1; cut < len(file); cut += 1 + cut%37 {
		_, s := readAll(t, bytes.NewReader(file[:cut]), Options{})
		if cut > 6 && s.Defects[UnitTruncated]+s.Defects[UnitCorrupt] == 0 && !slices.Contains(lz4Ends(file), cut) {
			t.Fatalf("cut at %d: %v", cut, s.Defects)
		}
	}
}

// lz4Ends returns where the frames of a file end.
func lz4Ends(file []byte) (ends []int) {
	for at := len(lz4Magic); at < len(file); at++ {
		if bytes.HasPrefix(file[at:], []byte(lz4Magic)) {
			ends = append(ends, at)
		}
	}
	return ends
}

// TestLZ4Damage checks that records before damage are read and that the damage is reported.
func TestLZ4Damage(t *testing.T) {
	a, b, c := page("http://a/"), page("http://b/"), page("http://c/")
	bomb := record("response", "http://a/", strings.Repeat(" ", 3<<20))
	for _, d := range []struct {
		name string
		file []byte
		want string
		code []Code
		opt  Options
	}{
		{name: "sound", file: join(lz(a), lz(b), lz(c)), want: "http://a/ http://b/ http://c/"},
		{name: "all in one frame", file: lz(a + b + c), want: "http://a/ http://b/ http://c/"},
		{name: "a record over frames", file: join(lz(a[:50]), lz(a[50:]), lz(b)), want: "http://a/ http://b/"},
		{name: "wrong checksum", file: join(lz(a), flip(lz(b), -1)), want: "http://a/ http://b/", code: []Code{UnitCorrupt}},
		{name: "cut", file: join(lz(a), lz(b)[:len(lz(b))-9]), want: "http://a/", code: []Code{UnitTruncated}},
		{name: "garbage after", file: join(lz(a), "tail"), want: "http://a/", code: []Code{UnitCorrupt}},
		{name: "bomb", file: join(lz(bomb), lz(b)), want: "http://a/", code: []Code{UnitOverLimit}, opt: Options{MaxUnit: 1 << 20}},
		{name: "called gzip", file: lz(a), want: "http://a/", code: []Code{NameMismatch}, opt: Options{Name: "a.warc.gz"}},
	} {
		t.Run(d.name, func(t *testing.T) {
			recs, s := readAll(t, bytes.NewReader(d.file), d.opt)
			var got []string
			for _, r := range recs {
				got = append(got, r.uri)
			}
			if strings.Join(got, " ") != d.want {
				t.Errorf("got %v, want %s, defects %v", recs, d.want, s.Defects)
			}
			for _, code := range d.code {
				if s.Defects[code] == 0 {
					t.Errorf("no %s in %v", code, s.Defects)
				}
			}
			if len(d.code) == 0 && len(s.Defects) > 0 {
				t.Errorf("defects %v", s.Defects)
			}
		})
	}
}

// storedLZ4 returns the beginning of a frame of blocks of up to 4 MiB, without a
// checksum. Its first block is stored uncompressed.
func storedLZ4(block string) []byte {
	b := lzFrame("", lz4.ChecksumOption(false), lz4.BlockSizeOption(lz4.Block4Mb))[:7]
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(block))|1<<31), block...)
}
