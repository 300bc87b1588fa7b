package cleaneval

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
	"github.com/winnow/winnow/algorithms/score/internal/lcs"
	"github.com/winnow/winnow/algorithms/score/internal/tokens"
)

// TO, TM and Final are the official scorer's numbers.
var (
	TO = forms.Bounded(scorer("cleaneval-to", "official score of text alone, 0 to 100", algorithms.Superlinear, algorithms.MeanValue),
		func(t *algorithms.Trial, cells int) algorithms.Score { return textOnly(t, cells) })
	TM    = official("cleaneval-tm", "official score of text and markup, 0 to 100", textAndMarkup)
	Final = official("cleaneval", "official final score: mean of text alone and text and markup, 0 to 100", final)
)

func official(name, doc string, score func(*algorithms.Trial) algorithms.Score) *algorithms.Scorer {
	s := scorer(name, doc, algorithms.Superlinear, algorithms.MeanValue)
	s.Score = onceUnmarked(score)
	return &s
}

// onceUnmarked is forms.Once for golds without marks: with marks an extraction
// is more than its text.
func onceUnmarked(score func(*algorithms.Trial) algorithms.Score) func(*algorithms.Trial) algorithms.Score {
	once := forms.Once(score)
	return func(t *algorithms.Trial) algorithms.Score {
		if goldText.Of(t.Gold).marked {
			return score(t)
		}
		return once(t)
	}
}

// empty stands for a token of nothing but the characters that are dropped. No
// other token holds a full stop.
const empty = '.'

// appendTokens appends the official tokens of text to dst, blanks between them:
// without the dropped characters and, unless marked, without tags.
func appendTokens(dst, text []byte, marked bool) []byte {
	start, open := len(dst), false // of the present token
	end := func() {
		if open {
			if len(dst) == start {
				dst = append(dst, empty)
			}
			dst = append(dst, ' ')
		}
		start, open = len(dst), false
	}
	for i := 0; i < len(text); {
		n := 1
		switch c := text[i]; {
		case tagAt(text[i:]):
			end()
			if marked {
				dst = append(dst, text[i:i+tagLength]...)
				open = true
				end()
			}
			n = tagLength
		case c == ',' || c == ';' || c == ':' || c == '.' || c == '?' || c == '!':
			open = true
		default:
			var blank bool
			if n, blank = tokens.SpaceAt(text, i); blank {
				end()
				break
			}
			dst = append(dst, text[i:i+n]...)
			open = true
		}
		i += n
	}
	end()
	return dst
}

// plain is the official tokens without tags.
var plain = forms.OfWords("CleanEval tokens", forms.NewStage("CleanEval text",
	func(dst *forms.Text, g *algorithms.Gold) { fill(dst, goldText.Of(g).text, false) },
	func(dst *forms.Text, t *algorithms.Trial) { fill(dst, t.Text, false) },
), tokens.Fields)

// marked is the official tokens with tags; without marks in the gold every line
// is a <p>.
var marked = forms.OfWords("CleanEval tokens and tags", forms.NewStage("CleanEval text and tags",
	func(dst *forms.Text, g *algorithms.Gold) {
		if gold := goldText.Of(g); gold.marked {
			fill(dst, gold.text, true)
		} else {
			dst.Out = appendLines(dst.Out[:0], gold.text)
			fill(dst, dst.Out, true)
		}
	},
	func(dst *forms.Text, t *algorithms.Trial) {
		if goldText.Of(t.Gold).marked {
			fill(dst, *submission.Of(t), true)
		} else {
			dst.Out = appendLines(dst.Out[:0], t.Text)
			fill(dst, dst.Out, true)
		}
	},
), tokens.Fields)

func fill(dst *forms.Text, text []byte, marked bool) {
	dst.Copy = appendTokens(dst.Copy[:0], dst.Norm.Decode(text), marked)
	dst.Bytes = dst.Norm.Lower(dst.Copy)
}

// similarity is 100·L/(|E|+|G|-L): the official score of an alignment.
func similarity(common, extracted, gold int64) float64 {
	if extracted+gold == 0 {
		return 100
	}
	return 100 * float64(common) / float64(extracted+gold-common)
}

func textOnly(t *algorithms.Trial, cells int) algorithms.Score {
	s := plain.Subsequence(t, cells)
	if s.Reason == algorithms.NoReason {
		s.Value = similarity(s.Common, s.Extracted, s.Gold)
	}
	return s
}

func textAndMarkup(t *algorithms.Trial) algorithms.Score { return *tm.Of(t) }

// tm is shared by the two scores that need the alignment.
var tm = &algorithms.Measured[algorithms.Score]{Name: "CleanEval text and markup", Compute: func(dst *algorithms.Score, t *algorithms.Trial) {
	*dst = algorithms.TrialScratch[aligner](t).score(t)
}}

func final(t *algorithms.Trial) algorithms.Score {
	to, tm := textOnly(t, lcs.DefaultCells), textAndMarkup(t)
	if to.Reason != algorithms.NoReason {
		return to
	}
	if tm.Reason != algorithms.NoReason {
		return tm
	}
	return algorithms.Score{Value: (to.Value + tm.Value) / 2, Method: tm.Method}
}
