package ccb

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/codevector"
	"github.com/winnow/winnow/algorithms/setting"
)

// Params are the settings of the extractor.
type Params struct {
	Range      int     // cells within which a cell counts for another, in one iteration
	Threshold  float64 // blurred value above which a cell is main content
	Iterations int
	Sigmas     float64 // standard deviations of the kernel in its range
}

// Published values for vectors of characters and of tokens.
var (
	DefaultChars  = Params{Range: 40, Threshold: 0.75, Iterations: 4, Sigmas: 3}
	DefaultTokens = Params{Range: 25, Threshold: 0.75, Iterations: 4, Sigmas: 3}
)

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Int("r", &p.Range, 1, 1000, "range of the kernel in cells"),
		setting.Float("t", &p.Threshold, 0, 1, "blurred value above which a cell is content"),
		setting.Int("iterations", &p.Iterations, 1, 16, "how often the vector is blurred"),
		setting.Float("sigmas", &p.Sigmas, 0.1, 100, "standard deviations of the kernel that its range spans"),
	}
}

// The published variants.
var (
	CCB  = New(Chars, DefaultChars)
	ACCB = New(Adapted, DefaultChars)
	TCCB = New(Tokens, DefaultTokens)
)

// Variant is a way to make cells of a page.
type Variant struct {
	name   string
	doc    string
	vector *algorithms.Feature[codevector.Vector]
}

// The variants of the paper, section 3.3.
var (
	Chars   = Variant{"ccb", "of characters", &codevector.Chars}
	Adapted = Variant{"accb", "of characters without the tags of links", &codevector.CharsNoAnchors}
	Tokens  = Variant{"tccb", "of tags and words", &codevector.Tokens}
)

// New returns an extractor with the given settings.
func New(v Variant, p Params) *algorithms.Extractor {
	m := method{Params: p, vector: v.vector, kernel: newKernel(p)}
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   v.name,
			Family: "ccb",
			Doc:    "selects the words whose surroundings are mostly content after content and code are blurred, over the vector " + v.doc,
			Cite: algorithms.Cite{
				Authors: "Gottron",
				Title:   "Content code blurring: a new approach to content extraction",
				Venue:   "DEXA workshop on text-based information retrieval",
				Year:    2008,
				URL:     "https://doi.org/10.1109/DEXA.2008.43",
			},
			Fidelity: algorithms.Partial,
			Departures: []string{
				"The kernel is a Gauss distribution with a standard deviation of a third of its range (sigmas=3), of sum 1; the paper names the distribution only.",
				"There are always four iterations; the paper stops as soon as the values start to settle. They do so there on every page, and the result does not depend on far parts of the page.",
				"Beyond both ends of the document there is code, which is blurred as well.",
				"White space alone is not a cell, so that results do not depend on how the source is indented.",
			},
			Cost: algorithms.Linear,
		},
		Run:    m.run,
		Curves: m.curves,
	}
	return setting.Tune(e, p, (*Params).settings, func(p Params) *algorithms.Extractor { return New(v, p) })
}

type method struct {
	Params
	vector *algorithms.Feature[codevector.Vector]
	kernel *kernel
}

func (m *method) run(pass *algorithms.Pass) error {
	v := m.vector.Of(pass)
	s := scan{kernel: m.kernel, runs: v.Runs, threshold: m.Threshold}
	for i := range v.Words {
		if w := &v.Words[i]; s.bright(w.Start, w.End) {
			pass.Out.AddSource(pass.Body, w.Text)
		}
	}
	pass.Out.SortSource(pass.Body)
	return nil
}

// curves returns the content code ratio of every cell (figure 2 of the paper).
func (m *method) curves(pass *algorithms.Pass) []algorithms.Curve {
	v := m.vector.Of(pass)
	c := algorithms.Curve{Name: "content code ratio", X: "cells of the content code vector", Y: "ratio (0 to 1)", Threshold: m.Threshold}
	ratio := scan{kernel: m.kernel, runs: v.Runs}
	for x := range int32(v.Cells) {
		c.Values = append(c.Values, ratio.blurred(x))
	}
	s := scan{kernel: m.kernel, runs: v.Runs, threshold: m.Threshold}
	for i := range v.Words {
		if w := &v.Words[i]; s.bright(w.Start, w.End) {
			c.Choose(int(w.Start), int(w.End))
		}
	}
	return []algorithms.Curve{c}
}
