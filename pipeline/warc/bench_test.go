package warc

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
)

// corpus is a file to read and its inflated size.
type corpus struct {
	name  string
	file  []byte
	plain int64
}

// benchCorpora are a generated crawl and, if there is one, the largest file of
// the collection with gzip members.
func benchCorpora(b *testing.B) []corpus {
	list := []corpus{{name: "generated", file: generatedCrawl(300)}}
	if root := os.Getenv("WINNOW_SHARED"); root != "" {
		for _, name := range []string{"aut-example.warc.gz", "ukwa-gov.uk-BL-20140325121225068.warc.gz",
			"pywb-samples-googleplus-archivists.warc.gz", "warc2zim-solidaritenum.warc.gz"} {
			file, err := os.ReadFile(filepath.Join(root, "warcs", "crawls", name))
			if err != nil {
				b.Fatal(err)
			}
			list = append(list, corpus{name: name, file: file})
		}
	}
	for i := range list {
		n, err := inflateMembers(list[i].file, make([]byte, 64<<10))
		if err != nil {
			b.Fatal(err)
		}
		list[i].plain = n
	}
	return list
}

// generatedCrawl is a crawl of n pages of 10 to 100 kB, with request and
// metadata records, one gzip member each.
func generatedCrawl(n int) []byte {
	rng := rand.New(rand.NewPCG(7, 7))
	var out, page bytes.Buffer
	for i := range n {
		page.Reset()
		page.WriteString("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><head><title>page</title></head><body>")
		for page.Len() < 10_000+rng.IntN(90_000) {
			fmt.Fprintf(&page, "<p class=c%d>", rng.IntN(9))
			for range 20 + rng.IntN(60) {
				word := rng.Uint64N(1 << (4 + rng.UintN(12)))
				for ; word > 0; word /= 23 {
					page.WriteByte("etaoinshrdlucmfwypvbgkq"[word%23])
				}
				page.WriteByte(' ')
			}
			fmt.Fprintf(&page, "<a href=/x/%d>more</a></p>\n", rng.IntN(1000))
		}
		uri := fmt.Sprintf("http://example.org/%d", i)
		out.Write(gz(record("response", uri, page.String())))
		out.Write(gz(record("request", uri, "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n")))
		out.Write(gz(record("metadata", uri, "fetchTimeMs: 12\r\n")))
	}
	return out.Bytes()
}

// inflateMembers is the baseline for reading: it inflates the members one by one with a
// single klauspost gzip reader.
func inflateMembers(file, buf []byte) (total int64, err error) {
	src := bufio.NewReaderSize(bytes.NewReader(file), window)
	var z gzip.Reader
	for {
		if err := z.Reset(src); err == io.EOF {
			return total, nil
		} else if err != nil {
			return total, err
		}
		z.Multistream(false)
		for {
			n, err := z.Read(buf)
			total += int64(n)
			if err == io.EOF {
				break
			}
			if err != nil {
				return total, err
			}
		}
	}
}

// BenchmarkRead reads records, MB/s of inflated bytes:
//
//	WINNOW_SHARED=... go test -bench Read -benchtime 20x ./pipeline/warc
//
// records=pages wants only responses, as the pipeline does, and records=all wants all
// records. Each run alternates with a run that only inflates the same bytes. The metric
// inflate/read is the ratio of the two times and the number that matters: at 1.0 reading
// would cost nothing beyond inflating, and 0.8 is the least acceptable value.
func BenchmarkRead(b *testing.B) {
	pages := func(h *Header) bool { return h.Type() == TypeResponse }
	for _, c := range benchCorpora(b) {
		for _, records := range []struct {
			name string
			want func(*Header) bool
		}{{"pages", pages}, {"all", nil}} {
			b.Run("file="+c.name+"/records="+records.name, func(b *testing.B) {
				b.SetBytes(c.plain)
				b.ReportAllocs()
				buf := make([]byte, 64<<10)
				var r Reader
				var rec Record
				var inflating, reading time.Duration
				for b.Loop() {
					b.StopTimer()
					start := threadTime()
					if _, err := inflateMembers(c.file, buf); err != nil {
						b.Fatal(err)
					}
					inflating += threadTime() - start
					b.StartTimer()
					start = threadTime()
					err := r.Reset(bytes.NewReader(c.file), 0, int64(len(c.file)), -1, Options{Want: records.want})
					for err == nil {
						err = r.Next(&rec)
					}
					if err != io.EOF {
						b.Fatal(err)
					}
					reading += threadTime() - start
				}
				b.ReportMetric(inflating.Seconds()/reading.Seconds(), "inflate/read")
			})
		}
	}
}
