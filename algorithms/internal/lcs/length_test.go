package lcs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// table is the textbook dynamic programme in two rows: the oracle, and the
// opponent of the benchmarks.
func table(a, b []int32) int {
	prev, cur := make([]int32, len(b)+1), make([]int32, len(b)+1)
	for _, x := range a {
		for j, y := range b {
			switch {
			case x == y:
				cur[j+1] = prev[j] + 1
			case prev[j+1] >= cur[j]:
				cur[j+1] = prev[j+1]
			default:
				cur[j+1] = cur[j]
			}
		}
		prev, cur = cur, prev
	}
	return int(prev[len(b)])
}

func build(gold []int32) *Masks {
	symbols := int32(0)
	for _, c := range gold {
		symbols = max(symbols, c+1)
	}
	m := new(Masks)
	m.Build(gold, int(symbols))
	return m
}

// random returns n items below sigma, drawn with a skew so that frequent and
// rare items occur together.
func random(r *rand.Rand, n, sigma int) []int32 {
	s := make([]int32, n)
	for i := range s {
		x := r.Float64()
		s[i] = int32(x * x * float64(sigma))
	}
	return s
}

// edited returns s with about share of its items deleted, replaced or doubled,
// and sometimes a block moved: what a good extraction is to its gold.
func edited(r *rand.Rand, s []int32, sigma int, share float64) []int32 {
	var out []int32
	for _, c := range s {
		if r.Float64() >= share {
			out = append(out, c)
			continue
		}
		switch r.IntN(3) {
		case 0:
		case 1:
			out = append(out, int32(r.IntN(sigma+2)-1))
		case 2:
			out = append(out, c, int32(r.IntN(sigma)))
		}
	}
	if len(out) > 4 && r.IntN(3) == 0 {
		i := r.IntN(len(out) / 2)
		k := i + r.IntN(len(out)-i)
		out = append(append(append([]int32{}, out[k:]...), out[i:k]...), out[:i]...)
	}
	return out
}

func TestLengthIsTheTableOnRandomPairs(t *testing.T) {
	var s Scratch
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 1500 {
		sigma := []int{3, 30, 500}[i%3]
		g := random(r, r.IntN(400), sigma)
		e := random(r, r.IntN(400), sigma+3) // some items the gold lacks
		if i%2 == 0 {
			e = edited(r, g, sigma, r.Float64()*0.5)
		}
		if got, want := build(g).Length(&s, e), table(g, e); got != want {
			t.Fatalf("pair %d, %d symbols: LCS of\n%v\n%v is %d, not %d", i, sigma, g, e, want, got)
		}
	}
}

// extraction is what an extraction is to a gold: some of its pieces, between
// pieces of something else, with a few slips.
func extraction(r *rand.Rand, g []int32, sigma int, kept, other float64) []int32 {
	var out []int32
	for len(g) > 0 {
		n := min(len(g), 1+r.IntN(200))
		if r.Float64() < kept {
			out = append(out, g[:n]...)
		}
		if r.Float64() < other {
			out = append(out, random(r, 1+r.IntN(400), sigma)...)
		}
		g = g[n:]
	}
	return edited(r, out, sigma, 0.01*float64(r.IntN(3)))
}

// Most of the table is left out here, in each way that it can be.
func TestLeavingOutIsExact(t *testing.T) {
	var s Scratch
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 240 {
		sigma := []int{3, 30, 90, 500}[i%4]
		g := random(r, 400+r.IntN(1500), sigma)
		e := extraction(r, g, sigma+1, []float64{1, 0.97, 0.8, 0.4}[i/4%4], []float64{0, 0.3, 1}[i/16%3])
		if i%5 == 0 {
			e = edited(r, g, sigma, []float64{0.01, 0.05, 0.2, 0.4}[i/5%4])
		}
		if got, want := build(g).Length(&s, e), table(g, e); got != want {
			t.Fatalf("pair %d: %d items against %d of %d symbols: LCS is %d, not %d", i, len(g), len(e), sigma, want, got)
		}
	}
}

// A run that may leave out too little still finds a common subsequence.
func TestRunIsNeverTooLong(t *testing.T) {
	var s Scratch
	r := rand.New(rand.NewPCG(21, 22))
	for i := range 150 {
		sigma := []int{3, 30, 90}[i%3]
		g := random(r, 200+r.IntN(1200), sigma)
		e := extraction(r, g, sigma, 0.7, 0.5)
		m := build(g)
		e = append([]int32{}, m.present(&s, e)...)
		if len(e) == 0 {
			continue
		}
		want := table(g, e)
		for _, loss := range []int{0, 1, 10, 60, 61, 300, len(g)} {
			for _, got := range []int{m.run(&s, e, 0, len(g), loss), m.forward(&s, e, 0, len(g), loss)} {
				if got > want || len(g)-want <= loss && got != want {
					t.Fatalf("pair %d: with a loss of %d: %d, LCS of %d items is %d", i, loss, got, len(g), want)
				}
			}
		}
	}
}

