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

// Grouping is a way to divide the documents of a package into groups.
type Grouping string

// All groupings, each with the key of a page.
const (
	ByPageType   Grouping = "page_type"  // the type that the gold states
	ByLanguage   Grouping = "language"   // the language that was found, see LanguageOf
	BySite       Grouping = "site"       // the registered domain of the page's address
	ByComplexity Grouping = "complexity" // "low", "medium", "high": divided at the quartiles of all pages of the run
	BySize       Grouping = "size"       // "decile-01" … "decile-10" of the package's pages, by bytes of HTML
)

// Groupings lists all groupings.
var Groupings = []Grouping{ByPageType, ByLanguage, BySite, ByComplexity, BySize}

// NoGroup is the group of the documents that have no key.
const NoGroup = "(none)"

// Grouper finds the group of a page of a run, and so of its documents.
type Grouper struct {
	by        Grouping
	language  func(*schemas.Page) string
	quartiles []float64          // first and third quartile of all pages with gold, of all packages
	deciles   map[string][]int64 // the nine deciles of each package
}

// maxRanked bounds the number of pages whose sizes or complexities are kept to compute
// quantiles. Each takes 8 bytes.
const maxRanked = 50_000_000

// NewGrouper returns a Grouper for a run with the recipe r. For ByComplexity and BySize
// it reads all pages of the run to compute quantiles.
//
// A quantile is the value of nearest rank and belongs to the group below it. The
// quartiles of complexity are computed over all packages together, as in the study that
// defines it. The deciles of size are computed within each package, because its pages
// are of the same age and kind.
func NewGrouper(r *schemas.Recipe, by Grouping, rows iter.Seq2[*schemas.Page, error]) (*Grouper, error) {
	g := &Grouper{by: by, language: LanguageOf(r)}
	if !slices.Contains(Groupings, by) {
		return nil, fmt.Errorf("stats: no grouping %q; there are: %v", by, Groupings)
	}
	if by != ByComplexity && by != BySize {
		return g, nil
	}
	var complexities []float64
	sizes, pages := map[string][]int64{}, 0
	for row, err := range rows {
		if err != nil {
			return nil, err
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

// Of returns the group of a page.
func (g *Grouper) Of(r *schemas.Page) string {
	key := ""
	switch g.by {
	case ByPageType:
		key = r.PageType
	case ByLanguage:
		key = g.language(r)
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

// LanguageOf returns the function that tells the language of a page in a run with the
// recipe r: the one that the fact "language" found or, in a run without this fact, the
// primary part of the one that the gold states. It is empty where there is none.
func LanguageOf(r *schemas.Recipe) func(*schemas.Page) string {
	found := slices.IndexFunc(r.PageColumns(), func(c schemas.FactColumn) bool { return c.Name == "language" })
	if found < 0 {
		return func(p *schemas.Page) string { return primary(p.GoldLanguage) }
	}
	return func(p *schemas.Page) string {
		if found >= len(p.Facts) {
			return ""
		}
		return p.Facts[found].Text
	}
}

// primary returns the primary language of a tag in its shortest form: "en" for "en-US",
// "EN_gb" and "eng". A text that is not a valid tag has none.
func primary(tag string) string {
	first, _, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(tag), "_", "-"), "-")
	base, err := language.ParseBase(first)
	if err != nil {
		return ""
	}
	return base.String()
}
