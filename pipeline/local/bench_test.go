package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/net/html"

	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/extract"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
)

// BenchmarkRun measures a whole run on one core, from the archive to the published
// tables. For comparison it measures what every run needs: inflating the same file, and
// a parser. Bytes are those of the HTML pages in it. With WINNOW_SHARED they are the
// pages of a gold package (WINNOW_BENCH_PACKAGE, or wcxb-dev), otherwise a few
// generated ones. The start of the broker takes about a tenth of a second of every run.
//
//	WINNOW_SHARED=... go test ./pipeline/local -run '^$' -bench Run -benchtime 3x -count 5
func BenchmarkRun(b *testing.B) {
	file, pages := archive(b)
	size := int64(0)
	for _, p := range pages {
		size += int64(len(p))
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	data, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("work=inflate", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			inflate(b, data)
		}
	})
	b.Run("work=inflate,html.Parse", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			inflate(b, data)
			for _, p := range pages {
				// The parser builds no tree deeper than 512 elements, but has read the
				// page nevertheless.
				if _, err := html.Parse(bytes.NewReader(p)); err != nil && len(p) == 0 {
					b.Fatal(err)
				}
			}
		}
	})
	for _, c := range []struct{ extractors, texts string }{
		{"plain", ""},
		{"cetd-ds", ""},
		{"winnow", schemas.TextsJSONLines},
		{"plain,bte,dsc,lqf-50,density,cetd-ds,wlr,boilerpipe-article", ""},
	} {
		name := "work=run/extractors=" + c.extractors
		if c.texts != "" {
			name += "/texts=" + c.texts
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				opt := benchOptions(b, file, c.extractors)
				opt.Plan.Recipe.Texts = c.texts
				if _, err := Run(context.Background(), opt); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func benchOptions(b *testing.B, file, extractors string) Options {
	chosen, err := choose.Extractors(suite.Extractors(), extractors)
	if err != nil {
		b.Fatal(err)
	}
	r := schemas.Recipe{Version: schemas.Version, Build: "bench", PackageBy: schemas.ByFile, SiteBy: schemas.ByHost}
	r.Extractors, r.Scorers = recipe.Methods(chosen, nil)
	return Options{
		Blobs:  blob.New(blob.Options{}),
		Plan:   ingest.Options{Run: "bench", Out: filepath.Join(b.TempDir(), "out"), Recipe: r, ItemBytes: 16 << 20, Inputs: []string{file}},
		Worker: worker.Options{Slots: 1}, Extract: extract.Options{Extractors: suite.Extractors()},
	}
}

func inflate(b *testing.B, data []byte) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		b.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, z); err != nil {
		b.Fatal(err)
	}
}

// archive packs a package and returns the file and its pages.
func archive(b *testing.B) (file string, pages [][]byte) {
	name := os.Getenv("WINNOW_BENCH_PACKAGE")
	if name == "" {
		name = "wcxb-dev"
	}
	path := filepath.Join(os.Getenv("WINNOW_SHARED"), "packages", name+".tar.xz")
	if os.Getenv("WINNOW_SHARED") == "" {
		path = made(b)
	}
	p, err := gold.Open(path, gold.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	for doc, err := range p.Documents(context.Background()) {
		var bad *gold.DocumentError
		if errors.As(err, &bad) {
			continue
		}
		if err != nil {
			b.Fatal(err)
		}
		pages = append(pages, bytes.Clone(doc.HTML))
	}
	// Crawlers write only pages, without the gold of a packed package.
	file = filepath.Join(b.TempDir(), "crawl.warc.gz")
	f, err := os.Create(file)
	if err != nil {
		b.Fatal(err)
	}
	w := write.NewWriter(f)
	for i, p := range pages {
		block, err := write.HTTPResponse("200 OK", []write.Field{{Name: "Content-Type", Value: "text/html"}}, p)
		if err != nil {
			b.Fatal(err)
		}
		id := fmt.Sprint(i)
		if err := w.Write(&write.Record{Type: "response", ID: write.ID(name, id), Date: time.Unix(0, 0),
			TargetURI: "http://bench.example/" + id, ContentType: "application/http; msgtype=response", Block: block}); err != nil {
			b.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return file, pages
}

// made writes a small package into a folder.
func made(b *testing.B) string {
	dir := filepath.Join(b.TempDir(), "made")
	if err := os.Mkdir(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	page := "<html><body><ul>" + string(bytes.Repeat([]byte("<li><a href=/n>menu</a>"), 40)) + "</ul>" +
		string(bytes.Repeat([]byte("<p>Grain falls where it is heavy, and the wind takes the rest of it away.</p>\n"), 200)) + "</body></html>"
	for name, text := range map[string]string{"package.json": `{"name":"made"}`, "1.html": page, "1.txt": "Grain", "1.json": `{"id":"1"}`,
		"2.html": page, "2.txt": "Grain", "2.json": `{"id":"2"}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}
