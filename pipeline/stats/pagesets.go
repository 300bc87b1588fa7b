package stats

import (
	"cmp"
	"fmt"

	"github.com/winnow/winnow/schemas"
)

// PageSets says which extractors were scored on the same pages of several packages.
// Means over different pages cannot be compared, so the extractors of all packages are
// ranked only among those of the same pages. In the zero PageSets all extractors were
// scored on the same pages.
type PageSets struct {
	description map[string]string // by extractor: the number of scored pages of each package
	pages       map[string]int64  // by extractor
}

// NewPageSets returns the page sets of a scorer. The rows are those of the table of
// packages, in its order. The table has counts only: extractors that were scored on
// equally many pages of every package are taken to have been scored on the same pages.
func NewPageSets(rows []schemas.PackageRow, scorer string) PageSets {
	s := PageSets{map[string]string{}, map[string]int64{}}
	for i := range rows {
		if r := &rows[i]; r.PageType == "" && r.Scorer == scorer && r.Scored > 0 {
			s.description[r.Extractor] += fmt.Sprintf("%q %d ", r.Package, r.Scored)
			s.pages[r.Extractor] += r.Scored
		}
	}
	return s
}

// Compare orders extractors by their sets: the set with most pages is the first. It
// returns 0 for two extractors of the same set.
func (s PageSets) Compare(a, b string) int {
	x, y := s.description[a], s.description[b]
	if x == y {
		return 0
	}
	return cmp.Or(cmp.Compare(s.pages[b], s.pages[a]), cmp.Compare(x, y))
}

// Pages returns the number of pages on which the extractor was scored.
func (s PageSets) Pages(extractor string) int64 { return s.pages[extractor] }
