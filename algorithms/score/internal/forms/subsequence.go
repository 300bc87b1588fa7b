package forms

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/internal/lcs"
)

// common is the longest common subsequence of a trial, found within a budget.
type common struct {
	done   bool
	cells  int
	result lcs.Result
}

// compared lists the forms for which the common subsequence of a trial has been found.
var compared = &algorithms.TrialFeature[[]*Form]{Name: "forms compared", Compute: func(dst *[]*Form, _ *algorithms.Trial) {
	*dst = (*dst)[:0]
}}

// Subsequence scores the longest common subsequence of a form's items, found in about
// the given number of cells at most. Scorers with one form and budget share it, and so
// do forms that read both texts in the same way.
func (f *Form) Subsequence(t *algorithms.Trial, cells int) algorithms.Score {
	items, gold := f.Trial(t), f.Gold(t.Gold)
	c := f.common.Of(t)
	if !c.done || c.cells != cells {
		if same := f.equalForm(t, cells); same != nil {
			*c = *same
		} else {
			*c = common{true, cells, f.Masks(t.Gold).CompareFrom(algorithms.TrialScratch[lcs.Scratch](t), items, cells, f.expect(t), f.atLeast(t, cells))}
		}
		forms := compared.Of(t)
		*forms = append(*forms, f)
	}
	if c.result.Method == lcs.Skipped {
		return algorithms.Score{Method: string(c.result.Method), Reason: algorithms.ReasonTooLong}
	}
	s := algorithms.FromCounts(int64(c.result.Low), int64(len(items)), int64(len(gold.IDs)))
	s.Method = string(c.result.Method)
	if c.result.Method != lcs.Exact {
		s.CommonHigh = int64(c.result.High)
	}
	return s
}

// atLeast returns a lower bound of the common length of a trial. It follows from the
// form with blanks, if that was compared exactly: without the blanks no more of the
// gold's items are left over. If that form exceeds the cells the bound is not used,
// because it would change the score, which must not depend on the other scorers of the
// run.
func (f *Form) atLeast(t *algorithms.Trial, cells int) int {
	items, gold := len(f.Trial(t)), len(f.Gold(t.Gold).IDs)
	if f.blanked == nil || gold > cells/max(1, items) {
		return 0
	}
	c := f.blanked.common.Of(t)
	if !c.done || c.result.Method != lcs.Exact {
		return 0
	}
	return max(0, gold-(len(f.blanked.Gold(t.Gold).IDs)-c.result.Low))
}

// equalForm returns the result of another form whose items are equal where those of f are,
// or nil if there is none. On most pages words differ little between forms, and often
// in no respect that counts.
func (f *Form) equalForm(t *algorithms.Trial, cells int) *common {
	items, gold := f.Trial(t), f.Gold(t.Gold)
	for _, o := range *compared.Of(t) {
		c := o.common.Of(t)
		if o != f && c.cells == cells && slices.Equal(o.Gold(t.Gold).IDs, gold.IDs) && equalItems(o.Trial(t), items, gold.Distinct) {
			return c
		}
	}
	return nil
}

// equalItems reports whether a and b have the same items of the gold at the same positions.
// Equal golds of two forms have equal numbers, in the order in which items first occur.
// Items that the gold lacks may have any number.
func equalItems(a, b []int32, distinct int) bool {
	if len(a) != len(b) {
		return false
	}
	for i, x := range a {
		if y := b[i]; x != y && (uint32(x) < uint32(distinct) || uint32(y) < uint32(distinct)) {
			return false
		}
	}
	return true
}

// expect estimates from the words how many items of the shorter text the other one
// lacks. It returns -1 if there is nothing to estimate from.
func (f *Form) expect(t *algorithms.Trial) int {
	if f.words == nil {
		return -1
	}
	items, words, common := len(f.Trial(t)), len(f.words.Trial(t)), f.words.Overlap(t).Common
	if gold := f.Gold(t.Gold); len(gold.IDs) < items {
		items, words = len(gold.IDs), len(f.words.Gold(t.Gold).IDs)
	}
	if words == 0 {
		return -1
	}
	return int(float64(items) * float64(words-common) / float64(words))
}

// Bag scores what the items of a form have in common as bags.
func (f *Form) Bag(t *algorithms.Trial) algorithms.Score {
	return algorithms.FromCounts(int64(f.Overlap(t).Common), int64(len(f.Trial(t))), int64(len(f.Gold(t.Gold).IDs)))
}

// Set scores what the items of a form have in common as sets.
func (f *Form) Set(t *algorithms.Trial) algorithms.Score {
	o := f.Overlap(t)
	return algorithms.FromCounts(int64(o.CommonDistinct), int64(o.Distinct), int64(o.GoldDistinct))
}
