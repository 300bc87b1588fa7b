package columnar

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"github.com/winnow/winnow/schemas"
)

// Bounds on the memory that a file may take. Files that this package writes stay far
// below.
const (
	maxFooter = 16 << 20  // bytes of metadata
	maxGroup  = 512 << 20 // bytes of a row group, decoded
	maxRows   = 4 << 20   // rows of a row group
	maxValues = 64 << 20  // values of a column of a row group, counting each value of a list
	maxMemory = 1 << 30   // bytes that decoding may hold at once
	batchRows = 1024      // values of a column that are decoded at once
)

// ErrMalformed means that a file is not a table in the format of this package, or is
// damaged.
var ErrMalformed = errors.New("malformed table file")

// ErrNoColumn means that a file lacks a column of its table: an earlier version of the program
// wrote it. The error is an ErrMalformed, too.
var ErrNoColumn = errors.New("it has no column")

// Reader reads rows of type T from a Parquet file. It may be used by one goroutine
// only.
type Reader[T any] struct {
	table  *Table[T]
	meta   Meta
	rows   int64
	leaves []int // the columns of the file that are read
	file   *file.Reader
}

// NewReader opens a file of table that has size bytes. It reads the metadata only.
func NewReader[T any](table *Table[T], r io.ReaderAt, size int64) (rd *Reader[T], err error) {
	defer contain(&err, table.name)
	pf, g, err := openFile(table.name, r, size)
	if err != nil {
		return nil, err
	}
	rd = &Reader[T]{table: table, rows: pf.NumRows(), file: pf}
	if rd.meta, err = readMeta(pf.MetaData()); err != nil {
		return nil, malformed(table.name, err)
	}
	if rd.meta.Table != table.name {
		return nil, malformed(table.name, fmt.Errorf("it is a table of %q", rd.meta.Table))
	}
	if rd.leaves, err = leaves(table.schema(), pf.MetaData().Schema); err != nil {
		return nil, malformed(table.name, err)
	}
	if err := g.enter(pf.MetaData(), size, rd.leaves); err != nil {
		return nil, malformed(table.name, err)
	}
	return rd, nil
}

// openFile opens a Parquet file that has size bytes, in bounded memory. It reads the metadata only.
func openFile(table schemas.Table, r io.ReaderAt, size int64) (*file.Reader, *guard, error) {
	if err := checkFooter(r, size); err != nil {
		return nil, nil, fmt.Errorf("columnar: %s: %w", table, err)
	}
	g := &guard{ReaderAt: r}
	mem := &boundedAllocator{inner: memory.NewGoAllocator(), left: maxMemory}
	pf, err := file.NewParquetReader(io.NewSectionReader(g, 0, size), file.WithReadProps(parquet.NewReaderProperties(mem)))
	if err != nil {
		return nil, nil, malformed(table, err)
	}
	return pf, g, nil
}

// Meta returns what the file's metadata says about it.
func (r *Reader[T]) Meta() Meta { return r.meta }

// Rows returns the number of rows that the file's metadata states.
func (r *Reader[T]) Rows() int64 { return r.rows }

// All yields the rows in order. A row is valid until the next one. Its strings and
// slices may be kept. An error is the last value.
func (r *Reader[T]) All(ctx context.Context) iter.Seq2[*T, error] {
	groups := make([]int, r.file.NumRowGroups())
	for i := range groups {
		groups[i] = i
	}
	return r.Groups(ctx, groups)
}

// Bounds are the smallest and the largest value that a row group has of a text column.
type Bounds struct {
	Min, Max string
	Stated   bool // by the file; otherwise the group may have any values
}

// May reports whether the row group may have a value.
func (b *Bounds) May(value string) bool { return !b.Stated || b.Min <= value && value <= b.Max }

// Bounds returns the bounds of a text column in each row group, as the file states them.
func (r *Reader[T]) Bounds(column string) (out []Bounds, err error) {
	defer contain(&err, r.table.name)
	at := slices.Index(r.table.Columns(), column)
	for g := range r.file.NumRowGroups() {
		chunk, err := r.file.MetaData().RowGroup(g).ColumnChunk(r.leaves[at])
		if err != nil {
			return nil, r.malformedColumn(at, err)
		}
		stats, err := chunk.Statistics()
		if err != nil {
			return nil, r.malformedColumn(at, err)
		}
		var b Bounds
		if s, ok := stats.(*metadata.ByteArrayStatistics); ok && s.HasMinMax() {
			b = Bounds{string(s.Min()), string(s.Max()), true}
		}
		out = append(out, b)
	}
	return out, nil
}

