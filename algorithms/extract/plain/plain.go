package plain

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// Extractor selects the whole page.
var Extractor = &algorithms.Extractor{
	Description: algorithms.Description{
		Name:   "plain",
		Family: "plain",
		Doc:    "selects all text of the page, as the baseline",
		Cite: algorithms.Cite{
			Authors: "Gottron",
			Title:   "Evaluating content extraction on HTML documents",
			Venue:   "ITA",
			Year:    2007,
		},
		Fidelity: algorithms.Exact,
		Cost:     algorithms.Linear,
	},
	Run: run,
}

func run(p *algorithms.Pass) error {
	p.Out.AddRows(p.Body, page.Rows{Start: 0, End: page.Row(p.Body.Len())})
	return nil
}
