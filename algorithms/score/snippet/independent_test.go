package snippet_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/score/snippet"
)

// independent counts as tests/eval_common.py of adbar/trafilatura does, and was
// written from that program alone; ok is false where the program refuses the
// chunks of a page.
func independent(with, without []string, text string) (tp, fp, fn, tn int, ok bool) {
	for _, chunks := range [][]string{with, without} {
		if len(chunks) == 0 || len(chunks) > 6 {
			return 0, 0, 0, 0, false
		}
		seen := map[string]bool{}
		for _, c := range chunks {
			c = algotest.Fold(c)
			if c == "" || seen[c] {
				return 0, 0, 0, 0, false
			}
			seen[c] = true
		}
	}
	for _, c := range without {
		for _, w := range with {
			if strings.Contains(algotest.Fold(w), algotest.Fold(c)) {
				return 0, 0, 0, 0, false
			}
		}
	}
	text = algotest.Fold(text)
	for _, c := range with {
		if strings.Contains(text, algotest.Fold(c)) {
			tp++
		}
	}
	for _, c := range without {
		if strings.Contains(text, algotest.Fold(c)) {
			fp++
		}
	}
	return tp, fp, len(with) - tp, len(without) - fp, true
}

func TestIndependent(t *testing.T) {
	refused := 0
	compare := func(name string, with, without []string, text string) {
		t.Helper()
		gold := algorithms.Gold{With: with, Without: without}
		var trial algorithms.Trial
		trial.Reset(&gold, []byte(text), nil, false)
		got := snippet.Snippet.Score(&trial)
		tp, fp, fn, tn, ok := independent(with, without, text)
		if !ok {
			refused++
			if got.Reason == algorithms.NoReason {
				t.Errorf("%s: the program refuses %q %q, and here is a score: %+v", name, with, without, got)
			}
			return
		}
		if got.Reason != algorithms.NoReason || got.Common != int64(tp) || got.Extracted != int64(tp+fp) ||
			got.Gold != int64(tp+fn) || got.Universe != int64(tp+fp+fn+tn) {
			t.Errorf("%s: %+v, twin has TP %d FP %d FN %d TN %d: %q %q %q", name, got, tp, fp, fn, tn, with, without, text)
		}
	}
	r := rand.New(rand.NewPCG(2, 18))
	words := []string{"a", "b", "c", "d", "a\u00a0b", "c \x1c d", "A", "é", "e\u0301"}
	text := func(n int) string {
		var s []string
		for range n {
			s = append(s, words[r.IntN(len(words))])
		}
		return strings.Join(s, []string{" ", "  ", "\n", "\u2003"}[r.IntN(4)])
	}
	chunks := func() (list []string) {
		for range 1 + r.IntN(4) {
			list = append(list, text(1+r.IntN(4)))
		}
		return list
	}
	for range 3000 {
		compare("random", chunks(), chunks(), text(r.IntN(30)))
	}
	if refused == 0 || refused == 3000 {
		t.Errorf("the program refuses %d of 3000 pages: nothing is compared", refused)
	}
	compared := 0
	for _, p := range algotest.RealPages(t, 1, "trafilatura-dev") {
		text := string(algotest.Pass(p.HTML).Body.Text)
		if len(p.With)+len(p.Without) == 0 && p.Gold != "" { // chunks of a gold and of its page
			gold, lines := strings.Split(p.Gold, "\n"), strings.Split(text, "\n")
			p.With, p.Without = []string{gold[0], gold[len(gold)-1] + "?"}, []string{lines[0], lines[len(lines)-1] + "."}
		}
		if len(p.With)+len(p.Without) > 0 {
			compare(p.Name, p.With, p.Without, text)
			compared++
		}
	}
	if compared < 30 {
		t.Errorf("only %d real pages", compared)
	}
}
