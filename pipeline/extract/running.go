package extract

import (
	"cmp"
	"slices"
	"sync"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
)

// Running holds the mean F1 of each extractor over the pages that were extracted so far,
// for a reader in the same process. Pages of a failed attempt are subtracted again. The
// zero Running is ready for use.
type Running struct {
	mu   sync.Mutex
	sums map[scoredBy]f1Sum
}

// MeanF1 is the mean F1 of an extractor over the pages so far, as tables define it:
// failed extractions count as 0, skipped ones and pages without gold do not count.
// Extractors that read the gold have none.
type MeanF1 struct {
	Extractor string
	F1        float64
}

type scoredBy struct{ scorer, extractor string }

// f1Sum is exact, in units of 1e-9, so that a failed attempt leaves no trace.
type f1Sum struct{ e9, pages int64 }

// Means returns the means by the first of the scorers that has any, the best extractor
// first. The scorer is "" if none has.
func (r *Running) Means(scorers []string) (scorer string, means []MeanF1) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, scorer := range scorers {
		for by, sum := range r.sums {
			if by.scorer == scorer && sum.pages > 0 {
				means = append(means, MeanF1{by.extractor, float64(sum.e9) / 1e9 / float64(sum.pages)})
			}
		}
		if len(means) > 0 {
			slices.SortFunc(means, func(a, b MeanF1) int {
				return cmp.Or(cmp.Compare(b.F1, a.F1), cmp.Compare(a.Extractor, b.Extractor))
			})
			return scorer, means
		}
	}
	return "", nil
}

// runningTally is the contribution of one attempt to Running.
type runningTally struct {
	running *Running // nil if nobody reads it
	sums    map[scoredBy]f1Sum
}

// page adds the scores of a page with gold.
func (t *runningTally) page(list []driver.Extraction) {
	if t.running == nil {
		return
	}
	if t.sums == nil {
		t.sums = map[scoredBy]f1Sum{}
	}
	t.running.mu.Lock()
	defer t.running.mu.Unlock()
	if t.running.sums == nil {
		t.running.sums = map[scoredBy]f1Sum{}
	}
	for i := range list {
		x := &list[i]
		if x.Extractor.Oracle {
			continue // its scores are bounds, which are not compared with others
		}
		for j := range x.Scores {
			s := &x.Scores[j]
			failed := x.Outcome == algorithms.Failed && s.Score.Reason != algorithms.ReasonNoGold
			if s.Scorer.Mean == algorithms.MeanValue || s.Score.Reason != algorithms.NoReason && !failed {
				continue
			}
			one := f1Sum{pages: 1}
			if !failed {
				one.e9 = int64(s.Score.F1*1e9 + 0.5)
			}
			by := scoredBy{s.Scorer.Name, x.Extractor.Name}
			t.sums[by] = t.sums[by].plus(one, 1)
			t.running.sums[by] = t.running.sums[by].plus(one, 1)
		}
	}
}

// undo subtracts everything that was added.
func (t *runningTally) undo() {
	if t.running == nil {
		return
	}
	t.running.mu.Lock()
	defer t.running.mu.Unlock()
	for by, sum := range t.sums {
		t.running.sums[by] = t.running.sums[by].plus(sum, -1)
	}
	t.sums = nil
}

func (s f1Sum) plus(o f1Sum, sign int64) f1Sum {
	return f1Sum{s.e9 + sign*o.e9, s.pages + sign*o.pages}
}
