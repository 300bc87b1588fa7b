package bevendorff

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/internal/lcs"
	"github.com/winnow/winnow/algorithms/score/internal/punkt"
)

func near(a, b float64) bool { return math.Abs(a-b) < 5e-7 }

func TestLevenshtein(t *testing.T) {
	got := algotest.Score(t, Levenshtein, "Alpha beta gamma. Alpha delta!", "Home Alpha beta beta gamma.")
	if !near(got.F1, 0.6) || got.Value != got.F1 {
		t.Errorf("pair A: %+v", got)
	}
	if got := algotest.Score(t, Levenshtein, "the cat sat. the dog ran.", "the dog ran. the cat sat down."); !near(got.F1, 0.461538) {
		t.Errorf("moved sentence: %+v", got)
	}
}

// indel is the textbook edit distance with insertions and deletions.
func indel(a, b []string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			up := row[j+1]
			if x == y {
				row[j+1] = diagonal
			} else {
				row[j+1] = min(up, row[j]) + 1
			}
			diagonal = up
		}
	}
	return row[len(b)]
}

func TestLevenshteinIsTheEditDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 1000 {
		g, e := words(r, r.IntN(80), []int{3, 30, 500}[i%3]), words(r, r.IntN(80), []int{3, 30, 500}[i%3])
		want := 1.0
		if len(g)+len(e) > 0 {
			want = 1 - float64(indel(g, e))/float64(len(g)+len(e))
		}
		if got := direct(Levenshtein, strings.Join(g, " "), strings.Join(e, " ")); !near(got.Value, want) {
			t.Fatalf("%q against %q: %+v, want %.6f", e, g, got, want)
		}
	}
}

// direct scores two texts without a page.
func direct(s *algorithms.Scorer, gold, text string) algorithms.Score {
	var g algorithms.Gold
	g.Reset()
	g.Text = gold
	var t algorithms.Trial
	t.Reset(&g, []byte(text), nil, false)
	return s.Score(&t)
}

func words(r *rand.Rand, n, sigma int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("w%d", r.IntN(sigma))
	}
	return out
}

func TestRougeWorkedExamples(t *testing.T) {
	f := func(gold, text string, hits, n, m int64, p, r, f1 float64) {
		t.Helper()
		got := algotest.Score(t, RougeLsum, gold, text)
		if got.Common != hits || got.Extracted != n || got.Gold != m {
			t.Errorf("%q: counts %d %d %d, want %d %d %d", text, got.Common, got.Extracted, got.Gold, hits, n, m)
		}
		if !near(got.Precision, p) || !near(got.Recall, r) || !near(got.F1, f1) {
			t.Errorf("%q: %.6f %.6f %.6f, want %.6f %.6f %.6f", text, got.Precision, got.Recall, got.F1, p, r, f1)
		}
	}
	// Lin 2004, with marks that end the sentences.
	f("w1 w2 w3 w4 w5", "W1 w2 w6 w7 w8 ! W1 w3 w8 w9 w5", 3, 11, 5, 3.0/11, 0.6, 0.375)
	f("", "", 0, 0, 0, 1, 1, 1)
	f(" \n", "x", 0, 1, 0, 0, 1, 0)
	f("x", " ", 0, 0, 1, 0, 0, 0)
	// A moved sentence costs nothing.
	f("The cat sat. The dog ran.", "The dog ran. The cat sat.", 6, 6, 6, 1, 1, 1)
}

// The examples of the specification are about sentences given as such.
func TestUnionOfSentences(t *testing.T) {
	f := func(gold, text []string, hits int, f1 float64) {
		t.Helper()
		got := reference(split(gold), split(text))
		n, m := total(split(text)), total(split(gold))
		if got != hits || !near(2*float64(got)/float64(n+m), f1) {
			t.Errorf("reference of %q: %d hits, want %d", text, got, hits)
		}
		if got := viaUnion(split(gold), split(text))[0]; got != hits {
			t.Errorf("%q: %d hits, want %d", text, got, hits)
		}
	}
	f([]string{"w1 w2 w3 w4 w5"}, []string{"w1 w2 w6 w7 w8", "w1 w3 w8 w9 w5"}, 4, 0.533333)
	f([]string{"the cat sat", "the dog ran"}, []string{"the dog ran", "the cat sat down"}, 6, 0.923077)
}

