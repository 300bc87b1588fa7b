package columnar

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
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
//		rows, err := f.Group(g)
//		for rows.Next(ctx) {
//			url, status := rows.Value(0), rows.Value(1)
//		}
//		err = rows.Close()
//	}
type Foreign struct {
	file    *file.Reader
	guard   *guard
	size    int64
	mem     memory.Allocator
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

	leaf     int
	typ      arrow.DataType
	unsigned bool
	text     func(a arrow.Array, i int) string // formats a value, if Kind is FactText
}

// OpenForeign opens a Parquet file that has size bytes. It reads the metadata only.
func OpenForeign(r io.ReaderAt, size int64) (f *Foreign, err error) {
	defer contain(&err, foreign)
	if err := checkFooter(r, size); err != nil {
		return nil, fmt.Errorf("columnar: %w", err)
	}
	f = &Foreign{guard: &guard{ReaderAt: r}, size: size, mem: &boundedAllocator{inner: memory.NewGoAllocator(), left: maxMemory}}
	f.file, err = file.NewParquetReader(io.NewSectionReader(f.guard, 0, size), file.WithReadProps(parquet.NewReaderProperties(f.mem)))
	if err != nil {
		return nil, malformed(foreign, err)
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

// translate sets the kind and the type of a column. The kind stays "" if there is none.
func (f *ForeignColumn) translate(c *schema.Column) {
	numbers := map[parquet.Type]struct {
		kind string
		typ  arrow.DataType
	}{
		parquet.Types.Boolean: {schemas.FactBool, arrow.FixedWidthTypes.Boolean},
		parquet.Types.Int32:   {schemas.FactInt, arrow.PrimitiveTypes.Int32},
		parquet.Types.Int64:   {schemas.FactInt, arrow.PrimitiveTypes.Int64},
		parquet.Types.Float:   {schemas.FactFloat, arrow.PrimitiveTypes.Float32},
		parquet.Types.Double:  {schemas.FactFloat, arrow.PrimitiveTypes.Float64},
	}
	switch logical := c.LogicalType().(type) {
	case schema.StringLogicalType, schema.EnumLogicalType, schema.JSONLogicalType:
		f.Kind, f.typ, f.text = schemas.FactText, arrow.BinaryTypes.String, textAt
	case *schema.TimestampLogicalType:
		unit := map[schema.TimeUnitType]time.Duration{schema.TimeUnitMillis: time.Millisecond, schema.TimeUnitMicros: time.Microsecond, schema.TimeUnitNanos: time.Nanosecond}[logical.TimeUnit()]
		if unit == 0 || c.PhysicalType() != parquet.Types.Int64 {
			return
		}
		f.Kind, f.typ = schemas.FactText, arrow.PrimitiveTypes.Int64
		f.text = func(a arrow.Array, i int) string {
			v, second := a.(*array.Int64).Value(i), int64(time.Second/unit)
			return dated(time.Unix(v/second, v%second*int64(unit)))
		}
	case *schema.IntLogicalType:
		f.Kind, f.typ, f.unsigned = numbers[c.PhysicalType()].kind, numbers[c.PhysicalType()].typ, !logical.IsSigned()
	case schema.NoLogicalType, schema.UnknownLogicalType:
		switch c.PhysicalType() {
		case parquet.Types.ByteArray: // old programs do not mark it as text
			f.Kind, f.typ, f.text = schemas.FactText, arrow.BinaryTypes.String, textAt
		case parquet.Types.Int96:
			f.Kind, f.typ, f.text = schemas.FactText, &arrow.FixedSizeBinaryType{ByteWidth: 12}, int96At
		default:
			f.Kind, f.typ = numbers[c.PhysicalType()].kind, numbers[c.PhysicalType()].typ
		}
	}
}

func textAt(a arrow.Array, i int) string { return a.(*array.String).Value(i) }

// int96At returns a time in the form of Impala and Spark: nanoseconds of the day, and the
// day, both little-endian. Day 2,440,588 of the Julian calendar is the first of 1970.
func int96At(a arrow.Array, i int) string {
	b := a.(*array.FixedSizeBinary).Value(i)
	nanos, day := int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint32(b[8:]))
	return dated(time.Unix((day-2440588)*24*60*60, nanos))
}

func dated(t time.Time) string { return t.UTC().Format(time.RFC3339) }

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
		if err != nil || stats == nil || !stats.HasMinMax() {
			return err
		}
		b.Nulls = !stats.HasNullCount() || stats.NullCount() > 0
		switch s := stats.(type) {
		case *metadata.ByteArrayStatistics:
			b.Min, b.Max = schemas.Value{Known: true, Text: string(s.Min())}, schemas.Value{Known: true, Text: string(s.Max())}
		case *metadata.Int32Statistics:
			b.Min.SetInt(int64(s.Min()))
			b.Max.SetInt(int64(s.Max()))
		case *metadata.Int64Statistics:
			b.Min.SetInt(s.Min())
			b.Max.SetInt(s.Max())
		case *metadata.Float32Statistics:
			b.Min.SetFloat(float64(s.Min()))
			b.Max.SetFloat(float64(s.Max()))
		case *metadata.Float64Statistics:
			b.Min.SetFloat(s.Min())
			b.Max.SetFloat(s.Max())
		}
		isTime := f.read[c].Kind == schemas.FactText && f.read[c].typ.ID() != arrow.STRING
		stated = b.Min.Known && b.Max.Known && !isTime && !f.read[c].unsigned
		return nil
	}()
	return b, stated && err == nil
}

