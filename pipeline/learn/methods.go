package learn

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/site"
)

// Method is what is learned once for all extractors that apply it.
type Method struct {
	Name    string
	Learner *algorithms.Learner
}

// Pages is how many pages the method's sample has, if a site has so many.
func (m *Method) Pages() int {
	if n := m.Learner.Pages; n > 0 {
		return min(n, algorithms.MaxSample)
	}
	return samplePages
}

// NameOf is the name under which an extractor's template is kept; "" for a
// page-level extractor.
func NameOf(e *algorithms.Extractor) string {
	if e.Learn == nil {
		return ""
	}
	return cmp.Or(e.Learn.As, e.Name)
}

// Methods are the distinct things that extractors and their members learn, by name.
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

// Linked says whether one of the methods follows links.
func Linked(methods []Method) bool {
	return slices.ContainsFunc(methods, func(m Method) bool { return m.Learner.Linked })
}

// SiteVersion names what decides which pages make a site and its sample: the
// list of public suffixes, and this package's rules.
func SiteVersion() string {
	return fmt.Sprintf("%s; sample 1 of %d from %d", site.SuffixVersion(), samplePages, longList)
}
