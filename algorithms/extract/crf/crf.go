package crf

import (
	_ "embed"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/extract/crf/blocks"
	"github.com/winnow/winnow/algorithms/extract/crf/chain"
	"github.com/winnow/winnow/algorithms/page"
)

//go:embed crf.model
var file []byte

// Extractor is Victor with the model that the program ships.
var Extractor = shipped()

func shipped() *algorithms.Extractor {
	e := New(file)
	e.TrainedOn = []string{"wcxb-dev"}
	return e
}

// New returns Victor with the model in the given file. A file of another format or
// of other features is an error of every run.
func New(file []byte) *algorithms.Extractor {
	m, err := chain.Decode(file)
	return &algorithms.Extractor{
		Description: algorithms.Description{
			Name: "crf", Family: "crf",
			Doc: "labels every text by a conditional random field over the sequence of texts (Victor)",
			Cite: algorithms.Cite{Authors: "Spousta, Marek, Pecina", Title: "Victor: the Web-Page Cleaning Tool",
				Venue: "4th Web as Corpus Workshop (WAC-4)", Year: 2008},
			Fidelity: algorithms.Reconstructed,
			Departures: []string{
				"Bins, the features that see neighbours, pairs of features and the settings of training are rebuilt, because the authors' configuration is not available. A count of 0 has no weight.",
				"There are two labels, content and noise; the authors label each kind of content (header, paragraph, list).",
				"The shipped model is trained on the development pages of WCXB, whose licence allows it.",
				"Hidden text and text in svg, math, select, object and iframe is ignored, and a page of more than 131,072 blocks is skipped.",
			},
			Cost: algorithms.Linear,
		},
		Run: func(p *algorithms.Pass) error {
			if err != nil {
				return err
			}
			return run(p, m)
		},
	}
}

// working is the extractor's memory, reused for every page.
type working struct {
	blocks blocks.Page
	scores []float64
	labels []bool
	back   []uint8
}

func run(p *algorithms.Pass, m *chain.Model) error {
	w := algorithms.Scratch[working](p)
	if !w.blocks.Fill(p.Body) {
		return algorithms.ErrPageTooLarge
	}
	w.scores = m.Score(w.scores, &w.blocks)
	w.labels, w.back = m.Decode(w.labels, w.back, w.scores)
	for i, content := range w.labels {
		if content {
			r := w.blocks.Rows[i]
			p.Out.AddSpan(p.Body, page.Span{Start: p.Body.TextStart[r], End: p.Body.TextEnd[r]})
		}
	}
	return nil
}
