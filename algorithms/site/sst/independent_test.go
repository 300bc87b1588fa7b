package sst_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/site/sst"
)

// The twin follows section 6 of the specification: it builds the style tree as a
// tree, and was written without knowledge of the package.

// unit is what is an element node of the tree on one page: an element, or a run
// of text beside elements.
type unit struct {
	label string
	kids  []*unit
	leaf  []*algotest.PlainCanon // content leaves of a leaf
	all   []*algotest.PlainCanon // content leaves at or below it
}

func unitOf(n *algotest.PlainCanon) *unit {
	u := &unit{label: n.Label("looks"), all: n.Leaves()}
	if n.Parent == nil {
		u.label = "body"
	}
	if n.Media {
		u.leaf = u.all
		return u
	}
	var elements, texts []*algotest.PlainCanon
	for _, k := range n.Kids {
		switch {
		case k.IsText():
			texts = append(texts, k)
		case len(k.Leaves()) > 0:
			elements = append(elements, k)
		}
	}
	if len(elements) == 0 {
		u.leaf = texts
		return u
	}
	var run *unit
	for _, k := range n.Kids {
		switch {
		case k.IsText():
			if run == nil {
				run = &unit{label: "#run"}
				u.kids = append(u.kids, run)
			}
			run.leaf = append(run.leaf, k)
			run.all = run.leaf
		case len(k.Leaves()) > 0:
			u.kids = append(u.kids, unitOf(k))
			run = nil
		}
	}
	return u
}

// element is an element node of the style tree.
type element struct {
	pages  int
	styles map[string]*style
	leaf   []map[string]int // features of the pages on which it is a leaf

	importance float64
	noisy      bool // so is all below
	leafNoise  bool // its leaf form is
}

type style struct {
	pages int
	kids  []*element
}

func sequence(u *unit) string {
	var labels []string
	for _, k := range u.kids {
		labels = append(labels, k.label)
	}
	return strings.Join(labels, "\x01")
}

func features(leaves []*algotest.PlainCanon) map[string]int {
	of := map[string]int{}
	for _, l := range leaves {
		for _, w := range algotest.PlainWords(l.Text) {
			of["w"+w]++
		}
		if src, ok := l.Attr("src"); ok && l.Media {
			of["s"+src]++
		}
		if l.InLink != nil {
			if href, ok := l.InLink.Attr("href"); ok {
				of["h"+href] = 1 // counted once, whatever the leaf contains
			}
		}
	}
	return of
}

func (e *element) add(u *unit) {
	e.pages++
	if len(u.kids) == 0 {
		e.leaf = append(e.leaf, features(u.leaf))
		return
	}
	s := e.styles[sequence(u)]
	if s == nil {
		s = new(style)
		for range u.kids {
			s.kids = append(s.kids, &element{styles: map[string]*style{}})
		}
		e.styles[sequence(u)] = s
	}
	s.pages++
	for i, k := range u.kids {
		s.kids[i].add(k)
	}
}

// entropy of shares to the base m.
func entropy(shares []float64, m int) float64 {
	h := 0.0
	for _, p := range shares {
		if p > 0 {
			h -= p * math.Log(p) / math.Log(float64(m))
		}
	}
	return h
}

func leafImportance(pages []map[string]int) float64 {
	if len(pages) == 1 {
		return 1
	}
	totals := map[string]int{}
	for _, p := range pages {
		for a, n := range p {
			totals[a] += n
		}
	}
	if len(totals) == 0 {
		return 0
	}
	sum := 0.0
	for a, total := range totals {
		var shares []float64
		for _, p := range pages {
			shares = append(shares, float64(p[a])/float64(total))
		}
		sum += entropy(shares, len(pages))
	}
	return 1 - sum/float64(len(totals))
}

// weigh fills the importance of e and of all below it. Where e is a leaf on some
// pages and not on others, its leaf form is one of its styles, and the only
// element of that.
func (e *element) weigh() {
	const rounding = 1e-7 // the package counts in units of 2^-32
	least := sst.Default.Threshold - rounding
	every := true
	var importances, shares []float64
	for _, s := range e.styles {
		mean := 0.0
		for _, k := range s.kids {
			k.weigh()
			mean += k.importance
			every = every && k.noisy
		}
		importances = append(importances, mean/float64(len(s.kids)))
		shares = append(shares, float64(s.pages)/float64(e.pages))
	}
	if len(e.leaf) > 0 {
		leaf := leafImportance(e.leaf)
		e.leafNoise = leaf < least
		every = every && e.leafNoise
		importances = append(importances, leaf)
		shares = append(shares, float64(len(e.leaf))/float64(e.pages))
	}
	if len(e.styles) == 0 {
		e.importance = importances[0]
	} else {
		node := 1.0
		if e.pages > 1 {
			node = entropy(shares, e.pages)
		}
		power := math.Pow(sst.Default.Gamma, float64(len(shares)))
		e.importance = (1 - power) * node
		for i, p := range shares {
			e.importance += power * p * importances[i]
		}
	}
	e.noisy = every && e.importance < least
}

func (e *element) clean(u *unit) (kept []*algotest.PlainCanon) {
	s := e.styles[sequence(u)]
	switch {
	case e.noisy, len(u.kids) == 0 && e.leafNoise:
		return nil
	case len(u.kids) == 0 || s == nil:
		return u.all
	}
	for i, k := range u.kids {
		kept = append(kept, s.kids[i].clean(k)...)
	}
	return kept
}

func independent(sample []*algotest.PlainCanon, _ []algotest.SitePage) func(*algotest.PlainCanon, int) []*algotest.PlainCanon {
	root := &element{styles: map[string]*style{}}
	for _, p := range sample {
		root.add(unitOf(p))
	}
	root.weigh()
	return func(p *algotest.PlainCanon, _ int) []*algotest.PlainCanon { return root.clean(unitOf(p)) }
}

func TestIndependent(t *testing.T) {
	random, real := 0, 0
	for seed := range uint64(40) {
		site := algotest.RandomSite(seed)
		random += algotest.IndependentSite(t, sst.Extractor, "random "+strconv.FormatUint(seed, 10), site[1:], site[:1], independent)
	}
	for name, site := range algotest.RealSites(t) {
		real += algotest.IndependentSite(t, sst.Extractor, name, site[1:], site[:1], independent)
	}
	if random < 30 || real < 8 {
		t.Errorf("only %d random and %d real pages were cleaned", random, real)
	}
}
