package wcxb

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/internal/tokens"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
)

// The measures of the benchmark, and its snippets with white space folded.
var (
	WordF1     = scorer("wcxb-word-f1", "words in lower case, as a bag", algorithms.MacroF1, forms.LowerPython.Bag)
	With       = snippetScorer("wcxb-with", "share of the wanted snippets that appear", share(withPlain, false))
	Without    = lower(snippetScorer("wcxb-without", "share of the unwanted snippets that appear, 1 for a page without any; lower is better", share(withoutPlain, false)))
	WithoutAdj = lower(snippetScorer("wcxb-without-adj", "share of the unwanted snippets that appear, over pages that have any; lower is better", share(withoutPlain, true)))
	WithWS     = snippetScorer("wcxb-with-ws", "wcxb-with after white space is folded", share(withFolded, false))
	WithoutWS  = lower(snippetScorer("wcxb-without-ws", "wcxb-without-adj after white space is folded", share(withoutFolded, true)))
)

// Scorers lists the scorers of this package.
var Scorers = []*algorithms.Scorer{WordF1, With, Without, WithoutAdj, WithWS, WithoutWS}

func scorer(name, doc string, mean algorithms.Mean, score func(*algorithms.Trial) algorithms.Score) *algorithms.Scorer {
	return &algorithms.Scorer{
		Description: algorithms.Description{
			Name:   name,
			Family: "wcxb",
			Doc:    doc,
			Cite: algorithms.Cite{
				Authors: "Foley",
				Title:   "WCXB: Web Content Extraction Benchmark",
				Venue:   "github.com/Murrough-Foley/web-content-extraction-benchmark",
				Year:    2026,
				URL:     "https://github.com/Murrough-Foley/web-content-extraction-benchmark",
			},
			Fidelity: algorithms.Exact,
			Cost:     algorithms.Linear,
		},
		Mean:  mean,
		Score: forms.Once(score),
	}
}

// snippetScorer returns a scorer of the snippets of the gold, which needs no gold text.
func snippetScorer(name, doc string, score func(*algorithms.Trial) algorithms.Score) *algorithms.Scorer {
	s := scorer(name, doc, algorithms.MeanValue, score)
	s.Snippets = true
	return s
}

// lower marks a scorer of what should not appear.
func lower(s *algorithms.Scorer) *algorithms.Scorer {
	s.Lower = true
	return s
}

// snippets holds the snippets of a gold in lower case.
type snippets struct {
	with, without list
	norm          tokens.Normaliser
}

// list holds texts one after the other, with white space as it is and folded.
type list struct{ plain, folded texts }

type texts struct {
	bytes []byte
	ends  []int
}

func (t *texts) reset() { t.bytes, t.ends = t.bytes[:0], t.ends[:0] }

// each calls f for every text.
func (t *texts) each(f func([]byte)) {
	start := 0
	for _, end := range t.ends {
		f(t.bytes[start:end])
		start = end
	}
}

var goldSnippets = &algorithms.GoldFeature[snippets]{Name: "snippets", Compute: func(dst *snippets, g *algorithms.Gold) {
	dst.with.fill(&dst.norm, g.With)
	dst.without.fill(&dst.norm, g.Without)
}}

func (l *list) fill(norm *tokens.Normaliser, snippets []string) {
	l.plain.reset()
	l.folded.reset()
	for _, s := range snippets {
		lower := norm.Lower([]byte(s))
		l.plain.bytes = append(l.plain.bytes, lower...)
		l.plain.ends = append(l.plain.ends, len(l.plain.bytes))
		l.folded.bytes = append(l.folded.bytes, tokens.AppendFolded(nil, lower)...)
		l.folded.ends = append(l.folded.ends, len(l.folded.bytes))
	}
}

// folded is the extraction in lower case with white space folded.
var folded = &algorithms.TrialFeature[[]byte]{Name: "folded lower case", Compute: func(dst *[]byte, t *algorithms.Trial) {
	*dst = tokens.AppendFolded((*dst)[:0], forms.Lower.Trial(t))
}}

// search finds the snippets of one list in extractions. Two scorers count those that
// must not appear.
type search struct {
	wanted func(*snippets) *texts
	found  *algorithms.TrialFeature[int]
}

var (
	withPlain     = newSearch("wanted snippets", lowered, func(s *snippets) *texts { return &s.with.plain })
	withoutPlain  = newSearch("unwanted snippets", lowered, func(s *snippets) *texts { return &s.without.plain })
	withFolded    = newSearch("wanted snippets, folded", foldedText, func(s *snippets) *texts { return &s.with.folded })
	withoutFolded = newSearch("unwanted snippets, folded", foldedText, func(s *snippets) *texts { return &s.without.folded })
)

func lowered(t *algorithms.Trial) []byte    { return forms.Lower.Trial(t) }
func foldedText(t *algorithms.Trial) []byte { return *folded.Of(t) }

func newSearch(name string, text func(*algorithms.Trial) []byte, wanted func(*snippets) *texts) search {
	return search{wanted, &algorithms.TrialFeature[int]{Name: name, Compute: func(dst *int, t *algorithms.Trial) {
		*dst = 0
		wanted(goldSnippets.Of(t.Gold)).each(func(s []byte) {
			if forms.Contains(text(t), s) {
				*dst++
			}
		})
	}}}
}

// share scores the share of the snippets of a list that appear: 1, or no score, if
// there are none.
func share(in search, strict bool) func(*algorithms.Trial) algorithms.Score {
	return func(t *algorithms.Trial) algorithms.Score {
		if t.Gold.With == nil && t.Gold.Without == nil {
			return algorithms.Score{Reason: algorithms.ReasonNoGold}
		}
		n := len(in.wanted(goldSnippets.Of(t.Gold)).ends)
		if n == 0 {
			if strict {
				return algorithms.Score{Reason: algorithms.ReasonNotDefined}
			}
			return algorithms.Score{Value: 1}
		}
		return algorithms.Score{Universe: int64(n), Value: float64(*in.found.Of(t)) / float64(n)}
	}
}
