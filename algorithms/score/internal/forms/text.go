package forms

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/internal/tokens"
)

// Text is a normalised text together with the memory that it was made in.
type Text struct {
	Bytes     []byte // the text; it may lie in Copy, Out or Norm, or in what it was made from
	Copy, Out []byte
	Norm      tokens.Normaliser
}

// Stage is a normalisation of gold and extraction.
type Stage struct {
	gold  algorithms.GoldFeature[Text]
	trial algorithms.TrialFeature[Text]
}

// NewStage returns the stage that sets the Bytes of a gold's text and of a trial's.
func NewStage(name string, gold func(dst *Text, g *algorithms.Gold), trial func(dst *Text, t *algorithms.Trial)) *Stage {
	return &Stage{
		gold:  algorithms.GoldFeature[Text]{Name: name, Compute: gold},
		trial: algorithms.TrialFeature[Text]{Name: name, Compute: trial},
	}
}

// Gold is the normalised gold text, valid until the gold's next Reset.
func (s *Stage) Gold(g *algorithms.Gold) []byte { return s.gold.Of(g).Bytes }

// Trial is the normalised extraction, valid until the trial's next Reset.
func (s *Stage) Trial(t *algorithms.Trial) []byte { return s.trial.Of(t).Bytes }

// A Step normalises a text in the memory of w. Its result is valid until the next step
// in the same memory.
type Step = func(w *Text, src []byte) []byte

// steps returns the stage that applies the same step on both sides.
func steps(name string, do Step) *Stage {
	return NewStage(name,
		func(dst *Text, g *algorithms.Gold) {
			dst.Copy = append(dst.Copy[:0], g.Text...)
			dst.Bytes = do(dst, dst.Copy)
		},
		func(dst *Text, t *algorithms.Trial) { dst.Bytes = do(dst, t.Text) })
}

// Normalisations of whole texts.
var (
	// Raw is step D alone, for scorers that reproduce a published program.
	Raw = steps("raw", raw)
	// Lower is steps D and L.
	Lower = steps("lower", lower)
)

// normal applies steps D, N and Z, which all scorers begin with whose source does not
// say how it reads text.
func normal(w *Text, src []byte) []byte { return w.Norm.Normal(src) }

func raw(w *Text, src []byte) []byte { return w.Norm.Decode(src) }

func lower(w *Text, src []byte) []byte { return w.Norm.Lower(w.Norm.Decode(src)) }
