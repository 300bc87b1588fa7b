package alartesilva

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

var all = []*algorithms.Extractor{Extractor, ThirdExtractor}

func TestGolden(t *testing.T) { algotest.Golden(t, all...) }

func TestNoGarbage(t *testing.T) {
	for _, e := range all {
		algotest.NoGarbage(t, e)
	}
}

func TestEdges(t *testing.T) {
	for _, e := range all {
		algotest.Edges(t, e, map[string]string{
			"empty": "", "no-body": "", "only-images": "", "only-hidden": "",
			"one-text": "only words here", "one-word": "word", // no rated node: all
			"deep": "bottom of the well",
		})
	}
}

// TestConformance has the numbers of the conformance page.
func TestConformance(t *testing.T) {
	p := algotest.Pass(algotest.Conformance())
	var s scratch
	s.resize(p.Body.Len())
	if s.flat(p.Body) {
		t.Fatal("all of the page is content")
	}
	s.rate(p.Body)
	s.distances()
	if len(s.rated) != 24 {
		t.Errorf("%d rated nodes, want 24", len(s.rated))
	}
	Default.candidates(&s, p.Body)
	f := func(i int, row page.Row, distance, words float64) {
		t.Helper()
		n := s.members[i]
		if n.row != row || math.Abs(n.distance-distance) > 1e-6 || math.Abs(n.ratio[wordRatio]-words) > 5e-7 {
			t.Errorf("member %d: row %d, distance %v, wordRatio %v; want %d, %v, %v",
				i, n.row, n.distance, n.ratio[wordRatio], row, distance, words)
		}
	}
	f(0, 1, 3.526572, 39.333333)
	f(1, 28, 3.424355, 55.5)
	f(2, 31, 3.082244, 60)
	pond := func(row page.Row, words, tags int) {
		t.Helper()
		if w, e := p.Body.Sum(p.Body.TextWords, row), p.Body.Sum(p.Body.Elements, row); w != words || e != tags {
			t.Errorf("row %d: %d words, %d tags, want %d, %d", row, w, e, words, tags)
		}
	}
	pond(1, 152, 41)
	pond(28, 113, 6)
	pond(31, 60, 1)
	s.reduce(p.Body)
	s.choose(p.Body)
	if len(s.members) != 1 || s.members[0].row != 31 {
		t.Errorf("winners %v, want row 31", s.members)
	}
}

var excluded = []string{"a", "nav", "hr", "span", "em", "body", "script", "header", "h1", "h2", "h3", "h4", "h5", "br", "iframe"}

// rated is a node of the literal transcription.
type ratedNode struct {
	*algotest.Node
	ratio    [4]float64
	distance float64
	pond     float64
}

type twin struct {
	Params
	page *page.Page
}

func (w twin) eligible(n *algotest.Node) bool {
	return !n.IsText() && !slices.Contains(excluded, w.page.TagName(n.Tag))
}

func visible(n *algotest.Node, is func(*algotest.Node) bool) int {
	return n.Sum(func(m *algotest.Node) int {
		if !m.Hidden && is(m) {
			return 1
		}
		return 0
	})
}

func links(n *algotest.Node) int {
	return visible(n, func(m *algotest.Node) bool { return m.Tag == html.TagA })
}

func tags(n *algotest.Node) int {
	return visible(n, func(m *algotest.Node) bool { return !m.IsText() })
}

func allWords(n *algotest.Node) int { return n.Sum(func(m *algotest.Node) int { return m.Words }) }

func allChars(n *algotest.Node) int { return n.Sum(func(m *algotest.Node) int { return m.Chars }) }

func unlinked(n *algotest.Node, of func(*algotest.Node) int) int {
	return n.Sum(func(m *algotest.Node) int {
		if m.Under(html.TagA) {
			return 0
		}
		return of(m)
	})
}

func inside(m, n *algotest.Node) bool {
	for ; m != nil; m = m.Parent {
		if m == n {
			return true
		}
	}
	return false
}

