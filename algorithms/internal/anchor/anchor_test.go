package anchor

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func items(s string) []int32 {
	out := make([]int32, len(s))
	for i := range s {
		out[i] = int32(s[i])
	}
	return out
}

func TestChain(t *testing.T) {
	f := func(a, b string, piece int, want ...Fragment) {
		t.Helper()
		var finder Finder
		if got := finder.Chain(items(a), items(b), piece); !slices.Equal(got, want) {
			t.Errorf("%q, %q: got %v, want %v", a, b, got, want)
		}
	}
	f("", "", 3)
	f("ab", "abc", 3)
	f("abcXdefghYijk", "defghZabcijk", 3, Fragment{4, 0, 5}, Fragment{10, 9, 3})
	f("abcabc", "abc", 3)                                                // not unique in a
	f("abc", "abcabc", 3)                                                // not unique in b
	f("xabcdy", "zabcdw", 3, Fragment{1, 1, 4})                          // as long as it goes
	f("abcdef", "abcdef", 2, Fragment{0, 0, 6})                          // one fragment, not five
	f("0123456789-abc-def", "abc_def_0123456789", 3, Fragment{0, 8, 10}) // ten items, not two fragments of three
	f("abcd1bcde", "abcde", 3, Fragment{0, 0, 4}, Fragment{6, 2, 3})     // bcd is not unique, abc and cde are
}

// TestLongest compares the chain with the best of all chains.
func TestLongest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		var finder Finder
		at := int32(0)
		for range r.IntN(9) {
			at += 1 + r.Int32N(4)
			finder.found = append(finder.found, Fragment{at, 0, 1 + r.Int32N(9)})
		}
		for i, b := range r.Perm(len(finder.found)) {
			finder.found[i].B = int32(3 * b)
		}
		most := int32(0)
		for set := range 1 << len(finder.found) {
			sum, last := int32(0), int32(-1)
			for i, f := range finder.found {
				if set>>i&1 == 1 {
					if f.B <= last {
						sum = -1 << 20
					}
					sum, last = sum+f.Length, f.B
				}
			}
			most = max(most, sum)
		}
		finder.longest()
		sum, last := int32(0), int32(-1)
		for _, f := range finder.chain {
			if f.B <= last {
				t.Fatalf("%v: the chain goes back: %v", finder.found, finder.chain)
			}
			sum, last = sum+f.Length, f.B
		}
		if sum != most {
			t.Fatalf("%v: a chain of %d items, want %d: %v", finder.found, sum, most, finder.chain)
		}
	}
}

// Gaps and matches together must cover both sides, and matches be equal.
func TestGapsCover(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var finder Finder
	for range 500 {
		sigma := 2 + r.IntN(40)
		a := make([]int32, r.IntN(300))
		for i := range a {
			a[i] = int32(r.IntN(sigma))
		}
		var b []int32
		for range r.IntN(6) { // pieces of a in any order, with noise
			if len(a) > 0 {
				from := r.IntN(len(a))
				b = append(b, a[from:from+r.IntN(len(a)-from)]...)
			}
			b = append(b, int32(r.IntN(sigma)))
		}
		i, j := 0, 0
		Gaps(finder.Chain(a, b, 1+r.IntN(6)), len(a), len(b), func(f Fragment) {
			if int(f.A) != i || int(f.B) != j || f.Length <= 0 || !slices.Equal(a[i:i+int(f.Length)], b[j:j+int(f.Length)]) {
				t.Fatalf("match %v at %d, %d", f, i, j)
			}
			i, j = i+int(f.Length), j+int(f.Length)
		}, func(aFrom, aTo, bFrom, bTo int) {
			if aFrom != i || bFrom != j || aTo < aFrom || bTo < bFrom {
				t.Fatalf("gap %d-%d, %d-%d at %d, %d", aFrom, aTo, bFrom, bTo, i, j)
			}
			i, j = aTo, bTo
		})
		if i != len(a) || j != len(b) {
			t.Fatalf("covered %d of %d and %d of %d", i, len(a), j, len(b))
		}
	}
}
