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
	same := func(a, b got) bool {
		return a.sum == b.sum && a.typ == b.typ && a.uri == b.uri && a.flags == 0 && a.Ordinal == 0 && a.Length > 0
	}
	if len(want) != 10 || !slices.EqualFunc(recs, want, same) || len(s.Defects) > 0 || s.BytesUnits != int64(len(file)) {
		t.Errorf("%d of %d records, defects %v\n%v", len(recs), len(want), s.Defects, recs)
	}
	checkPartitions(t, src, 50, Options{})
	for cut := 0; cut < len(file); cut += 1 + cut%37 { // a defect is expected unless the cut lies between frames
		_, s := readAll(t, bytes.NewReader(file[:cut]), Options{})
		whole := slices.ContainsFunc(recs, func(g got) bool { return g.Offset == int64(cut) })
		if broken := s.Defects[UnitTruncated]+s.Defects[UnknownContainer]+s.Defects[Gap] > 0; broken == whole {
			t.Fatalf("cut at %d: %v", cut, s.Defects)
		}
	}
}

// TestLZ4Damage checks that damage affects only the frame in which it lies, and that it
// is reported.
func TestLZ4Damage(t *testing.T) {
	a, b, c := page("http://a/"), page("http://b/"), page("http://c/")
	big := record("response", "http://a/", "HTTP/1.1 200 OK\r\n\r\n"+noise(300_000))
	skippable := func(n int) []byte {
		return append(binary.LittleEndian.AppendUint32([]byte{0x50, 0x2a, 0x4d, 0x18}, uint32(n)), make([]byte, n)...)
	}
	bomb := record("response", "http://a/", strings.Repeat(" ", 3<<20))
	for _, d := range []struct {
		name string
		file []byte
		want string
		code []Code
		opt  Options
	}{
		{name: "sound", file: join(lz(a), lz(b), lz(c)), want: "http://a/ http://b/ http://c/"},
		{name: "all in one frame", file: lz(a + b + c), want: "http://a/ http://b/ http://c/", code: []Code{MemberMisaligned}},
		{name: "a record over frames", file: join(lz(a[:50]), lz(a[50:]), lz(b)), want: "http://a/ http://b/", code: []Code{MemberMisaligned}},
		{name: "no checksum", file: join(lzFrame(a, lz4.ChecksumOption(false)), lz(b)), want: "http://a/ http://b/"},
		{name: "checksums of blocks", file: join(lzFrame(big, lz4.BlockChecksumOption(true), lz4.BlockSizeOption(lz4.Block64Kb)), lz(b)), want: "http://a/ http://b/"},
		{name: "wrong checksum of a block", file: join(flip(lzFrame(big, lz4.BlockChecksumOption(true)), 5000), lz(b)), want: "http://b/", code: []Code{UnitCorrupt}},
		{name: "wrong checksum of the frame", file: join(flip(lz(a), -1), lz(b)), want: "http://a/ http://b/", code: []Code{UnitCorrupt}},
		{name: "wrong size", file: join(sized(lzFrame(a, lz4.SizeOption(uint64(len(a)+1)))), lz(b)), want: "http://a/ http://b/", code: []Code{UnitCorrupt}},
		{name: "damaged header", file: join(lz(a), flip(lz(b), 5), lz(c)), want: "http://a/ http://c/", code: []Code{Gap}},
		{name: "needs a dictionary", file: join(lz(a), withDictionary(lz(b)), lz(c)), want: "http://a/ http://c/", code: []Code{UnitCorrupt}},
		{name: "block beyond its limit", file: join(lz(a), lz(b)[:7], "\xff\xff\xff\x7f", lz(c)), want: "http://a/ http://c/", code: []Code{UnitCorrupt}},
		{name: "reference before the beginning", file: join(lz(a), lz(b)[:7], "\x04\x00\x00\x00\x00\xff\xff\x00", lz(c)), want: "http://a/ http://c/", code: []Code{UnitCorrupt}},
		{name: "cut", file: join(lz(a), lz(b)[:len(lz(b))-9]), want: "http://a/", code: []Code{UnitTruncated}},
		{name: "cut in the header", file: join(lz(a), lz(b)[:5]), want: "http://a/", code: []Code{UnitTruncated}},
		{name: "garbage between", file: join(lz(a), "garbage \x04\x22\x4d\x18 more", lz(b), "tail"), want: "http://a/ http://b/", code: []Code{Gap}},
		{name: "skippable frames", file: join(skippable(9), lz(a), skippable(0), skippable(3000), lz(b)), want: "http://a/ http://b/"},
		{name: "skippable frame beyond the end", file: join(lz(a), "\x50\x2a\x4d\x18\xff\xff\xff\xff", lz(b)), want: "http://a/ http://b/", code: []Code{UnitTruncated}},
		{name: "padding", file: join(lz(a), make([]byte, 500), lz(b)), want: "http://a/ http://b/", code: []Code{Padding}},
		{name: "empty frames", file: join(lz(""), lz(a), lz(""), lz(b)), want: "http://a/ http://b/"},
		{name: "bomb", file: join(lz(bomb), lz(b)), want: "http://a/ http://b/", code: []Code{UnitOverLimit}, opt: Options{MaxUnit: 1 << 20}},
		{name: "called gzip", file: lz(a), want: "http://a/", code: []Code{NameMismatch}, opt: Options{Name: "a.warc.gz"}},
	} {
		t.Run(d.name, func(t *testing.T) {
			recs, s := readAll(t, bytes.NewReader(d.file), d.opt)
			var got []string
			for _, r := range recs {
				if r.flags&FlagUnverified == 0 || r.size > 0 {
					got = append(got, r.uri)
				}
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
			checkPartitions(t, bytes.NewReader(d.file), 5, d.opt)
		})
	}
}

// sized corrects the checksum of a frame header with a content size.
func sized(frame []byte) []byte { return setLZ4HeaderChecksum(frame, 14) }

// setLZ4HeaderChecksum corrects the checksum of a frame's header, which lies at an offset.
func setLZ4HeaderChecksum(frame []byte, at int) []byte {
	var x xxh32
	x.reset()
	x.write(frame[4:at])
	frame[at] = byte(x.sum() >> 8)
	return frame
}

// withDictionary changes a frame so that it needs a dictionary.
func withDictionary(frame []byte) []byte {
	frame[4] |= 1
	return setLZ4HeaderChecksum(slices.Insert(frame, 6, 1, 2, 3, 4), 10)
}

// TestLZ4Partitions checks that cutting damaged files of frames into items does not
// change the records.
func TestLZ4Partitions(t *testing.T) {
	for seed := range uint64(15) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var file []byte
		for i := range 40 {
			rec := record("response", fmt.Sprint("http://dirty/", i), "HTTP/1.1 200 OK\r\n\r\n"+noise(rng.IntN(300))+strings.Repeat("text ", rng.IntN(2000)))
			m := lz(rec)
			switch rng.IntN(10) {
			case 0:
				m = append([]byte(noise(rng.IntN(3000))), m...)
			case 1:
				m = flip(m, rng.IntN(len(m)))
			case 2:
				m = m[:rng.IntN(len(m))]
			case 3:
				cut := rng.IntN(len(rec))
				m = append(lz(rec[:cut]), lz(rec[cut:])...)
			case 4:
				m = lz(rec + rec)
			case 5:
				inner := bytes.Repeat(lz(page("http://inner/")), 20)
				m = lz(record("resource", "http://outer/", string(inner)+noise(9000)))
			}
			file = append(file, m...)
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) { checkPartitions(t, bytes.NewReader(file), 10, Options{}) })
	}
}

