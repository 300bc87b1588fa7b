package forms

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/score/internal/tokens"
)

// text is a normalised text and the memory it lies in.
type text struct {
	bytes []byte
	copy  []byte // of a gold text, which is a string
	norm  tokens.Normaliser
}

// Stage is a normalisation of gold and extraction.
type Stage struct {
	gold  algorithms.Prepared[text]
	trial algorithms.Measured[text]
}

// Gold is the normalised gold text, valid until the gold's next Reset.
func (s *Stage) Gold(g *algorithms.Gold) []byte { return s.gold.Of(g).bytes }

// Trial is the normalised extraction, valid until the trial's next Reset.
func (s *Stage) Trial(t *algorithms.Trial) []byte { return s.trial.Of(t).bytes }

func newStage(name string, steps func(n *tokens.Normaliser, src []byte) []byte) *Stage {
	return &Stage{
		gold: algorithms.Prepared[text]{Name: name, Compute: func(dst *text, g *algorithms.Gold) {
			dst.copy = append(dst.copy[:0], g.Text...)
			dst.bytes = steps(&dst.norm, dst.copy)
		}},
		trial: algorithms.Measured[text]{Name: name, Compute: func(dst *text, t *algorithms.Trial) {
			dst.bytes = steps(&dst.norm, t.Text)
		}},
	}
}

// Normal is steps D, N, Z: the prefix of all measures whose source does not
// say how it reads text.
var Normal = newStage("normal", (*tokens.Normaliser).Normal)

// Raw is step D alone, for measures that reproduce a published program.
var Raw = newStage("raw", (*tokens.Normaliser).Decode)

// Lower is steps D and L.
var Lower = newStage("lower", func(n *tokens.Normaliser, src []byte) []byte { return n.Lower(n.Decode(src)) })
