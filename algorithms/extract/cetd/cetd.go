package cetd

import (
	"math"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/setting"
)

// Sums are the settings of selection by density sums.
type Sums struct {
	Tolerance float64 // within which a density reaches the threshold
}

// Text are the settings of cetd-ds.
type Text struct {
	Sums
	CollapseLinks bool // link characters count as none
}

// Hybrid are the settings of cehtd-ds.
type Hybrid struct {
	Sums
	Importance
}

// DefaultSums has a tolerance far above the rounding error of a density and far
// below the sixth decimal, to which the authors' program rounds.
var DefaultSums = Sums{Tolerance: 1e-9}

func (p *Sums) settings() []setting.Setting {
	return []setting.Setting{
		setting.Float("tolerance", &p.Tolerance, 0, 1, "difference within which a density reaches the threshold"),
	}
}

func (p *Text) settings() []setting.Setting {
	return append(p.Sums.settings(),
		setting.Bool("collapse_links", &p.CollapseLinks, "characters of links count as none: the alternative count of the authors' program"))
}

func (p *Hybrid) settings() []setting.Setting {
	return append(p.Sums.settings(), p.Importance.settings()...)
}

// The published variants.
var (
	DS          = NewText(Text{Sums: DefaultSums})
	CompositeDS = NewComposite(DefaultSums)
	CompositeS  = NewSmoothing(DefaultSmoothing)
	HybridDS    = NewHybrid(Hybrid{DefaultSums, DefaultImportance})
)

var departures = []string{
	"Characters are counted with white space folded, not as rendered, and the text of select is not counted.",
	"Densities are compared with a tolerance of 1e-9 instead of six decimals.",
	"A text without tags has the composite density of a text node; the authors' program divides by zero.",
}

// NewText returns cetd-ds: text density, density sum.
func NewText(p Text) *algorithms.Extractor {
	fill := (*scratch).textDensity
	if p.CollapseLinks {
		fill = (*scratch).unlinkedDensity
	}
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:       "cetd-ds",
			Family:     "cetd",
			Doc:        "selects the subtrees around the largest sums of text density: characters per tag",
			Cite:       sun,
			Fidelity:   algorithms.Exact,
			Departures: departures[:2:2],
			Cost:       algorithms.Linear,
		},
		Run:    func(pass *algorithms.Pass) error { return p.run(pass, fill) },
		Curves: func(pass *algorithms.Pass) []algorithms.Curve { return p.curves(pass, fill) },
	}
	return setting.Tune(e, p, (*Text).settings, NewText)
}

// NewComposite returns cectd-ds: composite text density, density sum.
func NewComposite(p Sums) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:       "cectd-ds",
			Family:     "cetd",
			Doc:        "selects the subtrees around the largest sums of text density: characters per tag, reduced by links",
			Cite:       sun,
			Fidelity:   algorithms.Exact,
			Departures: departures,
			Cost:       algorithms.Linear,
		},
		Run:    func(pass *algorithms.Pass) error { return p.run(pass, (*scratch).compositeDensity) },
		Curves: func(pass *algorithms.Pass) []algorithms.Curve { return p.curves(pass, (*scratch).compositeDensity) },
	}
	return setting.Tune(e, p, (*Sums).settings, NewComposite)
}

// NewHybrid returns cehtd-ds: hybrid text density, density sum.
func NewHybrid(p Hybrid) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   "cehtd-ds",
			Family: "cetd",
			Doc:    "selects as cectd-ds does, with characters weighted by an estimate of their position on the screen",
			Cite: algorithms.Cite{
				Authors: "Song, Sun, Liao",
				Title:   "A hybrid approach for content extraction with text density and visual importance of DOM nodes",
				Venue:   "Knowledge and Information Systems 42(1)",
				Year:    2015,
				URL:     "https://doi.org/10.1007/s10115-013-0687-x",
			},
			Fidelity: algorithms.Reconstructed,
			Departures: append(departures[:3:3],
				"Boxes are estimated from attributes and inline styles, not measured in a browser.",
				"The formula of visual importance is not the authors'."),
			Cost: algorithms.Linear,
		},
		Run:    p.run,
		Curves: p.curves,
	}
	return setting.Tune(e, p, (*Hybrid).settings, NewHybrid)
}

var sun = algorithms.Cite{
	Authors: "Sun, Song, Liao",
	Title:   "DOM based content extraction via text density",
	Venue:   "SIGIR",
	Year:    2011,
	URL:     "https://doi.org/10.1145/2009916.2009952",
}

// scratch has one entry a row in every column.
type scratch struct {
	density []float64  // density of each element, and of each text with element siblings
	sum     []float64  // DS of elements
	best    []page.Row // element with the largest DS in the subtree
	mark    []mark

	// Of the hybrid density.
	boxes  []box
	hybrid []float64 // HC

	smooth []float64 // by element, of smoothing
}

