package compact

import (
	"context"

	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// Templates writes the rows of all items of the phase learn to one table.
func (c *Compactor) Templates(ctx context.Context, found *Damage, entries []*Entry) (*schemas.Shard, error) {
	s := &sorter[schemas.TemplateRow]{table: columnar.Templates, compare: schemas.CompareTemplates, limit: c.SortRows, dir: c.TempDir}
	defer s.close()
	if _, err := gather(ctx, c, found, s, entries, nil); err != nil {
		return nil, err
	}
	if found.Any() {
		return nil, found
	}
	return tables.Write(ctx, c.Store, columnar.Templates, schemas.TemplatesFile, c.Run, c.Size, s.sorted(ctx))
}
