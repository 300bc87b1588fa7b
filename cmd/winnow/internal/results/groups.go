package results

import (
	"cmp"
	"context"
	"slices"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// writeGroups writes the figures of groups of documents: the columns of the
// package table, with the grouping and the group's key after the package.
func writeGroups(ctx context.Context, out *sheet, store blob.Store, m *schemas.Manifest, o Options) error {
	by := cmp.Or(o.By, stats.ByPageType)
	groups, err := tables.Groups(ctx, store, m, stats.GroupOptions{
		By: by, Packages: o.Packages, Extractors: o.Extractors, Scorers: o.Scorers, MaxRows: o.MaxRows})
	if err != nil {
		return err
	}
	columns := columnar.Packages.Columns()
	behind := slices.Index(columns, "package") + 1
	pageType := slices.Index(columns, "page_type") // the column of the page type, which is empty in these rows
	names := slices.Delete(slices.Clone(columns), pageType, pageType+1)
	if err := out.header(slices.Insert(names, behind, "grouping", "group")); err != nil {
		return err
	}
	for i := range groups {
		row := slices.Delete(columnar.Packages.Cells(&groups[i].Row), pageType, pageType+1)
		if err := out.row(slices.Insert(row, behind, columnar.Cell{Text: string(by)}, columnar.Cell{Text: groups[i].Key})); err != nil {
			return err
		}
	}
	return nil
}
