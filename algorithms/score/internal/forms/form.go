package forms

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/score/internal/lcs"
	"github.com/winnow/winnow/algorithms/score/internal/tokens"
)

// Form is a way from a text to a sequence of numbered items.
type Form struct {
	gold    algorithms.Prepared[Gold]
	trial   algorithms.Measured[Items]
	masks   algorithms.Prepared[lcs.Masks]
	overlap algorithms.Measured[Overlap]
	common  algorithms.Measured[common]
}

// Gold is the gold side of a form.
type Gold struct {
	IDs      []int32
	Distinct int     // items 0 ≤ id < Distinct occur in the gold
	Counts   []int32 // of each

	dict     tokens.Dict
	alphabet tokens.Alphabet
	spans    []tokens.Span
}

// Number is the number of a word in a form of words: Distinct or more if the gold
// does not have it.
func (g *Gold) Number(word []byte) int32 { return g.dict.ID(word) }

// Items is the extraction's side. Items that the gold lacks have numbers of
// Distinct and more where the form counts words, -1 where it counts characters.
type Items struct {
	IDs   []int32
	spans []tokens.Span
}

// Gold returns the gold's items.
func (f *Form) Gold(g *algorithms.Gold) *Gold { return f.gold.Of(g) }

// Trial returns the extraction's items.
func (f *Form) Trial(t *algorithms.Trial) []int32 { return f.trial.Of(t).IDs }

// Masks returns the match masks of the gold's items.
func (f *Form) Masks(g *algorithms.Gold) *lcs.Masks { return f.masks.Of(g) }

// Overlap returns what extraction and gold have in common as bags.
func (f *Form) Overlap(t *algorithms.Trial) *Overlap { return f.overlap.Of(t) }

func newForm(name string) *Form {
	f := new(Form)
	f.gold.Name, f.trial.Name = name, name
	f.masks = algorithms.Prepared[lcs.Masks]{Name: name + " masks", Compute: func(dst *lcs.Masks, g *algorithms.Gold) {
		gold := f.Gold(g)
		dst.Build(gold.IDs, gold.Distinct)
	}}
	f.overlap = algorithms.Measured[Overlap]{Name: name + " overlap", Compute: func(dst *Overlap, t *algorithms.Trial) {
		dst.measure(f.Gold(t.Gold), f.Trial(t))
	}}
	f.common = algorithms.Measured[common]{Name: name + " in common", Compute: func(dst *common, _ *algorithms.Trial) {
		*dst = common{}
	}}
	return f
}

// OfWords is the form of the words that cut finds in the texts of stage.
func OfWords(name string, stage *Stage, cut tokens.Tokeniser) *Form {
	f := newForm(name)
	f.gold.Compute = func(dst *Gold, g *algorithms.Gold) {
		text := stage.Gold(g)
		dst.dict.Reset()
		dst.spans = cut(dst.spans[:0], text)
		dst.IDs = dst.dict.AppendIDs(dst.IDs[:0], text, dst.spans)
		dst.count(dst.dict.Len())
	}
	f.trial.Compute = func(dst *Items, t *algorithms.Trial) {
		text := stage.Trial(t)
		dst.spans = cut(dst.spans[:0], text)
		dst.IDs = f.Gold(t.Gold).dict.AppendIDs(dst.IDs[:0], text, dst.spans)
	}
	return f
}

// ofChars is the form of the characters of the texts of stage.
func ofChars(name string, stage *Stage, blanks tokens.Blanks) *Form {
	f := newForm(name)
	f.gold.Compute = func(dst *Gold, g *algorithms.Gold) {
		dst.alphabet.Reset()
		dst.IDs = dst.alphabet.Add(dst.IDs[:0], stage.Gold(g), blanks)
		dst.count(dst.alphabet.Len())
	}
	f.trial.Compute = func(dst *Items, t *algorithms.Trial) {
		dst.IDs = f.Gold(t.Gold).alphabet.Find(dst.IDs[:0], stage.Trial(t), blanks)
	}
	return f
}

// count fills what follows from the IDs.
func (g *Gold) count(distinct int) {
	g.Distinct = distinct
	if cap(g.Counts) < distinct {
		g.Counts = make([]int32, distinct)
	}
	g.Counts = g.Counts[:distinct]
	clear(g.Counts)
	for _, id := range g.IDs {
		g.Counts[id]++
	}
}

// The forms of the measures.
var (
	// Words is Winnow's own way to count words: T-word after D, N, Z, in their case.
	Words = OfWords("words", Normal, tokens.Words)
	// Fields is what white space separates, after D, N, Z.
	Fields = OfWords("fields", Normal, tokens.Fields)
	// Chars is the characters after D, N, Z, W.
	Chars = ofChars("characters", Normal, tokens.Fold)
	// Letters is the characters that are not white space, after D, N, Z, X.
	Letters = ofChars("letters", Normal, tokens.Drop)
	// RawFields is what white space separates, in the text as it is.
	RawFields = OfWords("raw fields", Raw, tokens.Fields)
	// RawPython is Python's \w+, in the text as it is.
	RawPython = OfWords("raw python", Raw, tokens.Python)
	// LowerPython is Python's \w+, after L.
	LowerPython = OfWords("lower python", Lower, tokens.Python)
)
