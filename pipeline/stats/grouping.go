package stats

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/schemas"
	"golang.org/x/text/language"
)

// Grouping is a way to divide the documents of a package into groups (spec scorers,
// 15.5).
type Grouping string

// All groupings, each with the key of a document.
const (
	ByPageType   Grouping = "page_type"  // the type that the gold states
	ByLanguage   Grouping = "language"   // the primary part of the language that the page declares: "en" of "en-US"
	BySite       Grouping = "site"       // the registered domain of the page's address
	ByComplexity Grouping = "complexity" // "low", "medium", "high": divided at the quartiles of all pages of the run
	BySize       Grouping = "size"       // "decile-01" … "decile-10" of the package's pages, by bytes of HTML
)

// Groupings lists all groupings.
var Groupings = []Grouping{ByPageType, ByLanguage, BySite, ByComplexity, BySize}

// NoGroup is the group of the documents that have no key.
const NoGroup = "(none)"

// Grouper finds the group of a document of a run.
type Grouper struct {
	by        Grouping
	quartiles []float64          // first and third quartile of all pages with gold, of all packages
	deciles   map[string][]int64 // the nine deciles of each package
}

// maxRanked bounds the number of pages whose sizes or complexities are kept to compute
// quantiles. Each takes 8 bytes.
const maxRanked = 50_000_000

// NewGrouper returns a Grouper. For ByComplexity and BySize it reads all documents of
// the run to compute quantiles.
//
// A quantile is the value of nearest rank and belongs to the group below it. The
// quartiles of complexity are computed over all packages together, as in the study that
// defines it. The deciles of size are computed within each package, because its pages
// are of the same age and kind.
// and kind are.
func NewGrouper(by Grouping, documents iter.Seq2[*schemas.Document, error]) (*Grouper, error) {
	g := &Grouper{by: by}
	if !slices.Contains(Groupings, by) {
		return nil, fmt.Errorf("stats: no grouping %q; there are: %v", by, Groupings)
	}
	if by != ByComplexity && by != BySize {
		return g, nil
	}
	var complexities []float64
	sizes, pages := map[string][]int64{}, 0
	extractor := "" // every page has a row for every extractor, so the rows of the first extractor are enough
	for row, err := range documents {
		if err != nil {
			return nil, err
		}
		if extractor == "" {
			extractor = strings.Clone(row.Extractor)
		}
		if row.Extractor != extractor {
			continue
		}
		if pages++; pages > maxRanked {
			return nil, fmt.Errorf("stats: the run has more than %d pages: too many to rank by %s", maxRanked, by)
		}
		switch {
		case by == BySize:
			sizes[row.Package] = append(sizes[row.Package], row.HTMLBytes)
		case !math.IsNaN(row.Complexity):
			complexities = append(complexities, row.Complexity)
		}
	}
	g.quartiles = quantiles(complexities, 4)
	g.deciles = make(map[string][]int64, len(sizes))
	for pkg, list := range sizes {
		g.deciles[pkg] = quantiles(list, 10)
	}
	return g, nil
}

// quantiles returns the n-1 values that divide the sorted list into n parts by nearest
// rank. It returns nil for an empty list.
func quantiles[T int64 | float64](list []T, n int) (cuts []T) {
	if len(list) == 0 {
		return nil
	}
	slices.Sort(list)
	for k := 1; k < n; k++ {
		cuts = append(cuts, list[NearestRank(len(list), k, n)-1])
	}
	return cuts
}

// Of returns the group of a document.
func (g *Grouper) Of(r *schemas.Document) string {
	key := ""
	switch g.by {
	case ByPageType:
		key = r.PageType
	case ByLanguage:
		key = primary(r.GoldLanguage)
	case BySite:
		if key = website.Domain(r.URL); key == website.None {
			key = ""
		}
	case ByComplexity:
		switch q := g.quartiles; {
		case math.IsNaN(r.Complexity) || q == nil:
		case r.Complexity <= q[0]:
			key = "low"
		case r.Complexity <= q[2]:
			key = "medium"
		default:
			key = "high"
		}
	case BySize:
		if cuts := g.deciles[r.Package]; cuts != nil {
			below := 0
			for below < len(cuts) && r.HTMLBytes > cuts[below] {
				below++
			}
			key = fmt.Sprintf("decile-%02d", below+1)
		}
	}
	if key == "" {
		return NoGroup
	}
	return key
}

// primary returns the primary language of a tag in its shortest form: "en" for "en-US",
// "EN_gb" and "eng". A text that is no valid tag has none.
func primary(tag string) string {
	first, _, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(tag), "_", "-"), "-")
	base, err := language.ParseBase(first)
	if err != nil {
		return ""
	}
	return base.String()
}
