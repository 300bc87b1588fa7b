package keep

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/parser/lexer"
	"github.com/expr-lang/expr/vm"

	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/schemas"
)

const (
	// maxBytes bounds an expression, as it is given and as String returns it. The parser
	// calls itself for each parenthesis.
	maxBytes = 8 << 10
	// maxName bounds the characters of a clause's name. The names are keys of the counts
	// in a report, which may have 1,000 bytes.
	maxName = 200
)

// Filter is an expression that was checked against the columns it reads. It does not
// change, and goroutines may share it.
type Filter struct {
	clauses []clause
	columns []*column // columns that some clause reads, sorted by name
	names   []string  // names of columns, as the expression writes them
}

// clause is an operand of the outermost "and".
type clause struct {
	name    string // its number and the beginning of its text: "clause 2: text_chars > 500"
	text    string
	tree    ast.Node
	program *vm.Program
}

// New parses expressions, all of which must be true, and checks them against the tables
// that have the columns of these facts. An error says what is wrong and where, and which
// columns there are.
func New(expressions []string, facts []schemas.Fact) (*Filter, error) {
	f := &Filter{}
	p := &parsed{all: columnsOf(facts), read: map[string]*column{}}
	for _, e := range expressions {
		if err := f.add(e, p); err != nil {
			return nil, fmt.Errorf("keep: %w", err)
		}
	}
	if n := len(f.String()); n > maxBytes {
		return nil, fmt.Errorf("keep: the expression has %d bytes when it is written out, there may be at most %d", n, maxBytes)
	}
	f.names = slices.Sorted(maps.Keys(p.read))
	for _, name := range f.names {
		f.columns = append(f.columns, p.read[name])
	}
	return f, nil
}

// add adds the clauses of an expression.
func (f *Filter) add(expression string, p *parsed) error {
	if strings.TrimSpace(expression) == "" {
		return errors.New("the expression is empty")
	}
	if len(expression) > maxBytes {
		return fmt.Errorf("the expression has %d bytes, there may be at most %d", len(expression), maxBytes)
	}
	source, err := comparisons(expression)
	if err != nil {
		return wrong(err)
	}
	tree, err := parser.ParseWithConfig(source, config())
	if err != nil {
		return wrong(err)
	}
	if ast.Walk(&tree.Node, p); p.err != nil {
		return p.err
	}
	if p.all == nil { // without the types of columns, nothing can be compiled
		return nil
	}
	for _, operand := range operands(tree.Node, nil) {
		text := operand.String()
		program, err := expr.Compile(text, func(c *conf.Config) { *c = *config() }, expr.Env(p.types()), expr.AsBool(), expr.Patch(p))
		if err != nil {
			return wrong(err)
		}
		name := schemas.Shorten(fmt.Sprintf("clause %d: %s", len(f.clauses)+1, text), maxName)
		f.clauses = append(f.clauses, clause{name, text, operand, program})
	}
	return nil
}

// String returns the expression in the form that all ways of writing it share.
func (f *Filter) String() string {
	var texts []string
	for _, c := range f.clauses {
		texts = append(texts, "("+c.text+")")
	}
	if len(texts) == 1 {
		return f.clauses[0].text
	}
	return strings.Join(texts, " and ")
}

