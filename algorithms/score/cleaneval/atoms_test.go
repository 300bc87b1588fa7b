package cleaneval

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
)

// The official tokens of a text are made of its atoms; they must be those of the
// whole text, with a <p> before each line.
func TestOfficialTokensOfAtoms(t *testing.T) {
	parts := []string{" ", "\n", "\n", "\t", "\u00a0", "\u2003", "<p>", "<H>", "<l", ">", "a", "Beta", "Σ", ".", "?!", ",x", "\u200b", "\xff", strings.Repeat("long", 20)}
	r := rand.New(rand.NewPCG(1, 2))
	var g algorithms.Gold
	var trial algorithms.Trial
	for range 3000 {
		var b strings.Builder
		for range r.IntN(25) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		text := []byte(b.String())
		g.Reset()
		g.Text = "some gold\nwithout marks"
		trial.Reset(&g, text, nil, false)
		var w forms.Text
		check := func(form *forms.Form, whole []byte) {
			t.Helper()
			var want []int32
			for _, word := range strings.Fields(string(whole)) {
				want = append(want, form.Gold(&g).Number([]byte(word)))
			}
			if got := form.Trial(&trial); !slices.Equal(got, want) {
				t.Fatalf("%q: %v, want %v (%q)", text, got, want, whole)
			}
		}
		check(inWords.plain, official(&w, text, false))
		check(inWords.marked, official(&w, appendLines(nil, text), true))
	}
}

// Evert's tokens of a text are made of its atoms, too, or of all of it where a line is
// left out; the blanks at its ends have empty tokens beside them.
func TestEvertTokensOfAtoms(t *testing.T) {
	parts := []string{" ", "\n", "\n", "\t", "\x01", "\u00a0", "\u2003", "<p>", "<H>", "<l", ">", "a", "Beta", "URL", "\nURL x\n", "\nb\n", "\xff", strings.Repeat("long", 200)}
	r := rand.New(rand.NewPCG(3, 4))
	var g algorithms.Gold
	var trial algorithms.Trial
	for i := range 6000 {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		text := []byte(b.String())
		if i%3 > 0 {
			g.Reset() // else one more extraction of the same page
			g.Text = "some gold a Beta " + strings.ReplaceAll(b.String(), "<", "")
		}
		trial.Reset(&g, text, nil, false)
		var w forms.Text
		var want []int32
		for word := range strings.SplitSeq(string(appendEvert(nil, w.Norm.Decode(text))), " ") {
			want = append(want, evert.Gold(&g).Number([]byte(word)))
		}
		if got := evert.Trial(&trial); !slices.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
	}
}
