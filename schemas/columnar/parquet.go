package columnar

import (
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// Arrow's own translation between its arrays and Parquet's columns (pqarrow) supports
// every type of both. It links the kernels of Arrow's query engine and gRPC, each of
// which is a quarter of a program's size. The tables have seven types only, and the code
// below translates those.

// Definition levels of a column that is a list of numbers: a null list, an empty list,
// a null element (which no file written here has), and an element.
const (
	listNull    = 0
	listEmpty   = 1
	listElement = 3
)

// parquetSchema returns the columns as a schema of Parquet.
func parquetSchema[T any](columns []column[T]) (*schema.GroupNode, error) {
	var nodes schema.FieldList
	for i := range columns {
		c := &columns[i]
		rep := parquet.Repetitions.Required
		if c.nullable {
			rep = parquet.Repetitions.Optional
		}
		node, err := parquetNode(c.name, c.typ, rep)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, node)
	}
	// The library's default root is "repeated", which some readers treat as another
	// level of repetition.
	return schema.NewGroupNode("schema", parquet.Repetitions.Required, nodes, -1)
}

func parquetNode(name string, typ arrow.DataType, rep parquet.Repetition) (schema.Node, error) {
	var logical schema.LogicalType = schema.NoLogicalType{}
	var physical parquet.Type
	switch typ.ID() {
	case arrow.STRING:
		physical, logical = parquet.Types.ByteArray, schema.StringLogicalType{}
	case arrow.BINARY:
		physical = parquet.Types.ByteArray
	case arrow.INT64:
		physical, logical = parquet.Types.Int64, schema.NewIntLogicalType(64, true)
	case arrow.INT32:
		physical, logical = parquet.Types.Int32, schema.NewIntLogicalType(32, true)
	case arrow.FLOAT64:
		physical = parquet.Types.Double
	case arrow.BOOL:
		physical = parquet.Types.Boolean
	case arrow.LIST:
		element, err := parquetNode(name, typ.(*arrow.ListType).Elem(), parquet.Repetitions.Optional)
		if err != nil {
			return nil, err
		}
		return schema.ListOf(element, rep, -1)
	default:
		return nil, fmt.Errorf("column %s: no tables have the type %s", name, typ)
	}
	return schema.NewPrimitiveNodeLogical(name, rep, logical, physical, -1, -1)
}

// writeColumn writes a column of a row group.
func writeColumn(w file.ColumnChunkWriter, a arrow.Array) error {
	var def []int16
	if w.Descr().MaxDefinitionLevel() > 0 {
		def = make([]int16, a.Len())
		for i := range def {
			if a.IsValid(i) {
				def[i] = 1
			}
		}
	}
	switch w := w.(type) {
	case *file.ByteArrayColumnChunkWriter:
		values, text := make([]parquet.ByteArray, 0, a.Len()), a.(interface { // a String or a Binary
			arrow.Array
			ValueOffsets() []int32
		})
		offsets := text.ValueOffsets()
		var bytes []byte
		if b := text.Data().Buffers()[2]; b != nil {
			bytes = b.Bytes()
		}
		for i := range text.Len() {
			if text.IsValid(i) {
				values = append(values, bytes[offsets[i]:offsets[i+1]])
			}
		}
		_, err := w.WriteBatch(values, def, nil)
		return err
	case *file.BooleanColumnChunkWriter:
		values, bits := make([]bool, a.Len()), a.(*array.Boolean)
		for i := range values {
			values[i] = bits.Value(i)
		}
		_, err := w.WriteBatch(present(values, a), def, nil)
		return err
	case *file.Int64ColumnChunkWriter:
		_, err := w.WriteBatch(present(a.(*array.Int64).Int64Values(), a), def, nil)
		return err
	case *file.Float64ColumnChunkWriter:
		_, err := w.WriteBatch(present(a.(*array.Float64).Float64Values(), a), def, nil)
		return err
	case *file.Int32ColumnChunkWriter:
		if list, ok := a.(*array.List); ok {
			return writeLists(w, list)
		}
		_, err := w.WriteBatch(present(a.(*array.Int32).Int32Values(), a), def, nil)
		return err
	}
	return fmt.Errorf("no column is written as %T", w)
}

// present returns the values of a that are not null.
func present[V any](values []V, a arrow.Array) []V {
	if a.NullN() == 0 {
		return values
	}
	kept := make([]V, 0, len(values)-a.NullN())
	for i, v := range values {
		if a.IsValid(i) {
			kept = append(kept, v)
		}
	}
	return kept
}

func writeLists(w *file.Int32ColumnChunkWriter, a *array.List) error {
	values := a.ListValues().(*array.Int32).Int32Values()
	def, rep := make([]int16, 0, a.Len()+len(values)), make([]int16, 0, a.Len()+len(values))
	for i := range a.Len() {
		from, to := a.ValueOffsets(i)
		switch {
		case a.IsNull(i):
			def, rep = append(def, listNull), append(rep, 0)
		case from == to:
			def, rep = append(def, listEmpty), append(rep, 0)
		}
		for at := from; at < to; at++ {
			def, rep = append(def, listElement), append(rep, int16(min(at-from, 1)))
		}
	}
	_, err := w.WriteBatch(values, def, rep)
	return err
}