func split(sentences []string) [][]string {
	var out [][]string
	for _, s := range sentences {
		out = append(out, strings.Fields(s))
	}
	return out
}

func total(s [][]string) int {
	n := 0
	for _, x := range s {
		n += len(x)
	}
	return n
}

// reference is a literal transcription of rouge-score: a full table and a walk
// back for every pair.
func reference(gold, text [][]string) int {
	left, counts := map[string]int{}, map[string]int{}
	for _, s := range gold {
		for _, w := range s {
			left[w]++
		}
	}
	for _, s := range text {
		for _, w := range s {
			counts[w]++
		}
	}
	hits := 0
	for _, ref := range gold {
		union := map[int]bool{}
		for _, can := range text {
			table := make([][]int, len(ref)+1)
			table[0] = make([]int, len(can)+1)
			for i := range ref {
				table[i+1] = make([]int, len(can)+1)
				for j := range can {
					if ref[i] == can[j] {
						table[i+1][j+1] = table[i][j] + 1
					} else {
						table[i+1][j+1] = max(table[i][j+1], table[i+1][j])
					}
				}
			}
			for i, j := len(ref), len(can); i > 0 && j > 0; {
				switch {
				case ref[i-1] == can[j-1]:
					union[i-1] = true
					i, j = i-1, j-1
				case table[i][j-1] > table[i-1][j]:
					j--
				default:
					i--
				}
			}
		}
		for i, w := range ref {
			if union[i] && counts[w] > 0 && left[w] > 0 {
				hits++
				counts[w]--
				left[w]--
			}
		}
	}
	return hits
}

// viaUnion is the package's own way, for sentences given as such, of several
// extractions of one page.
func viaUnion(goldSents [][]string, texts ...[][]string) (hits []int) {
	g, e := new(gold), new(extraction)
	fill := func(s *summary, sents [][]string) {
		s.ids, s.sentences = s.ids[:0], s.sentences[:0]
		for _, words := range sents {
			start := len(s.ids)
			for _, w := range words {
				s.ids = append(s.ids, g.dict.ID([]byte(w)))
			}
			s.sentences = append(s.sentences, sentence{int32(start), int32(len(s.ids)), g.number(s.ids[start:])})
		}
	}
	fill(&g.summary, goldSents)
	g.counts = algorithms.Zeros(g.counts, g.dict.Len())
	for _, id := range g.ids {
		g.counts[id]++
	}
	for _, text := range texts {
		fill(&e.summary, text)
		e.index(g)
		e.union.reset(math.MaxInt)
		hits = append(hits, e.hits(g))
	}
	return hits
}

func TestRougeIsTheReferenceOnRandomTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 1000 {
		sigma := []int{3, 30, 500}[i%3]
		sents := func(n, long int) [][]string {
			out := make([][]string, n)
			for k := range out {
				out[k] = words(r, 1+r.IntN(long), sigma)
			}
			return out
		}
		long := []int{8, 30, 200}[i/3%3]
		g, e := sents(1+r.IntN(6), long), sents(1+r.IntN(8), long)
		if i%2 == 0 { // some sentences are kept, cut or doubled
			for _, s := range g {
				switch r.IntN(4) {
				case 0:
					e = append(e, s)
				case 1:
					e = append(e, s[:len(s)/2], s[len(s)/3:])
				case 2:
					e = append(e, slices.Concat(s, s))
				}
			}
			e = slices.DeleteFunc(e, func(s []string) bool { return len(s) == 0 })
		}
		// Other extractions of the page have some of the sentences, in another order.
		texts := [][][]string{e, e[len(e)/2:], append(sents(2, long), e[:len(e)/2+1]...), e}
		for k, got := range viaUnion(g, texts...) {
			if want := reference(g, texts[k]); got != want {
				t.Fatalf("page %d, text %d: %d hits, want %d\ngold %q\ntext %q", i, k, got, want, g, texts[k])
			}
		}
	}
}

