package columnar

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"github.com/winnow/winnow/schemas"
)

// Foreign reads columns of a Parquet file that another program has written, within the
// bounds of a Reader. It may be used by one goroutine only.
//
//	f, err := columnar.OpenForeign(file, size)
//	err = f.Read("url", "fetch_status")
//	for g := range f.Groups() {
//		rows := f.Group(g)
//		for rows.Next(ctx) {
//			url, status := rows.Value(0), rows.Value(1)
//		}
//		err = rows.Err()
//	}
type Foreign struct {
	file    *file.Reader
	guard   *guard
	size    int64
	columns []ForeignColumn
	read    []*ForeignColumn
}

// foreign is the table's name in errors.
const foreign = schemas.Table("foreign table")

// ForeignColumn is a column with one value in each row. Columns of lists and of structs are
// not offered, and neither are types without an equal among the kinds.
type ForeignColumn struct {
	Name string
	Kind string // schemas.FactBool, FactInt, FactFloat or FactText; times are texts as RFC 3339 has them, in seconds of UTC

	leaf    int
	bounded bool // the file's statistics of the column are bounds of its values
	foreignValues
}

// foreignValues is how the values of a column are read.
type foreignValues struct {
	// open returns a function that skips some rows of a row group and reads the value of the
	// next one.
	open func(chunk file.ColumnChunkReader, rows int64) func(skip int64) (schemas.Value, error)
	// bounds returns the smallest and the largest value of a row group.
	bounds func(metadata.TypedStatistics) (smallest, largest schemas.Value)
}

// OpenForeign opens a Parquet file that has size bytes. It reads the metadata only.
func OpenForeign(r io.ReaderAt, size int64) (f *Foreign, err error) {
	defer contain(&err, foreign)
	f = &Foreign{size: size}
	if f.file, f.guard, err = openFile(foreign, r, size); err != nil {
		return nil, err
	}
	s := f.file.MetaData().Schema
	for leaf := range s.NumColumns() {
		c := s.Column(leaf)
		if c.MaxRepetitionLevel() > 0 || c.MaxDefinitionLevel() > 1 || len(c.ColumnPath()) != 1 {
			continue
		}
		out := ForeignColumn{Name: c.Name(), leaf: leaf}
		if out.translate(c); out.Kind != "" {
			f.columns = append(f.columns, out)
		}
	}
	return f, nil
}

// translate sets the kind of a column and how it is read. The kind stays "" if there is none.
func (f *ForeignColumn) translate(c *schema.Column) {
	unsigned := false
	switch logical := c.LogicalType().(type) {
	case schema.StringLogicalType, schema.EnumLogicalType, schema.JSONLogicalType:
	case *schema.TimestampLogicalType:
		unit := map[schema.TimeUnitType]time.Duration{schema.TimeUnitMillis: time.Millisecond, schema.TimeUnitMicros: time.Microsecond, schema.TimeUnitNanos: time.Nanosecond}[logical.TimeUnit()]
		if unit != 0 && c.PhysicalType() == parquet.Types.Int64 {
			second := int64(time.Second / unit)
			f.Kind, f.foreignValues = schemas.FactText, valuesBy(func(v *schemas.Value, n int64) { v.SetText(dated(time.Unix(n/second, n%second*int64(unit)))) })
		}
		return
	case *schema.IntLogicalType:
		unsigned = !logical.IsSigned()
	case schema.NoLogicalType, schema.UnknownLogicalType:
	default:
		return
	}
	f.bounded = !unsigned
	switch c.PhysicalType() {
	case parquet.Types.ByteArray: // old programs do not mark it as text
		f.Kind, f.foreignValues = schemas.FactText, valuesBy(func(v *schemas.Value, b parquet.ByteArray) { *v = schemas.Value{Known: true, Text: string(b)} })
	case parquet.Types.Int96: // Impala and Spark have times of this form
		f.bounded = false
		f.Kind, f.foreignValues = schemas.FactText, valuesBy(func(v *schemas.Value, t parquet.Int96) { v.SetText(dated(timeOf(t))) })
	case parquet.Types.Boolean:
		f.bounded = false
		f.Kind, f.foreignValues = schemas.FactBool, valuesBy((*schemas.Value).SetBool)
	case parquet.Types.Int32:
		f.Kind, f.foreignValues = schemas.FactInt, valuesBy(func(v *schemas.Value, n int32) {
			if v.SetInt(int64(n)); unsigned {
				v.SetInt(int64(uint32(n)))
			}
		})
	case parquet.Types.Int64:
		f.Kind, f.foreignValues = schemas.FactInt, valuesBy((*schemas.Value).SetInt)
	case parquet.Types.Float:
		f.Kind, f.foreignValues = schemas.FactFloat, valuesBy(func(v *schemas.Value, x float32) { v.SetFloat(float64(x)) })
	case parquet.Types.Double:
		f.Kind, f.foreignValues = schemas.FactFloat, valuesBy((*schemas.Value).SetFloat)
	}
}

