package recipe

import (
	"fmt"
	"slices"

	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/schemas"
)

// Facts returns the entries of a recipe for chosen facts, with their columns.
func Facts(facts []*fact.Fact) (out []schemas.Fact) {
	for _, f := range facts {
		out = append(out, schemas.Fact{Name: f.Name, Pages: columns(f.Page), Documents: columns(f.Text), Links: f.Page != nil && f.Page.Links})
	}
	return out
}

func columns(f *fact.Finder) []schemas.FactColumn {
	if f == nil {
		return nil
	}
	return slices.Clone(f.Columns)
}

// FindFacts returns the facts of a recipe from the list of this program. It is an error
// if one of them is missing or fills other columns: the run was then planned by another
// build.
func FindFacts(r *schemas.Recipe, list []*fact.Fact) ([]*fact.Fact, error) {
	var out []*fact.Fact
	for _, want := range r.Facts {
		i := slices.IndexFunc(list, func(f *fact.Fact) bool { return f.Name == want.Name })
		if i < 0 {
			return nil, fmt.Errorf("recipe: this build has no fact %q", want.Name)
		}
		have := Facts(list[i : i+1])[0]
		if have.Links != want.Links || !same(have.Pages, want.Pages) || !same(have.Documents, want.Documents) {
			return nil, fmt.Errorf("recipe: the fact %s has other columns in this build", want.Name)
		}
		out = append(out, list[i])
	}
	return out, nil
}

func same(a, b []schemas.FactColumn) bool {
	return slices.EqualFunc(a, b, func(a, b schemas.FactColumn) bool { return a.Name == b.Name && a.Kind == b.Kind })
}
