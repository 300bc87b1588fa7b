package forms

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/internal/lcs"
	"github.com/winnow/winnow/algorithms/internal/tokens"
)

// Form turns a text into a sequence of numbered items.
type Form struct {
	gold    algorithms.GoldFeature[Gold]
	trial   algorithms.TrialFeature[Items]
	masks   algorithms.GoldFeature[lcs.Masks]
	overlap algorithms.TrialFeature[Overlap]
	common  algorithms.TrialFeature[common]

	// blanked is the form that has the items of this one and blanks between them, or
	// nil.
	blanked *Form

	// words is the form whose bags estimate how many items of this one are lost in
	// order, or nil.
	words *Form
}

// Gold is the gold side of a form.
type Gold struct {
	IDs      []int32
	Distinct int     // items 0 ≤ id < Distinct occur in the gold
	Counts   []int32 // number of each

	dict     tokens.Dict
	alphabet tokens.Alphabet
	spans    []tokens.Span
	source   []byte
	text     Text
	known    expansions // expansions of atoms
	lines    expansions
}

// Number returns the number of a word in a form of words. It is Distinct or more if the
// gold does not have the word.
func (g *Gold) Number(word []byte) int32 { return g.dict.ID(word) }

// Items is the extraction's side. Items that the gold lacks have numbers of Distinct or
// more where the form counts words, and -1 where it counts characters.
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
	f.masks = algorithms.GoldFeature[lcs.Masks]{Name: name + " masks", Compute: func(dst *lcs.Masks, g *algorithms.Gold) {
		gold := f.Gold(g)
		dst.Build(gold.IDs, gold.Distinct)
	}}
	f.overlap = algorithms.TrialFeature[Overlap]{Name: name + " overlap", Compute: func(dst *Overlap, t *algorithms.Trial) {
		dst.measure(f.Gold(t.Gold), f.Trial(t))
	}}
	f.common = algorithms.TrialFeature[common]{Name: name + " in common", Compute: func(dst *common, _ *algorithms.Trial) {
		*dst = common{}
	}}
	return f
}

// Reading says how texts become words. Applied to a text, Step and Cut must give what
// they give applied to its atoms (tokens.Atoms) one after the other.
type Reading struct {
	Step Step
	Cut  tokens.Tokeniser
	Gold func(g *algorithms.Gold) []byte // the text to be read; nil for the gold's as it is
	Line string                          // a word put before the first word of every line; none if empty

	// Whole, if it is true of a page's gold, makes both texts be read whole, as the
	// stage returns them, without Step and Line.
	Whole func(g *algorithms.Gold) bool
	Stage *Stage
}

// OfWords returns the form of the words that r finds.
func OfWords(name string, r Reading) *Form {
	f := newForm(name)
	expand := func(dst []int32, g *Gold, atom []byte) []int32 {
		atom = r.Step(&g.text, atom)
		g.spans = r.Cut(g.spans[:0], atom)
		return g.dict.AppendIDs(dst, atom, g.spans)
	}
	whole := func(g *algorithms.Gold) bool { return r.Whole != nil && r.Whole(g) }
	f.gold.Compute = func(dst *Gold, g *algorithms.Gold) {
		dst.dict.Reset()
		dst.known.reset()
		dst.lines.reset()
		dst.IDs = dst.IDs[:0]
		switch {
		case whole(g):
			text := r.Stage.Gold(g)
			dst.spans = r.Cut(dst.spans[:0], text)
			dst.IDs = dst.dict.AppendIDs(dst.IDs, text, dst.spans)
		case r.Gold != nil:
			dst.addAtoms(r.Gold(g), expand, r.Line)
		default:
			dst.source = append(dst.source[:0], g.Text...)
			dst.addAtoms(dst.source, expand, r.Line)
		}
		dst.count(dst.dict.Len())
	}
	f.trial.Compute = func(dst *Items, t *algorithms.Trial) {
		gold := f.Gold(t.Gold)
		if whole(t.Gold) {
			text := r.Stage.Trial(t)
			dst.spans = r.Cut(dst.spans[:0], text)
			dst.IDs = gold.dict.AppendIDs(dst.IDs[:0], text, dst.spans)
			return
		}
		line := int32(none)
		if r.Line != "" {
			line = gold.dict.ID([]byte(r.Line))
		}
		dst.IDs = gold.expand(dst.IDs[:0], t, expand, between{line: line, blank: none})
	}
	return f
}