// timeOf returns a time in the form of Impala and Spark: nanoseconds of the day, and the
// day, both little-endian. Day 2,440,588 of the Julian calendar is the first of 1970. The
// library's own function has no times before 1677 and after 2262.
func timeOf(b parquet.Int96) time.Time {
	nanos, day := int64(binary.LittleEndian.Uint64(b[:])), int64(binary.LittleEndian.Uint32(b[8:]))
	return time.Unix((day-2440588)*24*60*60, nanos)
}

func dated(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// valuesBy returns how values of type P are read that set translates.
func valuesBy[P physical](set func(*schemas.Value, P)) foreignValues {
	open := func(chunk file.ColumnChunkReader, rows int64) func(int64) (schemas.Value, error) {
		s := newSource[P](chunk, rows)
		return func(skip int64) (v schemas.Value, err error) {
			for range skip {
				s.next()
			}
			if p, known := s.next(); known {
				set(&v, p)
			}
			return v, s.err
		}
	}
	bounds := func(stats metadata.TypedStatistics) (smallest, largest schemas.Value) {
		typed := stats.(interface {
			Min() P
			Max() P
		})
		set(&smallest, typed.Min())
		set(&largest, typed.Max())
		return smallest, largest
	}
	return foreignValues{open, bounds}
}

// Columns returns the columns that may be read, in the order of the file.
func (f *Foreign) Columns() []ForeignColumn { return f.columns }

// Read chooses the columns that are read, each of which must be one of Columns. It must be
// called once.
func (f *Foreign) Read(names ...string) (err error) {
	defer contain(&err, foreign)
	var leaves []int
	for _, name := range names {
		at := slices.IndexFunc(f.columns, func(c ForeignColumn) bool { return c.Name == name })
		f.read, leaves = append(f.read, &f.columns[at]), append(leaves, f.columns[at].leaf)
	}
	if err := f.guard.enter(f.file.MetaData(), f.size, leaves); err != nil {
		return malformed(foreign, err)
	}
	return nil
}

// Groups returns the number of row groups.
func (f *Foreign) Groups() int { return f.file.NumRowGroups() }

// ForeignBounds are the smallest and the largest value of a column in a row group.
type ForeignBounds struct {
	Min, Max schemas.Value
	Nulls    bool // the group may have nulls
}

// Bounds returns the bounds of column c of Read in a row group. It returns false if the file
// does not state them: the group may then have any values. Bounds of times, truth values and
// unsigned numbers are not read.
func (f *Foreign) Bounds(group, c int) (b ForeignBounds, stated bool) {
	err := func() (err error) {
		defer contain(&err, foreign)
		chunk, err := f.file.MetaData().RowGroup(group).ColumnChunk(f.read[c].leaf)
		if err != nil {
			return err
		}
		stats, err := chunk.Statistics()
		if err != nil || stats == nil || !stats.HasMinMax() || !f.read[c].bounded {
			return err
		}
		b.Nulls = !stats.HasNullCount() || stats.NullCount() > 0
		b.Min, b.Max = f.read[c].bounds(stats)
		stated = b.Min.Known && b.Max.Known
		return nil
	}()
	return b, stated && err == nil
}

// ForeignRows are the rows of one row group. A column is fetched when the first value of it
// is asked for, and decoded only up to the last row whose value is asked for.
type ForeignRows struct {
	table   *Foreign
	group   *file.RowGroupReader
	columns []foreignValue
	row     int64 // index in the group; -1 before the first
	err     error
}

// foreignValue is the value of a column that was read last.
type foreignValue struct {
	schemas.Value
	row  int64                                   // row of the value; -1 before the first
	read func(skip int64) (schemas.Value, error) // nil until a value is asked for
}

// Group returns the rows of a row group.
func (f *Foreign) Group(g int) *ForeignRows {
	return &ForeignRows{table: f, group: f.file.RowGroup(g), columns: slices.Repeat([]foreignValue{{row: -1}}, len(f.read)), row: -1}
}

// Next moves to the next row. It returns false at the end and after an error, see Err.
func (r *ForeignRows) Next(ctx context.Context) bool {
	if r.row++; r.row%batchRows == 0 && r.err == nil {
		r.err = context.Cause(ctx)
	}
	return r.err == nil && r.row < r.group.NumRows()
}

// Value returns the value of column c of Read in the row. After an error, it is null.
func (r *ForeignRows) Value(c int) schemas.Value {
	x := &r.columns[c]
	if r.err == nil && x.row < r.row {
		r.err = r.load(x, r.table.read[c])
	}
	if r.err != nil {
		return schemas.Value{}
	}
	return x.Value
}

// load reads the value of a column in the row.
func (r *ForeignRows) load(x *foreignValue, column *ForeignColumn) (err error) {
	defer contain(&err, foreign)
	if x.read == nil {
		chunk, err := openColumn(r.group, column.leaf)
		if err != nil {
			return malformed(foreign, fmt.Errorf("column %s: %w", column.Name, err))
		}
		x.read = column.open(chunk, r.group.NumRows())
	}
	if x.Value, err = x.read(r.row - x.row - 1); err != nil {
		return malformed(foreign, fmt.Errorf("column %s: %w", column.Name, err))
	}
	x.row = r.row
	return nil
}

// Err returns the error that ended the rows, if there was one.
func (r *ForeignRows) Err() error { return r.err }
