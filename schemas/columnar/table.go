package columnar

import (
	"encoding/binary"
	"math"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/winnow/winnow/schemas"
)

// Table is how rows of type T lie in columns. The tables of a run are variables
// of this package; they do not change.
type Table[T any] struct {
	name    schemas.Table
	columns []column[T]
}

// Name of the table.
func (t *Table[T]) Name() schemas.Table { return t.name }

// Columns are the names of the table's columns, in order.
func (t *Table[T]) Columns() []string {
	names := make([]string, len(t.columns))
	for i := range t.columns {
		names[i] = t.columns[i].name
	}
	return names
}

// schema is the table as an Arrow schema.
func (t *Table[T]) schema() *arrow.Schema {
	fields := make([]arrow.Field, len(t.columns))
	for i, c := range t.columns {
		fields[i] = c.field()
	}
	return arrow.NewSchema(fields, nil)
}

// column is one column of a table with rows of type T.
type column[T any] struct {
	name     string
	typ      arrow.DataType
	nullable bool
	// unique values are not worth a dictionary, and too long for statistics.
	unique bool
	// hash values are bits, not quantities: as text they are hexadecimal.
	hash bool
	// long values are worth the better compression even in files that are read
	// once; text shards become parts as they are.
	long bool
	// What the reference of the tables says of it (docs/tables.md).
	meaning, unit, null string
	// appender returns the function that appends a row's value to b, which is
	// of the column's type, and says how many bytes that took.
	appender func(b array.Builder) func(row *T) int
	// loader returns the function that reads value i of a into a row. The strings
	// it gives are copies.
	loader func(a arrow.Array) func(i int, row *T)

	// pack, unpack and weigh are the column's part of Table.Pack, Unpack and Weight;
	// weigh is nil where values have no bytes of their own.
	pack   func(b []byte, row *T) []byte
	unpack func(p *packed, row *T)
	weigh  func(row *T) int
}

// field is the column as an Arrow field.
func (c *column[T]) field() arrow.Field {
	return arrow.Field{Name: c.name, Type: c.typ, Nullable: c.nullable}
}

// means says what the column holds, in a sentence for people who read the table.
func (c column[T]) means(sentence string) column[T] {
	c.meaning = sentence
	return c
}

// in names the unit of the column's numbers.
func (c column[T]) in(unit string) column[T] {
	c.unit = unit
	return c
}

// nullWhen says under which condition the column is null.
func (c column[T]) nullWhen(condition string) column[T] {
	c.null = condition
	return c
}

func text[T any](name string, field func(*T) *string) column[T] {
	return column[T]{
		name: name, typ: arrow.BinaryTypes.String,
		pack:   func(b []byte, row *T) []byte { return packText(b, *field(row)) },
		unpack: func(p *packed, row *T) { p.text(field(row)) },
		weigh:  func(row *T) int { return len(*field(row)) },
		appender: func(b array.Builder) func(*T) int {
			sb := b.(*array.StringBuilder)
			return func(row *T) int {
				s := *field(row)
				sb.Append(s)
				return len(s) + 4
			}
		},
		loader: func(a arrow.Array) func(int, *T) {
			sa, last := a.(*array.String), ""
			return func(i int, row *T) {
				// Rows of a page stand together and share most strings: comparing with
				// the row before saves the copy.
				if v := sa.Value(i); v != last {
					last = cloneString(v)
				}
				*field(row) = last
			}
		},
	}
}

// optional is a text column whose empty string is null.
func optional[T any](name string, field func(*T) *string) column[T] {
	c := text(name, field)
	c.nullable = true
	appender, loader := c.appender, c.loader
	c.appender = func(b array.Builder) func(*T) int {
		add := appender(b)
		return func(row *T) int {
			if *field(row) == "" {
				b.AppendNull()
				return 4
			}
			return add(row)
		}
	}
	c.loader = func(a arrow.Array) func(int, *T) {
		load := loader(a)
		return func(i int, row *T) {
			if a.IsNull(i) {
				*field(row) = ""
				return
			}
			load(i, row)
		}
	}
	return c
}

// longText is a text column of values that hardly repeat.
func longText[T any](name string, field func(*T) *string) column[T] {
	c := text(name, field)
	c.unique, c.long = true, true
	return c
}

func int64s[T any](name string, field func(*T) *int64) column[T] {
	return column[T]{
		name: name, typ: arrow.PrimitiveTypes.Int64,
		pack:   func(b []byte, row *T) []byte { return binary.AppendVarint(b, *field(row)) },
		unpack: func(p *packed, row *T) { *field(row) = p.varint() },
		appender: func(b array.Builder) func(*T) int {
			ib := b.(*array.Int64Builder)
			return func(row *T) int { ib.Append(*field(row)); return 8 }
		},
		loader: func(a arrow.Array) func(int, *T) {
			values := a.(*array.Int64).Int64Values()
			return func(i int, row *T) { *field(row) = values[i] }
		},
	}
}

func int32s[T any](name string, field func(*T) *int32) column[T] {
	return column[T]{
		name: name, typ: arrow.PrimitiveTypes.Int32,
		pack:   func(b []byte, row *T) []byte { return binary.AppendVarint(b, int64(*field(row))) },
		unpack: func(p *packed, row *T) { *field(row) = int32(p.varint()) },
		appender: func(b array.Builder) func(*T) int {
			ib := b.(*array.Int32Builder)
			return func(row *T) int { ib.Append(*field(row)); return 4 }
		},
		loader: func(a arrow.Array) func(int, *T) {
			values := a.(*array.Int32).Int32Values()
			return func(i int, row *T) { *field(row) = values[i] }
		},
	}
}

