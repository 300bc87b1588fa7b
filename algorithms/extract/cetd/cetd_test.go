package cetd

import (
	"math"
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

var all = []*algorithms.Extractor{DS, CompositeDS, CompositeS, HybridDS}

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
			"one-text": "only words here", "one-word": "word", "deep": "bottom of the well",
		})
	}
}

// TestComposite has the figures published with the definition.
func TestComposite(t *testing.T) {
	f := func(c, lc, tags, lt int32, rho, want float64) {
		t.Helper()
		if got := composite(c, tags, lc, lt, rho); math.Abs(got-want) > 5e-7 {
			t.Errorf("C %d LC %d T %d LT %d ρ %v: %v, want %v", c, lc, tags, lt, rho, got, want)
		}
	}
	f(100, 20, 10, 4, 0.2, 18.680830)
	f(100, 0, 1, 0, 0.2, 399.564736)
	f(100, 100, 1, 0, 0.2, 0)
	f(250, 0, 0, 0, 0, 5065.302461)
	f(0, 0, 5, 0, 0.2, 0)
}

// TestConformanceDensities has the composite densities of the conformance page.
func TestConformanceDensities(t *testing.T) {
	p := algotest.Pass(algotest.Conformance())
	var s scratch
	s.resize(p.Body.Len())
	s.compositeDensity(p.Body)
	for row, want := range map[page.Row]float64{
		1: 15.430734, 2: 0, 28: 337.232606, 31: 937.038050,
		33: 387.110535, 38: 123.786162, 40: 0.445995, 59: 46.877055,
	} {
		if got := s.density[row]; math.Abs(got-want) > 5e-7 {
			t.Errorf("row %d: %v, want %v", row, got, want)
		}
	}
}

// element is a node with what the authors' program stores in attributes.
type element struct {
	*algotest.Node
	kids             []*element
	c, lc, t, lt, hc float64
	density, sum     float64
	marked, keeps    bool
}

// twin computes one density as the authors' program does: recursive walks for
// every property, and marks in the tree.
type twin struct {
	hybrid      bool
	composite   bool
	collapse    bool
	rho         float64
	importances map[page.Row]float64
}

func one(x float64) float64 {
	if x == 0 {
		return 1
	}
	return x
}

// build counts C, LC, T and LT from the leaves up.
func (w *twin) build(n *algotest.Node) *element {
	e := &element{Node: n, c: float64(n.Chars), hc: w.importances[n.Row] * float64(n.Chars)}
	for _, k := range n.Kids {
		if k.Hidden {
			continue
		}
		f := w.build(k)
		e.kids = append(e.kids, f)
		e.c += f.c
		e.lc += f.lc
		e.hc += f.hc
		if k.IsText() {
			continue
		}
		e.t += f.t + 1
		e.lt += f.lt
		if isLink(k) || f.lt == f.t && f.t != 0 && f.c == f.lc {
			e.lt++
		}
	}
	if isLink(n) {
		e.lc, e.lt = e.c, e.t
		if w.collapse {
			e.collapse()
		}
	}
	return e
}

// collapse sets the characters of a link and of all below it to 0.
func (e *element) collapse() {
	e.c = 0
	for _, k := range e.kids {
		k.collapse()
	}
}

func isLink(n *algotest.Node) bool { return n.Tag == html.TagA || n.Tag == html.TagButton }

func (w *twin) densities(e *element) {
	for _, k := range e.kids {
		w.densities(k)
	}
	c := e.c
	if w.hybrid {
		c = e.hc
	}
	t, lc, lt, nl := one(e.t), one(e.lc), one(e.lt), one(e.c-e.lc)
	switch {
	case e.c == 0 || c == 0:
	case e.IsText() && !w.composite:
		e.density = c
	case !w.composite:
		e.density = c / t
	default:
		if base := math.Log(math.Log(c*lc/nl + w.rho*c + math.E)); base > 0 {
			e.density = c / t * math.Log(c*t/(lc*lt)) / base
		}
	}
	elements := slices.ContainsFunc(e.kids, func(k *element) bool { return !k.IsText() })
	for _, k := range e.kids {
		if elements {
			e.sum += k.density
		}
	}
	if !elements {
		e.sum = e.density
	}
}

// largest is the first element of the subtree with the largest sum.
func largest(e *element) *element {
	best := e
	for _, k := range e.kids {
		if !k.IsText() {
			if m := largest(k); m.sum > best.sum+1e-9*math.Abs(best.sum) {
				best = m
			}
		}
	}
	return best
}

// least is the smallest density from e down to x; ok is false if x is not there.
func least(e, x *element) (float64, bool) {
	if e == x {
		return e.density, true
	}
	for _, k := range e.kids {
		if d, ok := least(k, x); ok {
			return min(d, e.density), true
		}
	}
	return 0, false
}

