package template

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/schemas"
)

// SamplePages is the number of pages in the sample of a method that does not ask for
// another number.
const SamplePages = 25

// LongList is the number of candidates from which a sample of this many pages is taken,
// before the bound on the candidates that are kept for a site.
func LongList(pages int) int { return pages + (pages+4)/5 }

// Method is one way to learn templates. Several extractors may apply what it learns.
type Method struct {
	Name    string
	Learner *algorithms.Learner
}

// Pages returns the size of the method's sample. A smaller site has fewer pages.
func (m *Method) Pages() int {
	if n := m.Learner.Pages; n > 0 {
		return min(n, algorithms.MaxSample)
	}
	return SamplePages
}

// NameOf returns the name under which an extractor's template is kept, "" for a
// page-level extractor.
func NameOf(e *algorithms.Extractor) string {
	if e.Learn == nil {
		return ""
	}
	return cmp.Or(e.Learn.As, e.Name)
}

// Methods returns the methods of extractors and of their members, by name.
func Methods(extractors []*algorithms.Extractor) []Method {
	var out []Method
	for _, e := range algorithms.WithMembers(extractors) {
		name := NameOf(e)
		if name != "" && !slices.ContainsFunc(out, func(m Method) bool { return m.Name == name }) {
			out = append(out, Method{name, e.Learn})
		}
	}
	slices.SortFunc(out, func(a, b Method) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Linked reports whether one of the methods follows links.
func Linked(methods []Method) bool {
	return slices.ContainsFunc(methods, func(m Method) bool { return m.Learner.Linked })
}

// Settings returns what a recipe says about learning, nil if none of the extractors
// learns and no agents are named (schemas.Learn.Agents): the run then has the phase extract
// alone.
func Settings(extractors []*algorithms.Extractor, agents ...string) *schemas.Learn {
	if len(Methods(extractors)) == 0 && len(agents) == 0 {
		return nil
	}
	return &schemas.Learn{Sites: SiteVersion(), Agents: agents}
}

// SiteVersion names what decides which pages make a site and its sample: the
// list of public suffixes, and this package's rules.
func SiteVersion() string {
	return fmt.Sprintf("%s; sample 1 of %d from %d", website.SuffixVersion(), SamplePages, LongList(SamplePages))
}

// CheckSites returns an error if a run was planned with other rules of what a site and
// its sample are.
func CheckSites(l *schemas.Learn) error {
	if v := SiteVersion(); l.Sites != v {
		return fmt.Errorf("the run was planned with version %q of the rules for sites, but this program has version %q", l.Sites, v)
	}
	return nil
}