// TestLZ4Forgets checks that a frame with a reference to bytes before its beginning is
// not decoded with content of the frame that the reader decoded before.
func TestLZ4Forgets(t *testing.T) {
	linked, err := os.ReadFile("testdata/tool.warc.lz4")
	if err != nil {
		t.Fatal(err)
	}
	hostile := join(lz("")[:4], "\x40\x40\x00", "\x09\x00\x00\x00\x00\x40\x00\x00\x00\x00\x00\x00\x00", make([]byte, 4))
	setLZ4HeaderChecksum(hostile, 6)
	var r Reader
	before, s1 := readItem(t, &r, bytes.NewReader(hostile), 0, int64(len(hostile)), -1, Options{Format: FormatLZ4})
	readItem(t, &r, bytes.NewReader(linked), 0, int64(len(linked)), -1, Options{})
	after, s2 := readItem(t, &r, bytes.NewReader(hostile), 0, int64(len(hostile)), -1, Options{Format: FormatLZ4})
	if s1.Defects[UnitCorrupt] != 1 || s2.Defects[UnitCorrupt] != 1 || len(before)+len(after) != 0 {
		t.Errorf("before %v %v, after %v %v", before, s1.Defects, after, s2.Defects)
	}
}

// TestXXH32 compares xxh32 with values of the reference implementation.
func TestXXH32(t *testing.T) {
	for in, want := range map[string]uint32{
		"": 0x02cc5d05, "a": 0x550d7456, "abc": 0x32d153ff, "Nobody inspects the spammish repetition": 0xe2293b2f,
	} {
		for split := range len(in) + 1 {
			var x xxh32
			x.reset()
			x.write([]byte(in[:split]))
			x.write([]byte(in[split:]))
			if got := x.sum(); got != want {
				t.Errorf("%q split at %d: %08x, want %08x", in, split, got, want)
			}
		}
	}
}

// storedLZ4 returns the beginning of a frame of blocks of up to 4 MiB, without a
// checksum. Its first block is stored uncompressed.
func storedLZ4(block string) []byte {
	b := lzFrame("", lz4.ChecksumOption(false), lz4.BlockSizeOption(lz4.Block4Mb))[:7]
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(block))|1<<31), block...)
}
