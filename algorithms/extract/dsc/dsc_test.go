package dsc

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/page"
)

func TestGolden(t *testing.T) { algotest.Golden(t, Extractor) }

func TestNoGarbage(t *testing.T) { algotest.NoGarbage(t, Extractor) }

func TestEdges(t *testing.T) {
	algotest.Edges(t, Extractor, map[string]string{
		"empty": "", "no-body": "", "only-images": "", "only-hidden": "", "only-links": "",
		"one-text": "only words here", "one-word": "word", // no tag at all
		"deep": "", // four words do not make a window low
	})
}

// twin reads the three steps from the source: all windows first, then a look
// at three of them at a time.
func twin(kinds []page.TokenKind, p Params) []area {
	n := len(kinds)
	tags := func(from, to int) (d int) {
		for _, k := range kinds[from:to] {
			if k != page.TokenWord {
				d++
			}
		}
		return d
	}
	if tags(0, n) == 0 {
		return []area{{0, n}}
	}
	l := max(2, min(p.Window, 2*(n/p.Fit)))
	var starts []int
	var low []bool
	for s := 0; ; s += l / 2 {
		e := min(s+l, n)
		slope := float64(tags(s, e)) / float64(e-s)
		starts, low = append(starts, s), append(low, slope < p.Factor*(float64(tags(0, n))/float64(n)))
		if e == n {
			break
		}
	}
	all := func(w int, want bool) bool {
		for i := w; i < w+p.Run; i++ {
			if i >= len(low) || low[i] != want {
				return false
			}
		}
		return true
	}
	var areas []area
	for w, open := 0, -1; ; w++ {
		switch {
		case w >= len(starts):
			if open >= 0 {
				areas = append(areas, area{open, n})
			}
			return areas
		case open < 0 && all(w, true):
			open = starts[w]
			w += p.Run - 1
		case open >= 0 && all(w, false):
			areas = append(areas, area{open, starts[w-1] + l})
			open = -1
			w += p.Run - 1
		}
	}
}

func TestRandomSequences(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 20000 {
		kinds := make([]page.TokenKind, r.IntN(1+i%400))
		dense := 0
		for i := range kinds {
			if r.IntN(20) == 0 {
				dense = r.IntN(9)
			}
			if r.IntN(10) < dense {
				kinds[i] = page.TokenStart
			}
		}
		p := Params{Window: 2 + r.IntN(30), Factor: 0.25 * float64(1+r.IntN(4)), Run: 1 + r.IntN(4), Fit: 1 + r.IntN(12)}
		if i%2 == 0 {
			p = Default
		}
		var s scratch
		s.draw(kinds)
		p.find(&s)
		if want := twin(kinds, p); !slices.Equal(s.areas, want) {
			t.Fatalf("%+v: areas %v, want %v, of %v", p, s.areas, want, kinds)
		}
	}
}

// TestCurve works out a page of 120 tokens: 40 words, one tag and one word in
// turn, 40 words.
func TestCurve(t *testing.T) {
	kinds := make([]page.TokenKind, 120)
	for i := 40; i < 80; i += 2 {
		kinds[i] = page.TokenStart
	}
	var s scratch
	s.draw(kinds)
	if d := s.curve; d[40] != 0 || d[60] != 10 || d[80] != 20 || d[120] != 20 {
		t.Fatalf("curve %v", d)
	}
	// σ = 20/120, a window is low below 10/120 = 0.0833. With l = 20:
	//
	//	start  0  10  20  30   40   50   60   70    80  90 100
	//	tags   0   0   0   5   10   10   10    5     0   0   0
	//	slope  0   0   0  .25  .5   .5   .5   .25    0   0   0
	//	       l   l   l   h    h    h    h    h     l   l   l
	p := Params{Window: 20, Factor: 0.5, Run: 3, Fit: 8}
	p.find(&s)
	// The first area opens at 0 and closes at the end of the window at 20; the
	// second opens at 80 and is open at the end.
	if want := []area{{0, 40}, {80, 120}}; !slices.Equal(s.areas, want) {
		t.Errorf("areas %v, want %v", s.areas, want)
	}
	// A slope of exactly half the mean is high: with all windows at the mean,
	// factor 1 finds nothing.
	for i := range kinds {
		kinds[i] = page.TokenKind(i % 2)
	}
	s.draw(kinds)
	p.Factor = 1
	p.find(&s)
	if len(s.areas) != 0 {
		t.Errorf("areas %v of an even page", s.areas)
	}
}
