package warc

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// dirtyFile returns a file with all variants and defects of members: optional header
// fields, empty members, padding, garbage, changed bits, bad checksums, cut members,
// records split over members or joined in one, and wrong lengths.
func dirtyFile(rng *rand.Rand, members int) []byte {
	var b []byte
	for i := range members {
		uri := fmt.Sprintf("http://dirty/%d", i)
		rec := record("response", uri, "HTTP/1.1 200 OK\r\n\r\n"+noise(rng.IntN(200))+strings.Repeat("text ", rng.IntN(2000)))
		m := gzLevel(rec, rng.IntN(10))
		switch rng.IntN(12) {
		case 0:
			m = append(gz(""), m...)
		case 1:
			m = append(make([]byte, rng.IntN(600)), m...)
		case 2:
			m = append([]byte(noise(rng.IntN(3000))), m...)
		case 3:
			m = flip(m, rng.IntN(len(m)))
		case 4:
			m = flip(m, -1-rng.IntN(8))
		case 5:
			m = m[:rng.IntN(len(m))]
		case 6:
			cut := rng.IntN(len(rec))
			m = append(gz(rec[:cut]), gz(rec[cut:])...)
		case 7:
			m = gz(rec + record("request", uri, "GET / HTTP/1.1\r\n\r\n") + rec)
		case 8:
			length := []string{"5", "100000", "1000000000000000000", "x", ""}[rng.IntN(5)]
			m = gz(recordWith("response", uri, length, "HTTP/1.1 200 OK\r\n\r\n"+noise(500)) + "\r\n\r\n")
		}
		b = append(b, m...)
	}
	return b
}

// gzFast returns a member of an encoder that stores content which does not compress, as
// most encoders do. The encoder of the standard library would compress such content
// even to save one byte in a hundred.
func gzFast(content string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(content))
	z.Close()
	return b.Bytes()
}

// archives returns a file of pages and of fetched WARC files.
func archives(n int, compress func(string) []byte) []byte {
	rng := rand.New(rand.NewPCG(9, 9))
	var b []byte
	for i := range n {
		var inner []byte // the content differs every time, because otherwise it would be compressed away
		for j := range 12 {
			body := make([]byte, 6000)
			for k := range body {
				body[k] = byte(rng.Uint32())
			}
			inner = append(inner, compress(record("response", fmt.Sprintf("http://inner/%d", j), string(body)))...)
		}
		b = append(b, compress(page(fmt.Sprintf("http://outer/%d", i)))...)
		b = append(b, compress(record("response", fmt.Sprintf("http://outer/%d.warc", i), "HTTP/1.1 200 OK\r\n\r\n"+string(inner)))...)
	}
	return b
}

// partitions returns how many of the partitions of a file are tried: all of them if
// WINNOW_LONG_TESTS is set.
func partitions(all int) int {
	switch {
	case testing.Short():
		return 1 + all/50
	case os.Getenv("WINNOW_LONG_TESTS") != "":
		return all
	}
	return all / 5
}

// TestPartitions checks that in any partition of any file the accepted items hold the
// records of reading the file from front to back, each once and in order. The counts of
// bytes and defects must be the same too.
func TestPartitions(t *testing.T) {
	n := partitions(100)
	text := func(s string) []byte { return []byte(s) }
	crawl := generatedCrawl(15)
	content, err := io.ReadAll(mustOpenAll(t, crawl))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		file   []byte
		astray bool // scans must guess wrong starts
	}{
		{name: "clean", file: crawl},
		{name: "plain", file: content},
		{name: "one member", file: gz(string(content))},
		{name: "members of 65280 bytes", file: inMembers(string(content), 65280)},
		{name: "members of 300 bytes", file: inMembers(string(content[:200_000]), 300)},
		{name: "warcs within warcs", file: archives(15, gzFast), astray: true},
		{name: "warcs within stored warcs", file: archives(15, func(s string) []byte { return gzLevel(s, 0) }), astray: true},
		{name: "plain warcs within plain warcs", file: archives(15, text), astray: true},
		{name: "warcs within plain warcs", file: append(archives(2, text), []byte(record("resource", "http://z/", string(archives(9, gz))))...), astray: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			foreign, reruns := checkPartitions(t, bytes.NewReader(c.file), n, Options{})
			t.Logf("%d records read at wrong places, %d items run again", foreign, reruns)
			if c.astray && (foreign == 0 || reruns == 0) {
				t.Error("no scan was led astray: the test shows nothing")
			}
		})
	}
	for seed := range uint64(30) {
		t.Run(fmt.Sprintf("dirty %d", seed), func(t *testing.T) {
			checkPartitions(t, bytes.NewReader(dirtyFile(rand.New(rand.NewPCG(seed, 1)), 60)), n/10, Options{})
		})
	}
}

