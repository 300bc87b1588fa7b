package substring

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// table finds the length by the textbook dynamic programme: the longest common suffix
// of every pair of prefixes.
func table(a, b []int32) int {
	row := make([]int, len(b)+1)
	best := 0
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			up := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
				best = max(best, row[j+1])
			} else {
				row[j+1] = 0
			}
			diagonal = up
		}
	}
	return best
}

func random(r *rand.Rand, n, sigma int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = int32(r.IntN(sigma))
	}
	return s
}

// longest has the methods that the gold side and its automaton have in common.
type longest interface {
	Build(items []int32, symbols int)
	Longest(items []int32) int
}

// bySide runs f on both.
func bySide(t *testing.T, f func(*testing.T, longest)) {
	t.Run("gold", func(t *testing.T) { f(t, new(Gold)) })
	t.Run("automaton", func(t *testing.T) { f(t, new(automaton)) })
}

func TestLongestIsTheTableOnRandomPairs(t *testing.T) { bySide(t, longestIsTheTable) }

func longestIsTheTable(t *testing.T, a longest) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 1500 {
		sigma := []int{1, 3, 30, 500}[i%4]
		g, e := random(r, r.IntN(250), sigma), random(r, r.IntN(250), sigma)
		if len(g) > 0 && i%2 == 0 { // plant a common piece
			from := r.IntN(len(g))
			piece := g[from : from+r.IntN(len(g)-from)]
			at := r.IntN(len(e) + 1)
			e = append(append(append([]int32{}, e[:at]...), piece...), e[at:]...)
		}
		if i%7 == 0 { // the same piece again, followed by a longer one
			e = append(append(append([]int32{}, g[:len(g)/3]...), e...), g[len(g)/2:]...)
		}
		if i%5 == 0 && len(e) > 0 {
			e[r.IntN(len(e))] = -1
			e[r.IntN(len(e))] = int32(sigma)
		}
		a.Build(g, sigma)
		if got, want := a.Longest(e), table(g, e); got != want {
			t.Fatalf("pair %d: longest common substring of\n%v\n%v is %d, not %d", i, g, e, want, got)
		}
		if a, is := a.(*automaton); is && (len(a.states) > 2*len(g)+1 || len(a.edges) > 3*len(g)+2) {
			t.Fatalf("%d items made %d states and %d edges", len(g), len(a.states), len(a.edges))
		}
	}
}

// TestStrideFindsWhatItNeeds checks that a shared substring of exactly the length that
// a stride needs is found at every location on both sides.
func TestStrideFindsWhatItNeeds(t *testing.T) {
	var g Gold
	for at, stride := range strides {
		need := stride.need()
		run := make([]int32, need) // nothing else is shared, and no piece occurs twice
		for i := range run {
			run[i] = int32(i)
		}
		places := func(step int) []int {
			if step <= 8 {
				all := make([]int, step)
				for i := range all {
					all[i] = i
				}
				return all
			}
			return []int{0, 1, step / 2, step - 1}
		}
		for _, before := range places(stride.gold) {
			gold := make([]int32, 0, before+need+1)
			for i := range before {
				gold = append(gold, int32(need+i))
			}
			gold = append(gold, run...)
			g.Build(gold, need+before)
			for _, ahead := range places(stride.other) {
				other := make([]int32, ahead, ahead+need)
				for i := range other {
					other[i] = -1
				}
				s := search{gold: gold, other: append(other, run...), left: math.MaxInt32, diagonal: math.MinInt}
				if s.scan(&g, at); s.best != need {
					t.Fatalf("stride %v, %d before it in the gold and %d in the other: %d of %d found", stride, before, ahead, s.best, need)
				}
			}
		}
	}
}

// TestLongestIsTheAutomatonOnTexts compares both sides on long texts with runs of any
// length in any order, some of them with a change in the middle.
func TestLongestIsTheAutomatonOnTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var a automaton
	var g Gold
	prose := text(r, 100_000)
	piece := func(n int) []int32 { return prose[r.IntN(len(prose)-n):][:n] }
	for i := range 300 {
		gold := append([]int32{}, piece(200+r.IntN(8000))...)
		if i%10 == 0 { // a text that repeats itself
			gold = append(gold, gold[:len(gold)/3]...)
			gold = append(gold, gold[:len(gold)/2]...)
		}
		if i%15 == 0 {
			gold = random(r, len(gold), 2)
		}
		longest := 4 << r.IntN(11)
		var other []int32
		for len(other) < 6000 {
			from := r.IntN(len(gold))
			n := min(1+r.IntN(longest), len(gold)-from)
			other = append(other, gold[from:from+n]...)
			if r.IntN(3) > 0 {
				other = append(other, piece(r.IntN(1+longest))...)
			}
		}
		g.Build(gold, 27)
		a.Build(gold, 27)
		if got, want := g.Longest(other), a.Longest(other); got != want {
			t.Fatalf("pair %d: %d, the automaton says %d", i, got, want)
		}
	}
}

