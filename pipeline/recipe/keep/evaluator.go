package keep

import (
	"strings"

	"github.com/expr-lang/expr/vm"

	"github.com/winnow/winnow/schemas"
)

// Evaluator evaluates a filter. It is used by one goroutine.
type Evaluator struct {
	filter *Filter
	vm     vm.VM
	values map[string]any
}

// Evaluator returns an Evaluator of the filter.
func (f *Filter) Evaluator() *Evaluator {
	return &Evaluator{filter: f, values: make(map[string]any, len(f.columns))}
}

// LeftOutBy returns the name of the clause because of which the text of a row is not
// written, or "" if the text is kept. A name is the number of the clause in the
// expression, from 1, and the beginning of its text, which is cut if it is long:
// "clause 2: text_chars > 500". LeftOutBy keeps no reference to the rows.
func (e *Evaluator) LeftOutBy(p *schemas.Page, d *schemas.Document) string {
	for i, c := range e.filter.columns {
		failed := d.FactsFailed
		if c.page {
			failed = p.FactsFailed
		}
		if c.fact != "" && failed != "" && lists(failed, c.fact) {
			return "fact " + c.fact + " failed"
		}
		e.values[e.filter.names[i]] = c.read(p, d)
	}
	defer clear(e.values)
	for i := range e.filter.clauses {
		c := &e.filter.clauses[i]
		kept, err := e.vm.Run(c.program, e.values)
		if err != nil { // no expression that New accepts leads here; the fuzzer looks for one
			return "error in " + c.name
		}
		if kept != true {
			return c.name
		}
	}
	return ""
}

// lists reports whether a list such as "rights:panic,quality:error" names the fact.
func lists(failed, fact string) bool {
	for entry := range strings.SplitSeq(failed, ",") {
		if name, _, _ := strings.Cut(entry, ":"); name == fact {
			return true
		}
	}
	return false
}
