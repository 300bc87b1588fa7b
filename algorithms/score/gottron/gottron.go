package gottron

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
)

// Str, Seq, Vec and Set are the measures of the paper.
var (
	Str = inOrder("str", "characters in order: F1 of their longest common subsequence", forms.Chars)
	Seq = inOrder("seq", "words in order: F1 of their longest common subsequence", forms.Words)
	Vec = ofWords("vec", "words as a bag: F1 of the words in common, each as often as both texts have it", forms.Words.Bag)
	Set = ofWords("set", "words as a set: F1 of the distinct words in common", forms.Words.Set)
)

// Scorers lists the scorers of this package.
var Scorers = []*algorithms.Scorer{Str, Seq, Vec, Set}

func inOrder(name, doc string, form *forms.Form) *algorithms.Scorer {
	return forms.Bounded(scorer(name, doc, algorithms.Superlinear), form.Subsequence)
}

func ofWords(name, doc string, score func(*algorithms.Trial) algorithms.Score) *algorithms.Scorer {
	s := scorer(name, doc, algorithms.Linear)
	s.Score = forms.Once(score)
	return &s
}

func scorer(name, doc string, cost algorithms.Cost) algorithms.Scorer {
	return algorithms.Scorer{
		Description: algorithms.Description{
			Name:   name,
			Family: "gottron",
			Doc:    doc,
			Cite: algorithms.Cite{
				Authors: "Gottron",
				Title:   "Evaluating Content Extraction on HTML Documents",
				Venue:   "International Conference on Internet Technologies and Applications (ITA)",
				Year:    2007,
			},
			Fidelity: algorithms.Partial,
			Departures: []string{
				"The paper does not define words or the role of case: words are runs of letters, numbers and marks, in their case, and a character of a script written without blanks is a word of its own.",
				"Texts are compared in Unicode normalisation form C without soft hyphens and other invisible characters; str folds each run of white space into one blank, which counts as a character.",
			},
			Cost: cost,
		},
		Mean: algorithms.MacroF1,
	}
}
