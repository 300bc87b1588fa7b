package columnar

import (
	"encoding/binary"
	"math"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"

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

// schema returns the table as a schema of Parquet.
func (t *Table[T]) schema() *schema.GroupNode {
	var nodes schema.FieldList
	for i := range t.columns {
		nodes = append(nodes, t.columns[i].node())
	}
	// The library's default root is "repeated", which some readers treat as another
	// level of repetition.
	return schema.MustGroup(schema.NewGroupNode("schema", parquet.Repetitions.Required, nodes, -1))
}

// column is one column of a table with rows of type T.
type column[T any] struct {
	name     string
	nullable bool
	// unique values need no dictionary, and are too long for statistics.
	unique bool
	// hash values are bits and not quantities. As text they are hexadecimal.
	hash bool
	// long values are texts, which zstd compresses at a higher level.
	long bool
	// raw values are not compressed.
	raw bool

	// node returns the column in a schema of Parquet.
	node func() schema.Node
	// buffer returns an empty buffer for the values of a row group.
	buffer func() buffer[T]
	// open returns what reads the values of a row group.
	open func(chunk file.ColumnChunkReader, rows int64) loader[T]
	// value returns the value of a row: nil for null, a text, a truth value, a number or a
	// list of numbers. A hash is a whole number.
	value func(row *T) any

	// pack, unpack and weigh do the work of Table.Pack, Unpack and Weight for this
	// column. weigh is nil if the values hold no memory outside of the row.
	pack   func(b []byte, row *T) []byte
	unpack func(p *packed, row *T)
	weigh  func(row *T) int
}

// hashes means that the values are mostly hashes: dictionaries, statistics and compression
// would be of no use.
func (c column[T]) hashes() column[T] {
	c.unique, c.raw = true, true
	return c
}

// form is how values are stored in Parquet.
type form struct {
	physical parquet.Type
	logical  schema.LogicalType
	width    int // bytes of a value before encoding, without those of a text or a list
	list     bool
	nullable bool
}

var (
	stringForm = form{physical: parquet.Types.ByteArray, logical: schema.StringLogicalType{}, width: 4}
	bytesForm  = form{physical: parquet.Types.ByteArray, logical: schema.NoLogicalType{}, width: 4}
	int64Form  = form{physical: parquet.Types.Int64, logical: schema.NewIntLogicalType(64, true), width: 8}
	int32Form  = form{physical: parquet.Types.Int32, logical: schema.NewIntLogicalType(32, true), width: 4}
	listForm   = form{physical: parquet.Types.Int32, logical: schema.NewIntLogicalType(32, true), width: 4, list: true, nullable: true}
	floatForm  = form{physical: parquet.Types.Double, logical: schema.NoLogicalType{}, width: 8, nullable: true}
	boolForm   = form{physical: parquet.Types.Boolean, logical: schema.NoLogicalType{}, width: 1}
)

// orNull is the form of a column that has nulls, too.
func (f form) orNull() form {
	f.nullable = true
	return f
}

// node returns a column of that form in a schema.
func (f form) node(name string) schema.Node {
	repetition := parquet.Repetitions.Required
	if f.nullable {
		repetition = parquet.Repetitions.Optional
	}
	leaf := schema.MustPrimitive(schema.NewPrimitiveNodeLogical(name, repetition, f.logical, f.physical, -1, -1))
	if f.list {
		return schema.MustGroup(schema.ListOf(leaf, repetition, -1))
	}
	return leaf
}

// stored returns a column whose values are stored as values of type P. store adds the value of
// a row, or null, and load reads that of the next row.
func stored[T any, P physical](name string, f form, store func(row *T, to *values[P]), load func(row *T, from *source[P])) column[T] {
	return column[T]{
		name: name, nullable: f.nullable, unique: f.list,
		node:   func() schema.Node { return f.node(name) },
		buffer: func() buffer[T] { return &columnBuffer[T, P]{values: values[P]{form: f}, store: store} },
		open: func(chunk file.ColumnChunkReader, rows int64) loader[T] {
			return &columnLoader[T, P]{newSource[P](chunk, rows), load}
		},
		value: func(row *T) any {
			v := values[P]{form: f}
			store(row, &v)
			return v.first()
		},
	}
}

// kind is how the fields of type V of rows are stored as values of type P.
type kind[V any, P physical] struct {
	form
	store  func(v *V, to *values[P])
	load   func(v *V, from *source[P])
	pack   func(b []byte, v V) []byte
	unpack func(v *V, p *packed)
	weigh  func(v V) int // nil if values hold no memory outside of the row
}

// columnOf returns the column of a field of that kind.
func columnOf[T, V any, P physical](name string, k kind[V, P], field func(*T) *V) column[T] {
	c := stored(name, k.form, func(row *T, to *values[P]) { k.store(field(row), to) }, func(row *T, from *source[P]) { k.load(field(row), from) })
	c.pack = func(b []byte, row *T) []byte { return k.pack(b, *field(row)) }
	c.unpack = func(p *packed, row *T) { k.unpack(field(row), p) }
	if k.weigh != nil {
		c.weigh = func(row *T) int { return k.weigh(*field(row)) }
	}
	return c
}

var texts = kind[string, parquet.ByteArray]{
	form:   stringForm,
	store:  func(v *string, to *values[parquet.ByteArray]) { addText(to, *v) },
	load:   func(v *string, from *source[parquet.ByteArray]) { *v, _ = nextText(from) },
	pack:   packText,
	unpack: func(v *string, p *packed) { p.text(v) },
	weigh:  func(v string) int { return len(v) },
}

func text[T any](name string, field func(*T) *string) column[T] { return columnOf(name, texts, field) }

// optional is a text column that stores an empty string as null.
func optional[T any](name string, field func(*T) *string) column[T] {
	k := texts
	k.form = stringForm.orNull()
	k.store = func(v *string, to *values[parquet.ByteArray]) {
		if *v == "" {
			to.null()
		} else {
			addText(to, *v)
		}
	}
	return columnOf(name, k, field)
}

// longText is a text column whose values are rarely equal.
func longText[T any](name string, field func(*T) *string) column[T] {
	c := text(name, field)
	c.unique, c.long = true, true
	return c
}

// blobs is a column of bytes that are not text.
func blobs[T any](name string, field func(*T) *[]byte) column[T] {
	return columnOf(name, kind[[]byte, parquet.ByteArray]{
		form:  bytesForm,
		store: func(v *[]byte, to *values[parquet.ByteArray]) { addText(to, string(*v)) },
		load: func(v *[]byte, from *source[parquet.ByteArray]) {
			p, _ := from.next()
			*v = append([]byte(nil), p...)
		},
		pack:   func(b []byte, v []byte) []byte { return packText(b, string(v)) },
		unpack: func(v *[]byte, p *packed) { *v = append([]byte(nil), p.take(p.uvarint())...) },
		weigh:  func(v []byte) int { return len(v) },
	}, field)
}

var wholeNumbers = kind[int64, int64]{
	form:   int64Form,
	store:  func(v *int64, to *values[int64]) { to.add(*v) },
	load:   func(v *int64, from *source[int64]) { *v, _ = from.next() },
	pack:   binary.AppendVarint,
	unpack: func(v *int64, p *packed) { *v = p.varint() },
}

func int64s[T any](name string, field func(*T) *int64) column[T] {
	return columnOf(name, wholeNumbers, field)
}

// positives is a column of whole numbers above 0. It stores 0 as null.
func positives[T any](name string, field func(*T) *int64) column[T] {
	k := wholeNumbers
	k.form = int64Form.orNull()
	k.store = func(v *int64, to *values[int64]) {
		if *v > 0 {
			to.add(*v)
		} else {
			to.null()
		}
	}
	return columnOf(name, k, field)
}

func int32s[T any](name string, field func(*T) *int32) column[T] {
	return columnOf(name, kind[int32, int32]{
		form:   int32Form,
		store:  func(v *int32, to *values[int32]) { to.add(*v) },
		load:   func(v *int32, from *source[int32]) { *v, _ = from.next() },
		pack:   func(b []byte, v int32) []byte { return binary.AppendVarint(b, int64(v)) },
		unpack: func(v *int32, p *packed) { *v = int32(p.varint()) },
	}, field)
}

// hash64 is a column of hashes. They are stored as signed numbers, which every reader
// supports. Some readers turn columns of unsigned 64-bit numbers into decimals.
func hash64[T any](name string, field func(*T) *uint64) column[T] {
	c := columnOf(name, kind[uint64, int64]{
		form:  int64Form,
		store: func(v *uint64, to *values[int64]) { to.add(int64(*v)) },
		load: func(v *uint64, from *source[int64]) {
			n, _ := from.next()
			*v = uint64(n)
		},
		pack:   binary.LittleEndian.AppendUint64,
		unpack: func(v *uint64, p *packed) { *v = p.hash() },
	}, field)
	c.unique, c.hash = true, true
	return c
}

func bools[T any](name string, field func(*T) *bool) column[T] {
	return columnOf(name, kind[bool, bool]{
		form:   boolForm,
		store:  func(v *bool, to *values[bool]) { to.add(*v) },
		load:   func(v *bool, from *source[bool]) { *v, _ = from.next() },
		pack:   packBool,
		unpack: func(v *bool, p *packed) { *v = p.uvarint() != 0 },
	}, field)
}

// truths is a column of truth values that may be null.
func truths[T any](name string, field func(*T) *schemas.Truth) column[T] {
	return columnOf(name, kind[schemas.Truth, bool]{
		form: boolForm.orNull(),
		store: func(v *schemas.Truth, to *values[bool]) {
			if *v == schemas.Unknown {
				to.null()
			} else {
				to.add(*v == schemas.Yes)
			}
		},
		load: func(v *schemas.Truth, from *source[bool]) {
			switch yes, known := from.next(); {
			case !known:
				*v = schemas.Unknown
			case yes:
				*v = schemas.Yes
			default:
				*v = schemas.No
			}
		},
		pack:   func(b []byte, v schemas.Truth) []byte { return binary.AppendVarint(b, int64(v)) },
		unpack: func(v *schemas.Truth, p *packed) { *v = schemas.Truth(p.varint()) },
	}, field)
}

// numbers is a column of fractions. It is null where absent says so, and null is read
// as NaN. NaN and infinities are stored as null too, because a single one of them would
// make every mean over the column NaN or infinite.
func numbers[T any](name string, field func(*T) *float64, absent func(*T) bool) column[T] {
	return fractions(name, field, absent, math.NaN())
}

// shares is a column of numbers for rows in which another field reports whether the number
// exists. Null is read as 0, so that rows compare equal.
func shares[T any](name string, field func(*T) *float64, absent func(*T) bool) column[T] {
	return fractions(name, field, absent, 0)
}

// fractions is a column of numbers in which null is read as the given one.
func fractions[T any](name string, field func(*T) *float64, absent func(*T) bool, null float64) column[T] {
	c := stored(name, floatForm, func(row *T, to *values[float64]) {
		if absent != nil && absent(row) {
			to.null()
		} else {
			addFraction(to, *field(row))
		}
	}, func(row *T, from *source[float64]) {
		v, known := from.next()
		if !known {
			v = null
		}
		*field(row) = v
	})
	c.pack = func(b []byte, row *T) []byte { return packFraction(b, *field(row)) }
	c.unpack = func(p *packed, row *T) { *field(row) = p.fraction() }
	return c
}

// addFraction adds a number, and null for NaN and infinities.
func addFraction(to *values[float64], v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		to.null()
	} else {
		to.add(v)
	}
}

// spans is a column of lists of numbers. A nil list is null.
func spans[T any](name string, field func(*T) *[]int32) column[T] {
	return columnOf(name, kind[[]int32, int32]{
		form:   listForm,
		store:  func(v *[]int32, to *values[int32]) { addList(to, *v) },
		load:   func(v *[]int32, from *source[int32]) { *v = nextList(from) },
		pack:   packList,
		unpack: func(v *[]int32, p *packed) { *v = p.list() },
		weigh:  func(v []int32) int { return 4 * len(v) },
	}, field)
}
