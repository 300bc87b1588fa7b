package bevendorff_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/score/bevendorff"
	"github.com/winnow/winnow/algorithms/score/internal/punkt"
)

// independent does what the benchmark's program (chatnoir-eu, eval.py) and the
// rouge-score that it calls do, table by table, and was written from these
// programs alone. Sentences are those of package punkt, which is held against
// NLTK itself.
func independent(gold, extracted string) (precision, recall, f1 float64) {
	precision, recall, f1 = summary(sentences(gold), sentences(extracted))
	if strings.TrimFunc(gold, algotest.IsBlank) == "" {
		recall = 1
		if strings.TrimFunc(extracted, algotest.IsBlank) == "" {
			precision, f1 = 1, 1
		}
	}
	return precision, recall, f1
}

func sentences(text string) [][]string {
	var s punkt.Splitter
	var list [][]string
	for _, x := range s.Split(nil, []byte(text)) {
		list = append(list, strings.FieldsFunc(text[x.Start:x.End], algotest.IsBlank))
	}
	return list
}

func summary(gold, extracted [][]string) (precision, recall, f1 float64) {
	m, n := 0, 0
	left := [2]map[string]int{{}, {}}
	for _, s := range gold {
		m += len(s)
		for _, w := range s {
			left[0][w]++
		}
	}
	for _, s := range extracted {
		n += len(s)
		for _, w := range s {
			left[1][w]++
		}
	}
	if m == 0 || n == 0 {
		return 0, 0, 0
	}
	hits := 0
	for _, r := range gold {
		found := map[int]bool{}
		for _, c := range extracted {
			for _, i := range subsequence(r, c) {
				found[i] = true
			}
		}
		for i, w := range r {
			if found[i] && left[0][w] > 0 && left[1][w] > 0 {
				hits++
				left[0][w]--
				left[1][w]--
			}
		}
	}
	precision, recall = float64(hits)/float64(n), float64(hits)/float64(m)
	if hits > 0 {
		f1 = 2 * precision * recall / (precision + recall)
	}
	return precision, recall, f1
}

// subsequence are the places in r of the longest common subsequence that
// rouge-score's backtracking finds.
func subsequence(r, c []string) []int {
	table := make([][]int, len(r)+1)
	for i := range table {
		table[i] = make([]int, len(c)+1)
	}
	for i := range r {
		for j := range c {
			if r[i] == c[j] {
				table[i+1][j+1] = table[i][j] + 1
			} else {
				table[i+1][j+1] = max(table[i][j+1], table[i+1][j])
			}
		}
	}
	var places []int
	for i, j := len(r), len(c); i > 0 && j > 0; {
		switch {
		case r[i-1] == c[j-1]:
			places = append(places, i-1)
			i--
			j--
		case table[i][j-1] > table[i-1][j]:
			j--
		default:
			i--
		}
	}
	slices.Reverse(places)
	return places
}

func TestIndependent(t *testing.T) {
	compare := func(name, gold, extracted string) {
		t.Helper()
		got := algotest.Score(t, bevendorff.RougeLsum, gold, extracted)
		p, r, f := independent(gold, extracted)
		if math.Abs(got.Precision-p)+math.Abs(got.Recall-r)+math.Abs(got.F1-f) > 1e-9 {
			t.Errorf("%s: %+v, twin has P %v R %v F1 %v", name, got, p, r, f)
		}
	}
	r := rand.New(rand.NewPCG(3, 18))
	text := func(vocabulary, most int) string {
		var b strings.Builder
		for range r.IntN(6) {
			for range r.IntN(most) {
				b.WriteString(string(rune('a' + r.IntN(vocabulary))))
				b.WriteByte(" \n"[r.IntN(12)/11])
			}
			b.WriteString([]string{"x. ", "y! Q", "z", "\n\n"}[r.IntN(4)])
		}
		return b.String()
	}
	for i := range 150 {
		most := []int{8, 30, 90, 200}[i%4]
		g, e := text(2+r.IntN(12), most), text(2+r.IntN(12), most)
		compare("random", g, e)
	}
	compared := 0
	for _, p := range algotest.RealPages(t, 5, "cleaneval-dev", "cleanportaleval") {
		extracted := string(algotest.Pass(p.HTML).Body.Text)
		if p.Gold != "" && len(p.Gold)+len(extracted) < 12_000 {
			compare(p.Name, p.Gold, extracted)
			compared++
		}
	}
	if compared < 10 {
		t.Errorf("only %d real pages", compared)
	}
}
