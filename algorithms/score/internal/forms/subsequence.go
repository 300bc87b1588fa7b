package forms

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/score/internal/lcs"
)

// common is the longest common subsequence of a trial, found within a budget.
type common struct {
	done   bool
	cells  int
	result lcs.Result
}

// Subsequence scores the longest common subsequence of a form's items, found in
// at most about the given number of cells. Measures with one form and budget
// share it.
func (f *Form) Subsequence(t *algorithms.Trial, cells int) algorithms.Score {
	items, gold := f.Trial(t), f.Gold(t.Gold)
	c := f.common.Of(t)
	if !c.done || c.cells != cells {
		*c = common{true, cells, f.Masks(t.Gold).Compare(algorithms.TrialScratch[lcs.Scratch](t), items, cells)}
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

// Bag scores what the items of a form have in common as bags.
func (f *Form) Bag(t *algorithms.Trial) algorithms.Score {
	return algorithms.FromCounts(int64(f.Overlap(t).Common), int64(len(f.Trial(t))), int64(len(f.Gold(t.Gold).IDs)))
}

// Set scores what the items of a form have in common as sets.
func (f *Form) Set(t *algorithms.Trial) algorithms.Score {
	o := f.Overlap(t)
	return algorithms.FromCounts(int64(o.CommonDistinct), int64(o.Distinct), int64(o.GoldDistinct))
}
