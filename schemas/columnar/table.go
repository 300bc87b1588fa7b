package columnar

import (
	"encoding/binary"
	"math"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/winnow/winnow/schemas"
)

// Table maps rows of type T to columns. The tables of a run are variables of this
// package and do not change.
type Table[T any] struct {
	name    schemas.Table
	columns []column[T]
}

// Name returns the name of the table.
func (t *Table[T]) Name() schemas.Table { return t.name }

// Columns returns the names of the table's columns, in order.
func (t *Table[T]) Columns() []string {
	names := make([]string, len(t.columns))
	for i := range t.columns {
		names[i] = t.columns[i].name
	}
	return names
}

// schema returns the table as an Arrow schema.
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
	// unique values need no dictionary, and are too long for statistics.
	unique bool
	// hash values are bits and not quantities. As text they are hexadecimal.
	hash bool
	// long values are texts, which zstd compresses at a higher level.
	long bool
	// raw values are not compressed.
	raw bool
	// The description of the column in the reference of the tables (docs/reference/tables.md).
	meaning, unit, null string
	// appender returns a function that appends a row's value to b, a builder of the
	// column's type, and returns the number of bytes that it added.
	appender func(b array.Builder) func(row *T) int
	// loader returns a function that reads value i of a into a row. Strings are copied.
	loader func(a arrow.Array) func(i int, row *T)

	// pack, unpack and weigh do the work of Table.Pack, Unpack and Weight for this
	// column. weigh is nil if the values hold no memory outside of the row.
	pack   func(b []byte, row *T) []byte
	unpack func(p *packed, row *T)
	weigh  func(row *T) int
}

// field returns the column as an Arrow field.
func (c *column[T]) field() arrow.Field {
	return arrow.Field{Name: c.name, Type: c.typ, Nullable: c.nullable}
}

// means sets the description of the column, a sentence for people who read the table.
func (c column[T]) means(sentence string) column[T] {
	c.meaning = sentence
	return c
}

// in sets the unit of the column's numbers.
func (c column[T]) in(unit string) column[T] {
	c.unit = unit
	return c
}

// nullWhen sets the description of the condition under which the column is null.
func (c column[T]) nullWhen(condition string) column[T] {
	c.null = condition
	return c
}

// hashes means that the values are mostly hashes: dictionaries, statistics and compression
// would be of no use.
func (c column[T]) hashes() column[T] {
	c.unique, c.raw = true, true
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
				// Consecutive rows of a page share most strings. A comparison with the
				// row before avoids the copy.
				if v := sa.Value(i); v != last {
					last = strings.Clone(v)
				}
				*field(row) = last
			}
		},
	}
}

// optional is a text column that stores an empty string as null.
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

// longText is a text column whose values are rarely equal.
func longText[T any](name string, field func(*T) *string) column[T] {
	c := text(name, field)
	c.unique, c.long = true, true
	return c
}

// blobs is a column of bytes that are not text.
func blobs[T any](name string, field func(*T) *[]byte) column[T] {
	return column[T]{
		name: name, typ: arrow.BinaryTypes.Binary,
		pack:   func(b []byte, row *T) []byte { return packText(b, string(*field(row))) },
		unpack: func(p *packed, row *T) { *field(row) = append([]byte(nil), p.take(p.uvarint())...) },
		weigh:  func(row *T) int { return len(*field(row)) },
		appender: func(b array.Builder) func(*T) int {
			bb := b.(*array.BinaryBuilder)
			return func(row *T) int {
				v := *field(row)
				bb.Append(v)
				return len(v) + 4
			}
		},
		loader: func(a arrow.Array) func(int, *T) {
			values := a.(*array.Binary)
			return func(i int, row *T) { *field(row) = append([]byte(nil), values.Value(i)...) }
		},
	}
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

// hash64 is a column of hashes. They are stored as signed numbers, which every reader
// supports. Some readers turn columns of unsigned 64-bit numbers into decimals.
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

// positives is a column of whole numbers above 0. It stores 0 as null.
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

// truths is a column of truth values that may be null.
func truths[T any](name string, field func(*T) *schemas.Truth) column[T] {
	return column[T]{
		name: name, typ: arrow.FixedWidthTypes.Boolean, nullable: true,
		pack:   func(b []byte, row *T) []byte { return binary.AppendVarint(b, int64(*field(row))) },
		unpack: func(p *packed, row *T) { *field(row) = schemas.Truth(p.varint()) },
		appender: func(b array.Builder) func(*T) int {
			bb := b.(*array.BooleanBuilder)
			return func(row *T) int {
				if v := *field(row); v == schemas.Unknown {
					bb.AppendNull()
				} else {
					bb.Append(v == schemas.Yes)
				}
				return 1
			}
		},
		loader: func(a arrow.Array) func(int, *T) {
			values := a.(*array.Boolean)
			return func(i int, row *T) {
				switch {
				case values.IsNull(i):
					*field(row) = schemas.Unknown
				case values.Value(i):
					*field(row) = schemas.Yes
				default:
					*field(row) = schemas.No
				}
			}
		},
	}
}

// numbers is a column of fractions. It is null where absent says so, and null is read
// as NaN. NaN and infinities are stored as null too, because a single one of them would
// make every mean over the column NaN or infinite.
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

// shares is a column of numbers for rows in which another field reports whether the number
// exists. Null is read as 0, so that rows compare equal.
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

// spans is a column of lists of numbers. A nil list is null.
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
