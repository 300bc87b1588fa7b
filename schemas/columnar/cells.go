package columnar

import (
	"math"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// Cell is one value of a row as text.
type Cell struct {
	Text   string
	Null   bool
	Number bool // the column holds numbers or truth values
}

// Cells turns rows of a table into text, column by column in the order of
// Table.Columns, for formats that people read. A hash becomes a text of 16 hexadecimal
// digits, as xxhsum prints it, because readers of JSON would round so large a number. A
// Cells may be used by one goroutine only. A row takes tens of microseconds.
type Cells[T any] struct {
	build  *array.RecordBuilder
	append []func(*T) int
	hashes []bool // by column
	cells  []Cell
}

// NewCells returns a Cells for table.
func NewCells[T any](table *Table[T]) *Cells[T] {
	c := &Cells[T]{build: array.NewRecordBuilder(memory.DefaultAllocator, table.schema()), cells: make([]Cell, len(table.columns))}
	for i, column := range table.columns {
		c.append = append(c.append, column.appender(c.build.Field(i)))
		c.hashes = append(c.hashes, column.hash)
		switch column.typ.ID() {
		case arrow.STRING, arrow.BINARY, arrow.LIST, arrow.DICTIONARY:
		case arrow.INT64:
			c.cells[i].Number = !column.hash
		default:
			c.cells[i].Number = true
		}
	}
	return c
}

// Row returns the cells of row, valid until the next call.
func (c *Cells[T]) Row(row *T) []Cell {
	for _, add := range c.append {
		add(row)
	}
	record := c.build.NewRecord()
	defer record.Release()
	for i := range c.cells {
		column := record.Column(i)
		if c.cells[i].Null = column.IsNull(0); c.cells[i].Null {
			c.cells[i].Text = ""
		} else if c.hashes[i] {
			c.cells[i].Text = hexadecimal(uint64(column.(*array.Int64).Value(0)))
		} else if floats, ok := column.(*array.Float64); ok {
			c.cells[i].Text = floatText(floats.Value(0), -1)
		} else {
			c.cells[i].Text = column.ValueStr(0)
		}
	}
	return c.cells
}

// FloatCell returns the cell of a floating-point number, with the given number of significant digits or
// of all if that is -1. NaN means null.
func FloatCell(x float64, digits int) Cell {
	if math.IsNaN(x) {
		return Cell{Null: true, Number: true}
	}
	return Cell{Text: floatText(x, digits), Number: true}
}

// floatText returns a floating-point number as text that is not that of an integer, so
// that a reader that infers types from the first rows does not take 1.0 for one.
func floatText(x float64, digits int) string {
	s := strconv.FormatFloat(x, 'g', digits, 64)
	if !math.IsInf(x, 0) && !math.IsNaN(x) && !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}