// ForeignRows are the rows of one row group. A column is fetched when the first value of it
// is asked for, and decoded only up to the last row whose value is asked for.
type ForeignRows struct {
	table   *Foreign
	group   *file.RowGroupReader
	columns []foreignValues
	row     int64 // index in the group; -1 before the first
	err     error
}

// foreignValues is a batch of values of a column.
type foreignValues struct {
	*ForeignColumn
	reader *columnReader // nil until a value is asked for
	batch  arrow.Array   // nil until a value is asked for
	end    int64         // row that follows the batch
}

// Group returns the rows of a row group. The caller closes them.
func (f *Foreign) Group(g int) *ForeignRows {
	r := &ForeignRows{table: f, group: f.file.RowGroup(g), columns: make([]foreignValues, len(f.read)), row: -1}
	for i := range r.columns {
		r.columns[i].ForeignColumn = f.read[i]
	}
	return r
}

// Next moves to the next row. It returns false at the end and after an error, see Close.
func (r *ForeignRows) Next(ctx context.Context) bool {
	if r.row++; r.row%batchRows == 0 && r.err == nil {
		r.err = context.Cause(ctx)
	}
	return r.err == nil && r.row < r.group.NumRows()
}

// Value returns the value of column c of Read in the row. A text is valid until the next
// row. After an error, the value is null.
func (r *ForeignRows) Value(c int) (v schemas.Value) {
	x := &r.columns[c]
	if r.err == nil && (x.reader == nil || r.row >= x.end) {
		r.err = r.load(x)
	}
	if r.err != nil {
		return v
	}
	i := int(r.row - (x.end - int64(x.batch.Len())))
	if x.batch.IsNull(i) {
		return v
	}
	if x.text != nil {
		return schemas.Value{Known: true, Text: x.text(x.batch, i)}
	}
	switch a := x.batch.(type) {
	case *array.Boolean:
		v.SetBool(a.Value(i))
	case *array.Int32:
		if v.SetInt(int64(a.Value(i))); x.unsigned {
			v.SetInt(int64(uint32(a.Value(i))))
		}
	case *array.Int64:
		v.SetInt(a.Value(i))
	case *array.Float32:
		v.SetFloat(float64(a.Value(i)))
	case *array.Float64:
		v.SetFloat(a.Value(i))
	}
	return v
}

// load decodes a column up to the batch with the row.
func (r *ForeignRows) load(x *foreignValues) (err error) {
	defer contain(&err, foreign)
	if x.reader == nil {
		x.reader = newColumnReader(r.table.file, x.leaf, x.typ, r.table.mem)
		if err := x.reader.enter(r.group); err != nil {
			return malformed(foreign, fmt.Errorf("column %s: %w", x.Name, err))
		}
	}
	for x.end <= r.row {
		if x.batch != nil {
			x.batch.Release()
			x.batch = nil
		}
		n := min(r.group.NumRows()-x.end, batchRows)
		if x.batch, err = x.reader.next(n); err != nil {
			return malformed(foreign, fmt.Errorf("column %s: %w", x.Name, err))
		}
		x.end += n
	}
	return nil
}

// Close releases the memory of the rows and returns the error that ended them, if there was
// one.
func (r *ForeignRows) Close() error {
	for i := range r.columns {
		x := &r.columns[i]
		if x.batch != nil {
			x.batch.Release()
		}
		if x.reader != nil {
			x.reader.values.Release()
		}
	}
	return r.err
}
