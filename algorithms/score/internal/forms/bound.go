package forms

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/internal/lcs"
	"github.com/winnow/winnow/algorithms/setting"
)

// Bound is the setting of scorers that compare items in order.
type Bound struct {
	// Cells is the most cells of the table (items of the gold times items of the
	// extraction, equal ends left out) that are compared exactly. Beyond it the
	// score is a lower bound and says so (Score.Method).
	Cells int
}

func (b *Bound) settings() []setting.Setting {
	return []setting.Setting{
		setting.Int("cells", &b.Cells, 1, 1<<50,
			"items of the gold times items of the extraction up to which the comparison is exact"),
	}
}

// Bounded completes s, a scorer that compares items in order and reads only the text of
// a trial. score is called with the number of cells that it may use.
func Bounded(s algorithms.Scorer, score func(t *algorithms.Trial, cells int) algorithms.Score) *algorithms.Scorer {
	return bounded(s, Bound{lcs.DefaultCells}, score)
}

func bounded(s algorithms.Scorer, b Bound, score func(*algorithms.Trial, int) algorithms.Score) *algorithms.Scorer {
	s.Score = Once(func(t *algorithms.Trial) algorithms.Score { return score(t, b.Cells) })
	return setting.TuneScorer(&s, b, (*Bound).settings, func(b Bound) *algorithms.Scorer {
		return bounded(s, b, score)
	})
}
