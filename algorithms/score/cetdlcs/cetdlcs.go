package cetdlcs

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
)

// LCS and LCSWord are the two readings of the paper's measure.
var (
	LCS     = scorer("cetd-lcs", "characters in order; the package figure is computed from mean precision and mean recall", forms.Chars)
	LCSWord = scorer("cetd-lcs-word", "cetd-lcs over the words that white space separates", forms.Fields)
)

// Scorers lists the scorers of this package.
var Scorers = []*algorithms.Scorer{LCS, LCSWord}

func scorer(name, doc string, form *forms.Form) *algorithms.Scorer {
	return forms.Bounded(algorithms.Scorer{
		Description: algorithms.Description{
			Name:   name,
			Family: "cetd-lcs",
			Doc:    doc,
			Cite: algorithms.Cite{
				Authors: "Sun, Song, Liao",
				Title:   "DOM Based Content Extraction via Text Density",
				Venue:   "SIGIR",
				Year:    2011,
				URL:     "https://doi.org/10.1145/2009916.2009952",
			},
			Fidelity: algorithms.Partial,
			Departures: []string{
				"The paper does not say what its strings consist of: here they consist of characters, with white space folded, in Unicode normalisation form C without invisible characters; in cetd-lcs-word they consist of words.",
			},
			Cost: algorithms.Superlinear,
		},
		Mean: algorithms.F1OfMeans,
	}, form.Subsequence)
}