// The scorer on whole texts: sentences by punkt, then the reference.
func TestRougeOnTexts(t *testing.T) {
	var splitter punkt.Splitter
	sents := func(text string) [][]string {
		var out [][]string
		for _, s := range splitter.Split(nil, []byte(text)) {
			out = append(out, strings.Fields(text[s.Start:s.End]))
		}
		return out
	}
	var g algorithms.Gold
	var trial algorithms.Trial
	r := rand.New(rand.NewPCG(5, 6))
	pool := strings.Split("The harvest was late. It rained for days, said Mr. Miller. Then the wind came! Did it? Grain falls. Chaff flies; the field lies bare.\nNo stop here\nAnd here it ends. Wheat and barley (both.) Rye.", " ")
	for range 300 {
		text := func() string {
			var b strings.Builder
			for range 1 + r.IntN(4) {
				at := r.IntN(len(pool))
				b.WriteString(strings.Join(pool[at:at+r.IntN(len(pool)-at)+1], " ") + " ")
			}
			return b.String()
		}
		g.Reset()
		g.Text = text()
		for range 3 {
			e := text()
			trial.Reset(&g, []byte(e), nil, false)
			want := reference(sents(g.Text), sents(e))
			if got := RougeLsum.Score(&trial); got.Common != int64(want) {
				t.Fatalf("%q against %q: %d hits, want %d", e, g.Text, got.Common, want)
			}
		}
	}
}

func TestRougeBeyondItsBound(t *testing.T) {
	small, err := RougeLsum.With(map[string]string{"cells": "4"})
	if err != nil {
		t.Fatal(err)
	}
	got := direct(small, "one two three four", "four three two one five")
	if got.Reason != algorithms.ReasonTooLong || got.Method != string(lcs.Skipped) {
		t.Errorf("got %+v, want no score", got)
	}
}

func TestLite(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"One. Two.", "One.|Two."},
		{"One two. three four", "One two. three four"}, // no capital
		{"At 3.14 it stops. 42 is next! Is it? Yes\u2026 So.", "At 3.14 it stops.|42 is next!|Is it?|Yes\u2026|So."},
		{"He said \"go.\" \u201cNow?\u201d Then (all.) Went", "He said \"go.\"|\u201cNow?\u201d|Then (all.)|Went"},
		{"Dr. Who.\nNo stop\nNew line", "Dr.|Who.|No stop\nNew line"}, // it has no model of abbreviations
		{"Wait... What?!", "Wait...|What?!"},
		{"End.  ", "End.  "},
	} {
		var got []string
		for _, s := range appendLite(nil, []byte(c.text)) {
			got = append(got, c.text[s.Start:s.End])
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	lite, err := RougeLsum.With(map[string]string{"sentences": Lite})
	if err != nil {
		t.Fatal(err)
	}
	// Dr. Who walks. | He runs. against the same in another order: by the rule
	// "Dr." is a sentence of its own, for Punkt it is not; both find every word.
	got := direct(lite, "Dr. Who walks. He runs.", "He runs. Dr. Who walks.")
	if got.Common != 5 || got.Extracted != 5 || got.Gold != 5 {
		t.Errorf("moved sentence: %+v, want 5 of 5", got)
	}
	if _, err := RougeLsum.With(map[string]string{"sentences": "other"}); err == nil {
		t.Error("an unknown way to find sentences is no error")
	}
}
