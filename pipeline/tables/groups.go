package tables

import (
	"context"
	"iter"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// NewGrouper returns the Grouper of the run in store. For complexity and size, it reads
// the whole table of pages. Its pages are read with PageColumns.
func NewGrouper(ctx context.Context, store blob.Store, m *schemas.Manifest, by stats.Grouping) (*stats.Grouper, error) {
	return stats.NewGrouper(&m.Run.Recipe, by, TableRows(ctx, store, PageColumns(&m.Run.Recipe, by), m))
}

// TableRows yields the rows of a table in all parts of a run.
func TableRows[T any](ctx context.Context, store blob.Store, table *columnar.Table[T], m *schemas.Manifest) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for _, name := range m.FilesOf(table.Name()) {
			for row, err := range Rows(ctx, store, table, name) {
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}

// Groups computes the rows of the package table for the groups of every package from
// the committed parts of a run. The rows are in the order of package, group, extractor
// and scorer. No file of the run has these rows, because grouped by site they can be as
// many as the rows of the documents table.
func Groups(ctx context.Context, store blob.Store, m *schemas.Manifest, o stats.GroupOptions) ([]stats.Group, error) {
	g, err := NewGrouper(ctx, store, m, o.By)
	if err != nil {
		return nil, err
	}
	t, err := Tally(ctx, store, m, o.By, func() *stats.Tally { return stats.NewGroupTally(m, o, g) })
	if err != nil {
		return nil, err
	}
	return t.Groups(m.Run.ID)
}
