package cleaneval

import (
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/internal/lcs"
	"github.com/winnow/winnow/algorithms/internal/tokens"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
	"github.com/winnow/winnow/algorithms/setting"
)

// TO, TM and Final are the scores of the official program.
var (
	TO    = newTO(Default)
	TM    = newTM(Default)
	Final = newFinal(Default)
)

// Params are the settings of the official scores.
type Params struct {
	Tokens string // ByLanguage, Words or Pairs
	Cells  int    // see forms.Bound; of text alone
}

// The values of Params.Tokens, which say what a token is.
const (
	ByLanguage = "language" // Pairs if the gold is declared to be Chinese, else Words
	Words      = "words"    // what white space separates
	Pairs      = "pairs"    // two characters
)

// Default has the settings with which the competition was scored.
var Default = Params{Tokens: ByLanguage, Cells: lcs.DefaultCells}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Choice("tokens", &p.Tokens, "what white space separates, or pairs of characters, as for Chinese; by the language of the gold", ByLanguage, Words, Pairs),
	}
}

func (p *Params) allSettings() []setting.Setting {
	return append(p.settings(), setting.Int("cells", &p.Cells, 1, 1<<50,
		"items of the gold times items of the extraction up to which the comparison is exact"))
}

func newTO(p Params) *algorithms.Scorer {
	s := scorer("cleaneval-to", "official score of text alone, 0 to 100", algorithms.Superlinear, algorithms.MeanValue)
	s.Score = forms.Once(func(t *algorithms.Trial) algorithms.Score { return p.reading(t.Gold).textOnly(t, p.Cells) })
	return setting.TuneScorer(&s, p, (*Params).allSettings, newTO)
}

func newTM(p Params) *algorithms.Scorer {
	s := scorer("cleaneval-tm", "official score of text and markup, 0 to 100", algorithms.Superlinear, algorithms.MeanValue)
	s.Score = onceUnmarked(func(t *algorithms.Trial) algorithms.Score { return *p.reading(t.Gold).tm.Of(t) })
	return setting.TuneScorer(&s, p, (*Params).settings, newTM)
}

func newFinal(p Params) *algorithms.Scorer {
	s := scorer("cleaneval", "official final score: mean of the score of text alone and that of text and markup, 0 to 100", algorithms.Superlinear, algorithms.MeanValue)
	s.Score = onceUnmarked(func(t *algorithms.Trial) algorithms.Score { return p.reading(t.Gold).final(t, p.Cells) })
	return setting.TuneScorer(&s, p, (*Params).settings, newFinal)
}

// reading returns the reading for the texts of a page.
func (p *Params) reading(g *algorithms.Gold) *reading {
	if p.Tokens == Pairs || p.Tokens == ByLanguage && isChinese(g.Language) {
		return inPairs
	}
	return inWords
}

// isChinese reports whether a language tag is that of Chinese.
func isChinese(language string) bool {
	primary, _, _ := strings.Cut(strings.ReplaceAll(language, "_", "-"), "-")
	return strings.EqualFold(primary, "zh")
}

// onceUnmarked applies forms.Once to golds without marks only, because with marks an
// extraction is more than its text.
func onceUnmarked(score func(*algorithms.Trial) algorithms.Score) func(*algorithms.Trial) algorithms.Score {
	once := forms.Once(score)
	return func(t *algorithms.Trial) algorithms.Score {
		if goldText.Of(t.Gold).marked {
			return score(t)
		}
		return once(t)
	}
}

// empty represents a token that consists only of dropped characters. No other token
// contains a full stop.
const empty = '.'

// isDropped reports whether c is dropped from tokens.
func isDropped(c byte) bool {
	return c == ',' || c == ';' || c == ':' || c == '.' || c == '?' || c == '!'
}

