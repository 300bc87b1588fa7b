package driver

import (
	"fmt"
	"math"
	"runtime/debug"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// scoreAll scores every extraction of the page with every scorer. It comes
// after all extractors, so that scorers of one gold run together while its
// prepared side is warm, and no extractor's time has a scorer in it.
func (d *Driver) scoreAll(in Input) {
	if len(d.config.Scorers) == 0 {
		return
	}
	if in.Gold != nil {
		d.gold.Reset()
		d.gold.Text, d.gold.HTML = in.Gold.Text, in.Gold.HTML
		d.gold.With, d.gold.Without = in.Gold.With, in.Gold.Without
		d.gold.Page = &d.page
	}
	for i := range d.result.Extractions {
		x := &d.result.Extractions[i]
		reason := algorithms.NoReason
		switch {
		case in.Gold == nil:
			reason = algorithms.ReasonNoGold
		case x.Outcome == algorithms.Failed || x.Outcome == algorithms.Skipped:
			reason = algorithms.ReasonNoAnswer
		}
		if reason != algorithms.NoReason {
			for j := range x.Scores {
				x.Scores[j].Score, x.Scores[j].Err = algorithms.Score{Reason: reason}, ""
			}
			continue
		}
		var selection *page.Selection
		if x.HasSelection {
			selection = &x.Selection
		}
		d.trial.Reset(&d.gold, x.Text, selection, x.Aligned)
		for j := range x.Scores {
			d.score(&x.Scores[j])
		}
	}
}

func (d *Driver) score(s *Scored) {
	defer func() {
		if v := recover(); v != nil {
			s.Score = algorithms.Score{Reason: algorithms.ReasonPanic}
			s.Err = fmt.Sprintf("%v\n%s", v, debug.Stack())
			// Prepared values may be half written.
			gold, text, selection, aligned := d.gold, d.trial.Text, d.trial.Selection, d.trial.Aligned
			d.gold, d.trial = algorithms.Gold{}, algorithms.Trial{}
			d.gold.Text, d.gold.HTML, d.gold.Page = gold.Text, gold.HTML, gold.Page
			d.gold.With, d.gold.Without = gold.With, gold.Without
			d.trial.Reset(&d.gold, text, selection, aligned)
		}
	}()
	s.Err = ""
	s.Score = s.Scorer.Score(&d.trial)
	for _, v := range [...]float64{s.Score.Precision, s.Score.Recall, s.Score.F1, s.Score.Value} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			s.Err = fmt.Sprintf("not a number in %+v", s.Score)
			s.Score = algorithms.Score{Reason: algorithms.ReasonInvalid}
			return
		}
	}
}
