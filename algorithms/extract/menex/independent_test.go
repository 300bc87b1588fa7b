package menex_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/extract/menex"
)

// independent removes menus as section 3.14 of the specification says, node by
// node. It was written without knowledge of the package.
func independent(body *algotest.Plain) []*algotest.Plain {
	p := menex.Default
	nodes := body.All()
	chars := body.Chars()
	var kept []*algotest.Plain
	var visit func(n *algotest.Plain)
	visit = func(n *algotest.Plain) {
		if n.IsText() {
			kept = append(kept, n)
			return
		}
		if n != body && n.Tag != "a" && isMenu(p, n, chars, slices.Index(nodes, n), len(nodes)) {
			return
		}
		for _, k := range n.Kids {
			visit(k)
		}
	}
	visit(body)
	return kept
}

func isMenu(p menex.Params, n *algotest.Plain, pageChars, place, rows int) bool {
	links, leaves, lists, linkChars := 0, 0, 0, 0
	for _, m := range n.All() {
		switch {
		case m.Hidden:
			continue
		case m.IsText() && underLink(m):
			linkChars += m.Chars()
		case m.Tag == "a" && m != n:
			links++
		case m.Tag == "ul" || m.Tag == "ol" || m.Tag == "li":
			lists++
		}
		if len(m.Kids) == 0 {
			leaves++
		}
	}
	chars := n.Chars()
	if links < p.Links || chars == 0 || float64(linkChars) < p.Gate*float64(chars) {
		return false
	}
	score := 0.0
	if k := len(n.Elements()); k > 0 {
		score += p.Amplitude * (1 - 1/float64(k))
	}
	score += p.Link * min(1, float64(links)/float64(leaves))
	score += p.Text * (1 - float64(chars)/float64(pageChars))
	if lists > 0 {
		score += p.List
	}
	if n.Tag == "nav" {
		score += p.Nav
	}
	score += p.Position * (1 - float64(place)/float64(rows))
	return score >= p.Threshold
}

func underLink(n *algotest.Plain) bool {
	for n = n.Parent; n != nil; n = n.Parent {
		if n.Tag == "a" {
			return true
		}
	}
	return false
}

func TestIndependent(t *testing.T) {
	for seed := range uint64(300) {
		p := algotest.Page{Name: "random " + strconv.FormatUint(seed, 10), HTML: algotest.Random(seed)}
		algotest.Independent(t, menex.Extractor, p, independent)
	}
	compared := 0
	for _, p := range algotest.RealPages(t, 2, "cleaneval-dev", "cleanportaleval") {
		if algotest.Independent(t, menex.Extractor, algotest.Page{Name: p.Name, HTML: p.HTML}, independent) {
			compared++
		}
	}
	if compared < 50 {
		t.Errorf("only %d real pages were compared", compared)
	}
}