// appendTokens appends the official tokens of text to dst, blanks between them:
// without the dropped characters and, unless marked, without tags.
func appendTokens(dst, text []byte, marked bool) []byte {
	start, open := len(dst), false // where the current token begins, and whether there is one
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
		case isDropped(c):
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

// reading is a way to divide texts into tokens, with what is computed from the tokens.
type reading struct {
	plain  *forms.Form // without tags
	marked *forms.Form // with tags; without marks in the gold every line is a <p>
	tm     *algorithms.TrialFeature[algorithms.Score]
}

var (
	inWords = newReading(
		forms.OfWords("CleanEval tokens", forms.Reading{
			Step: func(w *forms.Text, src []byte) []byte { return official(w, src, false) },
			Cut:  tokens.Fields,
			Gold: func(g *algorithms.Gold) []byte { return goldText.Of(g).text },
		}),
		forms.OfWords("CleanEval tokens and tags", forms.Reading{
			Step:  func(w *forms.Text, src []byte) []byte { return official(w, src, true) },
			Cut:   tokens.Fields,
			Gold:  func(g *algorithms.Gold) []byte { return goldText.Of(g).text },
			Line:  "<p>",
			Whole: func(g *algorithms.Gold) bool { return goldText.Of(g).marked },
			Stage: forms.NewStage("CleanEval text and tags",
				func(dst *forms.Text, g *algorithms.Gold) { dst.Bytes = official(dst, goldText.Of(g).text, true) },
				func(dst *forms.Text, t *algorithms.Trial) { dst.Bytes = official(dst, *submission.Of(t), true) },
			),
		}))
	inPairs = newReading(
		forms.OfWords("CleanEval pairs", forms.Reading{
			Cut: tokens.Fields, Whole: always,
			Stage: forms.NewStage("CleanEval text in pairs",
				func(dst *forms.Text, g *algorithms.Gold) { dst.Bytes = pairs(dst, goldText.Of(g).text, false) },
				func(dst *forms.Text, t *algorithms.Trial) { dst.Bytes = pairs(dst, t.Text, false) },
			),
		}),
		forms.OfWords("CleanEval pairs and tags", forms.Reading{
			Cut: tokens.Fields, Whole: always,
			Stage: forms.NewStage("CleanEval text in pairs and tags",
				func(dst *forms.Text, g *algorithms.Gold) {
					text := goldText.Of(g).text
					if !goldText.Of(g).marked {
						dst.Out = appendLines(dst.Out[:0], text)
						text = dst.Out
					}
					dst.Bytes = pairs(dst, text, true)
				},
				func(dst *forms.Text, t *algorithms.Trial) {
					text := *submission.Of(t)
					if !goldText.Of(t.Gold).marked {
						dst.Out = appendLines(dst.Out[:0], t.Text)
						text = dst.Out
					}
					dst.Bytes = pairs(dst, text, true)
				},
			),
		}))
)

func always(*algorithms.Gold) bool { return true }

func newReading(plain, marked *forms.Form) *reading {
	return &reading{plain, marked, &algorithms.TrialFeature[algorithms.Score]{
		// The two scores that need the alignment share it.
		Name: "CleanEval text and markup", Compute: func(dst *algorithms.Score, t *algorithms.Trial) {
			*dst = algorithms.TrialScratch[aligner](t).score(t, plain, marked)
		},
	}}
}

// official returns src as the official scorer reads it.
func official(w *forms.Text, src []byte, marked bool) []byte {
	w.Copy = appendTokens(w.Copy[:0], w.Norm.Decode(src), marked)
	return w.Norm.Lower(w.Copy)
}

// similarity returns 100·L/(|E|+|G|-L), the official score of an alignment.
func similarity(common, extracted, gold int64) float64 {
	if extracted+gold == 0 {
		return 100
	}
	return 100 * float64(common) / float64(extracted+gold-common)
}

func (r *reading) textOnly(t *algorithms.Trial, cells int) algorithms.Score {
	s := r.plain.Subsequence(t, cells)
	if s.Reason == algorithms.NoReason {
		s.Value = similarity(s.Common, s.Extracted, s.Gold)
	}
	return s
}

func (r *reading) final(t *algorithms.Trial, cells int) algorithms.Score {
	to, tm := r.textOnly(t, cells), *r.tm.Of(t)
	if to.Reason != algorithms.NoReason {
		return to
	}
	if tm.Reason != algorithms.NoReason {
		return tm
	}
	return algorithms.Score{Value: (to.Value + tm.Value) / 2, Method: tm.Method}
}
