package tables

import (
	"context"
	"fmt"
	"runtime"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/panics"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
	"golang.org/x/sync/errgroup"
)

// Tally counts the rows of all parts, several parts at a time, in tallies that fresh
// returns, for a grouping if there is one. The result does not depend on the order.
func Tally(ctx context.Context, store blob.Store, m *schemas.Manifest, by stats.Grouping, fresh func() *stats.Tally) (*stats.Tally, error) {
	pages := PageColumns(&m.Run.Recipe, by)
	return ofParts(ctx, m, fresh, func(ctx context.Context, t *stats.Tally, p *schemas.Part) error {
		return t.Add(Documents(ctx, store, pages, p), PartRows(ctx, store, columnar.Scores, p))
	})
}

// ofParts adds all parts of a run to several tallies that fresh returns, in parallel, each
// part to one of them, and merges these.
func ofParts[T interface{ Merge(T) }](ctx context.Context, m *schemas.Manifest, fresh func() T, add func(context.Context, T, *schemas.Part) error) (sum T, err error) {
	workers := min(runtime.GOMAXPROCS(0), 4, max(1, len(m.Parts)))
	tallies := make([]T, workers)
	g, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		g.Go(func() error {
			tallies[w] = fresh()
			for i := w; i < len(m.Parts); i += workers {
				if err := panics.Call(func() error { return add(ctx, tallies[w], &m.Parts[i]) }); err != nil {
					return fmt.Errorf("tables: part %d: %w", i, err)
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return sum, err
	}
	for _, t := range tallies[1:] {
		tallies[0].Merge(t)
	}
	return tallies[0], nil
}

// Summary returns the summary of a run whose tables have these rows, and whose failures
// table is written.
func Summary(ctx context.Context, store blob.Store, m *schemas.Manifest, rows stats.Tables) (*stats.Summary, error) {
	losses, err := Losses(ctx, store, m)
	if err != nil {
		return nil, err
	}
	sum := stats.NewSummary(m, rows)
	sum.Losses = losses
	if !sum.HasScores() {
		sum.Texts, err = texts(ctx, store, m)
	}
	return sum, err
}

// texts reads what each extractor kept.
func texts(ctx context.Context, store blob.Store, m *schemas.Manifest) ([]stats.TextSummary, error) {
	r := &m.Run.Recipe
	documents := columnar.DocumentColumns(stats.KeptFacts(r), "package", "doc_id", "page_id", "extractor", "outcome", "html_bytes", "text_chars", "confidence", "kept")
	pages := PageColumns(r, stats.ByLanguage)
	kept, err := ofParts(ctx, m, func() *stats.KeptTally { return stats.NewKeptTally(r) }, func(ctx context.Context, t *stats.KeptTally, p *schemas.Part) error {
		for row, err := range DocumentColumns(ctx, store, pages, documents, p) {
			if err != nil {
				return err
			}
			t.Add(row)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return kept.Summaries(), nil
}
