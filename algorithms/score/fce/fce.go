package fce

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
	"github.com/winnow/winnow/algorithms/score/internal/location"
)

// BlockF and WordF are the measures of the paper.
var (
	BlockF = New(Default)
	WordF  = scorer("word-f", "words of the page, matched by their position", wordF)
)

// Scorers lists the scorers of this package.
var Scorers = []*algorithms.Scorer{BlockF, WordF}

func scorer(name, doc string, score func(*algorithms.Trial) algorithms.Score) *algorithms.Scorer {
	return &algorithms.Scorer{
		Description: algorithms.Description{
			Name:   name,
			Family: "fce",
			Doc:    doc,
			Cite: algorithms.Cite{
				Authors: "Debnath, Mitra, Pal, Giles",
				Title:   "Automatic Identification of Informative Sections of Web Pages",
				Venue:   "IEEE Transactions on Knowledge and Data Engineering 17(9)",
				Year:    2005,
				URL:     "https://doi.org/10.1109/TKDE.2005.138",
			},
			Fidelity: algorithms.Reconstructed,
			Departures: []string{
				"The authors labelled blocks by hand; here the gold is aligned with the page, or the labels of an annotated page are used, and a block is content if more than two thirds of it are gold.",
				"The paper does not say how words are matched; here they are matched by their position on the page.",
				"An extraction without locations on the page has no block-f, and its word-f counts bags of words (method bag).",
			},
			Cost: algorithms.NLogN,
		},
		Mean:  algorithms.MacroF1,
		Score: score,
	}
}

func wordF(t *algorithms.Trial) algorithms.Score {
	if !location.Has(t) {
		s := forms.Words.Bag(t)
		s.Method = "bag"
		return s
	}
	p := location.Of(t.Gold)
	common, extracted := int32(0), 0
	location.EachWords(p.Words, t.Selection.Spans, func(from, to int) {
		extracted += to - from
		common += p.GoldBefore[to] - p.GoldBefore[from]
	})
	location.EachWords(p.Hidden, t.Selection.Spans, func(from, to int) { extracted += to - from })
	s := algorithms.FromCounts(int64(common), int64(extracted), int64(p.GoldWords))
	s.Method, s.Coverage, s.Placed = p.Method, p.Coverage, true
	return s
}
