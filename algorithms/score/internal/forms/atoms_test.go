package forms

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/internal/tokens"
)

// readings are the forms of words, with functions that apply the same steps to whole
// texts.
var readings = []struct {
	form *Form
	step Step
	cut  tokens.Tokeniser
}{
	{Words, normal, tokens.Words},
	{Fields, normal, tokens.Fields},
	{RawFields, raw, tokens.Fields},
	{RawPython, raw, tokens.Python},
	{LowerPython, lower, tokens.Python},
}

// checkAtoms compares the items made of atoms and of known lines with those of whole
// texts.
func checkAtoms(t *testing.T, g *algorithms.Gold, trial *algorithms.Trial, gold, text string) {
	t.Helper()
	g.Reset()
	g.Text = gold
	// The later texts have lines of the earlier ones, which are known then.
	for _, text := range []string{text, gold + "\n" + text, text + " \n\n" + gold + "\n" + text} {
		trial.Reset(g, []byte(text), nil, false)
		checkTrial(t, g, trial, gold, text)
	}
}

func checkTrial(t *testing.T, g *algorithms.Gold, trial *algorithms.Trial, gold, text string) {
	t.Helper()
	for _, r := range readings {
		var w Text
		whole := func(s string) (words []string) {
			b := r.step(&w, []byte(s))
			for _, s := range r.cut(nil, b) {
				words = append(words, string(b[s.Start:s.End]))
			}
			return words
		}
		words := func(ids []int32) (words []string) {
			for _, id := range ids {
				words = append(words, string(r.form.Gold(g).dict.Word(id)))
			}
			return words
		}
		if got, want := words(r.form.Gold(g).IDs), whole(gold); !slices.Equal(got, want) {
			t.Fatalf("%s of gold %q: %q, want %q", r.form.gold.Name, gold, got, want)
		}
		if got, want := words(r.form.Trial(trial)), whole(text); !slices.Equal(got, want) {
			t.Fatalf("%s of %q: %q, want %q", r.form.gold.Name, text, got, want)
		}
	}
	for form, blanks := range map[*Form]tokens.Blanks{Chars: tokens.Fold, Letters: tokens.Drop} {
		var w Text
		want := form.Gold(g).alphabet.Find(nil, normal(&w, []byte(text)), blanks)
		if got := form.Trial(trial); !slices.Equal(got, want) {
			t.Fatalf("%s of %q against %q: %v, want %v", form.gold.Name, text, gold, got, want)
		}
	}
}

// parts are pieces of texts. In some combinations, characters interact across the
// boundary of two pieces.
var parts = []string{" ", " ", "\n", "\t", "\u00a0", "\u2003", "\u200b", "\ufeff", "\u00ad", "\x1c", "\x01", "\x85",
	"a", "Beta", "é", "e\u0301", "\u0301", "\u0345", "Σ", "ΑΣ", "σ", "İ", "'", ".", "_", "東京", "हिन्दी", "ก็", "\u1100", "\u1161", "\u11a8",
	"\xc3", "\xe2\x80", "\xf0\x9f\x98", "\xff", "😀", "<p>", strings.Repeat("long", 20)}

func TestAtomsAreTheText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var g algorithms.Gold
	var trial algorithms.Trial
	text := func() string {
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		return b.String()
	}
	for range 5000 {
		checkAtoms(t, &g, &trial, text(), text())
	}
	// There are more marks in a row than form C keeps together.
	checkAtoms(t, &g, &trial, "a \u0301"+strings.Repeat("\u0302\u0323", 40), "b "+strings.Repeat("\u0301\u0316", 40)+" a")
}

func FuzzAtoms(f *testing.F) {
	f.Add("Alpha beta gamma. Alpha delta!", "Home Alpha beta beta gamma.")
	f.Add("Σ Σ\u0301 e\u0301", "\u0301 \xe2\x80 \u200b\u00a0x")
	var g algorithms.Gold
	var trial algorithms.Trial
	f.Fuzz(func(t *testing.T, gold, text string) {
		if len(gold)+len(text) > 4000 {
			t.Skip("every reading cuts each text several times: longer ones slow the fuzzing down")
		}
		checkAtoms(t, &g, &trial, gold, text)
	})
}
