package tables

import (
	"context"
	"fmt"
	"iter"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// Manifest reads the manifest of an output folder.
func Manifest(ctx context.Context, store blob.Store) (*schemas.Manifest, error) {
	m, err := manifest.Load(ctx, store)
	if err != nil {
		return nil, fmt.Errorf("tables: %s: %w", store.URL(), err)
	}
	return m, nil
}

// PartRows yields the rows of a part's files of a table.
func PartRows[T any](ctx context.Context, store blob.Store, table *columnar.Table[T], p *schemas.Part) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for _, f := range p.Files {
			if f.Table != table.Name() {
				continue
			}
			for row, err := range Rows(ctx, store, table, f.Name) {
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}

// Rows yields the rows of a table file in an output folder. A row is valid until the
// next one. An error is the last value.
func Rows[T any](ctx context.Context, store blob.Store, table *columnar.Table[T], name string) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		file, err := store.Open(ctx, name)
		if err != nil {
			yield(nil, err)
			return
		}
		defer file.Close()
		r, err := columnar.NewReader(table, file, file.Size())
		if err != nil {
			yield(nil, fmt.Errorf("%s: %w", name, err))
			return
		}
		for row, err := range r.All(ctx) {
			if err != nil {
				err = fmt.Errorf("%s: %w", name, err)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// Packages reads the tables packages and speed of an output folder. The error is
// blob.ErrNotFound if the folder has none yet, or has those of an earlier version, which
// wrote one table in place of the two.
func Packages(ctx context.Context, store blob.Store) (t stats.Tables, err error) {
	if t.Speed, err = collect(Rows(ctx, store, columnar.Speed, schemas.SpeedFile)); err == nil {
		t.Packages, err = collect(Rows(ctx, store, columnar.Packages, schemas.PackagesFile))
	}
	return t, err
}

// collect returns copies of rows.
func collect[T any](rows iter.Seq2[*T, error]) (list []T, err error) {
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		list = append(list, *row)
	}
	return list, nil
}

// Losses returns the losses of a run whose failures table is written.
func Losses(ctx context.Context, store blob.Store, m *schemas.Manifest) ([]account.Loss, error) {
	return account.Losses(m, Rows(ctx, store, columnar.Failures, schemas.FailuresFile))
}

// Write writes rows to a file of a table and returns its description.
func Write[T any](ctx context.Context, store blob.Store, table *columnar.Table[T], name string, run *schemas.Run, size columnar.Size,
	rows func(yield func(*T, error) bool)) (*schemas.Shard, error) {

	file, err := store.Create(ctx, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	w, err := columnar.NewWriter(table, file, run.ID, run.Hash, size)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		if err := w.Append(row); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	written, err := file.Commit()
	if err != nil {
		return nil, err
	}
	return &schemas.Shard{Table: table.Name(), Name: name, Rows: w.Rows(), Bytes: written.Bytes, SHA256: written.SHA256}, nil
}
