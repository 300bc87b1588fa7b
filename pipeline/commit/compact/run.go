package compact

import (
	"context"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// Recompute makes the packages, speed, agreement and failures tables again from the committed
// parts of an output folder, also while the run goes on, and also with another version
// of this package. It returns the summary.
func Recompute(ctx context.Context, store blob.Store) (*stats.Summary, error) {
	m, err := tables.Manifest(ctx, store)
	if err != nil {
		return nil, err
	}
	rows, err := New(store, &m.Run).RunTables(ctx, m, store)
	if err != nil {
		return nil, err
	}
	return tables.Summary(ctx, store, m, rows)
}

// RunTables writes the failures, agreement, packages and speed tables of the run with the
// manifest m from its committed parts to a store, as a rule the output folder. It returns the
// rows of packages and speed.
func (c *Compactor) RunTables(ctx context.Context, m *schemas.Manifest, to blob.Store) (rows stats.Tables, err error) {
	if err := c.runFailures(ctx, m, to); err != nil {
		return rows, err
	}
	means, err := c.runAgreement(ctx, m, to)
	if err != nil {
		return rows, err
	}
	t, err := tables.Tally(ctx, c.Store, m, "", func() *stats.Tally { return stats.NewTally(m) })
	if err != nil {
		return rows, err
	}
	if rows, err = t.Rows(m.Run.ID, means); err != nil {
		return rows, err
	}
	if err := writeAll(ctx, c, to, columnar.Packages, schemas.PackagesFile, rows.Packages); err != nil {
		return rows, err
	}
	return rows, writeAll(ctx, c, to, columnar.Speed, schemas.SpeedFile, rows.Speed)
}

func writeAll[T any](ctx context.Context, c *Compactor, to blob.Store, table *columnar.Table[T], name string, rows []T) error {
	_, err := tables.Write(ctx, to, table, name, c.Run, c.Size, func(yield func(*T, error) bool) {
		for i := range rows {
			if !yield(&rows[i], nil) {
				return
			}
		}
	})
	return err
}

// runFailures collects the failures of all parts and the files that were refused when
// the run was planned.
func (c *Compactor) runFailures(ctx context.Context, m *schemas.Manifest, to blob.Store) error {
	s := newSorter(c, columnar.Failures, schemas.CompareFailures)
	defer s.Close()
	for i := range m.Parts {
		for row, err := range tables.PartRows(ctx, c.Store, columnar.Failures, &m.Parts[i]) {
			if err == nil {
				err = s.Add(row)
			}
			if err != nil {
				return err
			}
		}
	}
	for i := range m.Run.Files {
		if f := &m.Run.Files[i]; f.Refused != "" {
			row := schemas.Failure{Run: string(m.Run.ID), File: f.URL, Length: f.Length(), Stage: "file", Reason: f.Refused, Severity: "lost", Detail: f.Detail, Attempts: 1}
			if err := s.Add(&row); err != nil {
				return err
			}
		}
	}
	_, err := tables.Write(ctx, to, columnar.Failures, schemas.FailuresFile, &m.Run, c.Size, s.Sorted(ctx))
	return err
}
