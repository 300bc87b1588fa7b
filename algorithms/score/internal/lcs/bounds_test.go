package lcs

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestAnchoredBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var s Scratch
	methods := map[Method]int{}
	for i := range 200 {
		sigma := []int{3, 30, 500}[i%3]
		g := random(r, 500+r.IntN(800), sigma)
		e := edited(r, g, sigma, []float64{0.002, 0.02, 0.1}[i/3%3])
		cells := []int{0, 2000, 100_000}[i%3]
		want := table(g, e)
		got := build(g).Compare(&s, e, cells)
		methods[got.Method]++
		if got.Low > want || want > got.High {
			t.Fatalf("pair %d: LCS is %d, bounds %d and %d (%s)", i, want, got.Low, got.High, got.Method)
		}
		if got.Method == Exact && (got.Low != want || got.High != want) {
			t.Fatalf("pair %d: LCS is %d, exact result %d", i, want, got.Low)
		}
	}
	for _, m := range []Method{Exact, Anchored, Partial} {
		if methods[m] == 0 {
			t.Errorf("no pair was compared by method %s: %v", m, methods)
		}
	}
}

// Two texts that differ in few places: the anchors alone find all of it.
func TestAnchoredIsTightOnAlikeSequences(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	var s Scratch
	g := random(r, 20_000, 200)
	e := append([]int32{}, g...)
	for i := 500; i < len(e); i += 1000 {
		e[i] = (e[i] + 1) % 200
	}
	want := len(g) - 20
	got := build(g).Compare(&s, e, 10_000)
	if got.Method != Anchored || got.Low != want || got.High < want {
		t.Errorf("got %+v, want a lower bound of %d", got, want)
	}
	// A block that moved cannot be in the chain with the rest.
	moved := append(append(append([]int32{}, g[:2000]...), g[5000:]...), g[2000:5000]...)
	if got := build(g).Compare(&s, moved, 10_000_000); got.Method != Anchored || got.Low < 17_000 || got.High != 20_000 {
		t.Errorf("moved block: got %+v, want at least 17000 of at most 20000", got)
	}
}

func TestSkipped(t *testing.T) {
	g := make([]int32, maxAnchored/2+1)
	for i := range g {
		g[i] = int32(i % 2)
	}
	e := make([]int32, maxAnchored/2+1)
	for i := range e {
		e[i] = int32(i/2+1) % 2
	}
	var s Scratch
	var m Masks
	m.Build(g, 2)
	if got := m.Compare(&s, e, math.MaxInt); got.Method != Skipped {
		t.Errorf("%d items against %d: %+v, want to be skipped", len(g), len(e), got)
	}
}

func TestTrace(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for i := range 400 {
		sigma := []int{3, 30, 500}[i%3]
		g := random(r, r.IntN(300), sigma)
		e := random(r, r.IntN(300), sigma+2)
		if i%2 == 0 {
			e = edited(r, g, sigma, 0.2)
		}
		checkTrace(t, Trace(nil, g, e, sigma), g, e)
	}
}

// The divided walk must find a longest common subsequence too.
func TestTraceDivided(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for range 50 {
		g, e := random(r, 200, 20), random(r, 200, 20)
		tr := tracer{}
		tr.number = make([]int32, 20)
		half := len(e) / 2
		cut := tr.split(g, e[:half], e[half:])
		pairs := tr.trace(nil, g[:cut], e[:half], 0, 0)
		pairs = tr.trace(pairs, g[cut:], e[half:], cut, half)
		checkTrace(t, pairs, g, e)
	}
}

func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	var kept Table
	for i := range 60 {
		sigma := []int{3, 30, 500}[i%3]
		g, e := random(r, r.IntN(200), sigma), random(r, r.IntN(200), sigma+1)
		kept.Fill(build(g), e)
		for range 50 {
			a, b := r.IntN(len(g)+1), r.IntN(len(e)+1)
			if got, want := kept.Length(a, b), table(g[:a], e[:b]); got != want {
				t.Fatalf("prefixes of %d and %d items: length %d, want %d", a, b, got, want)
			}
			if a > 0 {
				if got, want := kept.Gain(a, b), kept.Length(a, b)-kept.Length(a-1, b); got != want {
					t.Fatalf("gain at %d, %d: %d, want %d", a, b, got, want)
				}
			}
		}
	}
}

func checkTrace(t *testing.T, pairs []Pair, g, e []int32) {
	t.Helper()
	if want := table(g, e); len(pairs) != want {
		t.Fatalf("%d pairs, LCS is %d", len(pairs), want)
	}
	last := Pair{-1, -1}
	for _, p := range pairs {
		if p.G <= last.G || p.E <= last.E || g[p.G] != e[p.E] {
			t.Fatalf("pair %v behind %v in %v and %v", p, last, g, e)
		}
		last = p
	}
}
