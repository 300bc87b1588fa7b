package cleaneval

import (
	"bytes"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/internal/lcs"
	"github.com/winnow/winnow/algorithms/internal/tokens"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
	"github.com/winnow/winnow/algorithms/setting"
)

// defaultSteps is the default bound on steps. That many take one or two seconds for
// texts of 2 MB. No page of the gold packages needs more than a sixteenth of them.
const defaultSteps = 1 << 26

// Evert, EvertTags and LCS are the measures over the tokens of Evert's program.
var (
	Evert     = newEvert(EvertParams{Steps: defaultSteps})
	EvertTags = newEvertTags(EvertParams{Steps: defaultSteps})
	LCS       = forms.Bounded(scorer("cleaneval-lcs", "Evert's tokens in order: F1 of their longest common subsequence", algorithms.Superlinear, algorithms.MacroF1),
		func(t *algorithms.Trial, cells int) algorithms.Score { return evert.Subsequence(t, cells) })
)

// EvertParams are the settings of Evert's measures.
type EvertParams struct {
	// Steps bounds the comparisons of one alignment, which can grow with the
	// third power of the length.
	Steps int
}

func (p *EvertParams) settings() []setting.Setting {
	return []setting.Setting{
		setting.Int("steps", &p.Steps, 1, 1<<50, "comparisons of one alignment beyond which there is no score"),
	}
}

func newEvert(p EvertParams) *algorithms.Scorer {
	s := scorer("cleaneval-evert", "tokens and tags, compared by the matching blocks of Python's difflib as in Evert's program", algorithms.Superlinear, algorithms.MacroF1)
	s.Score = onceUnmarked(func(t *algorithms.Trial) algorithms.Score {
		m := matched.Of(t)
		if !m.match(t, p.Steps) {
			return algorithms.Score{Method: string(lcs.Skipped), Reason: algorithms.ReasonTooLong}
		}
		return algorithms.FromCounts(int64(m.common), int64(len(evert.Trial(t))), int64(len(evert.Gold(t.Gold).IDs)))
	})
	return setting.TuneScorer(&s, p, (*EvertParams).settings, newEvert)
}

func newEvertTags(p EvertParams) *algorithms.Scorer {
	s := scorer("cleaneval-evert-tags", "segmentation score of Evert's program, counted over tags", algorithms.Superlinear, algorithms.MacroF1)
	s.Score = func(t *algorithms.Trial) algorithms.Score {
		if !goldText.Of(t.Gold).marked {
			return algorithms.Score{Reason: algorithms.ReasonNotDefined}
		}
		m := matched.Of(t)
		if !m.match(t, p.Steps) {
			return algorithms.Score{Method: string(lcs.Skipped), Reason: algorithms.ReasonTooLong}
		}
		return algorithms.FromCounts(int64(m.commonTags), int64(m.tags), int64(m.goldTags))
	}
	return setting.TuneScorer(&s, p, (*EvertParams).settings, newEvertTags)
}

// evert is the tokens of Evert's program: with tags if the gold has any.
var evert = forms.OfPartedTexts("Evert's tokens", forms.NewStage("Evert's text",
	func(dst *forms.Text, g *algorithms.Gold) {
		dst.Copy = append(dst.Copy[:0], g.Text...)
		dst.Out = appendEvert(dst.Out[:0], dst.Norm.Decode(dst.Copy))
		dst.Bytes = dst.Out
	},
	func(dst *forms.Text, t *algorithms.Trial) {
		text := t.Text
		if goldText.Of(t.Gold).marked {
			text = *submission.Of(t)
		}
		dst.Out = appendEvert(dst.Out[:0], dst.Norm.Decode(text))
		dst.Bytes = dst.Out
	},
), cutAtBlanks, partedEvert, func(w *forms.Text, atom []byte) []byte {
	w.Out = appendEvert(w.Out[:0], w.Norm.Decode(atom))
	return w.Out
})

// partedEvert reports whether an extraction can be read atom by atom. It cannot if
// its form contains more than its text, or if a line may be left out because of its
// beginning. before and after are true if a blank or a tag at that end has an empty
// token beside it.
func partedEvert(t *algorithms.Trial) (before, after, ok bool) {
	text := t.Text
	if len(text) == 0 || goldText.Of(t.Gold).marked || bytes.Contains(text, []byte("URL")) {
		return false, false, false
	}
	before = text[0] <= ' ' || tagAt(text)
	after = text[len(text)-1] <= ' ' || len(text) >= tagLength && tagAt(text[len(text)-tagLength:])
	return before, after, true
}

// appendEvert appends text to dst as the program normalises it: lines that begin
// with URL are left out, runs of control characters and ASCII white space are
// one blank, and a tag has a blank on either side.
func appendEvert(dst, text []byte) []byte {
	start := len(dst)
	blank := func() {
		if len(dst) == start || dst[len(dst)-1] != ' ' {
			dst = append(dst, ' ')
		}
	}
	for i := 0; i < len(text); {
		if i == 0 || text[i-1] == '\n' {
			line := text[i:]
			if n := bytes.IndexByte(line, '\n'); n >= 0 {
				line = line[:n]
			}
			if bytes.HasPrefix(bytes.TrimLeft(line, " \t\r\f\v"), []byte("URL")) {
				i += len(line)
				continue
			}
		}
		switch {
		case text[i] <= ' ':
			blank()
			i++
		case tagAt(text[i:]):
			blank()
			dst = append(dst, text[i:i+tagLength]...)
			blank()
			i += tagLength
		default:
			dst = append(dst, text[i])
			i++
		}
	}
	return dst
}

// cutAtBlanks cuts text at every blank, so that a text with a blank at an end
// has an empty token there, and the empty text is one empty token.
func cutAtBlanks(dst []tokens.Span, text []byte) []tokens.Span {
	start := 0
	for i, c := range text {
		if c == ' ' {
			dst = append(dst, tokens.Span{Start: int32(start), End: int32(i)})
			start = i + 1
		}
	}
	return append(dst, tokens.Span{Start: int32(start), End: int32(len(text))})
}