func (w twin) selection(p *algorithms.Pass) (s page.Selection) {
	w.page = p.Page
	root := algotest.Tree(p.Body)
	if root == nil {
		return s
	}
	if w.flat(root) {
		return algotest.Subtrees(p.Body, []*algotest.Node{root})
	}
	set := w.candidates(root)
	if len(set) == 0 {
		return algotest.Subtrees(p.Body, []*algotest.Node{root})
	}
	winners := w.winners(set)
	removed := map[*algotest.Node]bool{}
	for _, n := range winners {
		for _, k := range n.Kids {
			w.prune(k, n, removed)
		}
	}
	left := 0
	for _, n := range winners {
		left += n.Sum(func(m *algotest.Node) int {
			if removed[m] {
				return 0
			}
			return m.Chars
		})
	}
	for _, n := range winners {
		for _, m := range n.All() {
			if left == 0 || !removed[m] {
				s.AddRows(p.Body, page.Rows{Start: m.Row, End: m.Row + 1})
			}
		}
	}
	return s
}

// flat is the body rule.
func (w twin) flat(root *algotest.Node) bool {
	deepest, children := 0, 0
	for _, n := range root.All() {
		path := 0
		for m := n; m.Parent != nil; m = m.Parent {
			if w.eligible(m) {
				path++
			}
		}
		deepest = max(deepest, path)
		if n.Parent == root && w.eligible(n) {
			children++
		}
	}
	return deepest < children
}

// candidates are Definition 3.1, standardisation and Algorithms 1 to 3. The
// distance is to the centroid of the standardised points, as Algorithm 1 says.
func (w twin) candidates(root *algotest.Node) []*ratedNode {
	all := root.All()
	deepest := 0
	for _, n := range all {
		deepest = max(deepest, n.Depth)
	}
	var rated []*ratedNode
	for _, n := range all {
		if !w.eligible(n) || len(n.Kids) == 0 || n == root {
			continue
		}
		r := &ratedNode{Node: n}
		for _, k := range n.All() {
			if k.IsText() && !k.Under(html.TagA) {
				r.ratio[0] += float64(k.Words) / float64(k.Depth-n.Depth)
			}
		}
		r.ratio[1] = 1 / math.Max(1, float64(links(n)))
		if len(n.Kids) > 2 {
			r.ratio[2] = 1
		}
		r.ratio[3] = 1
		if float64(n.Depth) > float64(deepest)/2 {
			r.ratio[3] = float64(deepest)/float64(n.Depth) - 1
		}
		rated = append(rated, r)
	}
	var z [][4]float64
	for range rated {
		z = append(z, [4]float64{})
	}
	for k := range 4 {
		mean, sd := 0.0, 0.0
		for _, r := range rated {
			mean += r.ratio[k] / float64(len(rated))
		}
		for _, r := range rated {
			sd += (r.ratio[k] - mean) * (r.ratio[k] - mean) / float64(len(rated))
		}
		for i, r := range rated {
			if sd = math.Abs(sd); sd > 1e-20 {
				z[i][k] = (r.ratio[k] - mean) / math.Sqrt(sd)
			}
		}
	}
	var centroid [4]float64
	for _, v := range z {
		for k := range 4 {
			centroid[k] += v[k] / float64(len(z))
		}
	}
	for i, r := range rated {
		sum := 0.0
		for k := range 4 {
			sum += (z[i][k] - centroid[k]) * (z[i][k] - centroid[k])
		}
		// Points that are the same to the last digits are one distance away.
		r.distance = math.Round(math.Sqrt(sum)*1e9) / 1e9
	}
	if w.Third {
		rated = slices.DeleteFunc(rated, func(r *ratedNode) bool { return 3*allWords(r.Node) < allWords(root) })
	}
	slices.SortStableFunc(rated, func(a, b *ratedNode) int {
		switch {
		case a.distance != b.distance:
			return int(math.Copysign(1, b.distance-a.distance))
		case math.Abs(a.ratio[0]-b.ratio[0]) > 1e-9:
			return int(math.Copysign(1, b.ratio[0]-a.ratio[0]))
		}
		return 0
	})
	set := rated[:min(w.C, len(rated))]
	return slices.DeleteFunc(slices.Clone(set), func(m *ratedNode) bool {
		return slices.ContainsFunc(set, func(n *ratedNode) bool {
			return n != m && inside(m.Node, n.Node) && text(n.Node) == text(m.Node)
		})
	})
}

