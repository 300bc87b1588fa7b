package keep

import (
	"slices"
	"strings"

	"github.com/winnow/winnow/schemas"
)

// ofPage begins the names of columns of the page.
const ofPage = "page."

// kind is the type of a column's values in an expression.
type kind int

const (
	isBool kind = iota
	isNumber
	isText
	isOther // cannot be compared
)

var kinds = map[string]kind{schemas.FactBool: isBool, schemas.FactInt: isNumber, schemas.FactFloat: isNumber, schemas.FactText: isText}

// zero is a value of each kind, from which the library infers the type.
var zero = [...]any{isBool: false, isNumber: 0.0, isText: ""}

// column is a column that an expression may read.
type column struct {
	name string // as expressions call it
	kind kind
	fact string // the name of the fact; "" for a column of the table itself
	page bool   // it is a column of the pages table
	// inferred means that the column's values are texts, which are read as numbers where the
	// expression compares them with one.
	inferred bool
	whole    bool // its numbers are whole numbers (schemas.FactInt)
	read     func(*schemas.Page, *schemas.Document) any
}

// own are the columns of the tables themselves. Times are not among them, because a
// filter must decide the same whenever a page is processed.
var own = []column{
	textOfPage("package", func(p *schemas.Page) string { return p.Package }),
	textOfPage("doc_id", func(p *schemas.Page) string { return p.DocID }),
	textOfPage("url", func(p *schemas.Page) string { return p.URL }),
	textOfPage("site", func(p *schemas.Page) string { return p.Site }),
	textOfPage("file", func(p *schemas.Page) string { return p.File }),
	textOfPage("date", func(p *schemas.Page) string { return p.Date }),
	textOfPage("charset", func(p *schemas.Page) string { return p.Charset }),
	textOfPage("flags", func(p *schemas.Page) string { return p.Flags }),
	textOfPage("page_type", func(p *schemas.Page) string { return p.PageType }),
	textOfPage("gold_language", func(p *schemas.Page) string { return p.GoldLanguage }),
	numberOfPage("http_status", func(p *schemas.Page) float64 { return float64(p.HTTPStatus) }),
	numberOfPage("html_bytes", func(p *schemas.Page) float64 { return float64(p.HTMLBytes) }),
	numberOfPage("replaced", func(p *schemas.Page) float64 { return float64(p.Replaced) }),
	numberOfPage("complexity", func(p *schemas.Page) float64 { return p.Complexity }),
	numberOfPage("page_consensus", func(p *schemas.Page) float64 { return p.PageConsensus }),
	textOfText("extractor", func(d *schemas.Document) string { return d.Extractor }),
	textOfText("outcome", func(d *schemas.Document) string { return d.Outcome }),
	textOfText("notes", func(d *schemas.Document) string { return d.Notes }),
	numberOfText("text_chars", func(d *schemas.Document) float64 { return float64(d.TextChars) }),
	numberOfText("confidence", func(d *schemas.Document) float64 { return d.Confidence }),
	numberOfText("consensus", func(d *schemas.Document) float64 { return d.Consensus }),
	numberOfText("consensus_f1", func(d *schemas.Document) float64 { return d.ConsensusF1 }),
}

func textOfPage(name string, field func(*schemas.Page) string) column {
	return column{name: name, kind: isText, page: true, read: func(p *schemas.Page, _ *schemas.Document) any { return field(p) }}
}

func numberOfPage(name string, field func(*schemas.Page) float64) column {
	return column{name: name, kind: isNumber, page: true, read: func(p *schemas.Page, _ *schemas.Document) any { return field(p) }}
}

func textOfText(name string, field func(*schemas.Document) string) column {
	return column{name: name, kind: isText, read: func(_ *schemas.Page, d *schemas.Document) any { return field(d) }}
}

func numberOfText(name string, field func(*schemas.Document) float64) column {
	return column{name: name, kind: isNumber, read: func(_ *schemas.Page, d *schemas.Document) any { return field(d) }}
}

// columnsOf returns the columns that an expression may read in rows with the columns of facts, by
// name.
func columnsOf(facts []schemas.Fact) map[string]*column {
	all := map[string]*column{}
	add := func(c column) {
		if c.page {
			all[ofPage+c.name] = &c
		}
		if _, taken := all[c.name]; !taken {
			all[c.name] = &c
		}
	}
	for _, c := range own {
		add(c)
	}
	at := 0
	for _, f := range facts { // those of texts first: they have the shorter name
		for _, c := range f.Documents {
			i := at
			at++
			add(factColumn(f.Name, c, false, func(_ *schemas.Page, d *schemas.Document) schemas.Value { return valueAt(d.Facts, i) }))
		}
	}
	at = 0
	for _, f := range facts {
		for _, c := range f.Pages {
			i := at
			at++
			add(factColumn(f.Name, c, true, func(p *schemas.Page, _ *schemas.Document) schemas.Value { return valueAt(p.Facts, i) }))
		}
	}
	return all
}

func valueAt(values []schemas.Value, i int) schemas.Value {
	if i < len(values) {
		return values[i]
	}
	return schemas.Value{}
}

func factColumn(fact string, c schemas.FactColumn, page bool, value func(*schemas.Page, *schemas.Document) schemas.Value) column {
	out := column{name: c.Name, fact: fact, page: page, kind: isOther}
	if k, ok := kinds[c.Kind]; ok {
		out.kind = k
	}
	out.whole = c.Kind == schemas.FactInt
	out.read = func(p *schemas.Page, d *schemas.Document) any { return out.convert(value(p, d)) }
	return out
}

// names returns the names of columns that an expression can compare, sorted.
func names(all map[string]*column) (list []string) {
	for name, c := range all {
		if c.kind != isOther && !strings.HasPrefix(name, ofPage) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}
