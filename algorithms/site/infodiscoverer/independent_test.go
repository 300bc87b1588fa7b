package infodiscoverer_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/site/infodiscoverer"
)

// The twin follows section 5 of the specification with words for hashes and was
// written without knowledge of the package.

var (
	tables  = []string{"table"}
	layouts = []string{"table", "div", "section", "article", "aside", "nav", "header", "footer", "main", "ul", "ol", "form"}
)

// terms are the words of a leaf without single ASCII letters.
func terms(l *algotest.PlainCanon) []string {
	if l.Media {
		return nil
	}
	return slices.DeleteFunc(algotest.PlainWords(l.Text), func(w string) bool {
		return len(w) == 1 && 'a' <= w[0] && w[0] <= 'z'
	})
}

// blocks are the leaves of a page by the element that they are cut at.
func blocks(p *algotest.PlainCanon, delims []string) (roots []*algotest.PlainCanon, of map[*algotest.PlainCanon][]*algotest.PlainCanon) {
	of = map[*algotest.PlainCanon][]*algotest.PlainCanon{}
	for _, l := range p.Leaves() {
		root := l.Parent
		for root.Parent != nil && !slices.Contains(delims, root.Tag) {
			root = root.Parent
		}
		if of[root] == nil {
			roots = append(roots, root)
		}
		of[root] = append(of[root], l)
	}
	return roots, of
}

// entropy is the mean entropy of the distinct terms of a block, as a fraction.
func entropy(leaves []*algotest.PlainCanon, of map[string]int) (sum, n int, words map[string]bool) {
	words = map[string]bool{}
	for _, l := range leaves {
		for _, w := range terms(l) {
			words[w] = true
		}
	}
	for w := range words {
		sum += of[w]
	}
	return sum, len(words), words
}

func independent(sample []*algotest.PlainCanon, mode string) func(*algotest.PlainCanon, int) []*algotest.PlainCanon {
	counts := map[string][]int{} // by term and page
	inTables := 0
	for i, p := range sample {
		all, inside := 0, 0
		for _, l := range p.Leaves() {
			for _, w := range terms(l) {
				if counts[w] == nil {
					counts[w] = make([]int, len(sample))
				}
				counts[w][i]++
				all++
			}
		}
		roots, of := blocks(p, tables)
		for _, root := range roots {
			for _, l := range of[root] {
				if root.Tag == "table" {
					inside += len(terms(l))
				}
			}
		}
		if 2*inside >= all && all > 0 {
			inTables++
		}
	}
	delims := layouts
	if mode == infodiscoverer.Table || mode == infodiscoverer.Auto && 2*inTables >= len(sample) {
		delims = tables
	}

	// Entropies are stored as 255ths.
	stored := map[string]int{}
	for w, tf := range counts {
		sum, pages := 0, 0
		for _, n := range tf {
			sum += n
			if n > 0 {
				pages++
			}
		}
		if pages < 2 {
			continue
		}
		h := 0.0
		for _, n := range tf {
			if n > 0 {
				share := float64(n) / float64(sum)
				h -= share * math.Log(share) / math.Log(float64(len(sample)))
			}
		}
		stored[w] = int(math.Round(255 * h))
	}
	redundant := func(leaves []*algotest.PlainCanon, tenths int) bool {
		sum, n, _ := entropy(leaves, stored)
		return 10*sum > 255*tenths*n
	}
	covered := func(tenths int) int {
		words := map[string]bool{}
		for _, p := range sample {
			_, of := blocks(p, delims)
			for _, leaves := range of {
				if !redundant(leaves, tenths) {
					_, _, in := entropy(leaves, stored)
					for w := range in {
						words[w] = true
					}
				}
			}
		}
		return len(words)
	}
	f := make([]int, 11)
	for tenths := range f {
		f[tenths] = covered(tenths)
	}
	threshold := 7
	for tenths := 1; tenths <= 9; tenths++ {
		if 2*f[tenths] >= f[10] && 100*(f[tenths+1]-f[tenths]) <= f[10] {
			threshold = tenths
			break
		}
	}
	return func(p *algotest.PlainCanon, _ int) []*algotest.PlainCanon {
		var kept []*algotest.PlainCanon
		roots, of := blocks(p, delims)
		for _, root := range roots {
			if _, n, _ := entropy(of[root], stored); n > 0 && !redundant(of[root], threshold) {
				kept = append(kept, of[root]...)
			}
		}
		return kept
	}
}

func TestIndependent(t *testing.T) {
	random, real := 0, 0
	compare := func(name string, site []algotest.SitePage) (n int) {
		t.Helper()
		for _, mode := range []string{infodiscoverer.Auto, infodiscoverer.Table} {
			p := infodiscoverer.Default
			p.Delims = mode
			n += algotest.IndependentSite(t, infodiscoverer.New(p), mode+" "+name, site[1:], site[:1],
				func(sample []*algotest.PlainCanon, _ []algotest.SitePage) func(*algotest.PlainCanon, int) []*algotest.PlainCanon {
					return independent(sample, mode)
				})
		}
		return n
	}
	for seed := range uint64(25) {
		random += compare("random "+strconv.FormatUint(seed, 10), algotest.RandomSite(seed))
	}
	// A site laid out with tables.
	for seed := range uint64(8) {
		site := algotest.RandomSite(seed)
		for i := range site {
			site[i].HTML = strings.NewReplacer("<div", "<table><tr><td><b", "</div>", "</table>").Replace(site[i].HTML)
		}
		random += compare("tables "+strconv.FormatUint(seed, 10), site)
	}
	for name, site := range algotest.RealSites(t) {
		real += compare(name, site[:min(len(site), 7)])
	}
	if random < 30 || real < 8 {
		t.Errorf("only %d random and %d real pages were cleaned", random, real)
	}
}