// text replaces innerText: it identifies the texts by their rows.
func text(n *algotest.Node) string {
	var b strings.Builder
	for _, m := range n.All() {
		if m.Chars > 0 {
			b.WriteRune(rune(m.Row))
		}
	}
	return b.String()
}

// winners is Algorithm 4.
func (w twin) winners(set []*ratedNode) []*algotest.Node {
	best := 0.0
	for _, n := range set {
		n.pond = float64(allWords(n.Node)) / math.Max(1, float64(tags(n.Node)))
		best = math.Max(best, n.pond)
	}
	var chosen []*algotest.Node
	for _, n := range set {
		sibling := slices.ContainsFunc(set, func(m *ratedNode) bool { return m.pond == best && m.Parent == n.Parent })
		if best > 0 && (n.pond == best || sibling) {
			chosen = append(chosen, n.Node)
		}
	}
	slices.SortFunc(chosen, func(a, b *algotest.Node) int { return int(a.Row - b.Row) })
	return slices.DeleteFunc(slices.Clone(chosen), func(m *algotest.Node) bool {
		return slices.ContainsFunc(chosen, func(n *algotest.Node) bool { return n != m && inside(m, n) })
	})
}

// prune is Algorithm 5 below one winner.
func (w twin) prune(n, winner *algotest.Node, removed map[*algotest.Node]bool) {
	if n.IsText() {
		return
	}
	words := func(m *algotest.Node) int { return m.Words }
	chars := func(m *algotest.Node) int { return m.Chars }
	group := links(n) > w.HR && allChars(n) > 0 &&
		float64(allChars(n)) > w.TR*float64(unlinked(n, chars)) &&
		float64(unlinked(n, words)) <= w.Guard*float64(unlinked(winner, words))
	menu := len(n.Kids) >= 2 && visible(n, func(m *algotest.Node) bool { return m.Tag == html.TagImg }) == 0
	for _, k := range n.Kids {
		menu = menu && k.Tag == n.Kids[0].Tag && len(k.Kids) == 1 && k.Kids[0].Tag == html.TagA
	}
	if group || menu {
		for _, m := range n.All() {
			removed[m] = true
		}
		return
	}
	for _, k := range n.Kids {
		w.prune(k, winner, removed)
	}
}

func TestTwin(t *testing.T) {
	for _, p := range []Params{Default, Third, {C: 1, TR: 1.5, HR: 1, Guard: 0.5}, {C: 8, TR: 1.1, HR: 0},
		{C: 2, TR: 1.5, HR: 0, Guard: 1}} {
		algotest.Twin(t, New(p), 200, twin{Params: p}.selection)
	}
}

func TestSettings(t *testing.T) {
	e, err := Extractor.With(map[string]string{"c": "4", "tr": "2", "hr": "8", "guard": "0.25"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"4", "2", "8", "0.25"}
	for i, p := range e.Params {
		if p.Value != want[i] {
			t.Errorf("%s = %s, want %s", p.Name, p.Value, want[i])
		}
	}
	if _, err := Extractor.With(map[string]string{"c": "0"}); err == nil {
		t.Error("an empty c-SET is possible")
	}
}

func TestBodyRule(t *testing.T) {
	const flat = "<body><p>one</p><p>two</p><p>three</p></body>" // depth 1, 3 children
	if got := algotest.Text(t, Extractor, flat); got != "one\ntwo\nthree" {
		t.Errorf("%q", got)
	}
}
