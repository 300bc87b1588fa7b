// Package testpages holds the pages that the tests of package html and of package
// page both read: small pages that are hard to parse, generated pages, and the
// pages of the shared gold packages and crawls.
package testpages

import (
	"archive/tar"
	"bufio"
	"errors"
	"io"
	"math"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"
)

// Packages are the gold packages of the shared data.
var Packages = []string{"cleaneval-dev", "cleaneval-final", "cleanportaleval", "dragnet", "l3s-gn1", "readability", "wcxb-dev"}

// folder is the folder of the shared data; without it the test is skipped.
func folder(t testing.TB) string {
	dir := os.Getenv("WINNOW_SHARED")
	if dir == "" {
		t.Skip("WINNOW_SHARED is not set: no packages and crawl files")
	}
	return dir
}

// EachOfPackage calls f with every page of a package, decoded, until it
// returns false.
func EachOfPackage(t testing.TB, name string, f func(id string, src []byte) bool) {
	file, err := os.Open(filepath.Join(folder(t), "packages", name+".tar.xz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	x, err := xz.NewReader(bufio.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(x); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(h.Name, ".html") {
			continue
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if !f(h.Name, Decode(raw, "text/html")) {
			return
		}
	}
}

// Most is how many pages of a gold package a test reads: forty, or all of them if the
// variable WINNOW_LONG_TESTS is set, which takes minutes.
func Most() int {
	if os.Getenv("WINNOW_LONG_TESTS") != "" {
		return math.MaxInt
	}
	return 40
}

// EachOfPackages calls f with pages of every package, Most of each.
func EachOfPackages(t testing.TB, f func(id string, src []byte)) {
	for _, name := range Packages {
		left := Most()
		EachOfPackage(t, name, func(id string, src []byte) bool {
			f(id, src)
			left--
			return left > 0
		})
	}
}

// EachOfCrawls calls f with every page of every crawl file, up to the first damage of each.
func EachOfCrawls(t testing.TB, f func(id string, src []byte)) {
	pages := 0
	root := filepath.Join(folder(t), "warcs")
	err := filepath.WalkDir(root, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".warc") && !strings.HasSuffix(name, ".warc.gz") {
			return err
		}
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		_ = EachRecord(file, func(header textproto.MIMEHeader, block []byte) {
			if header.Get("WARC-Type") != "response" {
				return
			}
			if src := OfResponse(block); src != nil {
				f(filepath.Base(name)+" "+header.Get("WARC-Target-URI"), src)
				pages++
			}
		})
		return nil
	})
	if err != nil || pages == 0 {
		t.Fatalf("%d pages of crawl files, %v", pages, err)
	}
}

// First returns the first n pages of a gold package, decoded.
func First(t testing.TB, name string, n int) (pages [][]byte) {
	EachOfPackage(t, name, func(id string, src []byte) bool {
		if !strings.HasSuffix(id, ".gold.html") {
			pages = append(pages, append([]byte(nil), src...))
		}
		return len(pages) < n
	})
	return pages
}

// Size is the number of bytes of all pages.
func Size(pages [][]byte) (n int64) {
	for _, src := range pages {
		n += int64(len(src))
	}
	return n
}

// sampleSize is how many pages of a package a benchmark reads: enough to be
// larger than the caches, and unpacked in a few seconds.
const sampleSize = 200

// Benchmark runs f as benchmarks of its own over generated pages and over a sample of
// real ones.
func Benchmark(b *testing.B, f func(b *testing.B, pages [][]byte)) {
	made := Made()
	for _, name := range []string{"news", "links", "script", "cjk"} {
		b.Run("page="+name, func(b *testing.B) { f(b, [][]byte{made[name]}) })
	}
	b.Run("page=wcxb", func(b *testing.B) { f(b, First(b, "wcxb-dev", sampleSize)) })
}
