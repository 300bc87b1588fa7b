package columnar

import (
	"encoding/binary"
	"slices"

	"github.com/apache/arrow/go/v15/parquet"

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

// only returns the table with the named columns alone, in the order of the names.
func (t *Table[T]) only(names []string) *Table[T] {
	few := &Table[T]{name: t.name}
	for _, name := range names {
		few.columns = append(few.columns, t.columns[slices.Index(t.Columns(), name)])
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
	c := factOf(f, value, place)
	c.hash = f.Kind == schemas.FactHash
	c.unique = c.unique || c.hash
	c.pack = func(b []byte, row *T) []byte {
		v := value(row)
		if b = packBool(b, v.Known); v.Known {
			b = packText(binary.LittleEndian.AppendUint64(b, v.Number), v.Text)
		}
		return b
	}
	c.unpack = func(p *packed, row *T) {
		v := place(row)
		if p.uvarint() != 0 {
			v.Known, v.Number = true, p.hash()
			p.text(&v.Text)
		}
	}
	c.weigh = func(row *T) int { return valueBytes + len(value(row).Text) }
	return c
}

// valueBytes is the memory of a schemas.Value without its text.
const valueBytes = 32

// factOf returns a column in which the values of a fact are stored as its kind asks for.
func factOf[T any](f schemas.FactColumn, value, place func(*T) *schemas.Value) column[T] {
	switch f.Kind {
	case schemas.FactBool:
		return storedFact(f.Name, boolForm, value, place,
			func(v *schemas.Value, to *values[bool]) { to.add(v.Bool()) }, ifKnown((*schemas.Value).SetBool))
	case schemas.FactInt, schemas.FactHash:
		return storedFact(f.Name, int64Form, value, place,
			func(v *schemas.Value, to *values[int64]) { to.add(v.Int()) }, ifKnown((*schemas.Value).SetInt))
	case schemas.FactFloat:
		return storedFact(f.Name, floatForm, value, place,
			func(v *schemas.Value, to *values[float64]) { addFraction(to, v.Float()) }, ifKnown((*schemas.Value).SetFloat))
	case schemas.FactInts:
		return storedFact(f.Name, listForm, value, place,
			func(v *schemas.Value, to *values[int32]) { addList(to, v.Ints()) },
			func(v *schemas.Value, from *source[int32]) {
				list := nextList(from)
				b := make([]byte, 0, 4*len(list))
				for _, n := range list {
					b = binary.LittleEndian.AppendUint32(b, uint32(n))
				}
				v.Known, v.Text = list != nil, string(b)
			})
	}
	return storedFact(f.Name, stringForm, value, place,
		func(v *schemas.Value, to *values[parquet.ByteArray]) { addText(to, v.Text) },
		func(v *schemas.Value, from *source[parquet.ByteArray]) { v.Text, v.Known = nextText(from) })
}

// storedFact returns a column of the values that value returns for rows to be stored and place for
// rows that are read. add and load store and read one that is not null.
func storedFact[T any, P physical](name string, f form, value, place func(*T) *schemas.Value,
	add func(*schemas.Value, *values[P]), load func(*schemas.Value, *source[P])) column[T] {
	return stored(name, f.orNull(), func(row *T, to *values[P]) {
		if v := value(row); v.Known {
			add(v, to)
		} else {
			to.null()
		}
	}, func(row *T, from *source[P]) { load(place(row), from) })
}

// ifKnown returns a function that sets a value to the next one of a column, unless that is null.
func ifKnown[P physical](set func(*schemas.Value, P)) func(*schemas.Value, *source[P]) {
	return func(v *schemas.Value, from *source[P]) {
		if p, known := from.next(); known {
			set(v, p)
		}
	}
}
