package columnar

import (
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/schema"
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
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", c.name, typeName(c.node()), c.unit, c.meaning, null)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// typeName returns the name that most readers of Parquet use for a column's type.
func typeName(node schema.Node) string {
	leaf, ok := node.(*schema.PrimitiveNode)
	switch {
	case !ok:
		return "list of int32"
	case leaf.LogicalType().Equals(schema.StringLogicalType{}):
		return "string"
	case leaf.PhysicalType() == parquet.Types.ByteArray:
		return "binary"
	}
	return strings.ToLower(leaf.PhysicalType().String()) // boolean, int32, int64, double
}
