// Package shard writes the files in which an attempt at an item leaves its rows: one
// file per table, begun by the first row, which appears whole or not at all.
//
//	shards/HASH/ITEM-ATTEMPT-TABLE.parquet
//
// The name contains the attempt, because the report names the exact bytes (their
// SHA-256). When a lease was lost, two workers may work on one item, and neither may
// replace a file of the other that the aggregator reads. Errors are faults of the output
// (worker.OutputError).
//
// This package is internal to Winnow and may change in any release.
package shard

import (
	"context"
	"fmt"
	"io"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// File is a file of an attempt. It is created by the first Write or by Create.
type File struct {
	ctx   context.Context
	store blob.Store
	name  string
	w     *blob.Writer
}

// NewFile returns a file of that name in the output folder. The context is the
// attempt's.
func NewFile(ctx context.Context, store blob.Store, name string) *File {
	return &File{ctx: ctx, store: store, name: name}
}

// Create creates the file, unless that was done.
func (f *File) Create() (err error) {
	if f.w == nil {
		f.w, err = f.store.Create(f.ctx, f.name)
	}
	return worker.OutputError(err)
}

// Write implements io.Writer.
func (f *File) Write(b []byte) (n int, err error) {
	if err := f.Create(); err != nil {
		return 0, err
	}
	n, err = f.w.Write(b)
	return n, worker.OutputError(err)
}

// Empty reports whether the file was not created.
func (f *File) Empty() bool { return f.w == nil }

// Publish makes the file appear, and describes it as a file of a table with the given number of rows.
func (f *File) Publish(table schemas.Table, rows int64) (schemas.Shard, error) {
	w, err := f.w.Commit()
	if err != nil {
		return schemas.Shard{}, worker.OutputError(err)
	}
	return schemas.Shard{Table: table, Name: w.Name, Rows: rows, Bytes: w.Bytes, SHA256: w.SHA256}, nil
}

// Discard removes the file if it was not published.
func (f *File) Discard() {
	if f.w != nil {
		f.w.Close()
	}
}

// Rows writes the rows of a table in some format: columnar.Writer, columnar.JSONLines
// or conversion.Writer.
type Rows[T any] interface {
	Append(*T) error
	Close() error
	Rows() int64
}

// Table is the file with the rows of one table. Without a row there is no file.
type Table[T any] struct {
	table schemas.Table
	file  *File
	begin func(io.Writer) (Rows[T], error)
	rows  Rows[T]
}

// NewTable returns a table whose rows begin writes to file.
func NewTable[T any](table schemas.Table, file *File, begin func(io.Writer) (Rows[T], error)) *Table[T] {
	return &Table[T]{table: table, file: file, begin: begin}
}

// NewParquet returns the Parquet file of an attempt for the rows of t.
func NewParquet[T any](ctx context.Context, a *worker.Attempt, t *columnar.Table[T]) *Table[T] {
	file := NewFile(ctx, a.Job.Store, a.ShardPrefix()+string(t.Name())+".parquet")
	return NewTable(t.Name(), file, func(w io.Writer) (Rows[T], error) {
		return columnar.NewWriter(t, w, a.Item.Run, a.Item.Hash, columnar.ShardSize)
	})
}

// Append writes a row.
func (t *Table[T]) Append(row *T) (err error) {
	if t.rows == nil {
		if err := t.file.Create(); err != nil {
			return err
		}
		if t.rows, err = t.begin(t.file); err != nil {
			return t.failed(err)
		}
	}
	if err := t.rows.Append(row); err != nil {
		return t.failed(err)
	}
	return nil
}

func (t *Table[T]) failed(err error) error {
	return worker.OutputError(fmt.Errorf("write %s: %w", t.file.name, err))
}

// Publish makes the file appear and adds its description to a list. A table without
// rows adds nothing.
func (t *Table[T]) Publish(to *[]schemas.Shard) error {
	if t.rows == nil {
		return nil
	}
	if err := t.rows.Close(); err != nil {
		return t.failed(err)
	}
	sh, err := t.file.Publish(t.table, t.rows.Rows())
	if err == nil {
		*to = append(*to, sh)
	}
	return err
}

// Discard removes what was not published.
func (t *Table[T]) Discard() { t.file.Discard() }
