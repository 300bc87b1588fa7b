package columnar

import (
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
)

// Describe writes the reference of the table as a Markdown table: a row for each
// column with its name, type, unit, meaning, and the condition under which it is null.
func (t *Table[T]) Describe(w io.Writer) error {
	var b strings.Builder
	b.WriteString("| column | type | unit | meaning | null when |\n|---|---|---|---|---|\n")
	for i := range t.columns {
		c := &t.columns[i]
		null := c.null
		if !c.nullable {
			null = "never"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", c.name, typeName(c.typ), c.unit, c.meaning, null)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// typeName returns the name that most readers of Parquet use for a column's type.
func typeName(t arrow.DataType) string {
	switch t.ID() {
	case arrow.STRING:
		return "string"
	case arrow.BINARY:
		return "binary"
	case arrow.FLOAT64:
		return "double"
	case arrow.BOOL:
		return "boolean"
	case arrow.LIST:
		return "list of " + typeName(t.(*arrow.ListType).Elem())
	}
	return t.Name() // int32, int64
}
