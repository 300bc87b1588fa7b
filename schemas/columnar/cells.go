package columnar

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// Cell is one value of a row as text.
type Cell struct {
	Text   string
	Null   bool
	Number bool // it is a number or a truth value
}

// Cells returns the values of a row as text, in the order of Columns, for formats that people
// read. A hash becomes a text of 16 hexadecimal digits, as xxhsum prints it, because readers of
// JSON would round so large a number.
func (t *Table[T]) Cells(row *T) []Cell {
	cells := make([]Cell, len(t.columns))
	for i := range t.columns {
		switch v := t.columns[i].shown(row).(type) {
		case nil:
			cells[i].Null = true
		case string:
			cells[i].Text = v
		case float64:
			cells[i] = FloatCell(v, -1)
		default: // a truth value, a whole number or a list of them, all of which have a form in JSON
			text, _ := json.Marshal(v)
			_, isList := v.([]int32)
			cells[i] = Cell{Text: string(text), Number: !isList}
		}
	}
	return cells
}

// shown returns the value of a row for people and JSON: that of column.value, but a hash as
// hexadecimal text.
func (c *column[T]) shown(row *T) any {
	v := c.value(row)
	if hash, ok := v.(int64); ok && c.hash {
		return hexadecimal(uint64(hash))
	}
	return v
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
