package columnar

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/winnow/winnow/schemas"
)

// PagesOf returns the table Pages with the columns of a recipe's facts after its own.
func PagesOf(r *schemas.Recipe) *Table[schemas.Page] {
	return Pages.with(r.PageColumns(), func(row *schemas.Page) *[]schemas.Value { return &row.Facts })
}

// DocumentsOf returns the table Documents with the columns of a recipe's facts after
// its own. Readers that need no facts read the same files as Documents.
func DocumentsOf(r *schemas.Recipe) *Table[schemas.Document] {
	return Documents.with(r.DocumentColumns(), func(row *schemas.Document) *[]schemas.Value { return &row.Facts })
}

// DocumentColumns returns the named columns of Documents, and those of the given facts,
// for readers that would be slowed down by the others.
func DocumentColumns(facts []schemas.FactColumn, names ...string) *Table[schemas.Document] {
	return Documents.only(names).with(facts, func(row *schemas.Document) *[]schemas.Value { return &row.Facts })
}

// PageColumns returns the named columns of Pages, and those of the given facts.
func PageColumns(facts []schemas.FactColumn, names ...string) *Table[schemas.Page] {
	return Pages.only(names).with(facts, func(row *schemas.Page) *[]schemas.Value { return &row.Facts })
}

// ScoreColumns returns the named columns of Scores, likewise.
func ScoreColumns(names ...string) *Table[schemas.ScoreRow] { return Scores.only(names) }

// only returns the table with the named columns alone.
func (t *Table[T]) only(names []string) *Table[T] {
	few := &Table[T]{name: t.name}
	for _, c := range t.columns {
		if slices.Contains(names, c.name) {
			few.columns = append(few.columns, c)
		}
	}
	return few
}

// with returns the table with columns for facts. field returns the values of a row,
// which has one for each of them.
func (t *Table[T]) with(facts []schemas.FactColumn, field func(*T) *[]schemas.Value) *Table[T] {
	if len(facts) == 0 {
		return t
	}
	out := &Table[T]{name: t.name, columns: slices.Clone(t.columns)}
	for i, f := range facts {
		out.columns = append(out.columns, factColumn(f, i, len(facts), field))
	}
	return out
}

// factColumn returns the column of fact i of n. Rows that are read must not share the
// memory of their values, so the first of the columns makes it for all of them.
func factColumn[T any](f schemas.FactColumn, i, n int, field func(*T) *[]schemas.Value) column[T] {
	value := func(row *T) *schemas.Value {
		values := field(row)
		if i < len(*values) {
			return &(*values)[i]
		}
		return new(schemas.Value) // a row without facts has nulls
	}
	place := func(row *T) *schemas.Value {
		values := field(row)
		if i == 0 {
			*values = make([]schemas.Value, n)
		}
		return &(*values)[i]
	}
	kind := factKinds[f.Kind]
	return column[T]{
		name: f.Name, typ: kind.typ, nullable: true, unique: kind.unique, hash: f.Kind == schemas.FactHash,
		meaning: f.Doc, unit: f.Unit, null: f.Null,
		appender: func(b array.Builder) func(*T) int {
			add := kind.adder(b)
			return func(row *T) int {
				if v := value(row); v.Known {
					return add(v)
				}
				b.AppendNull()
				return 4
			}
		},
		loader: func(a arrow.Array) func(int, *T) {
			load := kind.loader(a)
			return func(at int, row *T) {
				v := place(row)
				if a.IsValid(at) {
					v.Known = true
					load(at, v)
				}
			}
		},
		pack: func(b []byte, row *T) []byte {
			v := value(row)
			if b = packBool(b, v.Known); v.Known {
				b = packText(binary.LittleEndian.AppendUint64(b, v.Number), v.Text)
			}
			return b
		},
		unpack: func(p *packed, row *T) {
			v := place(row)
			if p.uvarint() != 0 {
				v.Known, v.Number = true, p.hash()
				p.text(&v.Text)
			}
		},
		weigh: func(row *T) int { return valueBytes + len(value(row).Text) },
	}
}

