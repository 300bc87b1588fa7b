package shingle_test

import (
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/score/shingle"
)

var word = regexp.MustCompile(`[\p{L}\p{N}_]+`) // Python's \w+

// independent does what evaluate.py of scrapinghub/article-extraction-benchmark
// does with one document; it was written from that program alone. Undefined says
// that the program leaves the document out of the mean.
func independent(gold, extracted string) (precision, recall float64, pUndefined, rUndefined, equal bool) {
	g, e := word.FindAllString(gold, -1), word.FindAllString(extracted, -1)
	bag := func(tokens []string) map[string]int {
		bag := map[string]int{}
		for i := 0; i < max(1, len(tokens)-3); i++ {
			if s := tokens[i:min(i+4, len(tokens))]; len(s) > 0 {
				bag[strings.Join(s, " ")]++
			}
		}
		return bag
	}
	inGold, inExtracted := bag(g), bag(e)
	tp, fp, fn := 0, 0, 0
	for s, n := range inGold {
		tp += min(n, inExtracted[s])
		fn += max(0, n-inExtracted[s])
	}
	for s, n := range inExtracted {
		fp += max(0, n-inGold[s])
	}
	of := func(other int) float64 {
		switch {
		case fp == 0 && fn == 0:
			return 1
		case tp == 0 && other == 0:
			return 0
		}
		return float64(tp) / float64(tp+other)
	}
	return of(fp), of(fn), tp+fp == 0, tp+fn == 0, slices.Equal(g, e)
}

func TestIndependent(t *testing.T) {
	compare := func(name, gold, extracted string) {
		t.Helper()
		got := algotest.Score(t, shingle.Shingle4, gold, extracted)
		p, r, pUndefined, rUndefined, equal := independent(gold, extracted)
		if math.Abs(got.Precision-p) > 1e-12 || math.Abs(got.Recall-r) > 1e-12 ||
			got.PUndefined != pUndefined || got.RUndefined != rUndefined || (got.Value == 1) != equal {
			t.Errorf("%s: %+v, twin has P %v R %v, undefined %v %v, equal %v", name, got, p, r, pUndefined, rUndefined, equal)
		}
	}
	r := rand.New(rand.NewPCG(1, 18))
	words := strings.Fields("a b c A_1 é 東京 हिन्दी ½ x-y ... ! don't Ⅷ ٣")
	text := func() string {
		var s []string
		for range r.IntN(12) {
			s = append(s, words[r.IntN(1+r.IntN(len(words)))])
		}
		return strings.Join(s, []string{" ", "\n", ", "}[r.IntN(3)])
	}
	for range 3000 {
		g, e := text(), text()
		compare(g+" | "+e, g, e)
	}
	compared := 0
	for _, p := range algotest.RealPages(t, 2, "cleaneval-dev", "cleanportaleval") {
		if p.Gold != "" {
			compare(p.Name, p.Gold, string(algotest.Pass(p.HTML).Body.Text))
			compared++
		}
	}
	if compared < 30 {
		t.Errorf("only %d real pages", compared)
	}
}
