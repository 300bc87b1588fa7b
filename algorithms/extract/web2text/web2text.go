package web2text

import (
	_ "embed"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/extract/web2text/collapsed"
	"github.com/winnow/winnow/algorithms/extract/web2text/nets"
	"github.com/winnow/winnow/algorithms/page"
)

//go:embed web2text.model
var file []byte

// Extractor is Web2Text with the model that the program ships.
var Extractor = shipped()

func shipped() *algorithms.Extractor {
	e := New(file)
	e.TrainedOn = []string{"wcxb-dev"}
	return e
}

// New returns Web2Text with the model in the given file. A file of another format or
// of other features is an error of every run.
func New(file []byte) *algorithms.Extractor {
	m, err := nets.Decode(file)
	return &algorithms.Extractor{
		Description: algorithms.Description{
			Name: "web2text", Family: "web2text",
			Doc: "labels every text by two convolutional networks, one for single texts and one for pairs of neighbours",
			Cite: algorithms.Cite{Authors: "Vogels, Ganea, Eickhoff", Title: "Web2Text: Deep Structured Boilerplate Removal",
				Venue: "ECIR", Year: 2018, URL: "https://doi.org/10.1007/978-3-319-76941-7_13"},
			Fidelity: algorithms.Partial,
			Departures: []string{
				"The share of the page's text and that of equal class paths are computed as real numbers, not by integer division, which makes them nearly always 0; the networks are trained on these.",
				"Features of an ancestor that does not exist are 0, and a sentence ends at . ! ? before a blank or at the end of the text: both are rebuilt.",
				"The tree is that of the HTML standard, and the stop list is Winnow's own.",
				"The shipped model is trained on the development pages of WCXB, whose licence allows it.",
				"Hidden text and text in svg, math, select, object and iframe is ignored, and a page of more than 65,536 blocks is skipped.",
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
	page collapsed.Page
	nets nets.Working
}

func run(p *algorithms.Pass, m *nets.Model) error {
	w := algorithms.Scratch[working](p)
	if !w.page.Fill(p.Page) {
		return algorithms.ErrPageTooLarge
	}
	for i, content := range m.Label(&w.nets, &w.page) {
		if content {
			r := w.page.Rows[i]
			p.Out.AddSpan(p.Body, page.Span{Start: p.Body.TextStart[r], End: p.Body.TextEnd[r]})
		}
	}
	return nil
}
