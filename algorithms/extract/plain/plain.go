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
		Departures: []string{
			"The title element is not page text; Gottron's tag stripper would keep it, and his gold does not contain it reliably.",
			"Hidden text (attribute hidden, or inline display:none or visibility:hidden) is not selected.",
		},
		Cost: algorithms.Linear,
	},
	Run: run,
}

func run(p *algorithms.Pass) error {
	p.Out.AddRows(p.Body, page.Rows{Start: 0, End: page.Row(p.Body.Len())})
	return nil
}
