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

// Four steps at once, by words and by eights, are four steps, and touch no word more.
func TestFourSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for range 20_000 {
		n := 1 + r.IntN(40)
		v, masks := vector(r, n+1), [4][]uint64{}
		for i := range masks {
			masks[i] = vector(r, n)
		}
		want := slices.Clone(v)
		for _, m := range masks {
			one(want[:n], m)
		}
		for _, step := range []func(v, a, b, c, d []uint64){four, fourSteps} {
			got := slices.Clone(v)
			step(got[:n], masks[0], masks[1], masks[2], masks[3])
			if !slices.Equal(got, want) {
				t.Fatalf("%d words %x by %x:\n%x, want\n%x", n, v, masks, got, want)
			}
		}
	}
}

// go test -run - -bench FourSteps -benchtime 50ms ./algorithms/internal/lcs
func BenchmarkFourSteps(b *testing.B) {
	r := rand.New(rand.NewPCG(25, 26))
	for _, n := range []int{4, 8, 16, 40, 160} {
		v, masks := vector(r, n), [4][]uint64{}
		for i := range masks {
			masks[i] = vector(r, n)
		}
		for _, by := range []struct {
			name string
			step func(v, a, b, c, d []uint64)
		}{{"word", four}, {"quickest", fourSteps}} {
			b.Run(fmt.Sprintf("words=%d/by=%s", n, by.name), func(b *testing.B) {
				for b.Loop() {
					by.step(v, masks[0], masks[1], masks[2], masks[3])
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(4*n), "ns/word")
			})
		}
	}
}
