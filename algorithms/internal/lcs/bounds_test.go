package lcs

import (
	"math"
	"math/rand/v2"
	"slices"
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
		got := build(g).Compare(&s, e, cells, -1)
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
	got := build(g).Compare(&s, e, 10_000, -1)
	if got.Method != Anchored || got.Low != want || got.High < want {
		t.Errorf("got %+v, want a lower bound of %d", got, want)
	}
	// A block that moved cannot be in the chain with the rest.
	moved := append(append(append([]int32{}, g[:2000]...), g[5000:]...), g[2000:5000]...)
	if got := build(g).Compare(&s, moved, 10_000_000, -1); got.Method != Anchored || got.Low < 17_000 || got.High != 20_000 {
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
	if got := m.Compare(&s, e, math.MaxInt, -1); got.Method != Skipped {
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
		pairs, ok := Trace(nil, g, e, sigma)
		if !ok {
			t.Fatal("too long")
		}
		checkTrace(t, pairs, g, e)
	}
}

// Texts that are too long to be traced are said to be, unless they are equal but for a
// short piece.
func TestTraceIsBounded(t *testing.T) {
	const n = 1 << 18
	r := rand.New(rand.NewPCG(1, 2))
	g, e := random(r, n, 3), random(r, n, 3)
	if pairs, ok := Trace(nil, g, e, 3); ok || len(pairs) > 0 {
		t.Errorf("%d pairs, %v; want none", len(pairs), ok)
	}
	e = slices.Clone(g)
	e[n/2] = (e[n/2] + 1) % 3
	if pairs, ok := Trace(nil, g, e, 3); !ok || len(pairs) != n-1 {
		t.Errorf("%d pairs, %v; want %d", len(pairs), ok, n-1)
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

// lengths is the textbook table whole.
func lengths(g, e []int32) [][]int {
	l := make([][]int, len(g)+1)
	for i := range l {
		l[i] = make([]int, len(e)+1)
		for j := range l[i] {
			switch {
			case i == 0 || j == 0:
			case g[i-1] == e[j-1]:
				l[i][j] = l[i-1][j-1] + 1
			default:
				l[i][j] = max(l[i-1][j], l[i][j-1])
			}
		}
	}
	return l
}

func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	var kept Table
	for i := range 180 {
		sigma := []int{3, 30, 500}[i%3]
		g, e := random(r, 1+r.IntN(300), sigma), random(r, 1+r.IntN(300), sigma+1)
		switch i % 4 {
		case 0:
			e = append(edited(r, g, sigma+1, 0.1), random(r, 1+r.IntN(100), sigma)...)
		case 1:
			g = random(r, 1000+r.IntN(500), sigma)
			e = extraction(r, g, sigma, 0.9, 0.2)
		}
		m, want := build(g), lengths(g, e)
		loss := len(g) - want[len(g)][len(e)]
		if kept.Fill(m, e, loss-1) {
			t.Fatalf("pair %d: a table for a loss of %d, where it is %d", i, loss-1, loss)
		}
		if !kept.Fill(m, e, len(g)) {
			t.Fatalf("pair %d: no table", i)
		}
		check := func(a, b int) {
			t.Helper()
			if got, want := kept.Gain(a+1, b), want[a+1][b]-want[a][b]; got != want {
				t.Fatalf("gain at %d, %d: %d, want %d", a+1, b, got, want)
			}
			if b > 0 {
				if got, want := kept.Rise(a, b), want[a][b]-want[a][b-1]; got != want {
					t.Fatalf("rise at %d, %d: %d, want %d", a, b, got, want)
				}
			}
		}
		for range 200 { // anywhere
			check(r.IntN(len(g)), r.IntN(len(e)+1))
		}
		for a, b := len(g)-1, len(e); a >= 0 && b >= 0; { // along a walk
			check(a, b)
			if r.IntN(2) == 0 {
				a--
			} else {
				b--
			}
		}
		// Where words are left out, along longest common subsequences.
		if !kept.Fill(m, e, loss+r.IntN(3)) {
			t.Fatalf("pair %d: no table for a loss of %d", i, loss)
		}
		for a, b := len(g), len(e); a > 0 && b > 0; {
			check(a-1, b)
			if got, want := kept.Gain(a, b-1), want[a][b-1]-want[a-1][b-1]; got != want {
				t.Fatalf("gain beside %d, %d: %d, want %d", a, b, got, want)
			}
			switch {
			case g[a-1] == e[b-1]:
				a, b = a-1, b-1
			case want[a-1][b] == want[a][b] && (want[a][b-1] < want[a][b] || r.IntN(2) == 0):
				a--
			default:
				b--
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

func TestWithin(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for range 20_000 {
		long, short := random(r, r.IntN(12), 3), random(r, r.IntN(8), 3)
		if r.IntN(2) == 0 { // some of its items
			short = short[:0]
			for _, c := range long {
				if r.IntN(3) > 0 {
					short = append(short, c)
				}
			}
		}
		if got, want := isSubsequence(short, long), table(short, long) == len(short); got != want {
			t.Fatalf("whether %v holds %v in order: %v, want %v", long, short, got, want)
		}
	}
}
