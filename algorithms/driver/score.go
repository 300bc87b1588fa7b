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

// scoreAll scores every extraction of the page with every scorer. It runs after all
// extractors, so that the features of the gold stay in the caches and no extractor's time
// includes a scorer.
//
// The error is ctx's, if it ended before there was memory for the page.
func (h *workspace) scoreAll(ctx context.Context, in Input) error {
	if len(h.config.Scorers) == 0 {
		return nil
	}
	longest := h.longest(in)
	if longest > 0 && h.config.Budget != nil {
		if err := h.reserve(ctx, longest); err != nil {
			return err
		}
	}
	if in.Gold != nil {
		h.gold.Reset()
		h.gold.Text, h.gold.Markdown, h.gold.HTML = in.Gold.Text, in.Gold.Markdown, in.Gold.HTML
		h.gold.With, h.gold.Without, h.gold.Language = in.Gold.With, in.Gold.Without, in.Gold.Language
		h.gold.Page = &h.page
	}
	for i := range h.extractions {
		x := &h.extractions[i]
		if !h.plan.listed[i] {
			continue
		}
		if in.Gold != nil {
			if y := h.sameAnswer(i); y != nil {
				for j := range x.Scores {
					x.Scores[j].Score, x.Scores[j].Err = y.Scores[j].Score, y.Scores[j].Err
				}
				continue
			}
		}
		var selection *page.Selection
		if x.HasSelection {
			selection = &x.Selection
		}
		h.trial.Reset(&h.gold, x.Text, selection, x.Aligned)
		for j := range x.Scores {
			s := &x.Scores[j]
			if reason := h.unscored(in.Gold, x, s.Scorer); reason != algorithms.NoReason {
				s.Score, s.Err = algorithms.Score{Reason: reason}, ""
				continue
			}
			if !h.enter(step{i, j}) {
				s.Score, s.Err = algorithms.Score{Reason: algorithms.ReasonTimeout}, noAnswer
				continue
			}
			h.scoreBy(s)
		}
	}
	if longest > keepScored {
		h.gold, h.trial = algorithms.Gold{}, algorithms.Trial{}
	}
	return nil
}

// unscored returns the reason why s cannot score x, if there is one. Missing gold is
// reported before a missing answer, because a failed extraction counts as 0 only if
// there is gold.
func (h *workspace) unscored(gold *Gold, x *Extraction, s *algorithms.Scorer) algorithms.Reason {
	switch {
	case gold == nil || gold.SnippetsOnly && !s.Snippets:
		return algorithms.ReasonNoGold
	case x.Outcome == algorithms.Failed || x.Outcome == algorithms.Skipped:
		return algorithms.ReasonNoAnswer
	case len(gold.Text) > h.config.ScoreBytes || len(x.Text) > h.config.ScoreBytes:
		return algorithms.ReasonTooLong
	}
	return algorithms.NoReason
}

// longest returns the number of bytes of the longest text that will be scored, gold or
// extracted, or 0 if none will be.
func (h *workspace) longest(in Input) int {
	if in.Gold == nil || len(in.Gold.Text) > h.config.ScoreBytes {
		return 0
	}
	n := len(in.Gold.Text)
	for i := range h.extractions {
		if size := len(h.extractions[i].Text); size <= h.config.ScoreBytes {
			n = max(n, size)
		}
	}
	return n
}

// perByte is the memory for each byte of the longest text: 130. The scorers of
// characters need the most: masks of the gold for two forms and an automaton, less than
// 100 bytes for each byte of any text (TestMemoryOfCharacters). In addition there are
// tables and lists of a few tens of MB, however long the texts are
// (TestWorstTextsInMemory).
const perByte = 130

// ScoreMemory returns the largest amount of memory that scoring a page may take if its
// longest text has n bytes.
func ScoreMemory(n int) int64 { return perByte * int64(n) }

// keepScored is the length up to which the memory for scoring a text is kept for the
// next page; a driver then keeps about 16 MB at most.
const keepScored = 128 << 10

// reserve waits for the memory of a page whose longest text has n bytes; a page that
// needs more than the whole budget waits until it has all of it. Page releases it.
func (h *workspace) reserve(ctx context.Context, n int) error {
	h.unlimited()
	size := min(ScoreMemory(n), h.config.Budget.Size())
	if err := h.config.Budget.Acquire(ctx, size); err != nil {
		return err
	}
	h.reserved = size
	return nil
}

// sameAnswer returns an earlier extraction with the same scores as the i-th, because its
// text and selection are the same, as is common. It returns nil if there is none.
func (h *workspace) sameAnswer(i int) *Extraction {
	x := &h.extractions[i]
	for k := range h.extractions[:i] {
		y := &h.extractions[k]
		if len(y.Scores) == len(x.Scores) && y.Outcome == x.Outcome && y.TextHash == x.TextHash && y.HasSelection == x.HasSelection && y.Aligned == x.Aligned &&
			bytes.Equal(y.Text, x.Text) && slices.Equal(y.Selection.Spans, x.Selection.Spans) && slices.Equal(y.Selection.Rows, x.Selection.Rows) {
			return y
		}
	}
	return nil
}

func (h *workspace) scoreBy(s *Scored) {
	defer func() {
		if v := recover(); v != nil {
			s.Score = algorithms.Score{Reason: algorithms.ReasonPanic}
			s.Err = fmt.Sprintf("%v\n%s", v, debug.Stack())
			// Features of the gold and of the trial may be incomplete.
			gold, text, selection, aligned := h.gold, h.trial.Text, h.trial.Selection, h.trial.Aligned
			h.gold, h.trial = algorithms.Gold{}, algorithms.Trial{}
			h.gold.Text, h.gold.Markdown, h.gold.HTML, h.gold.Page = gold.Text, gold.Markdown, gold.HTML, gold.Page
			h.gold.With, h.gold.Without, h.gold.Language = gold.With, gold.Without, gold.Language
			h.trial.Reset(&h.gold, text, selection, aligned)
		}
	}()
	s.Err = ""
	s.Score = s.Scorer.Score(&h.trial)
	for _, v := range [...]float64{s.Score.Precision, s.Score.Recall, s.Score.F1, s.Score.Value} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			s.Err = fmt.Sprintf("not a number in %+v", s.Score)
			s.Score = algorithms.Score{Reason: algorithms.ReasonInvalid}
			return
		}
	}
}
