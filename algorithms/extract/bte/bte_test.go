package bte

import (
	"math/rand/v2"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/page"
)

func TestGolden(t *testing.T) { algotest.Golden(t, Extractor) }

func TestNoGarbage(t *testing.T) { algotest.NoGarbage(t, Extractor) }

func TestEdges(t *testing.T) {
	algotest.Edges(t, Extractor, map[string]string{
		"empty": "", "no-body": "", "only-images": "", "only-hidden": "",
		"one-text": "only words here", "one-word": "word",
		"only-links": "link text", // on a tie, the leftmost range wins, then the shortest
		"deep":       "bottom of the well",
	})
}

// twin is the double loop over the objective as the source writes it: tags
// before i, words from i to j, tags after j.
func twin(kinds []page.TokenKind) (start, end int) {
	total := func(i, j int) int {
		sum := 0
		for n, k := range kinds {
			if inside := i <= n && n <= j; inside == (k == page.TokenWord) {
				sum++
			}
		}
		return sum
	}
	best, words := -1, false
	for i := range kinds {
		words = words || kinds[i] == page.TokenWord
		for j := i; j < len(kinds); j++ {
			if v := total(i, j); v > best {
				best, start, end = v, i, j+1
			}
		}
	}
	if !words { // any interval is wrong by as much
		return 0, 0
	}
	return start, end
}

func check(t *testing.T, kinds []page.TokenKind) {
	t.Helper()
	start, end := interval(kinds)
	if wantStart, wantEnd := twin(kinds); start != wantStart || end != wantEnd {
		t.Fatalf("%v: [%d,%d), want [%d,%d)", kinds, start, end, wantStart, wantEnd)
	}
}

// TestEverySequence compares with the twin on all pages of up to 11 tokens.
func TestEverySequence(t *testing.T) {
	for n := range 12 {
		for bits := range 1 << n {
			kinds := make([]page.TokenKind, n)
			for i := range kinds {
				kinds[i] = page.TokenKind(bits >> i & 1)
			}
			check(t, kinds)
		}
	}
}

func TestRandomSequences(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		kinds := make([]page.TokenKind, 1+r.IntN(60))
		tags := 1 + r.IntN(4)
		for i := range kinds {
			if r.IntN(5) < tags {
				kinds[i] = page.TokenStart + page.TokenKind(r.IntN(3))
			}
		}
		check(t, kinds)
	}
}

// TestCurve works out a small page: the sums of +1 for words and −1 for tags
// that lead to the interval.
func TestCurve(t *testing.T) {
	// <ul> <li> a </li> <li> b </li> </ul> <p> one two three <i> four </i> five six </p> <p> end </p>
	//  -1   -1 +1  -1    -1 +1  -1    -1   -1  +1  +1   +1   -1   +1   -1   +1   +1  -1   -1  +1  -1
	p := algotest.Pass("<body><ul><li>a</li><li>b</li></ul><p>one two three <i>four</i> five six</p><p>end</p></body>")
	start, end := interval(p.Page.Tokens().Kind)
	// From "one" the sum is 1 2 3 2 3 2 3 4 3 2 3 2: the maximum is 4, at "six".
	if start != 9 || end != 17 {
		t.Errorf("[%d,%d), want [9,17)", start, end)
	}
}
