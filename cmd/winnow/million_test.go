package main

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/commit/compact"
	"github.com/winnow/winnow/pipeline/report/overview"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

const (
	repeats = 4033 // the example has 62 pages and 4 extractors, so that this makes a million rows of documents
	parts   = 4
)

// repeated makes a large run of a small one: the rows of the example's run, many times.
// Every repetition has document ids of its own, which no archive has: the pages themselves
// cannot be read.
func repeated(b *testing.B, scorers string) (string, blob.Store) {
	b.Helper()
	ctx, out := b.Context(), filepath.Join(b.TempDir(), "out")
	var words strings.Builder
	if code := run(ctx, []string{"run", "--quiet", "--run", "r", "--out", out, "--extractors", "winnow,plain,bte,density", "--scorers", scorers, "../../examples/crawl.warc.gz"},
		strings.NewReader(""), &words, &words); code != 0 {
		b.Fatalf("exit code %d: %s", code, words.String())
	}
	client := blob.New(blob.Options{})
	b.Cleanup(func() { client.Close() })
	store, err := client.Store(ctx, out)
	if err != nil {
		b.Fatal(err)
	}
	m, err := tables.Manifest(ctx, store)
	if err != nil {
		b.Fatal(err)
	}
	old := m.Parts[0]
	m.Parts = nil
	pages, documents, scores := rowsOf(b, store, columnar.PagesOf(&m.Run.Recipe), &old), rowsOf(b, store, columnar.DocumentsOf(&m.Run.Recipe), &old), rowsOf(b, store, columnar.Scores, &old)
	for n := range parts {
		p := schemas.Part{Seq: n, Items: old.Items, Counts: old.Counts}
		id := func(i int) string { return fmt.Sprintf("%05d-", i) }
		p.Files = []schemas.Shard{
			repeat(b, store, columnar.PagesOf(&m.Run.Recipe), m, n, pages, func(r *schemas.Page) string { return r.Package }, func(r *schemas.Page, i int) {
				r.DocID = id(i) + r.DocID
			}),
			repeat(b, store, columnar.DocumentsOf(&m.Run.Recipe), m, n, documents, func(r *schemas.Document) string { return r.Package }, func(r *schemas.Document, i int) {
				r.DocID = id(i) + r.DocID
			}),
			repeat(b, store, columnar.Scores, m, n, scores, func(r *schemas.ScoreRow) string { return r.Package }, func(r *schemas.ScoreRow, i int) {
				r.DocID = id(i) + r.DocID
			}),
		}
		for _, f := range old.Files {
			if f.Table == schemas.TableAgreement {
				p.Files = append(p.Files, f)
			}
		}
		m.Parts = append(m.Parts, p)
	}
	m.Totals.Pages = int64(repeats * len(pages))
	data, err := m.Encode()
	if err != nil {
		b.Fatal(err)
	}
	if _, err := blob.WriteAll(ctx, store, schemas.ManifestFile, data); err != nil {
		b.Fatal(err)
	}
	if _, err := compact.Recompute(ctx, store); err != nil {
		b.Fatal(err)
	}
	return out, store
}

func rowsOf[T any](b *testing.B, store blob.Store, table *columnar.Table[T], p *schemas.Part) (rows []T) {
	b.Helper()
	for row, err := range tables.PartRows(b.Context(), store, table, p) {
		if err != nil {
			b.Fatal(err)
		}
		rows = append(rows, *row)
	}
	return rows
}

// repeat writes part n of a table. The rows stay in order: by package, then by repetition.
func repeat[T any](b *testing.B, store blob.Store, table *columnar.Table[T], m *schemas.Manifest, n int, rows []T, pkg func(*T) string, change func(r *T, i int)) schemas.Shard {
	b.Helper()
	shard, err := tables.Write(b.Context(), store, table, schemas.PartName(table.Name(), n, 9)+".parquet", &m.Run, columnar.PartSize, func(yield func(*T, error) bool) {
		for from := 0; from < len(rows); {
			to := from
			for to < len(rows) && pkg(&rows[to]) == pkg(&rows[from]) {
				to++
			}
			for i := n; i < repeats; i += parts {
				for _, row := range rows[from:to] {
					change(&row, i)
					if !yield(&row, nil) {
						return
					}
				}
			}
			from = to
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	return *shard
}

// peak runs f and returns the largest size of this process's memory meanwhile, in bytes.
func peak(f func()) uint64 {
	runtime.GC()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	ctx, stop := context.WithCancel(context.Background())
	largest := make(chan uint64)
	go func() {
		most := uint64(0)
		for tick := time.NewTicker(10 * time.Millisecond); ; {
			metrics.Read(sample)
			sum := uint64(0)
			for _, s := range sample {
				sum += s.Value.Uint64()
			}
			most = max(most, sum)
			select {
			case <-tick.C:
			case <-ctx.Done():
				tick.Stop()
				largest <- most
				return
			}
		}
	}()
	f()
	stop()
	return <-largest
}

// BenchmarkMillion measures the report of a run with a million rows of documents, and a
// search for a page of it in winnow serve:
//
//	go test ./cmd/winnow -run '^$' -bench Million -benchtime 1x
func BenchmarkMillion(b *testing.B) {
	if testing.Short() {
		b.Skip("it takes a minute")
	}
	for _, gold := range []struct{ name, scorers string }{{"gold", "str,vec"}, {"no gold", "none"}} {
		b.Run(gold.name, func(b *testing.B) {
			out, store := repeated(b, gold.scorers)
			b.Run("report", func(b *testing.B) {
				for b.Loop() {
					most := peak(func() {
						if err := overview.Write(b.Context(), store, overview.Options{}); err != nil {
							b.Fatal(err)
						}
					})
					b.ReportMetric(float64(most)/(1<<20), "peak-MiB")
				}
			})
			b.Run("serve", func(b *testing.B) {
				home := served(b, out, "127.0.0.1:0")
				if code, _ := get(b, http.DefaultClient, home); code != 200 { // the report is made meanwhile
					b.Fatal(code)
				}
				i := 0
				for b.Loop() {
					i = (i + 1009) % repeats
					address := fmt.Sprintf("%spages?q=%05d-bees-depot", home, i)
					code, list := get(b, http.DefaultClient, address)
					links := targets(b, list)
					if code != 200 || len(links) != 1 {
						b.Fatalf("%s: %d, %d pages", address, code, len(links))
					}
				}
			})
		})
	}
}
