package cleaneval

import "github.com/winnow/winnow/algorithms"

// Scorers lists the scorers of this package.
var Scorers = []*algorithms.Scorer{Final, TO, TM, Evert, EvertTags, LCS}

func scorer(name, doc string, cost algorithms.Cost, mean algorithms.Mean) algorithms.Scorer {
	top := 0.0
	if mean == algorithms.MeanValue {
		top = 100 // the official scores
	}
	return algorithms.Scorer{
		Description: algorithms.Description{
			Name:   name,
			Family: "cleaneval",
			Doc:    doc,
			Cite: algorithms.Cite{
				Authors: "Baroni, Chantree, Kilgarriff, Sharoff",
				Title:   "Cleaneval: a Competition for Cleaning Web Pages",
				Venue:   "LREC",
				Year:    2008,
				URL:     "http://www.lrec-conf.org/proceedings/lrec2008/pdf/162_paper.pdf",
			},
			Fidelity: algorithms.Partial,
			Departures: []string{
				"A gold without segment marks is compared line by line as paragraphs, or as plain text.",
				"Two empty texts score 100, which the official program leaves undefined.",
				"Beyond 2^28 cells text and markup uses another of the best alignments (method canonical); only the segment validity can differ.",
			},
			Cost: cost,
		},
		Mean: mean,
		Top:  top,
	}
}
