package fact

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/schemas/value"
)

// Fact is something known about a page that no extractor decides: its language, its
// rights, the quality of its text. A fact of the page is found once on each page, and
// its columns are in the table of pages. A fact of the text is found in the text of each
// extractor, and its columns are in the table of documents. A Fact may be both. Like an
// Extractor it is a plain value.
type Fact struct {
	algorithms.Description

	// Default means that the fact is found unless the user chooses otherwise: keepers of
	// crawls ask for it, and it costs little.
	Default bool

	Page *Finder // finds the fact of a page; nil if there is nothing to find
	Text *Finder // finds the fact of an extractor's text; nil if there is nothing to find
}

// Finder finds the values of columns.
type Finder struct {
	Columns []Column
	// Find reads s and sets s.Out, which has a value for each column, in their order. All
	// of them are null when Find is called. An error is a defect of the fact: the columns
	// are then null, with a reason.
	Find func(s *Subject) error
	// Links means that Find also fills s.Links. Its first column is then the number of
	// links in it. At most one fact does this.
	Links bool
}

// Column describes one value of a fact. It is part of the recipe of a run.
type Column = value.Column

// Value is one value of a fact, as the rows of tables hold it. The zero Value is null.
type Value = value.Value

// The kinds of a column's values.
const (
	KindBool  = value.Bool
	KindInt   = value.Int   // 64 bits, signed
	KindFloat = value.Float // NaN and infinities are null
	KindText  = value.Text
	KindHash  = value.Hash // 64 bits that are not a quantity
	KindInts  = value.Ints // a list of 32-bit numbers, such as a MinHash signature
)

// columnName is what a column may be called, so that it needs no quotes in a query.
var columnName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// Validate checks that a list of facts is well formed, as algorithms.Validate does for
// extractors and scorers. Two facts must not fill the same column of a table.
func Validate(facts []*Fact) error {
	var errs []error
	names, ofPage, ofText := map[string]bool{}, map[string]bool{}, map[string]bool{}
	linked := "" // the fact that fills the links
	for _, f := range facts {
		errs = append(errs, f.Description.Validate("fact", names))
		if f.Page == nil && f.Text == nil {
			errs = append(errs, fmt.Errorf("algorithms: fact %s finds nothing", f.Name))
		}
		errs = append(errs, validateFinder(f.Name, f.Page, ofPage), validateFinder(f.Name, f.Text, ofText))
		if f.Text != nil && f.Text.Links {
			errs = append(errs, fmt.Errorf("algorithms: fact %s fills links from a text: links are of the page", f.Name))
		}
		if f.Page != nil && f.Page.Links {
			if linked != "" || f.Page.Columns[0].Kind != KindInt {
				errs = append(errs, fmt.Errorf("algorithms: fact %s fills links: no other fact may (%s), and its first column must count them", f.Name, linked))
			}
			linked = f.Name
		}
	}
	return errors.Join(errs...)
}

func validateFinder(fact string, f *Finder, seen map[string]bool) error {
	if f == nil {
		return nil
	}
	var errs []error
	bad := func(column, what string) {
		errs = append(errs, fmt.Errorf("algorithms: fact %s: column %q %s", fact, column, what))
	}
	if f.Find == nil || len(f.Columns) == 0 {
		errs = append(errs, fmt.Errorf("algorithms: fact %s has columns without a function that finds them, or none", fact))
	}
	for _, c := range f.Columns {
		if !columnName.MatchString(c.Name) {
			bad(c.Name, "is not a proper name")
		}
		if seen[c.Name] {
			bad(c.Name, "is filled twice")
		}
		seen[c.Name] = true
		number := false
		switch c.Kind {
		case KindInt, KindFloat, KindInts:
			number = true
		case KindBool, KindText, KindHash:
		default:
			bad(c.Name, fmt.Sprintf("has the unknown kind %q", c.Kind))
		}
		if number != (c.Unit != "") {
			bad(c.Name, "must have a unit if it holds numbers, and none otherwise")
		}
		if c.Doc == "" || c.Null == "" {
			bad(c.Name, "does not say what it means, or when it is null")
		}
	}
	return errors.Join(errs...)
}
