package wlr

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/setting"
)

// Params are the settings of the extractor.
type Params struct {
	Cover  float64 // share of all seed words that the container holds
	Factor float64 // share of the page's ratio that a child of the container reaches
}

// Default has the values of the reconstruction.
var Default = Params{Cover: 0.5, Factor: 1}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Float("cover", &p.Cover, 0, 1, "share of the seed words that the container must hold"),
		setting.Float("factor", &p.Factor, 0, 100, "multiple of the page's ratio that a part of the container must reach"),
	}
}

// Extractor is the extractor with its default settings.
var Extractor = New(Default)

// New returns an extractor with the given settings.
func New(p Params) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   "wlr",
			Family: "wlr",
			Doc:    "selects the block whose parts have more words per leaf of the tree than the whole page",
			Cite: algorithms.Cite{
				Authors: "Insa, Silva, Tamarit",
				Title:   "Using the words/leafs ratio in the DOM tree for content extraction",
				Venue:   "Journal of Logic and Algebraic Programming 82(8)",
				Year:    2013,
				URL:     "https://doi.org/10.1016/j.jlap.2013.01.002",
			},
			Fidelity: algorithms.Reconstructed,
			Departures: []string{
				"The choice of one block among the nodes with a high ratio (steps 2 to 4, cover and factor) is rebuilt from descriptions. It is less strict than the published results: CleanEval precision 93 and recall 80; published 97 and 66.",
				"Words in anchors are not counted, as in the authors' later method.",
				"Childless elements, such as br and img, count as leaves.",
			},
			Cost: algorithms.Linear,
		},
		Run: p.run,
	}
	return setting.Tune(e, p, (*Params).settings, New)
}

type scratch struct {
	own   []int32 // words outside anchors in the text directly below an element
	seeds []int32 // prefix sum of s
}

// resize makes both columns fit n rows; own is zero.
func (s *scratch) resize(n int) {
	if cap(s.own) < n {
		s.own = make([]int32, n)
		s.seeds = make([]int32, n+1)
	}
	s.own, s.seeds = s.own[:n], s.seeds[:n+1]
	clear(s.own)
}

func (p Params) run(pass *algorithms.Pass) error {
	b := pass.Body
	if b.Len() == 0 {
		return nil
	}
	s := algorithms.Scratch[scratch](pass)
	s.resize(b.Len())
	s.sow(b)
	total := b.Sum(s.seeds, 0)
	if total == 0 {
		return nil
	}
	n := p.container(b, s.seeds, float64(p.Cover*float64(total)))
	least := float64(p.Factor * ratio(b, 0))
	for k := n + 1; k < b.End[n]; k = b.End[k] {
		if b.Tag[k] == html.TagText || b.Sum(s.seeds, k) > 0 && ratio(b, k) >= least {
			pass.Out.AddRows(b, page.Rows{Start: k, End: b.End[k]})
		}
	}
	return nil
}

// ratio returns WLR(n).
func ratio(b *page.Body, n page.Row) float64 {
	leaves := b.Sum(b.Leaves, n)
	if leaves == 0 {
		return 0
	}
	return float64(b.Sum(b.TextWords, n)-b.Sum(b.AnchorWords, n)) / float64(leaves)
}

// sow fills the columns of s (step 2).
func (s *scratch) sow(b *page.Body) {
	n := len(s.own)
	own, seeds := s.own, s.seeds
	tag, parent, w, wa := b.Tag[:n], b.Parent[:n], b.TextWords[:n+1], b.AnchorWords[:n+1]
	for i, t := range tag {
		if t == html.TagText {
			own[parent[i]] += w[i+1] - w[i] - (wa[i+1] - wa[i])
		}
	}
	least := ratio(b, 0)
	sum := int32(0)
	for i, words := range own {
		seeds[i] = sum
		if words > 0 && ratio(b, page.Row(i)) > least {
			sum += words
		}
	}
	seeds[n] = sum
}

// container returns the container (step 3).
func (p Params) container(b *page.Body, seeds []int32, least float64) page.Row {
	n := page.Row(0)
	for k := n + 1; k < b.End[n]; {
		if b.Tag[k] != html.TagText && float64(b.Sum(seeds, k)) >= least {
			n, k = k, k+1
		} else {
			k = b.End[k]
		}
	}
	return n
}
