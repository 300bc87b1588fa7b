package conex_test

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/site/conex"
	"github.com/winnow/winnow/algorithms/site/temex"
)

// The twins of temex and conex follow sections 2.3, 2.7, 10 and 11 of the
// specification, with strings where the packages have hashes. They were written
// without knowledge of the packages.

// rank is the rank of an address.
func rank(u *url.URL) uint64 {
	host := strings.ToLower(u.Host)
	if _, port, ok := strings.Cut(host, ":"); ok && (u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443") {
		host, _, _ = strings.Cut(host, ":")
	}
	name := host + u.EscapedPath()
	if u.EscapedPath() == "" {
		name = host + "/"
	}
	if u.RawQuery != "" || u.ForceQuery {
		name += "?" + u.RawQuery
	}
	sum := sha256.Sum256([]byte("winnow-sample-v1\n" + name))
	return binary.BigEndian.Uint64(sum[:8])
}

func rankOf(t *testing.T, address string) uint64 {
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return rank(u.ResolveReference(u))
}

// candidate is a captured page.
type candidate struct {
	rank  uint64
	tree  *algotest.PlainCanon
	links map[uint64]bool
}

func capture(t *testing.T, p algotest.SitePage) (candidate, bool) {
	tree := algotest.PlainCanonOf(p)
	if tree == nil {
		return candidate{}, false
	}
	c := candidate{rankOf(t, p.URL), tree, map[uint64]bool{}}
	for _, n := range tree.All() {
		if href, ok := n.Attr("href"); ok && n.Tag == "a" {
			if u, err := url.Parse(href); err == nil && u.Host != "" {
				c.links[rank(u)] = true
			}
		}
	}
	delete(c.links, c.rank)
	return c, true
}

// chosen are the pages that link to each other.
func chosen(t *testing.T, sample, others []algotest.SitePage) []*algotest.PlainCanon {
	var pages, captured []candidate
	for _, p := range sample {
		if c, ok := capture(t, p); ok {
			pages = append(pages, c)
		}
	}
	captured = slices.Clone(pages)
	for _, p := range others {
		if c, ok := capture(t, p); ok {
			captured = append(captured, c)
		}
	}
	degree := func(c candidate) (n int) {
		for _, p := range pages {
			if p.links[c.rank] {
				n++
			}
		}
		return n
	}
	captured = slices.DeleteFunc(captured, func(c candidate) bool { return degree(c) < 2 })
	slices.SortFunc(captured, func(a, b candidate) int {
		if d := degree(b) - degree(a); d != 0 {
			return d
		}
		if a.rank < b.rank {
			return -1
		}
		return 1
	})
	captured = captured[:min(len(captured), algorithms.MaxLinked)]

	best := uint(0)
	better := func(set uint) bool {
		switch n, most := bits.OnesCount(set), bits.OnesCount(best); {
		case n > temex.Default.Pages || n < most:
			return false
		case n > most:
			return true
		}
		// Of equally many the foremost: the lowest place that only one of them has.
		return set&(set^best)&-(set^best) != 0
	}
	for set := uint(1); set < 1<<len(captured); set++ {
		tied := true
		for i, a := range captured {
			for j, b := range captured[:i] {
				if set>>i&1 == 1 && set>>j&1 == 1 && !(a.links[b.rank] && b.links[a.rank]) {
					tied = false
				}
			}
		}
		if tied && better(set) {
			best = set
		}
	}
	var trees []*algotest.PlainCanon
	if bits.OnesCount(best) < 2 {
		for _, p := range pages[:min(len(pages), temex.Default.Pages)] {
			trees = append(trees, p.tree)
		}
		return trees
	}
	for i, c := range captured {
		if best>>i&1 == 1 {
			trees = append(trees, c.tree)
		}
	}
	return trees
}

// mapped are the nodes of a that the equal top-down mapping to b has.
func mapped(a, b *algotest.PlainCanon) map[*algotest.PlainCanon]bool {
	of := map[*algotest.PlainCanon]bool{}
	var pair func(a, b *algotest.PlainCanon)
	pair = func(a, b *algotest.PlainCanon) {
		of[a] = true
		taken := map[*algotest.PlainCanon]bool{}
		var left []int
		for i, x := range a.Kids {
			s, found := x.Subtree("idc"), false
			for _, y := range b.Kids {
				if !taken[y] && y.Subtree("idc") == s {
					taken[y], found = true, true
					for _, n := range x.All() {
						of[n] = true
					}
					break
				}
			}
			if !found {
				left = append(left, i)
			}
		}
		for _, i := range left {
			x, nearest, least := a.Kids[i], (*algotest.PlainCanon)(nil), 0
			for j, y := range b.Kids {
				if d := max(i-j, j-i); !taken[y] && y.Label("idc") == x.Label("idc") && (nearest == nil || d < least) {
					nearest, least = y, d
				}
			}
			if nearest != nil {
				taken[nearest] = true
				pair(x, nearest)
			}
		}
	}
	pair(a, b)
	return of
}

