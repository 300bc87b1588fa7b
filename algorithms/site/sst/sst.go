package sst

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/setting"
)

// Params are the settings of the extractor.
type Params struct {
	Gamma     float64 // attenuating factor of the composite importance
	Threshold float64 // less important elements are noise
	Align     string  // how an unknown style is treated: AlignNone or AlignLCS
	Pages     int     // pages in the sample
}

// Values of Params.Align.
const (
	AlignNone = "none"
	AlignLCS  = "lcs"
)

// Budget is the note on a page of which not all styles were aligned, because that would
// have taken too many steps.
const Budget = "budget"

// Default has the values of the paper, and for the threshold that of the
// reconstruction.
var Default = Params{Gamma: 0.9, Threshold: 0.25, Align: AlignNone, Pages: 25}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Float("gamma", &p.Gamma, 0, 1, "weight of what lies below an element, for each of its styles"),
		setting.Float("t", &p.Threshold, 0, 1, "composite importance below which an element is noise"),
		setting.Choice("align", &p.Align, "an element of no known style is kept, or aligned to the style with most in common", AlignNone, AlignLCS),
		setting.Int("k", &p.Pages, 5, algorithms.MaxSample, "pages of the site that are learned from"),
	}
}

// Extractor is the extractor with its default settings.
var Extractor = New(Default)

// New returns an extractor with the given settings.
func New(p Params) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   "sst",
			Family: "sst",
			Doc:    "removes the elements that have the same look and content on many pages of the site",
			Cite: algorithms.Cite{
				Authors: "Yi, Liu, Li",
				Title:   "Eliminating noisy information in web pages for data mining",
				Venue:   "KDD",
				Year:    2003,
				URL:     "https://doi.org/10.1145/956750.956785",
			},
			Fidelity: algorithms.Partial,
			Departures: []string{
				"The importance of leaves, and of elements that occur on one page only, is rebuilt. Where an element is a leaf on some pages only, both of its forms must be noisy for it to be noisy.",
				"An element whose sequence of children matches no known style is kept, because the authors' mapping is not known; with align=lcs the style with the longest common subsequence is taken, if it has at least half of the children.",
				"The look of an element consists of its tag, classes and presentational attributes, because styles moved into classes after 2003; that of body is body.",
				"One threshold serves all sites; the authors tune it by inspection.",
				"The sample has 25 pages (setting k, at most 64); the authors use several hundred.",
				"A page of the sample is treated like any other, although the tree contains it: the stored tree counts no pages.",
			},
			Cost: algorithms.Linear,
		},
		Run: run,
		Learn: &algorithms.Learner{
			Version:  2, // 1 had no labels
			MinPages: 5,
			Pages:    p.Pages,
			Sketch:   sketch,
			Finish:   p.finish,
			Open:     open,
		},
	}
	if p.Align == AlignLCS {
		e.Cost = algorithms.Superlinear
	}
	return setting.Tune(e, p, (*Params).settings, New)
}

// scratch is the working memory of one run.
type scratch struct {
	units units
	pairs []pair
	keep  []bool // leaves
	align aligner
}

// pair is an element of the template and the unit of the page that corresponds to it.
type pair struct{ element, unit int32 }

// run drops the elements that the template calls noisy.
func run(p *algorithms.Pass) error {
	t, err := canon.Of(p)
	if err != nil {
		return err
	}
	s := algorithms.Scratch[scratch](p)
	s.keep = slices.Grow(s.keep[:0], len(t.Leaves))[:len(t.Leaves)]
	for i := range s.keep {
		s.keep[i] = true
	}
	s.units.fill(p, t, false)
	if len(s.units.nodes) > 0 {
		s.align.left = alignSteps
		s.drop(p.Template.Value.(*template))
		if s.align.left < 0 {
			p.Notes = append(p.Notes, Budget)
		}
	}
	if !slices.Contains(s.keep, false) {
		p.Notes = append(p.Notes, algorithms.NoteNoMatch)
	}
	t.Select(p, s.keep)
	return nil
}

// drop follows the template down the page as far as the styles are known.
func (s *scratch) drop(of *template) {
	s.pairs = append(s.pairs[:0], pair{})
	for len(s.pairs) > 0 {
		at := s.pairs[len(s.pairs)-1]
		s.pairs = s.pairs[:len(s.pairs)-1]
		e, v := of.elements[at.element], &s.units.nodes[at.unit]
		if e.state == noisy {
			leaves := s.units.leaves[at.unit]
			clear(s.keep[leaves.first:leaves.end])
		}
		if e.state != mixed {
			continue
		}
		style, ok := of.style(e, v)
		switch {
		case !ok && of.spelled && !v.leaf:
			s.match(of, e, v)
		case !ok:
		case style.leaf: // the only child of the leaf form is the element itself
			s.pairs = append(s.pairs, pair{of.kids[style.from], at.unit})
		case style.to-style.from == v.to-v.from:
			for k := range style.to - style.from {
				s.pairs = append(s.pairs, pair{of.kids[style.from+k], s.units.kids[v.from+k]})
			}
		}
	}
}