// mustOpenAll returns the content of all members.
func mustOpenAll(t *testing.T, file []byte) io.Reader {
	t.Helper()
	in := newInput(bytes.NewReader(file), 0)
	var content bytes.Buffer
	for in.offset() < in.size {
		b, err := in.peek(maxMemberHeader)
		if err != nil {
			t.Fatal(err)
		}
		n, _ := memberHeader(b)
		in.br.Discard(n)
		var z inflater
		z.reset(in.br)
		if _, err := content.ReadFrom(&z); err != nil {
			t.Fatal(err)
		}
	}
	return &content
}

// TestFollow checks that the gold after an item's last record can be read wherever the
// item ends between the two, and that this does not change the item's Summary.
func TestFollow(t *testing.T) {
	const goldType = "application/vnd.winnow.gold+json"
	gold := func(uri string) string {
		return strings.Replace(record("metadata", uri, `{"text":"grain"}`), "Content-Length", "Content-Type: "+goldType+"\r\nContent-Length", 1)
	}
	opt := Options{Want: func(h *Header) bool {
		return h.Type() == TypeResponse || h.Type() == TypeMetadata && string(h.Get("content-type")) == goldType
	}}
	parts := []string{page("http://a/"), gold("http://a/"), page("http://b/"), gold("http://b/"), page("http://c/"), record("request", "http://c/", "GET")}
	for name, zip := range map[string]func(string) []byte{"plain": func(s string) []byte { return []byte(s) }, "gzip": gz} {
		var file []byte
		var at []int64
		for _, p := range parts {
			at = append(at, int64(len(file)))
			file = append(file, zip(p)...)
		}
		for cut := int64(1); cut < int64(len(file)); cut++ {
			src := bytes.NewReader(file)
			r, err := Open(src, 0, cut, -1, opt)
			if err != nil {
				t.Fatal(err)
			}
			var rec Record
			var last Record
			for err = r.Next(&rec); err == nil; err = r.Next(&rec) {
				last = rec
			}
			before := fmt.Sprintf("%+v", r.Summary())
			got, err := r.Follow(&rec)
			if err != nil {
				t.Fatal(err)
			}
			next := slices.Index(at, r.Summary().Next)
			want := next > 0 && next < 5
			if got != want {
				t.Fatalf("%s, cut at %d: follow is %v behind part %d", name, cut, got, next-1)
			}
			if got && (rec.Seq != last.Seq+1 || rec.Offset != at[next] || len(rec.Block) == 0) {
				t.Fatalf("%s, cut at %d: followed %v by %v", name, cut, last.Address, rec.Address)
			}
			if after := fmt.Sprintf("%+v", r.Summary()); after != before {
				t.Fatalf("%s, cut at %d: follow changed the summary\n%s\n%s", name, cut, before, after)
			}
			if err := r.Next(&rec); err != io.EOF {
				t.Fatalf("next behind follow: %v", err)
			}
			if again, err := r.Follow(&rec); again || err != nil {
				t.Fatalf("second follow: %v %v", again, err)
			}
		}
	}
}

// TestUnverified reads a unit whose checksum proves wrong after records were delivered.
func TestUnverified(t *testing.T) {
	bad := flip(gz(page("http://a/")+page("http://b/")+record("response", "http://c/", noise(200_000))), -6)
	file := append(gz(page("http://x/")), bad...)
	file = append(file, gz(page("http://y/"))...)
	recs, s := readAll(t, bytes.NewReader(file), Options{})
	if len(recs) != 5 || !slices.Equal(s.Unverified, []int64{recs[1].Offset}) {
		t.Errorf("unverified %v, records %v", s.Unverified, recs)
	}
	for i, r := range recs {
		if flagged := r.flags&FlagUnverified != 0; flagged != (i == 3) {
			t.Errorf("record %d: %v", i, r)
		}
	}
}

