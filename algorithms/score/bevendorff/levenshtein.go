package bevendorff

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
)

// Levenshtein and RougeLsum are the measures of the paper.
var (
	Levenshtein = forms.Bounded(scorer("levenshtein",
		"words in order: 1 minus the share of words that must be inserted or deleted"),
		func(t *algorithms.Trial, cells int) algorithms.Score {
			s := forms.RawFields.Subsequence(t, cells)
			s.Value = s.F1
			return s
		})
	RougeLsum = newRouge(RougeParams{Cells: defaultCells, Sentences: Punkt})
)

// defaultCells is the default bound on cells. That many take up to two seconds, and the
// table of one pair of sentences then takes at most 16 MB, one byte for 256 cells. No
// page of the gold packages needs more than a 32nd of them.
const defaultCells = 1 << 32

// Scorers lists the scorers of this package.
var Scorers = []*algorithms.Scorer{RougeLsum, Levenshtein}

func scorer(name, doc string) algorithms.Scorer {
	return algorithms.Scorer{
		Description: algorithms.Description{
			Name:   name,
			Family: "bevendorff",
			Doc:    doc,
			Cite: algorithms.Cite{
				Authors: "Bevendorff, Gupta, Kiesel, Stein",
				Title:   "An Empirical Comparison of Web Content Extraction Algorithms",
				Venue:   "SIGIR",
				Year:    2023,
				URL:     "https://doi.org/10.1145/3539618.3591920",
			},
			Fidelity: algorithms.Exact,
			Cost:     algorithms.Superlinear,
		},
		Mean: algorithms.MacroF1,
	}
}