// valueBytes is the memory of a schemas.Value without its text.
const valueBytes = 32

// factKind is how the values of one kind are stored.
type factKind struct {
	typ    arrow.DataType
	unique bool
	adder  func(array.Builder) func(*schemas.Value) int // returns the function that appends a value that is not null
	loader func(arrow.Array) func(int, *schemas.Value)  // returns the function that reads a row into a zero value
}

var factKinds = map[string]factKind{
	schemas.FactBool: {
		typ: arrow.FixedWidthTypes.Boolean,
		adder: func(b array.Builder) func(*schemas.Value) int {
			bb := b.(*array.BooleanBuilder)
			return func(v *schemas.Value) int { bb.Append(v.Bool()); return 1 }
		},
		loader: func(a arrow.Array) func(int, *schemas.Value) {
			ba := a.(*array.Boolean)
			return func(i int, v *schemas.Value) {
				if ba.Value(i) {
					v.Number = 1
				}
			}
		},
	},
	schemas.FactInt:  wholeNumbers(false),
	schemas.FactHash: wholeNumbers(true),
	schemas.FactFloat: {
		typ: arrow.PrimitiveTypes.Float64,
		adder: func(b array.Builder) func(*schemas.Value) int {
			fb := b.(*array.Float64Builder)
			return func(v *schemas.Value) int {
				if x := v.Float(); math.IsNaN(x) || math.IsInf(x, 0) {
					fb.AppendNull()
				} else {
					fb.Append(x)
				}
				return 8
			}
		},
		loader: func(a arrow.Array) func(int, *schemas.Value) {
			values := a.(*array.Float64).Float64Values()
			return func(i int, v *schemas.Value) { v.Number = math.Float64bits(values[i]) }
		},
	},
	schemas.FactText: {
		typ: arrow.BinaryTypes.String,
		adder: func(b array.Builder) func(*schemas.Value) int {
			sb := b.(*array.StringBuilder)
			return func(v *schemas.Value) int { sb.Append(v.Text); return len(v.Text) + 4 }
		},
		loader: func(a arrow.Array) func(int, *schemas.Value) {
			sa, last := a.(*array.String), ""
			return func(i int, v *schemas.Value) {
				if s := sa.Value(i); s != last {
					last = strings.Clone(s)
				}
				v.Text = last
			}
		},
	},
	schemas.FactInts: {
		typ: arrow.ListOf(arrow.PrimitiveTypes.Int32), unique: true,
		adder: func(b array.Builder) func(*schemas.Value) int {
			lb := b.(*array.ListBuilder)
			ib := lb.ValueBuilder().(*array.Int32Builder)
			return func(v *schemas.Value) int {
				lb.Append(true)
				ib.AppendValues(v.Ints(), nil)
				return 4 + len(v.Text)
			}
		},
		loader: func(a arrow.Array) func(int, *schemas.Value) {
			la := a.(*array.List)
			values := la.ListValues().(*array.Int32).Int32Values()
			return func(i int, v *schemas.Value) {
				from, to := la.ValueOffsets(i)
				b := make([]byte, 0, 4*(to-from))
				for _, n := range values[from:to] {
					b = binary.LittleEndian.AppendUint32(b, uint32(n))
				}
				v.Text = string(b)
			}
		},
	},
}

func wholeNumbers(hash bool) factKind {
	return factKind{
		typ: arrow.PrimitiveTypes.Int64, unique: hash,
		adder: func(b array.Builder) func(*schemas.Value) int {
			ib := b.(*array.Int64Builder)
			return func(v *schemas.Value) int { ib.Append(int64(v.Number)); return 8 }
		},
		loader: func(a arrow.Array) func(int, *schemas.Value) {
			values := a.(*array.Int64).Int64Values()
			return func(i int, v *schemas.Value) { v.Number = uint64(values[i]) }
		},
	}
}