// addAtoms appends the items of a gold text.
func (g *Gold) addAtoms(text []byte, expand expander, line string) {
	begins := false // a line, as far as its words are known
	tokens.EachAtom(text, func(atom []byte, first bool) {
		begins = begins || first
		before := len(g.IDs)
		if begins && line != "" {
			g.IDs = append(g.IDs, g.dict.ID([]byte(line)))
		}
		after := len(g.IDs)
		g.IDs = expand(g.IDs, g, atom)
		if len(g.IDs) == after {
			g.IDs = g.IDs[:before]
			return
		}
		begins = false
	})
}

// OfTexts returns the form of the words that cut finds in the texts of stage.
func OfTexts(name string, stage *Stage, cut tokens.Tokeniser) *Form {
	return OfWords(name, Reading{Cut: cut, Stage: stage, Whole: func(*algorithms.Gold) bool { return true }})
}

// Parted reports whether the words of an extraction are those of its atoms one after the
// other, and whether there is an empty word before and after them.
type Parted func(t *algorithms.Trial) (before, after, ok bool)

// OfPartedTexts is like OfTexts for texts that can mostly be read atom by atom, which
// costs less. step does for one atom what the stage does for a text. Empty words within
// are left out.
func OfPartedTexts(name string, stage *Stage, cut tokens.Tokeniser, parted Parted, step Step) *Form {
	f := OfTexts(name, stage, cut)
	expand := func(dst []int32, g *Gold, atom []byte) []int32 {
		atom = step(&g.text, atom)
		g.spans = slices.DeleteFunc(cut(g.spans[:0], atom), func(s tokens.Span) bool { return s.Start == s.End })
		return g.dict.AppendIDs(dst, atom, g.spans)
	}
	whole := f.trial.Compute
	f.trial.Compute = func(dst *Items, t *algorithms.Trial) {
		before, after, ok := parted(t)
		if !ok {
			whole(dst, t)
			return
		}
		gold := f.Gold(t.Gold)
		dst.IDs = dst.IDs[:0]
		if before {
			dst.IDs = append(dst.IDs, gold.dict.ID(nil))
		}
		dst.IDs = gold.expand(dst.IDs, t, expand, between{line: none, blank: none})
		if after {
			dst.IDs = append(dst.IDs, gold.dict.ID(nil))
		}
	}
	return f
}

// ofChars returns the form of the characters of the texts after D, N, Z.
func ofChars(name string, blanks tokens.Blanks) *Form {
	f := newForm(name)
	f.words = Words
	f.gold.Compute = func(dst *Gold, g *algorithms.Gold) {
		dst.alphabet.Reset()
		dst.known.reset()
		dst.lines.reset()
		dst.source = append(dst.source[:0], g.Text...)
		dst.IDs = dst.alphabet.Add(dst.IDs[:0], normal(&dst.text, dst.source), blanks)
		dst.count(dst.alphabet.Len())
	}
	find := func(dst []int32, g *Gold, atom []byte) []int32 {
		return g.alphabet.Find(dst, normal(&g.text, atom), blanks)
	}
	f.trial.Compute = func(dst *Items, t *algorithms.Trial) {
		gold := f.Gold(t.Gold)
		b := between{line: none, blank: none}
		if blanks == tokens.Fold {
			b.blank = gold.alphabet.ID(' ')
		}
		dst.IDs = gold.expand(dst.IDs[:0], t, find, b)
	}
	return f
}

func withoutBlanks(blanked, f *Form) *Form {
	f.blanked = blanked
	return f
}

// count fills the fields that follow from the IDs.
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

// The forms that scorers use.
var (
	// Words is Winnow's own way to count words: T-word after D, N, Z, in their case.
	Words = OfWords("words", Reading{Step: normal, Cut: tokens.Words})
	// Fields is what white space separates, after D, N, Z.
	Fields = OfWords("fields", Reading{Step: normal, Cut: tokens.Fields})
	// Chars is the characters after D, N, Z, W.
	Chars = ofChars("characters", tokens.Fold)
	// Letters is the characters that are not white space, after D, N, Z, X.
	Letters = withoutBlanks(Chars, ofChars("letters", tokens.Drop))
	// RawFields is what white space separates, in the text as it is.
	RawFields = OfWords("raw fields", Reading{Step: raw, Cut: tokens.Fields})
	// RawPython is Python's \w+, in the text as it is.
	RawPython = OfWords("raw python", Reading{Step: raw, Cut: tokens.Python})
	// LowerPython is Python's \w+, after L.
	LowerPython = OfWords("lower python", Reading{Step: lower, Cut: tokens.Python})
)
