package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// virtual is a Source that consists of pieces, each repeated a number of times. It
// presents large files without using memory for them.
type virtual struct {
	pieces []piece
	size   int64
}

type piece struct {
	data  []byte
	times int64
}

func newVirtual(pieces ...piece) *virtual {
	v := &virtual{pieces: pieces}
	for _, p := range pieces {
		v.size += int64(len(p.data)) * p.times
	}
	return v
}

func (v *virtual) Size() int64 { return v.size }

func (v *virtual) ReadAt(p []byte, off int64) (n int, err error) {
	for _, part := range v.pieces {
		size := int64(len(part.data)) * part.times
		for off < size && n < len(p) {
			k := copy(p[n:], part.data[off%int64(len(part.data)):])
			k = min(k, int(size-off))
			n += k
			off += int64(k)
		}
		off -= min(off, size)
		if n == len(p) {
			return n, nil
		}
	}
	return n, io.EOF
}

// peakHeap runs f and returns by how much the memory in use grew at most meanwhile.
func peakHeap(f func()) int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before, peak := m.HeapInuse, m.HeapInuse
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for tick := time.NewTicker(2 * time.Millisecond); ; {
			select {
			case <-stop:
				tick.Stop()
				return
			case <-tick.C:
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				peak = max(peak, m.HeapInuse)
			}
		}
	})
	f()
	close(stop)
	wg.Wait()
	return int64(peak - before)
}

// stored returns a gzip member of stored blocks. Its content is head and then n times
// 65535 bytes x, and its checksum is wrong.
func stored(head string, n int64) *virtual {
	block := func(final byte, b []byte) []byte {
		k := len(b)
		return append([]byte{final, byte(k), byte(k >> 8), ^byte(k), ^byte(k >> 8)}, b...)
	}
	return newVirtual(
		piece{[]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}, 1},
		piece{block(0, []byte(head)), 1},
		piece{block(0, bytes.Repeat([]byte("x"), 65535)), n},
		piece{block(1, nil), 1},
		piece{make([]byte, 8), 1},
	)
}

// TestMemory checks that reading an item takes less than 256 MiB of memory, whatever
// lengths are announced or present.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads gigabytes")
	}
	const gib = 1 << 30
	head := func(length string) string { return recordWith("response", "http://b/", length, "") }
	fill := bytes.Repeat([]byte("0123456789abcdef"), 4096)
	for _, c := range []struct {
		name string
		src  Source
		want string
	}{
		{"1 GiB record", newVirtual(piece{[]byte(head(fmt.Sprint(gib))), 1}, piece{fill, gib / int64(len(fill))}),
			"response 1073741824 over-limit"},
		{"1 GiB record in gzip", stored(head(fmt.Sprint(16384*65535)), 16384),
			"response 1073725440 over-limit,unverified"},
		{"10^18 announced, 256 MiB there", newVirtual(piece{[]byte(head("1000000000000000000")), 1}, piece{fill, 4096}),
			"response 268435456 truncated,over-limit"},
		{"10^18 announced, 256 MiB there, in gzip", stored(head("1000000000000000000"), 4096),
			"response 268431360 truncated,over-limit,unverified"},
		{"header line of 256 MiB", newVirtual(piece{[]byte("WARC/1.0\r\nWARC-Type: response\r\nX: "), 1}, piece{fill, 4096}),
			"response 0 header-too-big"},
		{"header line of 256 MiB in gzip", stored("WARC/1.0\r\nWARC-Type: response\r\nX: ", 4096),
			"response 0 header-too-big,unverified"},
		{"1 GiB record in ARC", newVirtual(piece{[]byte(arcRecordWith("http://b/", fmt.Sprint(gib), "")), 1}, piece{fill, gib / int64(len(fill))}),
			"response 1073741824 over-limit"},
		{"ARC line of 256 MiB", newVirtual(piece{[]byte(arcRecord("http://b/", "x") + "http://c/"), 1}, piece{fill, 4096}), "response 1"},
		{"1 GiB record in LZ4", newVirtual(piece{storedLZ4(head(fmt.Sprint(256 * 4 << 20))), 1},
			piece{append([]byte{0, 0, 0x40, 0x80}, make([]byte, 4<<20)...), 256}, piece{make([]byte, 4), 1}), "response 1073741824 over-limit"},
		{"header of 256 MiB", newVirtual(piece{[]byte("WARC/1.0\r\nWARC-Type: response\r\n"), 1}, piece{[]byte("X-Field: y\r\n"), 256 << 20 / 12}),
			"response 0 header-too-big"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var recs []string
			peak := peakHeap(func() {
				r, err := Open(c.src, 0, c.src.Size(), -1, Options{})
				if err != nil {
					t.Fatal(err)
				}
				var rec Record
				for err = r.Next(&rec); err == nil; err = r.Next(&rec) {
					recs = append(recs, strings.TrimSpace(fmt.Sprintf("%s %d %s", rec.Type, rec.BlockSize, strings.Join(rec.Flags.Names(), ","))))
				}
				if err != io.EOF {
					t.Fatal(err)
				}
			})
			if len(recs) != 1 || recs[0] != c.want {
				t.Errorf("records %q, want %q", recs, c.want)
			}
			if peak > 256<<20 {
				t.Errorf("%d MiB of memory", peak>>20)
			}
			t.Logf("%d MiB of memory", peak>>20)
		})
	}
}

