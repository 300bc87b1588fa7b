package schemas

import (
	"fmt"
	"slices"

	"github.com/winnow/winnow/schemas/value"
)

// Fact is a chosen fact with the columns that it fills. The columns are part of the
// recipe, so that every program of a run knows the tables without knowing the fact.
type Fact struct {
	Name      string       `json:"name"`
	Pages     []FactColumn `json:"pages,omitempty"`     // columns of the pages table
	Documents []FactColumn `json:"documents,omitempty"` // columns of the documents table
	// Links means that the fact fills the links table too. Its first column of pages is
	// the number of rows that the page has there.
	Links bool `json:"links,omitempty"`
}

// Values and columns are those of package value, which programs that only extract text
// share.
type (
	Value      = value.Value
	FactColumn = value.Column
)

// The kinds of a fact's values.
const (
	FactBool  = value.Bool
	FactInt   = value.Int
	FactFloat = value.Float
	FactText  = value.Text
	FactHash  = value.Hash
	FactInts  = value.Ints
)

// FactKinds lists all kinds of values.
var FactKinds = []string{FactBool, FactInt, FactFloat, FactText, FactHash, FactInts}

// PageColumns returns the columns that the recipe's facts add to the pages table.
func (r *Recipe) PageColumns() (columns []FactColumn) {
	for _, f := range r.Facts {
		columns = append(columns, f.Pages...)
	}
	return columns
}

// LinksColumn returns the index of the column of PageColumns that counts the rows of the
// links table, -1 if the run does not fill this table.
func (r *Recipe) LinksColumn() int {
	at := 0
	for _, f := range r.Facts {
		if f.Links {
			return at
		}
		at += len(f.Pages)
	}
	return -1
}

// DocumentColumns returns the columns that the recipe's facts add to the documents
// table.
func (r *Recipe) DocumentColumns() (columns []FactColumn) {
	for _, f := range r.Facts {
		columns = append(columns, f.Documents...)
	}
	return columns
}

// maxFactColumns bounds the columns that the facts of a recipe may add to a table.
const maxFactColumns = 1000

// checkFacts verifies that the columns of facts are valid and have distinct names.
func (r *Recipe) checkFacts() error {
	linked := false
	for _, f := range r.Facts {
		if f.Links && (linked || len(f.Pages) == 0 || f.Pages[0].Kind != FactInt) {
			return fmt.Errorf("facts: %.50q fills the links table: one fact at most may do so, and its first column of pages must be a number", f.Name)
		}
		linked = linked || f.Links
	}
	for _, columns := range [][]FactColumn{r.PageColumns(), r.DocumentColumns()} {
		if len(columns) > maxFactColumns {
			return fmt.Errorf("facts: %d columns in a table: there may be at most %d", len(columns), maxFactColumns)
		}
		seen := map[string]bool{}
		for _, c := range columns {
			switch {
			case !slices.Contains(FactKinds, c.Kind):
				return fmt.Errorf("facts: column %.50q: unknown kind %.50q", c.Name, c.Kind)
			case c.Name == "" || len(c.Name) > 100:
				return fmt.Errorf("facts: %.50q is not a valid name of a column", c.Name)
			case seen[c.Name]:
				return fmt.Errorf("facts: two columns are called %.50q", c.Name)
			}
			seen[c.Name] = true
		}
	}
	return nil
}
