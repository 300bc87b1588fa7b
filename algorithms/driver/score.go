package driver

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// scoreAll scores every extraction of the page with every scorer. It comes
// after all extractors, so that scorers of one gold run together while its
// prepared side is warm, and no extractor's time has a scorer in it.
//
// The error is ctx's, if it ended before there was memory for the page.
func (d *Driver) scoreAll(ctx context.Context, in Input) error {
	if len(d.config.Scorers) == 0 {
		return nil
	}
	if n := d.longest(in); n > 0 && d.config.Budget != nil {
		release, err := d.reserve(ctx, n)
		if err != nil {
			return err
		}
		defer release()
	}
	if in.Gold != nil {
		d.gold.Reset()
		d.gold.Text, d.gold.HTML = in.Gold.Text, in.Gold.HTML
		d.gold.With, d.gold.Without, d.gold.Language = in.Gold.With, in.Gold.Without, in.Gold.Language
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
		case len(in.Gold.Text) > d.config.ScoreBytes || len(x.Text) > d.config.ScoreBytes:
			reason = algorithms.ReasonTooLong
		}
		if reason != algorithms.NoReason {
			for j := range x.Scores {
				x.Scores[j].Score, x.Scores[j].Err = algorithms.Score{Reason: reason}, ""
			}
			continue
		}
		if y := d.alike(i); y != nil {
			for j := range x.Scores {
				x.Scores[j].Score, x.Scores[j].Err = y.Scores[j].Score, y.Scores[j].Err
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
	return nil
}

// longest is the number of bytes of the longest text that will be scored, gold or
// extracted; 0 if none will be.
func (d *Driver) longest(in Input) int {
	if in.Gold == nil || len(in.Gold.Text) > d.config.ScoreBytes {
		return 0
	}
	n := len(in.Gold.Text)
	for i := range d.result.Extractions {
		if size := len(d.result.Extractions[i].Text); size <= d.config.ScoreBytes {
			n = max(n, size)
		}
	}
	return n
}

// perByte is the memory for a byte of the longest text: 130 (spec scorers, 2.1).
// The measures over characters keep the most, masks of the gold for two forms and
// an automaton, which is less than 100 a byte for any text (TestMemoryOfCharacters).
const perByte = 130

// ScoreMemory is the memory that a page may take to be scored whose longest text
// has n bytes.
func ScoreMemory(n int) int64 { return perByte * int64(n) }

// keepScored is up to how long texts may be for their memory to be kept for the
// next page: a driver keeps some 16 MB then, at most.
const keepScored = 128 << 10

// reserve waits for the memory of a page whose longest text has n bytes. A page
// that takes more than there is waits until it is alone. What it gives back is
// not held any more.
func (d *Driver) reserve(ctx context.Context, n int) (release func(), err error) {
	size := min(ScoreMemory(n), d.config.Budget.Size())
	if err := d.config.Budget.Acquire(ctx, size); err != nil {
		return nil, err
	}
	return func() {
		if n > keepScored {
			d.gold, d.trial = algorithms.Gold{}, algorithms.Trial{}
		}
		d.config.Budget.Release(size)
	}, nil
}

// alike is an extraction before the i-th that gives scorers the same to see: on
// many pages many extractors agree. Nil if there is none.
func (d *Driver) alike(i int) *Extraction {
	x := &d.result.Extractions[i]
	for k := range d.result.Extractions[:i] {
		y := &d.result.Extractions[k]
		if y.Outcome == x.Outcome && y.TextHash == x.TextHash && y.HasSelection == x.HasSelection && y.Aligned == x.Aligned &&
			bytes.Equal(y.Text, x.Text) && slices.Equal(y.Selection.Spans, x.Selection.Spans) && slices.Equal(y.Selection.Rows, x.Selection.Rows) {
			return y
		}
	}
	return nil
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
			d.gold.With, d.gold.Without, d.gold.Language = gold.With, gold.Without, gold.Language
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
