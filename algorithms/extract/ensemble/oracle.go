package ensemble

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// gold is the working memory of an oracle.
type gold struct {
	is     []bool // by word: it is in the gold text
	chosen []bool // by word: it is in the gold text and in some member's answer
}

// bound is the Run function of the oracle.
func (p Params) bound(pass *algorithms.Pass) error {
	if pass.Gold == nil {
		return nil
	}
	note(pass, true)
	words := pass.Body.AllWords().Span
	g := algorithms.Scratch[gold](pass)
	g.is = algorithms.Zeros(g.is, len(words))
	size := 0
	each(words, pass.Gold.Spans, func(word int) {
		g.is[word] = true
		size++
	})
	g.chosen = algorithms.Zeros(g.chosen, len(words))
	var best *page.Selection
	bestCommon, bestSum := 0, 1 // F1 is 2·common/sum
	for i := range pass.Answers {
		sel := pass.Answers[i].Selection
		if sel == nil {
			continue
		}
		common, extracted := 0, 0
		each(words, sel.Spans, func(word int) {
			extracted++
			if g.is[word] {
				common++
				g.chosen[word] = true
			}
		})
		sum := extracted + size
		if sum == 0 { // the gold and the answer are both empty: no answer can be better
			common, sum = 1, 2
		}
		if best == nil || common*bestSum > bestCommon*sum {
			best, bestCommon, bestSum = sel, common, sum
		}
	}
	switch {
	case p.By == "word":
		selectWords(pass, words, g.chosen)
	case best != nil:
		pass.Out.Spans = append(pass.Out.Spans, best.Spans...)
		pass.Out.Rows = append(pass.Out.Rows, best.Rows...)
	}
	return nil
}