// TestWant checks that records that are not wanted are counted and not delivered, and
// that the other records do not change.
func TestWant(t *testing.T) {
	file := generatedCrawl(5)
	all, s := readAll(t, bytes.NewReader(file), Options{})
	some, p := readAll(t, bytes.NewReader(file), Options{Want: func(h *Header) bool { return h.Type() == TypeResponse }})
	all = slices.DeleteFunc(all, func(g got) bool { return g.typ != TypeResponse })
	if !slices.Equal(all, some) || p.Skipped[TypeRequest] != 5 || p.Skipped[TypeMetadata] != 5 || p.Records != 15 || len(s.Skipped) != 0 {
		t.Errorf("%d of %d records, skipped %v", len(some), len(all), p.Skipped)
	}
	if p.Digest != s.Digest {
		t.Error("the digest depends on what is wanted")
	}
}

func TestChain(t *testing.T) {
	type step struct {
		it   Extent
		v    Verdict
		from int64
	}
	for name, steps := range map[string][]step{
		"in order":         {{Extent{0, 10, 0, 12}, Accept, 0}, {Extent{10, 20, 12, 20}, Accept, 0}},
		"empty file":       {{Extent{0, 0, 0, 0}, Discard, 0}},
		"covered":          {{Extent{0, 10, 0, 30}, Accept, 0}, {Extent{10, 20, 15, 25}, Discard, 0}, {Extent{20, 30, -1, -1}, Discard, 0}},
		"wrong guess":      {{Extent{0, 10, 0, 12}, Accept, 0}, {Extent{10, 20, 11, 20}, Rerun, 12}, {Extent{10, 20, 12, 22}, Accept, 0}, {Extent{20, 22, 21, 22}, Discard, 0}},
		"nothing found":    {{Extent{0, 10, 0, 10}, Accept, 0}, {Extent{10, 20, -1, -1}, Rerun, 10}, {Extent{10, 20, 10, 20}, Accept, 0}},
		"begins with none": {{Extent{0, 0, -1, -1}, Discard, 0}, {Extent{0, 5, 0, 5}, Accept, 0}},
	} {
		var c Chain
		end := int64(0)
		for _, s := range steps {
			v, from, err := c.Next(s.it)
			if v != s.v || from != s.from || err != nil {
				t.Errorf("%s: %+v: %v from %d, %v; want %v from %d", name, s.it, v, from, err, s.v, s.from)
			}
			end = s.it.End
		}
		if next, err := c.Close(end, true); next != end || err != nil {
			t.Errorf("%s: closed at %d, %v", name, next, err)
		}
	}
}

func TestChainWithDeadItems(t *testing.T) {
	var c Chain
	expect := func(it Extent, want Verdict) {
		t.Helper()
		if v, _, err := c.Next(it); v != want || err != nil {
			t.Errorf("%+v: %v, %v; want %v", it, v, err, want)
		}
	}
	expect(Extent{0, 10, 0, 12}, Accept)
	if from, to, err := c.GiveUp(10, 20); from != 12 || to != 20 || err != nil {
		t.Errorf("lost [%d,%d), %v", from, to, err)
	}
	expect(Extent{20, 30, -1, -1}, Discard)
	expect(Extent{30, 40, 33, 61}, AcceptUnverified)
	if from, to, err := c.GiveUp(40, 60); from != to || err != nil {
		t.Errorf("lost [%d,%d) of what was accepted, %v", from, to, err)
	}
	expect(Extent{60, 70, 61, 70}, AcceptUnverified)
	if next, err := c.Close(70, true); next != 70 || err != nil {
		t.Errorf("closed at %d, %v", next, err)
	}
}

func TestChainMisuse(t *testing.T) {
	for name, items := range map[string][]Extent{
		"gap between items":    {{0, 10, 0, 10}, {11, 20, 11, 20}},
		"out of order":         {{10, 20, 10, 20}},
		"stopped within":       {{0, 10, 0, 8}},
		"began before":         {{0, 10, 0, 15}, {10, 20, 9, 20}},
		"began behind":         {{0, 10, 11, 20}},
		"does not end":         {{0, 10, 0, 12}, {10, 20, 12, 25}},
		"ends before the file": {{0, 10, 0, 12}},
	} {
		var c Chain
		var err error
		for _, it := range items {
			if err == nil {
				_, _, err = c.Next(it)
			}
		}
		if err == nil {
			_, err = c.Close(20, true)
		}
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
