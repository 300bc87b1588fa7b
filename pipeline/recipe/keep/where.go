package keep

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/vm"

	"github.com/winnow/winnow/schemas"
)

// Where is an expression over the columns of a table that another program made. One
// goroutine uses it.
type Where struct {
	clauses []clause
	columns []*column
	names   []string
	vm      vm.VM
	values  map[string]any

	// Many rows that follow each other in a table are of one site and have equal values.
	last   []schemas.Value
	chosen bool // the expression is true for last
}

// Column is a column of such a table.
type Column struct {
	Name string
	// Kind is schemas.FactBool, FactInt, FactFloat or FactText. "" is the kind of columns of
	// CSV: their values are texts, and numbers if the expression compares the column with a
	// number. What is not a number is null then.
	Kind string
}

// NewWhere parses an expression and checks it against the columns of a table. If columns is
// nil, the columns are not known yet, and only the form of the expression is checked.
func NewWhere(expression string, columns []Column) (*Where, error) {
	p := &parsed{read: map[string]*column{}}
	if columns != nil {
		p.all = map[string]*column{}
	}
	for _, c := range columns {
		out := &column{name: c.Name, kind: isText, inferred: c.Kind == ""}
		if c.Kind != "" {
			out.kind = kinds[c.Kind]
			out.whole = c.Kind == schemas.FactInt
		}
		p.all[c.Name] = out
	}
	f := &Filter{}
	if err := f.add(expression, p); err != nil {
		return nil, fmt.Errorf("where: %w", err)
	}
	w := &Where{clauses: f.clauses, names: slices.Sorted(maps.Keys(p.read)), values: map[string]any{}}
	for _, name := range w.names {
		w.columns = append(w.columns, p.read[name])
	}
	return w, nil
}

// Columns returns the names of the columns that the expression reads, sorted.
func (w *Where) Columns() []string { return w.names }

// Chooses reports whether the expression is true for a row. value returns the value of the
// column with a number in Columns.
func (w *Where) Chooses(value func(column int) schemas.Value) bool {
	first := w.last == nil
	if first {
		w.last = make([]schemas.Value, len(w.columns))
	}
	changed := first
	for i, c := range w.columns {
		if v := value(i); first || v != w.last[i] {
			v.Text = strings.Clone(v.Text)
			w.last[i], w.values[w.names[i]], changed = v, c.convert(v), true
		}
	}
	if changed {
		w.chosen = w.evaluate()
	}
	return w.chosen
}

// evaluate reports whether the expression is true for the values.
func (w *Where) evaluate() bool {
	for i := range w.clauses {
		chosen, err := w.vm.Run(w.clauses[i].program, w.values)
		if err != nil || chosen != true { // no expression that NewWhere accepts leads to an error
			return false
		}
	}
	return true
}

// convert returns a value as expressions read it.
func (c *column) convert(v schemas.Value) any {
	switch {
	case c.kind == isBool:
		return v.Bool()
	case c.kind == isText:
		return v.Text
	case !v.Known:
		return math.NaN()
	case c.inferred:
		n, err := strconv.ParseFloat(strings.TrimSpace(v.Text), 64)
		if err != nil {
			return math.NaN()
		}
		return n
	case c.whole:
		return float64(v.Int())
	}
	return v.Float()
}

// May reports whether the expression can be true for a row of a part of the table. bounds
// returns the smallest and the largest value of a column there, and whether it may have
// nulls; it returns false if they are not known.
func (w *Where) May(bounds func(column int) (least, greatest schemas.Value, nulls, known bool)) bool {
	limits := func(name string) (least, greatest any, known bool) {
		i := slices.Index(w.names, name)
		c := w.columns[i]
		if c.kind == isBool || c.inferred {
			return nil, nil, false
		}
		low, high, nulls, known := bounds(i)
		if nulls && c.kind == isText { // a text that is null is ""; comparisons with other nulls are false
			low = schemas.Value{}
		}
		return c.convert(low), c.convert(high), known
	}
	return !slices.ContainsFunc(w.clauses, func(c clause) bool { return !possible(c.tree, limits) })
}

// possible reports whether an expression can be true where columns have certain limits. It
// looks into "and", "or" and comparisons of a column with constants.
func possible(n ast.Node, limits func(name string) (least, greatest any, known bool)) bool {
	b, ok := n.(*ast.BinaryNode)
	if !ok {
		return true
	}
	switch b.Operator {
	case "and":
		return possible(b.Left, limits) && possible(b.Right, limits)
	case "or":
		return possible(b.Left, limits) || possible(b.Right, limits)
	}
	id, ok := b.Left.(*ast.IdentifierNode)
	if !ok {
		return true
	}
	constants := []ast.Node{b.Right}
	if list, ok := b.Right.(*ast.ArrayNode); ok {
		constants = list.Nodes
	}
	least, greatest, known := limits(id.Value)
	if !known {
		return true
	}
	return slices.ContainsFunc(constants, func(constant ast.Node) bool {
		below, comparable := compare(least, constant)
		above, _ := compare(greatest, constant)
		if !comparable {
			return true
		}
		switch b.Operator {
		case "==", "in":
			return below <= 0 && above >= 0
		case "<":
			return below < 0
		case "<=":
			return below <= 0
		case ">":
			return above > 0
		case ">=":
			return above >= 0
		case "startsWith":
			prefix := constant.(*ast.StringNode).Value
			return above >= 0 && (below <= 0 || strings.HasPrefix(least.(string), prefix))
		}
		return true
	})
}

// compare compares a limit with a constant. It returns false if the node is not a constant
// of the limit's type.
func compare(limit any, n ast.Node) (int, bool) {
	text, isText := limit.(string)
	if s, ok := n.(*ast.StringNode); ok && isText {
		return strings.Compare(text, s.Value), true
	}
	if x, ok := constantNumber(n); ok && !isText {
		return cmp.Compare(limit.(float64), x), true
	}
	return 0, false
}

// constantNumber returns the value of a constant number.
func constantNumber(n ast.Node) (float64, bool) {
	switch n := n.(type) {
	case *ast.IntegerNode:
		return float64(n.Value), true
	case *ast.FloatNode:
		return n.Value, true
	case *ast.UnaryNode:
		x, ok := constantNumber(n.Node)
		return -x, ok && n.Operator == "-"
	}
	return 0, false
}

// infer makes a column, the values of which are texts, one of numbers if it meets one.
func (p *parsed) infer(n, other ast.Node) {
	id, ok := n.(*ast.IdentifierNode)
	if !ok || p.read[id.Value] == nil || !p.read[id.Value].inferred {
		return
	}
	if list, ok := other.(*ast.ArrayNode); ok && len(list.Nodes) > 0 {
		other = list.Nodes[0]
	}
	if _, ok := constantNumber(other); ok {
		p.read[id.Value].kind = isNumber
	}
}
