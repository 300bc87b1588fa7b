package algotest

import (
	"archive/tar"
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/textproto"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"

	"github.com/winnow/winnow/algorithms/internal/testpages"
)

// RealPage is a page of a gold package or of the example crawl.
type RealPage struct {
	Name, URL, HTML string
	Gold            string
	With, Without   []string
}

// RealPages returns real pages. If WINNOW_SHARED names the folder of the gold packages, these
// are every n-th page among the first hundred and twenty of each named package, at most forty,
// or every n-th page of the whole package if WINNOW_LONG_TESTS is set. Otherwise they are the
// pages of the example crawl, so there always are some.
func RealPages(t testing.TB, n int, packages ...string) []RealPage {
	t.Helper()
	root := os.Getenv("WINNOW_SHARED")
	if root == "" {
		return exampleCrawl(t)
	}
	var pages []RealPage
	for _, name := range packages {
		pages = append(pages, readPackage(t, filepath.Join(root, "packages", name+".tar.xz"), n, testpages.Most())...)
	}
	return pages
}

// Portals returns all pages of the package cleanportaleval, which come from four news portals.
// It skips the test if WINNOW_SHARED does not name the folder of the gold packages.
func Portals(t testing.TB) []RealPage {
	t.Helper()
	root := os.Getenv("WINNOW_SHARED")
	if root == "" {
		t.Skip("WINNOW_SHARED is not set: no gold packages")
	}
	return readPackage(t, filepath.Join(root, "packages", "cleanportaleval.tar.xz"), 1, math.MaxInt)
}

// RealSites returns real pages by their host: those of the example crawl and, if
// WINNOW_SHARED is set, those of Portals.
func RealSites(t testing.TB) map[string][]SitePage {
	t.Helper()
	pages := exampleCrawl(t)
	if os.Getenv("WINNOW_SHARED") != "" {
		pages = append(pages, Portals(t)...)
	}
	sites := map[string][]SitePage{}
	for _, p := range pages {
		_, rest, ok := strings.Cut(p.URL, "://")
		if !ok {
			continue
		}
		host, _, _ := strings.Cut(rest, "/")
		sites[host] = append(sites[host], SitePage{URL: p.URL, HTML: Unwrap(p.HTML)})
	}
	return sites
}

// Unwrap removes the element that the CleanEval packages put around each page, which
// contains the page's address. With it, trees would differ from the top.
func Unwrap(html string) string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(html), "<text ")
	if !ok {
		return html
	}
	_, rest, _ = strings.Cut(rest, ">")
	return strings.TrimSuffix(rest, "</text>")
}

// readPackage returns every n-th page of a package, at most maxPages. It reads at most
// three times as many pages, because unpacking takes longer than most tests of a page.
func readPackage(t testing.TB, name string, n, maxPages int) []RealPage {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	x, err := xz.NewReader(bufio.NewReaderSize(f, 1<<20)) // it reads single bytes
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	byID := map[string]*RealPage{}
	for r := tar.NewReader(x); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		ext := path.Ext(h.Name)
		id := strings.TrimSuffix(path.Base(h.Name), ext)
		if ext != ".html" && ext != ".txt" && ext != ".json" || id == "package" || strings.HasSuffix(id, ".gold") {
			continue
		}
		p, met := byID[id]
		if !met && (len(order) == maxPages || len(byID)/3 == maxPages) {
			break
		}
		if !met {
			if len(byID)%n == 0 {
				p = &RealPage{Name: strings.TrimSuffix(path.Base(name), ".tar.xz") + "/" + id}
				order = append(order, id)
			}
			byID[id] = p
		}
		if p == nil {
			continue
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		switch ext {
		case ".txt":
			p.Gold = string(data)
		case ".html":
			p.HTML = string(testpages.Decode(data, "text/html"))
		case ".json":
			var meta struct {
				URL           string
				With, Without []string
			}
			if err := json.Unmarshal(data, &meta); err != nil {
				t.Fatal(err)
			}
			p.URL, p.With, p.Without = meta.URL, meta.With, meta.Without
		}
	}
	var pages []RealPage
	for _, id := range order {
		if byID[id].HTML != "" {
			pages = append(pages, *byID[id])
		}
	}
	return pages
}

// exampleCrawl reads the pages of examples/crawl.warc.gz, with the gold records that
// follow some of them.
func exampleCrawl(t testing.TB) []RealPage {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	f, err := os.Open(filepath.Join(filepath.Dir(here), "..", "..", "examples", "crawl.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var pages []RealPage
	err = testpages.EachRecord(f, func(header textproto.MIMEHeader, block []byte) {
		url := header.Get("WARC-Target-Uri")
		switch header.Get("WARC-Type") {
		case "response":
			if src := testpages.OfResponse(block); src != nil {
				pages = append(pages, RealPage{Name: url, URL: url, HTML: string(src)})
			}
		case "metadata":
			var gold struct{ Text string }
			if err := json.Unmarshal(block, &gold); err == nil && len(pages) > 0 && pages[len(pages)-1].URL == url {
				pages[len(pages)-1].Gold = gold.Text
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}