// restrict is the tree of the nodes in of.
func restrict(n *algotest.PlainCanon, of map[*algotest.PlainCanon]bool) *algotest.PlainCanon {
	c := *n
	c.Kids = nil
	for _, k := range n.Kids {
		if of[k] {
			c.Kids = append(c.Kids, restrict(k, of))
		}
	}
	return &c
}

// best is steps 1 to 4 of conex, given the leaves that are not mapped.
func best(p *algotest.PlainCanon, free []*algotest.PlainCanon) []*algotest.PlainCanon {
	pure := func(n *algotest.PlainCanon) bool {
		leaves := n.Leaves()
		for _, l := range leaves {
			if !slices.Contains(free, l) {
				return false
			}
		}
		return len(leaves) > 0
	}
	var q []*algotest.PlainCanon
	var visit func(n *algotest.PlainCanon)
	visit = func(n *algotest.PlainCanon) {
		if pure(n) {
			q = append(q, n)
			return
		}
		for _, k := range n.Kids {
			visit(k)
		}
	}
	visit(p)
	count := func(of func(l *algotest.PlainCanon) int) (b0 *algotest.PlainCanon) {
		most := 0
		for _, n := range q {
			sum := 0
			for _, l := range n.Leaves() {
				sum += of(l)
			}
			if sum > most {
				b0, most = n, sum
			}
		}
		return b0
	}
	b0 := count(func(l *algotest.PlainCanon) int {
		if l.InLink != nil {
			return 0
		}
		return len(algotest.PlainWords(l.Text))
	})
	if b0 == nil {
		b0 = count(func(l *algotest.PlainCanon) int {
			if l.Media {
				return 1
			}
			return 0
		})
	}
	if b0 == nil {
		return nil
	}
	var content []*algotest.PlainCanon
	for _, n := range q {
		if n.Parent == b0.Parent {
			content = append(content, n.Leaves()...)
		}
	}
	return content
}

func TestIndependent(t *testing.T) {
	random, real := 0, 0
	compare := func(name string, site []algotest.SitePage) (n int) {
		t.Helper()
		sample, others := site[1:], site[:1]
		learn := func(_ []*algotest.PlainCanon, pages []algotest.SitePage) *algotest.PlainCanon {
			trees := chosen(t, pages, others)
			common := trees[0]
			for _, next := range trees[1:] {
				common = restrict(common, mapped(common, next))
			}
			return common
		}
		free := func(common, p *algotest.PlainCanon) []*algotest.PlainCanon {
			of := mapped(p, common)
			return slices.DeleteFunc(p.Leaves(), func(l *algotest.PlainCanon) bool { return of[l] })
		}
		n += algotest.IndependentSite(t, temex.Extractor, name, sample, others, func(sample []*algotest.PlainCanon, pages []algotest.SitePage) func(*algotest.PlainCanon, int) []*algotest.PlainCanon {
			common := learn(sample, pages)
			return func(p *algotest.PlainCanon, _ int) []*algotest.PlainCanon { return free(common, p) }
		})
		n += algotest.IndependentSite(t, conex.Extractor, name, sample, others, func(sample []*algotest.PlainCanon, pages []algotest.SitePage) func(*algotest.PlainCanon, int) []*algotest.PlainCanon {
			common := learn(sample, pages)
			return func(p *algotest.PlainCanon, _ int) []*algotest.PlainCanon { return best(p, free(common, p)) }
		})
		return n
	}
	for seed := range uint64(30) {
		random += compare("random "+strconv.FormatUint(seed, 10), algotest.RandomSite(seed))
	}
	for name, site := range algotest.RealSites(t) {
		if len(site) > 2 {
			real += compare(name, site[:min(len(site), 6)])
		}
	}
	if random < 30 || real < 8 {
		t.Errorf("only %d random and %d real pages were cleaned", random, real)
	}
}