// Facts returns the names of the facts whose columns the filter reads, sorted.
func (f *Filter) Facts() (names []string) {
	for _, c := range f.columns {
		if c.fact != "" {
			names = append(names, c.fact)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// functions are those that an expression may call.
var functions = []string{"len", "lower", "upper"}

func config() *conf.Config {
	c := conf.CreateNew()
	expr.DisableAllBuiltins()(c)
	for _, name := range functions {
		expr.EnableBuiltin(name)(c)
	}
	for name := range c.Disabled {
		delete(c.Builtins, name)
	}
	return c
}

// comparisons returns the expression with == for each single =.
func comparisons(expression string) (string, error) {
	tokens, err := lexer.Lex(file.NewSource(expression))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	runes, at := []rune(expression), 0
	for _, t := range tokens {
		if t.Is(lexer.Operator, "=") {
			b.WriteString(string(runes[at:t.To]) + "=")
			at = t.To
		}
	}
	b.WriteString(string(runes[at:]))
	return b.String(), nil
}

// operands appends the operands of the outermost "and".
func operands(n ast.Node, list []ast.Node) []ast.Node {
	if b, ok := n.(*ast.BinaryNode); ok && b.Operator == "and" {
		return operands(b.Right, operands(b.Left, list))
	}
	return append(list, n)
}

// binary are the operators that an expression may use.
var binary = map[string]bool{"and": true, "or": true, "==": true, "!=": true, "<": true, "<=": true, ">": true, ">=": true,
	"in": true, "contains": true, "startsWith": true, "endsWith": true, "matches": true, "+": true, "-": true, "*": true, "/": true}

// spelling returns the usual spelling of an operator that has two.
func spelling(operator string) string {
	switch operator {
	case "&&":
		return "and"
	case "||":
		return "or"
	case "!":
		return "not"
	}
	return operator
}

// parsed looks at every node of an expression. It finds the columns that are read and
// refuses what the language does not have.
type parsed struct {
	all  map[string]*column // nil if any column may be there
	read map[string]*column
	err  error
}

// types returns a value for each column that is read.
func (p *parsed) types() map[string]any {
	env := map[string]any{}
	for name, c := range p.read {
		env[name] = zero[c.kind]
	}
	return env
}

// Visit implements ast.Visitor. It is called for the operands of a node before the node.
func (p *parsed) Visit(node *ast.Node) {
	if p.err != nil {
		return
	}
	switch n := (*node).(type) {
	case *ast.IdentifierNode:
		if n.Value != strings.TrimSuffix(ofPage, ".") { // "page" of page.language is looked at with its column
			p.column(n.Value)
		}
	case *ast.MemberNode:
		of, isName := n.Node.(*ast.IdentifierNode)
		name, isText := n.Property.(*ast.StringNode)
		if !isName || !isText || of.Value+"." != ofPage || n.Optional {
			p.refuse(n.String())
			return
		}
		if p.column(ofPage + name.Value); p.err == nil {
			ast.Patch(node, &ast.IdentifierNode{Value: ofPage + name.Value})
		}
	case *ast.BinaryNode:
		n.Operator = spelling(n.Operator)
		_, constant := n.Right.(*ast.StringNode)
		_, list := n.Right.(*ast.ArrayNode)
		p.infer(n.Left, n.Right)
		p.infer(n.Right, n.Left)
		switch {
		case !binary[n.Operator]:
			p.refuse(n.Operator)
		case n.Operator == "matches" && !constant:
			p.err = errors.New("the regular expression after matches must be a text in quotes")
		case n.Operator == "in" && !list:
			p.err = errors.New("in needs a list of constants, such as [\"de\", \"fr\"]")
		}
	case *ast.UnaryNode:
		if n.Operator = spelling(n.Operator); n.Operator != "not" && n.Operator != "-" {
			p.refuse(n.Operator)
		}
	case *ast.ArrayNode:
		for _, e := range n.Nodes {
			switch e.(type) {
			case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode:
			default:
				p.refuse(e.String() + " in a list, which holds texts and numbers only")
			}
		}
	case *ast.BuiltinNode:
		if !slices.Contains(functions, n.Name) {
			p.refuse(n.Name)
		}
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
	case *ast.CallNode:
		p.err = fmt.Errorf("no function %s; there are: %s", n.Callee.String(), strings.Join(functions, ", "))
	default:
		p.refuse((*node).String())
	}
}

func (p *parsed) refuse(what string) {
	p.err = fmt.Errorf("a filter cannot have %s (see 'winnow run --help')", what)
}

// column notes that a column is read.
func (p *parsed) column(name string) {
	c, ok := p.all[name]
	if p.all == nil {
		c, ok = cmp.Or(p.read[name], &column{name: name, kind: isText, inferred: true}), true
	}
	switch {
	case !ok:
		p.err = p.unknown(name)
	case c.kind == isOther:
		p.err = fmt.Errorf("the column %s cannot be compared: it is not a truth value, number or text", name)
	default:
		p.read[name] = c
	}
}

// unknown returns an error for a column that does not exist, with similar names that do.
func (p *parsed) unknown(name string) error {
	var ofFact []string
	for column, c := range p.all {
		if c.fact == name && c.kind != isOther && !(c.page && p.all[c.name] == c && strings.HasPrefix(column, ofPage)) {
			ofFact = append(ofFact, column)
		}
	}
	if len(ofFact) > 0 {
		slices.Sort(ofFact)
		return fmt.Errorf("%q is a fact; its columns are: %s", name, strings.Join(ofFact, ", "))
	}
	have := names(p.all)
	hint := ""
	if near := choose.Nearest(strings.TrimPrefix(name, ofPage), have); near != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", near)
	}
	return fmt.Errorf("no column %q%s; there are: %s", name, hint, strings.Join(have, ", "))
}

// wrong returns an error of the library on one line.
func wrong(err error) error {
	var at *file.Error
	if errors.As(err, &at) {
		shown := ""
		if lines := strings.Split(strings.TrimSpace(at.Snippet), "\n"); len(lines) > 0 {
			shown = strings.TrimPrefix(lines[0], "| ")
		}
		switch {
		case strings.HasPrefix(at.Message, "unexpected token EOF"):
			return fmt.Errorf("the expression ends too early: something is missing at the end of %q, such as a value or a closing bracket", shown)
		case at.Message == "literal not terminated":
			return fmt.Errorf("a text has no closing quotation mark: it begins before character %d of %q", at.Column+1, shown)
		}
		return fmt.Errorf("%s, at character %d of %q", at.Message, at.Column+1, shown)
	}
	return err
}
