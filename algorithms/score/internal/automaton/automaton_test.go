package automaton

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// table is the textbook dynamic programme: the longest common suffix of every
// pair of prefixes.
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

func TestLongestIsTheTableOnRandomPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var a Automaton
	for i := range 1500 {
		sigma := []int{1, 3, 30, 500}[i%4]
		g, e := random(r, r.IntN(250), sigma), random(r, r.IntN(250), sigma)
		if len(g) > 0 && i%2 == 0 { // plant a common piece
			from := r.IntN(len(g))
			piece := g[from : from+r.IntN(len(g)-from)]
			at := r.IntN(len(e) + 1)
			e = append(append(append([]int32{}, e[:at]...), piece...), e[at:]...)
		}
		if i%7 == 0 { // the same piece again, and a longer one behind it
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
		if len(a.states) > 2*len(g)+1 || len(a.edges) > 3*len(g)+2 {
			t.Fatalf("%d items made %d states and %d edges", len(g), len(a.states), len(a.edges))
		}
	}
}

func TestEmpty(t *testing.T) {
	var a Automaton
	if a.Longest([]int32{1, 2}) != 0 {
		t.Error("the zero automaton reads something")
	}
	a.Build(nil, 0)
	if a.Longest(nil) != 0 || a.Longest([]int32{0}) != 0 {
		t.Error("the empty sequence has a substring")
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	g, e := random(r, 5000, 60), random(r, 5000, 60)
	var a Automaton
	run := func() { a.Build(g, 60); a.Longest(e) }
	run()
	if n := testing.AllocsPerRun(5, run); n != 0 {
		t.Errorf("%v allocations a page, want none", n)
	}
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
		var a Automaton
		a.Build(g, 256)
		if got, want := a.Longest(e), table(g, e); got != want {
			t.Fatalf("longest common substring is %d, not %d", want, got)
		}
	})
}

// text makes n characters of a language with 2,000 words, so that substrings
// repeat as they do in prose.
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
//	go test -run - -bench . ./algorithms/score/internal/automaton
func BenchmarkAutomaton(b *testing.B) {
	for _, n := range []int{5_000, 50_000, 500_000} {
		r := rand.New(rand.NewPCG(5, 6))
		s := text(r, 2*n)
		g, e := s[:n], s[n:]
		var a Automaton
		b.Run(fmt.Sprintf("do=build/n=%d", n), func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				a.Build(g, 27)
			}
		})
		like := append([]int32{}, g...) // the gold with a change every 500 items
		for i := 250; i < n; i += 500 {
			like[i] = (like[i] + 1) % 27
		}
		for _, c := range []struct {
			pair string
			e    []int32
		}{{"unrelated", e}, {"alike", like}, {"within", append(append(e[:n/2:n/2], g[:n/4]...), e...)}} {
			b.Run(fmt.Sprintf("do=longest/pair=%s/n=%d", c.pair, n), func(b *testing.B) {
				b.SetBytes(int64(n))
				for b.Loop() {
					a.Longest(c.e)
				}
			})
		}
	}
}
