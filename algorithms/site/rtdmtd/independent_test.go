package rtdmtd_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/site/rtdmtd"
)

// tree is a labelled tree.
type tree struct {
	label, all string // labels of the node and of its whole subtree
	size       int
	leaf       *algotest.PlainCanon // content leaf of a page
	content    bool                 // a content leaf is at or below it
	held       bool                 // one was, on the first page
	kids       []*tree
}

func treeOf(n *algotest.PlainCanon) *tree {
	t := &tree{label: n.Label("full")}
	if n.IsText() || n.Media {
		t.leaf = n
	}
	for _, k := range n.Kids {
		t.kids = append(t.kids, treeOf(k))
	}
	t.finish()
	t.held = t.content
	return t
}

// finish fills what follows from the label and the children.
func (t *tree) finish() *tree {
	t.all, t.size, t.content = t.label+"(", 1, t.leaf != nil
	for _, k := range t.kids {
		t.all += k.all
		t.size += k.size
		t.content = t.content || k.content
	}
	t.all += ")"
	return t
}

// mapper finds the cheapest restricted top-down mappings, section 7 of the
// specification. It was written without knowledge of the package.
type mapper struct {
	cost map[[2]*tree]int
}

// matrix is M for the children of two nodes.
func (m *mapper) matrix(a, b *tree) [][]int {
	table := make([][]int, len(a.kids)+1)
	for i := range table {
		table[i] = make([]int, len(b.kids)+1)
		for j := range table[i] {
			switch {
			case i == 0 && j == 0:
			case i == 0:
				table[i][j] = table[i][j-1] + b.kids[j-1].size
			case j == 0:
				table[i][j] = table[i-1][j] + a.kids[i-1].size
			default:
				table[i][j] = min(table[i-1][j-1]+m.replace(a.kids[i-1], b.kids[j-1]),
					table[i-1][j]+a.kids[i-1].size, table[i][j-1]+b.kids[j-1].size)
			}
		}
	}
	return table
}

func (m *mapper) replace(a, b *tree) int {
	switch {
	case a.all == b.all:
		return 0
	case a.label != b.label:
		return a.size + b.size - 1
	case len(a.kids) == 0 || len(b.kids) == 0:
		return a.size + b.size - 2
	}
	key := [2]*tree{a, b}
	cost, ok := m.cost[key]
	if !ok {
		cost = m.matrix(a, b)[len(a.kids)][len(b.kids)]
		m.cost[key] = cost
	}
	return cost
}

// pairs calls at for the pairs of equal labels below a and b in the cheapest
// mapping. Of several, the package takes the one that pairs what both lists end
// with, then what the rest of both begin with; then replacing comes before
// deleting, and deleting before inserting.
func (m *mapper) pairs(a, b *tree, at func(a, b *tree)) {
	x, y := a.kids, b.kids
	same := func(x, y *tree) bool {
		if x.all == y.all {
			at(x, y)
			m.pairs(x, y, at)
		}
		return x.all == y.all
	}
	for len(x) > 0 && len(y) > 0 && same(x[len(x)-1], y[len(y)-1]) {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	for len(x) > 0 && len(y) > 0 && same(x[0], y[0]) {
		x, y = x[1:], y[1:]
	}
	m.middle(&tree{kids: x}, &tree{kids: y}, at)
}

func (m *mapper) middle(a, b *tree, at func(a, b *tree)) {
	table := m.matrix(a, b)
	for i, j := len(a.kids), len(b.kids); i > 0 || j > 0; {
		switch {
		case i > 0 && j > 0 && table[i][j] == table[i-1][j-1]+m.replace(a.kids[i-1], b.kids[j-1]):
			i, j = i-1, j-1
			x, y := a.kids[i], b.kids[j]
			if x.label == y.label {
				at(x, y)
				m.pairs(x, y, at)
			}
		case i > 0 && table[i][j] == table[i-1][j]+a.kids[i-1].size:
			i--
		default:
			j--
		}
	}
}

// common is the part of a that is paired with nodes of b.
func common(a, b *tree) *tree {
	m := mapper{map[[2]*tree]int{}}
	paired := map[*tree]bool{a: true}
	m.pairs(a, b, func(x, _ *tree) { paired[x] = true })
	return prune(a, func(n *tree) bool { return paired[n] })
}

func prune(n *tree, keep func(*tree) bool) *tree {
	out := &tree{label: n.label, leaf: n.leaf, held: n.held}
	for _, k := range n.kids {
		if keep(k) {
			out.kids = append(out.kids, prune(k, keep))
		}
	}
	return out.finish()
}

func independent(sample []*algotest.PlainCanon, _ []algotest.SitePage) func(*algotest.PlainCanon, int) []*algotest.PlainCanon {
	template := treeOf(sample[0])
	for _, p := range sample[1:] {
		template = common(template, treeOf(p))
	}
	// What lost its content on the way removes nothing. What had none, as a br,
	// stays: without it a subtree would not be equal to that of the page.
	template = prune(template, func(n *tree) bool { return n.content || !n.held })
	return func(p *algotest.PlainCanon, _ int) []*algotest.PlainCanon {
		m := mapper{map[[2]*tree]int{}}
		dropped := map[*algotest.PlainCanon]bool{}
		m.pairs(template, treeOf(p), func(_, y *tree) { dropped[y.leaf] = true })
		return slices.DeleteFunc(p.Leaves(), func(n *algotest.PlainCanon) bool { return dropped[n] })
	}
}

func TestIndependent(t *testing.T) {
	random, real := 0, 0
	for seed := range uint64(40) {
		site := algotest.RandomSite(seed)
		random += algotest.IndependentSite(t, rtdmtd.Extractor, "random "+strconv.FormatUint(seed, 10), site[1:], site[:1], independent)
	}
	for name, site := range algotest.RealSites(t) {
		site = slices.DeleteFunc(site, func(p algotest.SitePage) bool {
			tree := algotest.PlainCanonOf(p)
			return tree == nil || len(tree.All()) > 1500 // the tables below grow with the square
		})
		if len(site) > 2 {
			site = site[:min(len(site), 6)]
			real += algotest.IndependentSite(t, rtdmtd.Extractor, name, site[1:], site[:1], independent)
		}
	}
	if random < 30 || real < 8 {
		t.Errorf("only %d random and %d real pages were cleaned", random, real)
	}
}
