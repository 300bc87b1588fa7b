package cetd

import (
	"math"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// The published variants.
var (
	// DS is cetd-ds: text density, density sum.
	DS = &algorithms.Extractor{
		Name:     "cetd-ds",
		Family:   "cetd",
		Doc:      "the subtrees around the largest sums of characters per tag",
		Cite:     sun,
		Fidelity: algorithms.Exact,
		Departures: []string{
			"characters are counted with white space folded, not as rendered",
			"densities are compared with a tolerance of 1e-9 instead of six decimals",
		},
		Cost: algorithms.Linear,
		Run:  runText,
	}
	// CompositeDS is cectd-ds: composite text density, density sum.
	CompositeDS = &algorithms.Extractor{
		Name:     "cectd-ds",
		Family:   "cetd",
		Doc:      "the subtrees around the largest sums of characters per tag, weighed down by links",
		Cite:     sun,
		Fidelity: algorithms.Exact,
		Departures: append(DS.Departures[:2:2],
			"bare text has the composite density of a text node, where the authors' program divides by zero"),
		Cost: algorithms.Linear,
		Run:  runComposite,
	}
	// CompositeS is cectd-s: composite text density, smoothing.
	CompositeS = NewSmoothing(DefaultSmoothing)
	// HybridDS is cehtd-ds: hybrid text density, density sum.
	HybridDS = &algorithms.Extractor{
		Name:   "cehtd-ds",
		Family: "cetd",
		Doc:    "as cectd-ds, with characters weighed by an estimate of their place on the screen",
		Cite: algorithms.Cite{
			Authors: "Song, Sun, Liao",
			Title:   "A hybrid approach for content extraction with text density and visual importance of DOM nodes",
			Venue:   "Knowledge and Information Systems 42(1)",
			Year:    2015,
			URL:     "https://doi.org/10.1007/s10115-013-0687-x",
		},
		Fidelity: algorithms.Reconstructed,
		Departures: append(CompositeDS.Departures[:3:3],
			"boxes are estimated from attributes and inline styles, not measured in a browser",
			"the formula of visual importance is not the authors'"),
		Cost: algorithms.Linear,
		Run:  runHybrid,
	}
)

var sun = algorithms.Cite{
	Authors: "Sun, Song, Liao",
	Title:   "DOM based content extraction via text density",
	Venue:   "SIGIR",
	Year:    2011,
	URL:     "https://doi.org/10.1145/2009916.2009952",
}

// scratch has one entry a row in every column.
type scratch struct {
	density []float64  // of elements, and of texts beside elements
	sum     []float64  // DS of elements
	best    []page.Row // element with the largest DS in the subtree
	mark    []mark

	// Of the hybrid density.
	boxes  []box
	hybrid []float64 // HC

	smooth []float64 // by element, of smoothing
}

// mark is what selection knows of a row.
type mark uint8

const (
	selected  mark = 1 << iota // root of a selected subtree
	container                  // ancestor of one
)

func (s *scratch) resize(n int) {
	if cap(s.density) < n {
		size := n + n/4
		s.density, s.sum = make([]float64, size), make([]float64, size)
		s.best, s.mark = make([]page.Row, size), make([]mark, size)
	}
	s.density, s.sum = s.density[:n], s.sum[:n]
	s.best, s.mark = s.best[:n], s.mark[:n]
	clear(s.sum)
	clear(s.best)
	clear(s.mark)
}

func runText(p *algorithms.Pass) error { return runSums(p, (*scratch).textDensity) }

func runComposite(p *algorithms.Pass) error { return runSums(p, (*scratch).compositeDensity) }

func runHybrid(p *algorithms.Pass) error {
	s := algorithms.Scratch[scratch](p)
	if p.Body.Len() == 0 {
		return nil
	}
	s.importance(p.Page, p.Body)
	if s.hybrid[0] == 0 {
		return nil
	}
	return runSums(p, (*scratch).hybridDensity)
}

// runSums selects by density sums.
func runSums(p *algorithms.Pass, fill func(*scratch, *page.Body)) error {
	b := p.Body
	if b.Len() == 0 || b.Sum(b.C, 0) == 0 {
		return nil
	}
	s := algorithms.Scratch[scratch](p)
	s.resize(b.Len())
	fill(s, b)
	s.sums(b)
	s.choose(b)
	s.emit(b, &p.Out)
	return nil
}

// textDensity fills the density column with TD.
func (s *scratch) textDensity(b *page.Body) {
	n := len(s.density)
	density, tag, end, c, e := s.density, b.Tag[:n], b.End[:n], b.C, b.E
	for i, t := range tag {
		chars := float64(c[end[i]] - c[i])
		if t != page.TagText {
			if inside := e[end[i]] - e[i] - 1; inside > 1 {
				chars /= float64(inside)
			}
		}
		density[i] = chars
	}
}

// compositeDensity fills the density column with CTD.
func (s *scratch) compositeDensity(b *page.Body) {
	n := len(s.density)
	density, tag, parent, end := s.density, b.Tag[:n], b.Parent[:n], b.End[:n]
	c, cl, e, lt, ekids := b.C, b.Cl, b.E, b.LT[:n], b.EKids[:n]
	rho := float64(b.Sum(cl, 0)) / float64(b.Sum(c, 0))
	for i, t := range tag {
		next := end[i]
		chars := c[next] - c[i]
		switch {
		case t != page.TagText:
			density[i] = composite(chars, e[next]-e[i]-1, cl[next]-cl[i], lt[i], rho)
		case ekids[parent[i]] > 0:
			density[i] = composite(chars, 0, 0, 0, rho)
		}
	}
}

// composite is CTD for C, T, LC, LT and ρ.
func composite(chars, tags, linkChars, linkTags int32, rho float64) float64 {
	if chars == 0 {
		return 0
	}
	c, t, lc, lt := float64(chars), atLeast1(tags), atLeast1(linkChars), atLeast1(linkTags)
	if c*t == lc*lt { // ln 1: nothing but links
		return 0
	}
	nl := atLeast1(chars - linkChars)
	base := math.Log(float64(c*lc)/nl + float64(rho*c) + math.E)
	return c / t * math.Log(c*t/(lc*lt)) / math.Log(base)
}

// atLeast1 is n, or 1 for 0.
func atLeast1(n int32) float64 { return float64(max(n, 1)) }
