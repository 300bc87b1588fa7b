package snippet

import (
	"bytes"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/internal/tokens"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
)

// Snippet is the measure of the evaluation.
var Snippet = &algorithms.Scorer{
	Description: algorithms.Description{
		Name:   "snippet",
		Family: "snippet",
		Doc:    "a few pieces of text per page that must or must not appear, counted over the package",
		Cite: algorithms.Cite{
			Authors: "Barbaresi",
			Title:   "Trafilatura: A Web Scraping Library and Command-Line Tool for Text Discovery and Extraction",
			Venue:   "ACL-IJCNLP, System Demonstrations",
			Year:    2021,
			URL:     "https://doi.org/10.18653/v1/2021.acl-demo.15",
		},
		Fidelity: algorithms.Exact,
		Cost:     algorithms.Linear,
	},
	Mean:     algorithms.MicroF1,
	Snippets: true,
	Score:    forms.Once(score),
}

// Scorers lists the scorers of this package.
var Scorers = []*algorithms.Scorer{Snippet}

// chunks holds the chunks of a gold with white space folded.
type chunks struct {
	with, without [][]byte
	sound         bool
}

var goldChunks = &algorithms.GoldFeature[chunks]{Name: "chunks", Compute: func(dst *chunks, g *algorithms.Gold) {
	dst.with, dst.without = fold(dst.with[:0], g.With), fold(dst.without[:0], g.Without)
	dst.sound = dst.check()
}}

// fold makes a dozen small copies a page, too few to need a buffer.
func fold(dst [][]byte, texts []string) [][]byte {
	for _, s := range texts {
		dst = append(dst, tokens.AppendFolded(nil, []byte(s)))
	}
	return dst
}

// check reports whether no chunk occurs twice and none that is unwanted is part
// of one that is wanted.
func (c *chunks) check() bool {
	seen := make(map[string]bool, len(c.with)+len(c.without))
	for _, list := range [][][]byte{c.with, c.without} {
		for _, s := range list {
			if seen[string(s)] {
				return false
			}
			seen[string(s)] = true
		}
	}
	for _, no := range c.without {
		for _, yes := range c.with {
			if bytes.Contains(yes, no) {
				return false
			}
		}
	}
	return true
}

var folded = &algorithms.TrialFeature[[]byte]{Name: "folded", Compute: func(dst *[]byte, t *algorithms.Trial) {
	*dst = tokens.AppendFolded((*dst)[:0], forms.Raw.Trial(t))
}}

func score(t *algorithms.Trial) algorithms.Score {
	if len(t.Gold.With)+len(t.Gold.Without) == 0 {
		return algorithms.Score{Reason: algorithms.ReasonNoGold}
	}
	c := goldChunks.Of(t.Gold)
	if !c.sound {
		return algorithms.Score{Reason: algorithms.ReasonNotDefined}
	}
	text := *folded.Of(t)
	tp, fp := found(text, c.with), found(text, c.without)
	fn, tn := int64(len(c.with))-tp, int64(len(c.without))-fp
	return algorithms.Score{
		Common: tp, Extracted: tp + fp, Gold: tp + fn, Universe: tp + fp + fn + tn,
		Precision:  ratio(tp, tp+fp),
		Recall:     ratio(tp, tp+fn),
		F1:         ratio(2*tp, 2*tp+fp+fn),
		Value:      ratio(tp+tn, tp+fp+fn+tn),
		PUndefined: tp+fp == 0,
		RUndefined: tp+fn == 0,
	}
}

func found(text []byte, chunks [][]byte) int64 {
	n := int64(0)
	for _, s := range chunks {
		if forms.Contains(text, s) {
			n++
		}
	}
	return n
}

func ratio(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