// TestHostileWork reads files that are built to make a resynchronising reader read
// everything again and again. It bounds the bytes fetched and the records. Each attempt
// at a nested member inflates the bomb and delivers a record, so the number of records
// shows how many attempts were made.
func TestHostileWork(t *testing.T) {
	if testing.Short() {
		t.Skip("inflates hundreds of megabytes in one goroutine, which takes more than a minute under the race detector")
	}
	// Each member contains the start of the next one verbatim, and all share a bomb.
	// There are 1200 starts, each of which inflates everything after it and fails.
	var nested []byte
	const depth, size = 1200, 60_000
	for i := range depth {
		nested = append(nested, gzipMagic...)
		nested = append(nested, 0, 0, 0, 0, 0, 0, 255)
		left := size - i*(10+5+30) - 15
		nested = append(nested, 0, byte(left), byte(left>>8), ^byte(left), ^byte(left>>8))
		nested = append(nested, "WARC/1.0\r\nWARC-Type: revisit\r\n"[:30]...)
	}
	nested = append(nested, make([]byte, size-len(nested))...)
	bomb := gzLevel(strings.Repeat("x", 100<<20), 6)
	bomb = bomb[10 : len(bomb)-8] // the deflate stream alone
	nested = append(append(nested, bomb...), make([]byte, 8)...)

	// The lengths of all records in one member reach far beyond their ends.
	var lengths strings.Builder
	for i := range 20_000 {
		lengths.WriteString(recordWith("response", "http://x/", fmt.Sprint(5_000_000+i*7), "x"))
		lengths.WriteString("\r\n\r\n")
	}

	var arcLengths strings.Builder
	for i := range 20_000 {
		arcLengths.WriteString(arcRecordWith("http://x/", fmt.Sprint(5_000_000+i*7), "x\n"))
	}

	for _, c := range []struct {
		name string
		file []byte
		min  int64 // records
		max  int64
	}{
		{"nested members that share a bomb", nested, 1, 40},
		{"lengths that reach far ahead, gzip", gz(lengths.String()), 19_000, 20_000},
		{"lengths that reach far ahead, plain", []byte(lengths.String()), 19_000, 20_000},
		{"member headers", bytes.Repeat([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 255, 255}, 100_000), 0, 1},
		{"member headers with names", bytes.Repeat([]byte{0x1f, 0x8b, 8, 8, 1, 1, 1, 1, 1, 255}, 200_000), 0, 1},
		{"version lines", bytes.Repeat([]byte("\nWARC/1.0"), 200_000), 0, 1},
		{"version lines with a field", bytes.Repeat([]byte("WARC/1.0\nX:y\n"), 200_000), 0, 1},
		{"headers without a name that counts", append([]byte("x\n"), bytes.Repeat([]byte("WARC/1.0\n"+strings.Repeat("a:b\n", 5000)), 100)...), 0, 1},
		{"line feeds", bytes.Repeat([]byte("\n"), 4<<20), 0, 1},
		{"zero bytes and a member, again and again", bytes.Repeat(append(make([]byte, 100), gz("x")...), 20_000), 0, 1},
		{"empty members", bytes.Repeat(gz(""), 100_000), 0, 1},
		{"empty zstd frames", bytes.Repeat([]byte{0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0, 1}, 100_000), 0, 1},
		{"zstd magic", bytes.Repeat([]byte{0x28, 0xb5, 0x2f, 0xfd}, 200_000), 0, 1},
		{"zstd frame headers", bytes.Repeat([]byte{0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 6, 0, 0}, 100_000), 0, 1},
		{"LZ4 magic", append(lz(""), bytes.Repeat([]byte{4, 0x22, 0x4d, 0x18}, 200_000)...), 0, 1},
		{"LZ4 frame headers", bytes.Repeat(lz("")[:7], 200_000), 0, 1},
		{"empty LZ4 frames", bytes.Repeat(lz(""), 100_000), 0, 1},
		{"LZ4 blocks of 4 MiB that hold each other", append(bytes.Repeat(append(lz("")[:7], 0, 0, 0x40, 0x80), 100_000), make([]byte, 4<<20)...), 0, 1},
		{"ARC lengths that reach far ahead, gzip", gz(arcVersion + arcLengths.String()), 19_000, 20_001},
		{"ARC lengths that reach far ahead, plain", []byte(arcVersion + arcLengths.String()), 19_000, 20_001},
		{"ARC lines that begin", []byte(arcVersion + strings.Repeat("\na:", 500_000)), 1, 1},
		{"ARC lines of addresses and dates", []byte(arcVersion + strings.Repeat("a:"+strings.Repeat(" 1.2.3.4 x", 1000)+"\n", 500)), 1, 1},
		{"ARC lines without an end", []byte(arcVersion + strings.Repeat("\na:"+strings.Repeat("x", 3000), 2000)), 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := &counted{Reader: bytes.NewReader(c.file)}
			_, s := readAll(t, src, Options{})
			if s.Records < c.min || s.Records > c.max {
				t.Errorf("%d records, want %d to %d; %v", s.Records, c.min, c.max, s.Defects)
			}
			if most := 16*src.Size() + 64*window; src.fetched > most {
				t.Errorf("fetched %d bytes of a file of %d, want %d at most", src.fetched, src.Size(), most)
			}
			t.Logf("%d bytes fetched for %d, %d records, %v", src.fetched, src.Size(), s.Records, s.Defects)
		})
	}
}

