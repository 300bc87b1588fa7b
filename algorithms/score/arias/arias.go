package arias

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
	"github.com/winnow/winnow/algorithms/score/internal/substring"
)

// LCString and LCSequence are the measures of the paper.
var (
	LCString   = newLCString()
	LCSequence = forms.Bounded(scorer("lcsequence",
		"characters without white space: F1 of their longest common subsequence", algorithms.Superlinear),
		forms.Letters.Subsequence)
)

// Scorers lists the scorers of this package.
var Scorers = []*algorithms.Scorer{LCString, LCSequence}

// substrings is the gold's side of longest substrings.
var substrings = &algorithms.GoldFeature[substring.Gold]{
	Name: "substrings",
	Compute: func(dst *substring.Gold, g *algorithms.Gold) {
		gold := forms.Letters.Gold(g)
		dst.Build(gold.IDs, gold.Distinct)
	},
}

func newLCString() *algorithms.Scorer {
	s := scorer("lcstring", "characters without white space: F1 of their longest common substring", algorithms.Linear)
	s.Score = forms.Once(func(t *algorithms.Trial) algorithms.Score {
		letters := forms.Letters.Trial(t)
		common := substrings.Of(t.Gold).Longest(letters)
		return algorithms.FromCounts(int64(common), int64(len(letters)), int64(len(forms.Letters.Gold(t.Gold).IDs)))
	})
	return &s
}

func scorer(name, doc string, cost algorithms.Cost) algorithms.Scorer {
	return algorithms.Scorer{
		Description: algorithms.Description{
			Name:   name,
			Family: "arias",
			Doc:    doc,
			Cite: algorithms.Cite{
				Authors: "Arias, Deschacht, Moens",
				Title:   "Language Independent Content Extraction from Web Pages",
				Venue:   "Dutch-Belgian Information Retrieval Workshop (DIR)",
				Year:    2009,
			},
			Fidelity: algorithms.Exact,
			Departures: []string{
				"White space does not count. The paper's worked example (the fox and the dog) prints 20 and 23 where its own definitions give 22 and 28 with white space, because two outer blanks and a shared letter are overlooked; without white space it is 17 and 22.",
				"Texts are compared in Unicode normalisation form C without soft hyphens and other invisible characters, of which the paper says nothing.",
			},
			Cost: cost,
		},
		Mean: algorithms.MacroF1,
	}
}
