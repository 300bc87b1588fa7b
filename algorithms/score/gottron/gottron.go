package gottron

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
	"github.com/winnow/winnow/algorithms/score/internal/lcs"
)

// Str, Seq, Vec and Set are the measures of the paper.
var (
	Str = scorer("str", "characters in order: F1 of their longest common subsequence", algorithms.Superlinear,
		func(t *algorithms.Trial) algorithms.Score { return subsequence(t, forms.Chars) })
	Seq = scorer("seq", "words in order: F1 of their longest common subsequence", algorithms.Superlinear,
		func(t *algorithms.Trial) algorithms.Score { return subsequence(t, forms.Words) })
	Vec = scorer("vec", "words as a bag: F1 of the words in common, as often as both have them", algorithms.Linear, vec)
	Set = scorer("set", "words as a set: F1 of the different words in common", algorithms.Linear, set)
)

// Scorers are the measures of this package.
var Scorers = []*algorithms.Scorer{Str, Seq, Vec, Set}

func scorer(name, doc string, cost algorithms.Cost, score func(*algorithms.Trial) algorithms.Score) *algorithms.Scorer {
	return &algorithms.Scorer{
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
			"The paper does not define words or the role of case: words are runs of letters, numbers and marks, in their case.",
		},
		Cost:  cost,
		Mean:  algorithms.MacroF1,
		Score: score,
	}
}

// subsequence is the LCS of the items of form.
func subsequence(t *algorithms.Trial, form *forms.Form) algorithms.Score {
	items := form.Trial(t)
	common := form.Masks(t.Gold).Length(algorithms.TrialScratch[lcs.Scratch](t), items)
	return algorithms.FromCounts(int64(common), int64(len(items)), int64(len(form.Gold(t.Gold).IDs)))
}

func vec(t *algorithms.Trial) algorithms.Score {
	return algorithms.FromCounts(int64(forms.Words.Overlap(t).Common),
		int64(len(forms.Words.Trial(t))), int64(len(forms.Words.Gold(t.Gold).IDs)))
}

func set(t *algorithms.Trial) algorithms.Score {
	o := forms.Words.Overlap(t)
	return algorithms.FromCounts(int64(o.CommonDistinct), int64(o.Distinct), int64(o.GoldDistinct))
}
