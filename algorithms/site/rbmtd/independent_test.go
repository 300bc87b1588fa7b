package rbmtd_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/site/rbmtd"
)

// group is a cluster of pages.
type group struct {
	leader map[string]bool // paths
	pages  []int
}

func paths(p *algotest.PlainCanon) map[string]bool {
	set := map[string]bool{}
	for _, n := range p.All() {
		set[n.Path] = true
	}
	return set
}

func similar(a, b map[string]bool) float64 {
	both := 0
	for p := range a {
		if b[p] {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// key is what pairs two nodes: the place and the subtree.
func key(n *algotest.PlainCanon) string { return n.Path + "\x03" + n.Subtree("full") }

// independent is section 8 of the specification, with strings. It was written
// without knowledge of the package.
func independent(sample []*algotest.PlainCanon, _ []algotest.SitePage) func(*algotest.PlainCanon, int) []*algotest.PlainCanon {
	sigma, rho := float64(rbmtd.Default.Sigma)/100, float64(rbmtd.Default.Rho)/100
	var groups []*group
	keys := make([]map[string]bool, len(sample))
	for i, p := range sample {
		keys[i] = map[string]bool{}
		for _, n := range p.All() {
			if len(n.Leaves()) > 0 {
				keys[i][key(n)] = true
			}
		}
		of := paths(p)
		joined := false
		for _, g := range groups {
			if similar(of, g.leader) >= sigma {
				g.pages = append(g.pages, i)
				joined = true
				break
			}
		}
		if !joined {
			groups = append(groups, &group{of, []int{i}})
		}
	}
	return func(p *algotest.PlainCanon, at int) []*algotest.PlainCanon {
		var best *group
		most := 0.0
		for _, g := range groups {
			if s := similar(paths(p), g.leader); s > most && len(g.pages) >= 2 {
				best, most = g, s
			}
		}
		if best == nil || most < sigma {
			return p.Leaves()
		}
		template := func(n *algotest.PlainCanon) bool {
			of, on := 0, 0
			for _, i := range best.pages {
				if i == at {
					continue
				}
				of++
				if keys[i][key(n)] {
					on++
				}
			}
			return on > 0 && float64(on) >= math.Ceil(rho*float64(of))
		}
		var kept []*algotest.PlainCanon
		var visit func(n *algotest.PlainCanon)
		visit = func(n *algotest.PlainCanon) {
			if len(n.Leaves()) == 0 || template(n) {
				return
			}
			if n.IsText() || n.Media {
				kept = append(kept, n)
			}
			for _, k := range n.Kids {
				visit(k)
			}
		}
		visit(p)
		return kept
	}
}

func TestIndependent(t *testing.T) {
	random, real := 0, 0
	for seed := range uint64(40) {
		site := algotest.RandomSite(seed)
		random += algotest.IndependentSite(t, rbmtd.Extractor, "random "+strconv.FormatUint(seed, 10), site[1:], site[:1], independent)
	}
	for name, site := range algotest.RealSites(t) {
		site = site[:min(len(site), 8)]
		real += algotest.IndependentSite(t, rbmtd.Extractor, name, site[1:], site[:1], independent)
	}
	if random < 30 || real < 8 {
		t.Errorf("only %d random and %d real pages were cleaned", random, real)
	}
}