func TestSharedMasks(t *testing.T) {
	var s Scratch
	var m Masks
	r := rand.New(rand.NewPCG(5, 6))
	for range 30 { // the same Masks again and again, smaller and larger
		sigma := 1 + r.IntN(200)
		g := random(r, r.IntN(3000), sigma)
		m.Build(g, sigma)
		for range 4 {
			e := random(r, r.IntN(300), sigma)
			if got, want := m.Length(&s, e), table(g, e); got != want {
				t.Fatalf("LCS is %d, not %d", want, got)
			}
		}
	}
}

func TestEdges(t *testing.T) {
	var s Scratch
	f := func(g, e []int32, want int) {
		t.Helper()
		if got := build(g).Length(&s, e); got != want {
			t.Errorf("LCS of %v and %v: got %d, want %d", g, e, got, want)
		}
	}
	f(nil, nil, 0)
	f([]int32{0}, nil, 0)
	f(nil, []int32{0}, 0)
	f([]int32{0, 1}, []int32{-1, 7, -5}, 0)
	f([]int32{0, 1, 2}, []int32{0, 1, 2}, 3)
	f([]int32{0, 0, 0}, []int32{0}, 1)
	f([]int32{0, 1, 0}, []int32{0, 0, 0, 0}, 2)
	f([]int32{0, 1, 2, 3}, []int32{3, 2, 1, 0}, 1)
	for n := 62; n < 130; n++ { // word borders
		g := make([]int32, n)
		for i := range g {
			g[i] = int32(i % 5)
		}
		f(g, g[1:], n-1)
		f(g, append([]int32{4}, g...), n)
	}
}

func TestLengthDoesNotAllocate(t *testing.T) {
	var s Scratch
	r := rand.New(rand.NewPCG(7, 8))
	g, e := random(r, 3000, 80), random(r, 3000, 90)
	m := build(g)
	m.Length(&s, e)
	if n := testing.AllocsPerRun(5, func() { m.Length(&s, e) }); n != 0 {
		t.Errorf("%v allocations a comparison, want none", n)
	}
}

func FuzzLength(f *testing.F) {
	f.Add([]byte("alpha beta gamma"), []byte("home alpha beta"))
	f.Add([]byte("aaaaaaaaaa"), []byte("ab"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if len(a) > 2000 || len(b) > 2000 {
			t.Skip("the table that the length is compared with takes len(a)·len(b) steps")
		}
		items := func(s []byte) []int32 {
			out := make([]int32, len(s))
			for i, c := range s {
				out[i] = int32(c)
			}
			return out
		}
		var m Masks
		m.Build(items(a), 256)
		var s Scratch
		if got, want := m.Length(&s, items(b)), table(items(a), items(b)); got != want {
			t.Fatalf("LCS is %d, not %d", want, got)
		}
	})
}

// go test -run - -bench Length -benchtime 5x ./algorithms/internal/lcs
func BenchmarkLength(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, c := range []struct {
		name     string
		n, sigma int
		share    float64 // share of the gold that is edited; 0: unrelated
	}{
		{"chars/pair=unrelated", 20000, 80, 0},
		{"chars/pair=alike", 20000, 80, 0.05},
		{"chars/pair=unrelated", 5000, 80, 0},
		{"chars/pair=alike", 5000, 80, 0.05},
		{"words/pair=unrelated", 20000, 4000, 0},
	} {
		g := random(r, c.n, c.sigma)
		e := random(r, c.n, c.sigma)
		if c.share > 0 {
			e = edited(r, g, c.sigma, c.share)
		}
		name := fmt.Sprintf("%s/n=%d", c.name, c.n)
		b.Run(name+"/by=bits", func(b *testing.B) {
			m := build(g)
			var s Scratch
			b.SetBytes(int64(len(g)))
			b.ReportAllocs()
			for b.Loop() {
				m.Length(&s, e)
			}
			b.ReportMetric(float64(len(g))*float64(len(e))*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "cells/ns")
		})
		b.Run(name+"/by=table", func(b *testing.B) {
			b.SetBytes(int64(len(g)))
			for b.Loop() {
				table(g, e)
			}
			b.ReportMetric(float64(len(g))*float64(len(e))*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "cells/ns")
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	g := random(r, 20000, 80)
	var m Masks
	b.SetBytes(int64(len(g)))
	for b.Loop() {
		m.Build(g, 80)
	}
}

// What is known of a length beforehand changes nothing.
func TestCompareFrom(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	var s Scratch
	var m Masks
	for i := range 200 {
		sigma := []int{4, 40, 400}[i%3]
		g := random(r, 500+r.IntN(3000), sigma)
		e := edited(r, g, sigma, []float64{0.02, 0.2, 0.6}[i/3%3])
		if i%2 == 0 {
			e = append(random(r, r.IntN(2000), sigma), e[r.IntN(len(e)):]...)
		}
		m.Build(g, sigma)
		want := m.Compare(&s, e, math.MaxInt, -1)
		for _, low := range []int{0, 1, want.Low / 2, want.Low - 1, want.Low} {
			if got := m.CompareFrom(&s, e, math.MaxInt, r.IntN(100)-1, low); got != want {
				t.Fatalf("%d items against %d, from %d: %+v, want %+v", len(g), len(e), low, got, want)
			}
		}
	}
}