// counted is a Source that counts the bytes read from it.
type counted struct {
	*bytes.Reader
	fetched int64
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.Reader.ReadAt(p, off)
	c.fetched += int64(n)
	return n, err
}

// stutter is a Source that returns fewer bytes than are asked for.
type stutter struct {
	*bytes.Reader
	n int
}

func (s *stutter) ReadAt(p []byte, off int64) (int, error) {
	s.n = s.n*5%7919 + 1
	return s.Reader.ReadAt(p[:min(len(p), s.n)], off)
}

// broken is a Source that fails at an offset, or that ends there although its size is
// larger.
type broken struct {
	*bytes.Reader
	at  int64
	err error
}

func (b *broken) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > b.at {
		n, _ := b.Reader.ReadAt(p[:max(0, b.at-off)], off)
		return n, b.err
	}
	return b.Reader.ReadAt(p, off)
}

func TestShortReads(t *testing.T) {
	for _, file := range [][]byte{generatedCrawl(20), []byte(strings.Join(mixedRecords(), ""))} {
		want, _ := readAll(t, bytes.NewReader(file), Options{})
		have, _ := readAll(t, &stutter{bytes.NewReader(file), 1}, Options{})
		if fmt.Sprint(have) != fmt.Sprint(want) {
			t.Error("a source that returns less than asked for changes the records")
		}
	}
}

// TestSourceErrors checks that an error of the source is returned and not treated as
// damage of the file.
func TestSourceErrors(t *testing.T) {
	oops := errors.New("oops")
	for _, file := range [][]byte{generatedCrawl(20), []byte(strings.Join(mixedRecords(), ""))} {
		for _, cause := range []error{oops, io.EOF} {
			for at := int64(0); at < int64(len(file)); at += int64(1 + len(file)/37) {
				want := cause
				if cause == io.EOF {
					want = io.ErrUnexpectedEOF // the file is shorter than it said
				}
				r, err := Open(&broken{bytes.NewReader(file), at, cause}, 0, int64(len(file)), -1, Options{})
				var rec Record
				for err == nil {
					err = r.Next(&rec)
				}
				if !errors.Is(err, want) || !strings.HasPrefix(err.Error(), "warc: ") {
					t.Fatalf("source broken at %d: %v, want %v", at, err, want)
				}
				if r != nil && r.Next(&rec) == nil {
					t.Fatal("a record behind an error")
				}
			}
		}
	}
}
