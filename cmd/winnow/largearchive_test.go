package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// largeArchive writes an archive of a gigabyte: the example crawl behind pictures of which
// no byte can be compressed.
func largeArchive(b *testing.B) string {
	b.Helper()
	name := filepath.Join(b.TempDir(), "large.warc.gz")
	out, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	defer out.Close()
	random := rand.NewChaCha8([32]byte{})
	picture := make([]byte, 4<<20)
	for i := range 256 {
		random.Read(picture)
		w, err := gzip.NewWriterLevel(out, gzip.NoCompression)
		if err != nil {
			b.Fatal(err)
		}
		head := "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n\r\n"
		fmt.Fprintf(w, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: http://pictures.example/%d.jpg\r\n"+
			"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s%s\r\n\r\n", i, i, len(head)+len(picture), head, picture)
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
	crawl, err := os.Open("../../examples/crawl.warc.gz")
	if err != nil {
		b.Fatal(err)
	}
	defer crawl.Close()
	if _, err := io.Copy(out, crawl); err != nil {
		b.Fatal(err)
	}
	return name
}

// BenchmarkPageOfLargeArchive measures how long winnow serve and winnow inspect take to show
// a page that is a gigabyte into an archive, with what three extractors chose of it:
//
//	go test ./cmd/winnow -run '^$' -bench PageOfLargeArchive -benchtime 30x
func BenchmarkPageOfLargeArchive(b *testing.B) {
	if testing.Short() {
		b.Skip("it writes a gigabyte")
	}
	out := filepath.Join(b.TempDir(), "out")
	var words strings.Builder
	if code := run(b.Context(), []string{"run", "--quiet", "--run", "r", "--out", out, "--extractors", "winnow,plain,bte", "--scorers", "vec", largeArchive(b)}, strings.NewReader(""), &words, &words); code != 0 {
		b.Fatalf("exit code %d: %s", code, words.String())
	}
	home := served(b, out, "127.0.0.1:0")
	code, list := get(b, http.DefaultClient, home+"pages")
	links := targets(b, list)
	if code != 200 || len(links) < 50 {
		b.Fatalf("%d, %d pages", code, len(links))
	}
	b.Run("serve", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if code, page := get(b, http.DefaultClient, home+links[i%len(links)]); code != 200 || !strings.Contains(page, `id="data"`) {
				b.Fatalf("%s: %d", links[i%len(links)], code)
			}
		}
	})
	b.Run("inspect", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			address, err := url.Parse(links[i%len(links)])
			if err != nil {
				b.Fatal(err)
			}
			var page, errs bytes.Buffer
			if code := run(b.Context(), []string{"inspect", "--run", out, "--package", address.Query().Get("package"), "--doc", address.Query().Get("doc"), "--format", "html"}, strings.NewReader(""), &page, &errs); code != 0 {
				b.Fatalf("exit code %d: %s", code, errs.String())
			}
		}
	})
}