// hash64 is a column of hashes. They are stored as signed numbers, which every
// reader knows; unsigned 64-bit columns become decimals in some.
func hash64[T any](name string, field func(*T) *uint64) column[T] {
	return column[T]{
		name: name, typ: arrow.PrimitiveTypes.Int64, unique: true, hash: true,
		pack:   func(b []byte, row *T) []byte { return binary.LittleEndian.AppendUint64(b, *field(row)) },
		unpack: func(p *packed, row *T) { *field(row) = p.hash() },
		appender: func(b array.Builder) func(*T) int {
			ib := b.(*array.Int64Builder)
			return func(row *T) int { ib.Append(int64(*field(row))); return 8 }
		},
		loader: func(a arrow.Array) func(int, *T) {
			values := a.(*array.Int64).Int64Values()
			return func(i int, row *T) { *field(row) = uint64(values[i]) }
		},
	}
}

// positives is a column of whole numbers that are above 0 or do not exist.
func positives[T any](name string, field func(*T) *int64) column[T] {
	c := int64s(name, field)
	c.nullable = true
	c.appender = func(b array.Builder) func(*T) int {
		ib := b.(*array.Int64Builder)
		return func(row *T) int {
			if v := *field(row); v > 0 {
				ib.Append(v)
			} else {
				ib.AppendNull()
			}
			return 8
		}
	}
	c.loader = func(a arrow.Array) func(int, *T) {
		values := a.(*array.Int64).Int64Values()
		return func(i int, row *T) {
			*field(row) = 0
			if a.IsValid(i) {
				*field(row) = values[i]
			}
		}
	}
	return c
}

func bools[T any](name string, field func(*T) *bool) column[T] {
	return column[T]{
		name: name, typ: arrow.FixedWidthTypes.Boolean,
		pack:   func(b []byte, row *T) []byte { return packBool(b, *field(row)) },
		unpack: func(p *packed, row *T) { *field(row) = p.uvarint() != 0 },
		appender: func(b array.Builder) func(*T) int {
			bb := b.(*array.BooleanBuilder)
			return func(row *T) int { bb.Append(*field(row)); return 1 }
		},
		loader: func(a arrow.Array) func(int, *T) {
			values := a.(*array.Boolean)
			return func(i int, row *T) { *field(row) = values.Value(i) }
		},
	}
}

// numbers is a column of fractions, null where absent says so. A null is read
// as NaN. NaN and infinities are never stored: they would poison every mean
// that a reader takes, so they become null as well.
func numbers[T any](name string, field func(*T) *float64, absent func(*T) bool) column[T] {
	return column[T]{
		name: name, typ: arrow.PrimitiveTypes.Float64, nullable: true,
		pack:   func(b []byte, row *T) []byte { return packFraction(b, *field(row)) },
		unpack: func(p *packed, row *T) { *field(row) = p.fraction() },
		appender: func(b array.Builder) func(*T) int {
			fb := b.(*array.Float64Builder)
			return func(row *T) int {
				v := *field(row)
				if math.IsNaN(v) || math.IsInf(v, 0) || absent != nil && absent(row) {
					fb.AppendNull()
				} else {
					fb.Append(v)
				}
				return 8
			}
		},
		loader: func(a arrow.Array) func(int, *T) {
			fa := a.(*array.Float64)
			values := fa.Float64Values()
			return func(i int, row *T) {
				*field(row) = math.NaN()
				if fa.IsValid(i) {
					*field(row) = values[i]
				}
			}
		},
	}
}

// shares is a column of numbers whose row says elsewhere whether there is one;
// null is read as 0, so that rows compare equal.
func shares[T any](name string, field func(*T) *float64, absent func(*T) bool) column[T] {
	c := numbers(name, field, absent)
	loader := c.loader
	c.loader = func(a arrow.Array) func(int, *T) {
		load := loader(a)
		return func(i int, row *T) {
			if load(i, row); a.IsNull(i) {
				*field(row) = 0
			}
		}
	}
	return c
}

// spans is a column of lists of numbers; nil is null.
func spans[T any](name string, field func(*T) *[]int32) column[T] {
	return column[T]{
		name: name, typ: arrow.ListOf(arrow.PrimitiveTypes.Int32), nullable: true, unique: true,
		pack:   func(b []byte, row *T) []byte { return packList(b, *field(row)) },
		unpack: func(p *packed, row *T) { *field(row) = p.list() },
		weigh:  func(row *T) int { return 4 * len(*field(row)) },
		appender: func(b array.Builder) func(*T) int {
			lb := b.(*array.ListBuilder)
			ib := lb.ValueBuilder().(*array.Int32Builder)
			return func(row *T) int {
				v := *field(row)
				if v == nil {
					lb.AppendNull()
					return 4
				}
				lb.Append(true)
				ib.AppendValues(v, nil)
				return 4 + 4*len(v)
			}
		},
		loader: func(a arrow.Array) func(int, *T) {
			la := a.(*array.List)
			values := la.ListValues().(*array.Int32).Int32Values()
			return func(i int, row *T) {
				*field(row) = nil
				if la.IsValid(i) {
					from, to := la.ValueOffsets(i)
					*field(row) = append([]int32{}, values[from:to]...)
				}
			}
		},
	}
}

func cloneString(s string) string { return string(append([]byte(nil), s...)) }