// columnReader reads a column of a file in batches of rows.
type columnReader struct {
	leaf     int
	typ      arrow.DataType
	nullable bool
	values   file.RecordReader
	mem      memory.Allocator
}

func newColumnReader(f *file.Reader, leaf int, typ arrow.DataType, mem memory.Allocator) *columnReader {
	descr := f.MetaData().Schema.Column(leaf)
	levels := file.LevelInfo{NullSlotUsage: 1, DefLevel: descr.MaxDefinitionLevel(), RepLevel: descr.MaxRepetitionLevel()}
	of := typ
	if list, ok := typ.(*arrow.ListType); ok {
		levels.RepeatedAncestorDefLevel = listElement - 1
		of = list.Elem()
	}
	return &columnReader{leaf, typ, levels.DefLevel > 0, file.NewRecordReader(descr, levels, of, mem, f.BufferPool()), mem}
}

// enter starts to read a row group.
func (c *columnReader) enter(group *file.RowGroupReader) error {
	chunk, err := group.MetaData().ColumnChunk(c.leaf)
	if err != nil {
		return err
	}
	if n := chunk.NumValues(); n < group.NumRows() || n > group.NumRows() && c.typ.ID() != arrow.LIST {
		return fmt.Errorf("%d values for %d rows", n, group.NumRows())
	}
	pages, err := group.GetColumnPageReader(c.leaf)
	if err == nil {
		c.values.SetPageReader(pages)
	}
	return err
}

// next reads the next n rows of the group. The caller releases the array.
func (c *columnReader) next(n int64) (arrow.Array, error) {
	c.values.Reset()
	if err := c.values.Reserve(n); err != nil {
		return nil, err
	}
	for left := n; left > 0; {
		got, err := c.values.ReadRecords(left)
		if err != nil {
			return nil, err
		}
		if got == 0 {
			break
		}
		left -= got
	}
	a, err := c.array()
	if err == nil && int64(a.Len()) != n {
		a.Release()
		err = fmt.Errorf("%d rows, want %d", a.Len(), n)
	}
	return a, err
}

// array returns the values that were read.
func (c *columnReader) array() (arrow.Array, error) {
	switch c.typ.ID() {
	case arrow.STRING, arrow.BINARY:
		chunks := c.values.(file.BinaryRecordReader).GetBuilderChunks()
		if len(chunks) != 1 { // the bounds of a row group ensure that there is one
			return nil, fmt.Errorf("a batch of texts is in %d pieces", len(chunks))
		}
		defer chunks[0].Release()
		if c.typ.ID() == arrow.BINARY {
			return array.NewBinaryData(chunks[0].Data()), nil
		}
		return array.NewStringData(chunks[0].Data()), nil
	case arrow.BOOL:
		b := array.NewBooleanBuilder(c.mem)
		defer b.Release()
		values := c.values.Values()[:c.values.ValuesWritten()]
		if !c.nullable {
			for _, v := range values {
				b.Append(v != 0)
			}
			return b.NewArray(), nil
		}
		for i, def := range c.values.DefLevels()[:c.values.LevelsPos()] { // a null has a value, too
			if def == 0 {
				b.AppendNull()
			} else {
				b.Append(values[i] != 0)
			}
		}
		return b.NewArray(), nil
	case arrow.LIST:
		return c.lists(), nil
	}
	valid, values := c.values.ReleaseValidBits(), c.values.ReleaseValues()
	data := array.NewData(c.typ, c.values.ValuesWritten(), []*memory.Buffer{valid, values}, nil, int(c.values.NullCount()), 0)
	defer data.Release()
	for _, b := range []*memory.Buffer{valid, values} {
		if b != nil {
			b.Release()
		}
	}
	switch c.typ.ID() {
	case arrow.INT64:
		return array.NewInt64Data(data), nil
	case arrow.INT32:
		return array.NewInt32Data(data), nil
	case arrow.FLOAT32:
		return array.NewFloat32Data(data), nil
	case arrow.FLOAT64:
		return array.NewFloat64Data(data), nil
	case arrow.FIXED_SIZE_BINARY:
		return array.NewFixedSizeBinaryData(data), nil
	}
	return nil, fmt.Errorf("no column is read as %s", c.typ)
}

func (c *columnReader) lists() arrow.Array {
	b := array.NewListBuilder(c.mem, arrow.PrimitiveTypes.Int32)
	defer b.Release()
	elements := b.ValueBuilder().(*array.Int32Builder)
	values := arrow.Int32Traits.CastFromBytes(c.values.Values())[:c.values.ValuesWritten()]
	n := c.values.LevelsPos()
	reps := c.values.RepLevels()[:n]
	at := 0
	for i, def := range c.values.DefLevels()[:n] {
		if reps[i] == 0 {
			b.Append(def != listNull)
		}
		if def > listEmpty {
			elements.Append(values[at])
			at++
		}
	}
	return b.NewArray()
}
