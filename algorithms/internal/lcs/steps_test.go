package lcs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// vector returns n words in which carries are rare, common, or run through many
// words.
func vector(r *rand.Rand, n int) []uint64 {
	v := make([]uint64, n)
	kind := r.IntN(4)
	for i := range v {
		x := r.Uint64()
		switch kind {
		case 0:
			x &= r.Uint64() & r.Uint64()
		case 1:
			x |= r.Uint64() | r.Uint64() | r.Uint64()
		case 2:
			if r.IntN(3) > 0 {
				x = ^uint64(0)
			}
		}
		if r.IntN(5) == 0 {
			x = 0
		}
		v[i] = x
	}
	return v
}

// randomMasks returns masks whose rows are dense and of the given number of words, in no
// particular order, and up to 64 items.
func randomMasks(r *rand.Rand, words int) (m *Masks, e []int32) {
	m = new(Masks)
	for range 1 + r.IntN(40) {
		m.row = append(m.row, row{at: int32(len(m.dense)), dense: true})
		m.dense = append(m.dense, vector(r, words)...)
	}
	r.Shuffle(len(m.row), func(i, j int) { m.row[i], m.row[j] = m.row[j], m.row[i] })
	for range 1 + r.IntN(64) {
		e = append(e, int32(r.IntN(len(m.row))))
	}
	return m, e
}

// The steps of many items are the steps of one after the other, and touch no word more.
func TestSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for range 20_000 {
		from, n := r.IntN(4), 1+r.IntN(100)
		m, e := randomMasks(r, from+n+r.IntN(4))
		v := vector(r, n+1)
		want := slices.Clone(v)
		for _, c := range e {
			one(want[:n], m.dense[int(m.row[c].at)+from:][:n])
		}
		got := slices.Clone(v)
		m.steps(got[:n], from, e)
		if !slices.Equal(got, want) {
			t.Fatalf("%d items, %d words %x:\n%x, want\n%x", len(e), n, v, got, want)
		}
	}
}

// go test -run - -bench Steps -benchtime 50ms ./algorithms/internal/lcs
func BenchmarkSteps(b *testing.B) {
	r := rand.New(rand.NewPCG(25, 26))
	for _, n := range []int{2, 4, 5, 8, 16, 24, 32, 64, 160} {
		m, e := randomMasks(r, n)
		for len(e) < stride {
			e = append(e, e...)
		}
		v := vector(r, n)
		b.Run(fmt.Sprintf("words=%d", n), func(b *testing.B) {
			for b.Loop() {
				m.steps(v, 0, e[:stride])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(stride*n), "ns/word")
		})
	}
}