// TestLongestIsTheAutomatonOnOverlaps compares both sides on overlapping parts of a
// short text, so that a longer substring begins before the one that was found and is
// not on its diagonal.
func TestLongestIsTheAutomatonOnOverlaps(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var a automaton
	var g Gold
	for i := range 3000 {
		base := random(r, 1+r.IntN(600), 200)
		parts := func(count int) (s []int32) {
			for range count {
				from := r.IntN(len(base))
				s = append(s, base[from:from+r.IntN(len(base)-from)+1]...)
			}
			return s
		}
		gold, other := parts(1+r.IntN(6)), parts(1+r.IntN(4))
		g.Build(gold, 200)
		a.Build(gold, 200)
		if got, want := g.Longest(other), a.Longest(other); got != want {
			t.Fatalf("pair %d: %d, the automaton says %d", i, got, want)
		}
	}
}

// TestRepetitionIsLeftToTheAutomaton checks that texts that repeat themselves are
// searched with the automaton, and that prose is not.
func TestRepetitionIsLeftToTheAutomaton(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var g Gold
	g.Build(make([]int32, 20_000), 1)
	broken := make([]int32, 20_000)
	broken[10_000] = 1
	if n := g.Longest(broken); n != 10_000 || !g.built {
		t.Errorf("one item again and again: %d, asked %v", n, g.built)
	}
	prose := text(r, 20_000)
	g.Build(prose, 27)
	for _, other := range [][]int32{prose, text(r, 20_000), append(text(r, 500), prose[3000:]...), prose[100:120], {26}, nil} {
		g.Longest(other)
	}
	if g.built {
		t.Error("the automaton was asked about prose")
	}
}

func TestEmpty(t *testing.T) {
	bySide(t, func(t *testing.T, a longest) {
		if a.Longest([]int32{1, 2}) != 0 {
			t.Error("the zero value shares something")
		}
		a.Build(nil, 0)
		if a.Longest(nil) != 0 || a.Longest([]int32{0}) != 0 {
			t.Error("the empty sequence has a substring")
		}
	})
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	g, e := random(r, 5000, 60), random(r, 5000, 60)
	bySide(t, func(t *testing.T, a longest) {
		run := func() { a.Build(g, 60); a.Longest(e) }
		run()
		if n := testing.AllocsPerRun(5, run); n != 0 {
			t.Errorf("%v allocations a page, want none", n)
		}
	})
}

func FuzzLongest(f *testing.F) {
	f.Add([]byte("alphabetagamma.alphadelta!"), []byte("homealphabetabetagamma."))
	f.Add([]byte("aaaaaaa"), []byte("aabaaa"))
	f.Fuzz(func(t *testing.T, x, y []byte) {
		if len(x) > 1000 || len(y) > 1000 {
			t.Skip()
		}
		g, e := make([]int32, len(x)), make([]int32, len(y))
		for i, c := range x {
			g[i] = int32(c)
		}
		for i, c := range y {
			e[i] = int32(c)
		}
		want := table(g, e)
		for _, a := range []longest{new(Gold), new(automaton)} {
			a.Build(g, 256)
			if got := a.Longest(e); got != want {
				t.Fatalf("%T: longest common substring is %d, not %d", a, want, got)
			}
		}
	})
}

// text returns n characters of a language with 2,000 words, so that substrings repeat
// as in prose.
func text(r *rand.Rand, n int) []int32 {
	words := make([][]int32, 2000)
	for i := range words {
		words[i] = append(random(r, 2+r.IntN(8), 26), 26)
	}
	var s []int32
	for len(s) < n {
		x := r.Float64()
		s = append(s, words[int(x*x*2000)]...)
	}
	return s[:n]
}

// The cost an item must not grow with the length:
//
//	go test -run - -bench . ./algorithms/score/internal/substring
func BenchmarkLongest(b *testing.B) {
	for _, n := range []int{5_000, 50_000, 500_000} {
		r := rand.New(rand.NewPCG(5, 6))
		s := text(r, 2*n)
		g, e := s[:n], s[n:]
		like := append([]int32{}, g...) // the gold with a change every 500 items
		for i := 250; i < n; i += 500 {
			like[i] = (like[i] + 1) % 27
		}
		within := append(append(e[:n/2:n/2], g[:n/4]...), e...)
		for _, a := range []longest{new(Gold), new(automaton)} {
			bench := func(do string, f func()) {
				b.Run(fmt.Sprintf("by=%T/do=%s/n=%d", a, do, n), func(b *testing.B) {
					b.SetBytes(int64(n))
					for b.Loop() {
						f()
					}
				})
			}
			build := func() { a.Build(g, 27); a.Longest(g) } // builds on first use what Longest needs
			build()
			bench("build", build)
			bench("unrelated", func() { a.Longest(e) })
			bench("alike", func() { a.Longest(like) })
			bench("within", func() { a.Longest(within) })
		}
	}
}