// mark is the state of a row during selection.
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

func (p Hybrid) run(pass *algorithms.Pass) error {
	if !p.weighed(pass) {
		return nil
	}
	return p.Sums.run(pass, (*scratch).hybridDensity)
}

func (p Hybrid) curves(pass *algorithms.Pass) []algorithms.Curve {
	if !p.weighed(pass) {
		return nil
	}
	return p.Sums.curves(pass, (*scratch).hybridDensity)
}

// weighed computes the weights of the page's characters. It reports whether any is above 0.
func (p Hybrid) weighed(pass *algorithms.Pass) bool {
	if pass.Body.Len() == 0 {
		return false
	}
	s := algorithms.Scratch[scratch](pass)
	s.weigh(&p.Importance, pass.Page, pass.Body)
	return s.hybrid[0] != 0
}

// run selects by sums of the densities of fill.
func (p Sums) run(pass *algorithms.Pass, fill func(*scratch, *page.Body)) error {
	if s := p.measure(pass, fill); s != nil {
		s.emit(pass.Body, &pass.Out)
	}
	return nil
}

// measure fills the columns of densities, their sums and the marks of what is selected. It
// returns nil for a page without text.
func (p Sums) measure(pass *algorithms.Pass, fill func(*scratch, *page.Body)) *scratch {
	b := pass.Body
	if b.Len() == 0 || b.Sum(b.Chars, 0) == 0 {
		return nil
	}
	s := algorithms.Scratch[scratch](pass)
	s.resize(b.Len())
	fill(s, b)
	s.sums(b)
	s.choose(b, s.threshold(b)-p.Tolerance)
	return s
}

// curves returns the densities of the elements in document order: a chosen stretch is a
// selected subtree.
func (p Sums) curves(pass *algorithms.Pass, fill func(*scratch, *page.Body)) []algorithms.Curve {
	s := p.measure(pass, fill)
	if s == nil {
		return nil
	}
	b := pass.Body
	c := algorithms.Curve{Name: "density along the tree", X: "elements in document order", Y: "density", Threshold: s.threshold(b)}
	end := page.Row(0) // end of the last selected subtree
	for i, t := range b.Tag[:b.Len()] {
		if t == html.TagText {
			continue
		}
		if row := page.Row(i); s.mark[row]&selected != 0 && row >= end {
			end = b.End[row]
		}
		if k := len(c.Values); page.Row(i) < end {
			c.Choose(k, k+1)
		}
		c.Values = append(c.Values, s.density[i])
	}
	return []algorithms.Curve{c}
}

// textDensity fills the density column with TD.
func (s *scratch) textDensity(b *page.Body) {
	n := len(s.density)
	density, tag, end, c, e := s.density, b.Tag[:n], b.End[:n], b.Chars, b.Elements
	for i, t := range tag {
		chars := float64(c[end[i]] - c[i])
		if t != html.TagText {
			if inside := e[end[i]] - e[i] - 1; inside > 1 {
				chars /= float64(inside)
			}
		}
		density[i] = chars
	}
}

// unlinkedDensity fills the density column with TD of the characters outside
// links.
func (s *scratch) unlinkedDensity(b *page.Body) {
	n := len(s.density)
	density, tag, end, c, cl, e := s.density, b.Tag[:n], b.End[:n], b.Chars, b.LinkChars, b.Elements
	for i, t := range tag {
		next := end[i]
		chars := float64((c[next] - c[i]) - (cl[next] - cl[i]))
		if t != html.TagText {
			chars /= atLeast1(e[next] - e[i] - 1)
		}
		density[i] = chars
	}
}

// compositeDensity fills the density column with CTD.
func (s *scratch) compositeDensity(b *page.Body) {
	n := len(s.density)
	density, tag, parent, end := s.density, b.Tag[:n], b.Parent[:n], b.End[:n]
	c, cl, e, lt := b.Chars, b.LinkChars, b.Elements, b.LinkTags[:n]
	rho := float64(b.Sum(cl, 0)) / float64(b.Sum(c, 0))
	for i, t := range tag {
		next := end[i]
		chars := c[next] - c[i]
		switch {
		case t != html.TagText:
			density[i] = composite(chars, e[next]-e[i]-1, cl[next]-cl[i], lt[i], rho)
		case branches(parent[i], end, e):
			density[i] = composite(chars, 0, 0, 0, rho)
		}
	}
}

// composite returns CTD for C, T, LC, LT and ρ.
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

// atLeast1 returns n, or 1 for 0.
func atLeast1(n int32) float64 { return float64(max(n, 1)) }
