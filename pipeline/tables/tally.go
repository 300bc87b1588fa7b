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
// returns. The result does not depend on the order.
func Tally(ctx context.Context, store blob.Store, m *schemas.Manifest, fresh func() *stats.Tally) (*stats.Tally, error) {
	return tally(ctx, store, m, "", fresh)
}

// tally is Tally for tallies of the groups of a grouping.
func tally(ctx context.Context, store blob.Store, m *schemas.Manifest, by stats.Grouping, fresh func() *stats.Tally) (*stats.Tally, error) {
	pages := PageColumns(&m.Run.Recipe, by)
	workers := min(runtime.GOMAXPROCS(0), 4, max(1, len(m.Parts)))
	tallies := make([]*stats.Tally, workers)
	g, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		g.Go(func() error {
			tallies[w] = fresh()
			for i := w; i < len(m.Parts); i += workers {
				err := panics.Call(func() error {
					p := &m.Parts[i]
					return tallies[w].Add(Documents(ctx, store, pages, p), PartRows(ctx, store, columnar.Scores, p))
				})
				if err != nil {
					return fmt.Errorf("tables: part %d: %w", i, err)
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
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
	return sum, nil
}
