package api

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/winnow/winnow"
)

// BenchmarkThroughput compares the server, with clients on the same machine, with the library
// in as many goroutines. WINNOW_PAGES names a folder of pages; without it, it is one page:
//
//	WINNOW_PAGES=FOLDER go test -run '^$' -bench Throughput ./cmd/winnow/internal/api
func BenchmarkThroughput(b *testing.B) {
	pages := [][]byte{shipped(b)}
	if root := os.Getenv("WINNOW_PAGES"); root != "" {
		names, err := filepath.Glob(filepath.Join(root, "*.html"))
		if err != nil || len(names) == 0 {
			b.Fatalf("WINNOW_PAGES has no pages: %v", err)
		}
		pages = nil
		for _, name := range names[:min(len(names), 300)] {
			src, err := os.ReadFile(name)
			if err != nil {
				b.Fatal(err)
			}
			pages = append(pages, src)
		}
	}
	measure := func(b *testing.B, each func() func(src []byte) error) {
		var next, size atomic.Int64
		b.RunParallel(func(pb *testing.PB) {
			extract := each()
			for pb.Next() {
				src := pages[next.Add(1)%int64(len(pages))]
				size.Add(int64(len(src)))
				if err := extract(src); err != nil {
					b.Error(err)
				}
			}
		})
		b.SetBytes(size.Load() / int64(b.N))
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pages/s")
	}
	b.Run("of=library", func(b *testing.B) {
		measure(b, func() func([]byte) error {
			e, err := winnow.New(winnow.Options{})
			if err != nil {
				b.Fatal(err)
			}
			return func(src []byte) error {
				_, err := e.Extract(src, "")
				return err
			}
		})
	})
	h := httptest.NewServer(New(Options{}).Handler())
	defer h.Close()
	post := func(path string, body io.Reader) error {
		answer, err := h.Client().Post(h.URL+path, "text/html", body)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		_, err = io.Copy(io.Discard, answer.Body)
		if answer.StatusCode != http.StatusOK {
			b.Error(answer.Status)
		}
		return err
	}
	b.Run("of=server", func(b *testing.B) {
		b.SetParallelism(2) // a page is sent while another is extracted
		measure(b, func() func([]byte) error {
			return func(src []byte) error { return post("/extract", bytes.NewReader(src)) }
		})
	})
}
