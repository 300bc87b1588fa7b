package forms

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/internal/lcs"
)

// TestSubsequenceOfFormsThatAreAlike checks that a form finds the same by itself as
// with the result of another form, and that forms that read texts differently share no
// results.
func TestSubsequenceOfFormsThatAreAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	words := []string{"the", "The", "gra\u00adin", "grain", "chaff,", "chaff", "e\u0301", "é", "of\u00a0wind"}
	text := func(n int) string {
		var b strings.Builder
		for range r.IntN(n) {
			b.WriteString(words[r.IntN(len(words))] + " ")
		}
		return b.String()
	}
	var g, single algorithms.Gold
	var trial, alone algorithms.Trial
	all := []*Form{Words, Fields, RawFields, RawPython, LowerPython, Chars, Letters}
	taken := 0
	for range 500 {
		g.Reset()
		g.Text = text(5)
		for range 3 { // extractions that share numbers
			trial.Reset(&g, []byte(text(6)), nil, false)
			for _, f := range all {
				if f.Trial(&trial); f.equalForm(&trial, lcs.DefaultCells) != nil {
					taken++
				}
				got := f.Subsequence(&trial, lcs.DefaultCells)
				single.Reset()
				single.Text = g.Text
				alone.Reset(&single, trial.Text, nil, false)
				if want := f.Subsequence(&alone, lcs.DefaultCells); got != want {
					t.Fatalf("%s of %q and %q: %+v beside other forms, %+v alone", f.gold.Name, g.Text, trial.Text, got, want)
				}
			}
		}
	}
	if taken == 0 {
		t.Error("no form took over what another had found")
	}
}

// TestLettersBesideCharacters checks that the result for letters does not depend on
// whether characters were compared before.
func TestLettersBesideCharacters(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	text := func(n int) string {
		var b strings.Builder
		for b.Len() < n {
			b.WriteString([]string{"a", "b", "ab", "c ", " ", "\n", "d\u00a0"}[r.IntN(7)])
		}
		return b.String()
	}
	var trial, alone algorithms.Trial
	helped := 0
	for range 100 {
		var g, single algorithms.Gold
		g.Text = text(2000)
		single.Text = g.Text
		words := strings.SplitAfter(g.Text, " ")
		for k := range words {
			if r.IntN(10) == 0 {
				words[k] = text(r.IntN(40))
			}
		}
		found := []byte(strings.Join(words[r.IntN(len(words)/2):], "") + text(r.IntN(500)))
		trial.Reset(&g, found, nil, false)
		Chars.Subsequence(&trial, lcs.DefaultCells)
		if Letters.atLeast(&trial, lcs.DefaultCells) > 0 {
			helped++
		}
		got := Letters.Subsequence(&trial, lcs.DefaultCells)
		alone.Reset(&single, found, nil, false)
		if want := Letters.Subsequence(&alone, lcs.DefaultCells); got != want {
			t.Fatalf("%q and %q: %+v beside characters, %+v alone", g.Text, found, got, want)
		}
	}
	if helped == 0 {
		t.Error("characters never helped")
	}
}