func markTwin(e *element, theta float64, inside bool) {
	if e.IsText() || inside || e.marked || e.density < theta-1e-9 {
		return
	}
	largest(e).marked = true
	for _, k := range e.kids {
		markTwin(k, theta, e.marked)
	}
}

// keep notes which elements hold a marked one.
func keep(e *element) bool {
	e.keeps = e.marked
	for _, k := range e.kids {
		e.keeps = keep(k) || e.keeps
	}
	return e.keeps
}

func output(e *element, inside bool, b *page.Body, s *page.Selection) {
	inside = inside || e.marked
	for _, k := range e.kids {
		switch {
		case k.IsText() && (inside || e.keeps):
			s.AddRow(b, k.Row)
		case !k.IsText():
			output(k, inside, b, s)
		}
	}
}

func (w twin) selection(p *algorithms.Pass) (s page.Selection) {
	root := algotest.Tree(p.Body)
	if root == nil || root.Hidden {
		return s
	}
	if w.hybrid {
		w.importances = importances(p)
	}
	body := w.build(root)
	if w.rho = body.lc / body.c; w.hybrid {
		w.rho = body.lc / body.hc
	}
	if root.Sum(func(n *algotest.Node) int { return n.Chars }) == 0 || w.hybrid && body.hc == 0 {
		return s
	}
	w.densities(body)
	theta, _ := least(body, largest(body))
	markTwin(body, theta, false)
	keep(body)
	output(body, false, p.Body, &s)
	return s
}

// importances are those of the estimate, by text; TestLayout checks them.
func importances(p *algorithms.Pass) map[page.Row]float64 {
	var s scratch
	s.weigh(&DefaultImportance, p.Page, p.Body)
	vi := map[page.Row]float64{}
	for _, n := range algotest.Tree(p.Body).All() {
		if n.Chars > 0 {
			vi[n.Row] = s.hybrid[n.Row] / float64(n.Chars)
		}
	}
	return vi
}

func TestTwin(t *testing.T) {
	algotest.Twin(t, DS, 300, twin{}.selection)
	algotest.Twin(t, NewText(Text{DefaultSums, true}), 300, twin{collapse: true}.selection)
	algotest.Twin(t, CompositeDS, 300, twin{composite: true}.selection)
	algotest.Twin(t, HybridDS, 300, twin{composite: true, hybrid: true}.selection)
	algotest.Twin(t, CompositeS, 300, smoothTwin)
}

// smoothTwin smooths the densities of the visible elements in document order.
func smoothTwin(p *algorithms.Pass) (s page.Selection) {
	root := algotest.Tree(p.Body)
	if root == nil || root.Hidden {
		return s
	}
	w := twin{composite: true}
	body := w.build(root)
	if body.c == 0 {
		return s
	}
	w.rho = body.lc / body.c
	w.densities(body)
	var order []*element
	var walk func(e *element)
	walk = func(e *element) {
		order = append(order, e)
		for _, k := range e.kids {
			if !k.IsText() {
				walk(k)
			}
		}
	}
	walk(body)
	var texts []*algotest.Node
	for i, e := range order {
		sum, weights := 0.0, 0.0
		for j := -1; j <= 1; j++ {
			if i+j >= 0 && i+j < len(order) {
				g := math.Exp(-float64(j*j) / 2)
				sum, weights = sum+g*order[i+j].density, weights+g
			}
		}
		if sum/weights >= body.density {
			for _, k := range e.kids {
				if k.IsText() {
					texts = append(texts, k.Node)
				}
			}
		}
	}
	slices.SortFunc(texts, func(m, n *algotest.Node) int { return int(m.Row - n.Row) })
	return algotest.Subtrees(p.Body, texts)
}

func TestSmoothingKernel(t *testing.T) {
	k := DefaultSmoothing.kernel()
	total := k[0] + 2*k[1]
	if len(k) != 2 || math.Abs(k[0]/total-0.451863) > 5e-7 || math.Abs(k[1]/total-0.274069) > 5e-7 {
		t.Errorf("kernel %v", k)
	}
}

// TestHiddenChild: what is hidden is no child, so p is a leaf, and its sum is its
// own density: C = 16, T = LC = LT = 0, ρ = 0, so 16·ln 16 / ln ln(1 + e). As
// the sum of two texts it would be 2·8·ln 8 / ln ln(1 + e).
func TestHiddenChild(t *testing.T) {
	p := algotest.Pass("<body><p>12345678<i hidden>x</i>12345678</p></body>")
	var s scratch
	s.resize(p.Body.Len())
	s.compositeDensity(p.Body)
	s.sums(p.Body)
	if want := 16 * math.Log(16) / math.Log(math.Log(1+math.E)); math.Abs(s.sum[1]-want) > 1e-9 {
		t.Errorf("density sum %v, want %v", s.sum[1], want)
	}
}
