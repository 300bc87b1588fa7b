package shingle

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
)

func TestWorkedExamples(t *testing.T) {
	f := func(gold, text string, want algorithms.Score) {
		t.Helper()
		if got := algotest.Score(t, Shingle4, gold, text); got != want {
			t.Errorf("%q against %q:\n got  %+v\n want %+v", text, gold, got, want)
		}
	}
	f("Alpha beta gamma. Alpha delta!", "Home Alpha beta beta gamma.", algorithms.Score{Extracted: 2, Gold: 2})
	f("x a b c d e", "a b c d e f", algorithms.Score{Common: 2, Extracted: 3, Gold: 3, Precision: 2. / 3, Recall: 2. / 3, F1: 2. / 3})
	f("", "", algorithms.Score{Precision: 1, Recall: 1, F1: 1, PUndefined: true, RUndefined: true, Value: 1})
	f("...", "a", algorithms.Score{Extracted: 1, RUndefined: true})
	f("a b", "!", algorithms.Score{Gold: 1, PUndefined: true})
	f("a b", "a, b.", algorithms.Score{Common: 1, Extracted: 1, Gold: 1, Precision: 1, Recall: 1, F1: 1, Value: 1})
	f("a b c", "a b", algorithms.Score{Extracted: 1, Gold: 1})
	f("a b c d", "A b c d", algorithms.Score{Extracted: 1, Gold: 1}) // case counts
	f("a a a a a a", "a a a a a", algorithms.Score{Common: 2, Extracted: 2, Gold: 3, Precision: 1, Recall: 2. / 3, F1: 0.8})
}

// TestBag compares with counting in a map of strings, on one gold for many
// extractions.
func TestBag(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	count := func(words []string) map[string]int {
		bag := map[string]int{}
		for i := range max(1, len(words)-3) {
			if s := strings.Join(words[i:min(i+4, len(words))], " "); s != "" {
				bag[s]++
			}
		}
		return bag
	}
	words := func() []string {
		out := make([]string, r.IntN(40))
		for i := range out {
			out[i] = fmt.Sprint("w", r.IntN(3))
		}
		return out
	}
	for range 100 {
		gold := words()
		var g algorithms.Gold
		g.Reset()
		g.Text = strings.Join(gold, " ")
		var trial algorithms.Trial
		for range 10 {
			text := words()
			want := 0
			have := count(gold)
			for s, n := range count(text) {
				want += min(n, have[s])
			}
			trial.Reset(&g, []byte(strings.Join(text, "\n")), nil, false)
			if got := Shingle4.Score(&trial); got.Common != int64(want) {
				t.Fatalf("%q against %q: %d in common, want %d", text, gold, got.Common, want)
			}
		}
	}
}
