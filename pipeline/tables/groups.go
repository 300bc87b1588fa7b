package tables

import (
	"context"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// NewGrouper returns the Grouper of the run in store. For complexity and size, it reads
// the whole table of documents.
func NewGrouper(ctx context.Context, store blob.Store, m *schemas.Manifest, by stats.Grouping) (*stats.Grouper, error) {
	return stats.NewGrouper(by, func(yield func(*schemas.Document, error) bool) {
		for _, file := range m.FilesOf(schemas.TableDocuments) {
			for row, err := range Rows(ctx, store, columnar.Documents, file) {
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	})
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
	t, err := Tally(ctx, store, m, func() *stats.Tally { return stats.NewGroupTally(m, o, g) })
	if err != nil {
		return nil, err
	}
	return t.Groups(m.Run.ID)
}