// Groups yields the rows of some row groups, as All does.
func (r *Reader[T]) Groups(ctx context.Context, groups []int) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		var row T
		for _, g := range groups {
			loaders, err := r.open(g)
			rows := r.file.RowGroup(g).NumRows()
			for at := int64(0); at < rows && err == nil; at++ {
				if at%batchRows == 0 {
					err = context.Cause(ctx)
				}
				if err == nil {
					err = r.load(loaders, &row)
				}
				if err == nil && !yield(&row, nil) {
					return
				}
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// open returns what reads the columns of a row group.
func (r *Reader[T]) open(g int) (loaders []loader[T], err error) {
	defer contain(&err, r.table.name)
	group := r.file.RowGroup(g)
	for i, leaf := range r.leaves {
		chunk, err := openColumn(group, leaf)
		if err != nil {
			return nil, r.malformedColumn(i, err)
		}
		loaders = append(loaders, r.table.columns[i].open(chunk, group.NumRows()))
	}
	return loaders, nil
}

// load reads the next row.
func (r *Reader[T]) load(loaders []loader[T], row *T) (err error) {
	defer contain(&err, r.table.name)
	for i, l := range loaders {
		if err := l.load(row); err != nil {
			return r.malformedColumn(i, err)
		}
	}
	return nil
}

func (r *Reader[T]) malformedColumn(i int, err error) error {
	return malformed(r.table.name, fmt.Errorf("column %s: %w", r.table.columns[i].name, err))
}

// leaves finds the columns of the table in a file, by name. It verifies that they are
// stored as this package stores them, so that the decoder gets only shapes with which
// it is tested. Columns that the table does not have were written by a later program
// and are not read.
func leaves(root *schema.GroupNode, in *schema.Schema) ([]int, error) {
	want := schema.NewSchema(root)
	leaves := make([]int, want.NumColumns())
	for i := range leaves {
		w := want.Column(i)
		at := in.ColumnIndexByName(w.Path())
		if at < 0 {
			return nil, fmt.Errorf("%w %s", ErrNoColumn, w.Path())
		}
		g := in.Column(at)
		if g.PhysicalType() != w.PhysicalType() || g.MaxDefinitionLevel() != w.MaxDefinitionLevel() || g.MaxRepetitionLevel() != w.MaxRepetitionLevel() {
			return nil, fmt.Errorf("column %s is stored as %s with levels %d and %d, want %s with %d and %d", w.Path(),
				g.PhysicalType(), g.MaxDefinitionLevel(), g.MaxRepetitionLevel(), w.PhysicalType(), w.MaxDefinitionLevel(), w.MaxRepetitionLevel())
		}
		leaves[i] = at
	}
	return leaves, nil
}

// keyArrow is the key of the schema that Arrow libraries store in a Parquet file. The
// schema adds nothing for plain columns, so this package does not write it. A file with
// that key is refused, because the library reads the schema unchecked: a wrong count in
// it makes the library allocate without bound.
const keyArrow = "ARROW:schema"

func readMeta(m *metadata.FileMetaData) (meta Meta, err error) {
	kv := m.KeyValueMetadata()
	get := func(key string) string {
		if v := kv.FindValue(key); v != nil {
			return *v
		}
		return ""
	}
	if kv.FindValue(keyArrow) != nil {
		return meta, errors.New("it carries an Arrow schema, which no file written by winnow does")
	}
	meta = Meta{Table: schemas.Table(get(keyTable)), Run: schemas.RunID(get(keyRun)), Recipe: get(keyRecipe)}
	if meta.Version, err = strconv.Atoi(get(keyVersion)); err != nil {
		return meta, errors.New("its metadata has no version of winnow's format")
	}
	if meta.Version != schemas.Version {
		return meta, fmt.Errorf("it has version %d, this program reads version %d", meta.Version, schemas.Version)
	}
	return meta, nil
}

func malformed(table schemas.Table, err error) error {
	return fmt.Errorf("columnar: %s: %w: %w", table, ErrMalformed, err)
}

// contain turns a panic of the decoder into an error. The caller defers it.
func contain(err *error, table schemas.Table) {
	if p := recover(); p != nil {
		*err = malformed(table, fmt.Errorf("decoder: %v", p))
	}
}

// boundedAllocator panics when decoding asks for more memory than any file that this
// package writes needs. contain turns that panic into an error.
type boundedAllocator struct {
	inner memory.Allocator
	left  int
}

func (a *boundedAllocator) take(n int) {
	if n > a.left {
		panic(fmt.Sprintf("wants more than %d bytes of memory", maxMemory))
	}
	a.left -= n
}

func (a *boundedAllocator) Allocate(n int) []byte {
	a.take(n)
	return a.inner.Allocate(n)
}

func (a *boundedAllocator) Reallocate(n int, b []byte) []byte {
	a.take(n - len(b))
	return a.inner.Reallocate(n, b)
}

func (a *boundedAllocator) Free(b []byte) {
	a.left += len(b)
	a.inner.Free(b)
}
