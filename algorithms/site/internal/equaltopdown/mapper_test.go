package equaltopdown

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/site/internal/labeltree"
)

// side makes a tree of words, indented by their depth.
func side(lines string) Side {
	t := new(labeltree.Tree)
	var depth []int
	for line := range strings.Lines(lines) {
		if word := strings.TrimSpace(line); word != "" {
			depth = append(depth, len(line)-len(strings.TrimLeft(line, " ")))
			h := uint64(14695981039346656037)
			for _, c := range []byte(word) {
				h = (h ^ uint64(c)) * 1099511628211
			}
			t.Label = append(t.Label, h)
		}
	}
	for n := range depth {
		end := n + 1
		for end < len(depth) && depth[end] > depth[n] {
			end++
		}
		t.End = append(t.End, int32(end))
	}
	return NewSide(t)
}

func TestMap(t *testing.T) {
	f := func(rule, a, b string, want ...int) {
		t.Helper()
		var m Mapper
		x, y := side(a), side(b)
		mapped := make([]bool, x.Len())
		m.Map(x, y, mapped)
		var got []int
		for n, in := range mapped {
			if in {
				got = append(got, n)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: mapped %v, want %v", rule, got, want)
		}
	}
	f("the roots are a pair whatever their labels", "x", "y", 0)
	f("parents are paired", "r\n a\n  t", "r\n b\n  t", 0)
	f("siblings may change places", "r\n a\n b\n c", "r\n c\n a\n b", 0, 1, 2, 3)
	f("one to one: the nearest in front", "r\n a\n  1\n a\n  2", "r\n a\n  2", 0, 3, 4)
	f("equal subtrees come before equal labels",
		"r\n p\n  x\n p\n  y", "r\n p\n  y\n p\n  z", 0, 1, 3, 4)
	f("the nearest place, not the first: c of place 1 takes that of place 1",
		"r\n q\n c\n  1\n  2", "r\n c\n  1\n c\n  2\n  3", 0, 2, 4)
	f("of two as near the one in front",
		"r\n z\n c\n  1\n  2", "r\n c\n  1\n  3\n y\n c\n  2\n  4", 0, 2, 3)
	f("a place that is taken is passed over",
		"r\n c\n  1\n c\n  2\n  5", "r\n c\n  9\n c\n  2\n  6", 0, 1, 3, 4)
}

// TestTwin compares Map with the rules written down as they are said.
func TestTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var m Mapper
	for range 4000 {
		a, b := random(r), random(r)
		want := make([]bool, a.Len())
		literal(a, b, 0, 0, want)
		got := make([]bool, a.Len())
		m.Map(a, b, got)
		if !slices.Equal(got, want) {
			t.Fatalf("mapped %v, want %v, of %v and %v", got, want, a.Tree, b.Tree)
		}
	}
}

func literal(a, b Side, x, y int32, mapped []bool) {
	mapped[x] = true
	as, bs := a.Kids(nil, x), b.Kids(nil, y)
	partner := make([]int, len(as))
	taken := make([]bool, len(bs))
	for i := range as {
		partner[i] = -1
		for j := range bs {
			if !taken[j] && a.Sub[as[i]] == b.Sub[bs[j]] {
				partner[i], taken[j] = j, true
				break
			}
		}
	}
	for i := range as {
		if partner[i] >= 0 {
			continue
		}
		best := -1
		for j := range bs {
			if !taken[j] && a.Label[as[i]] == b.Label[bs[j]] &&
				(best < 0 || max(i-j, j-i) < max(i-best, best-i)) {
				best = j
			}
		}
		if best >= 0 {
			partner[i], taken[best] = best, true
		}
	}
	for i, j := range partner {
		if j >= 0 {
			literal(a, b, as[i], bs[j], mapped)
		}
	}
}

func random(r *rand.Rand) Side {
	t := new(labeltree.Tree)
	depth := []int{0}
	for len(depth) < 1+r.IntN(25) {
		depth = append(depth, 1+r.IntN(min(3, depth[len(depth)-1]+1)))
	}
	for n := range depth {
		t.Label = append(t.Label, uint64(r.IntN(3)))
		end := n + 1
		for end < len(depth) && depth[end] > depth[n] {
			end++
		}
		t.End = append(t.End, int32(end))
	}
	return NewSide(t)
}

// TestLike: nodes of one group that are not alike are no pair, and the nearest that
// is alike is.
func TestLike(t *testing.T) {
	a, b := side("r\n a\n  1\n b\n  2"), side("r\n b\n  3\n a\n  4\n b\n  5")
	a.Group, b.Group = make([]uint64, a.Len()), make([]uint64, b.Len())
	var tried []string
	m := Mapper{Like: func(x, y int32) bool {
		tried = append(tried, fmt.Sprint(x, "-", y))
		return a.Label[x] == b.Label[y]
	}}
	mapped := make([]bool, a.Len())
	m.Map(a, b, mapped)
	if want := []bool{true, true, false, true, false}; !slices.Equal(mapped, want) {
		t.Errorf("mapped %v, want %v", mapped, want)
	}
	// a of place 0 tries places 0 and 1, b of place 1 then 0, which is as near as 2;
	// what is below the pairs has one child each.
	if want := []string{"1-1", "1-3", "3-1", "4-2", "2-4"}; !slices.Equal(tried, want) {
		t.Errorf("tried %v, want %v", tried, want)
	}
	many := wide(2000, 1, 1)
	m.Like = func(x, y int32) bool { tried = append(tried, ""); return false }
	tried = tried[:0]
	m.Map(many, wide(2000, 1, 2), make([]bool, many.Len()))
	if len(tried) != 2000*maxTries {
		t.Errorf("%d nodes of one group were tried", len(tried))
	}
}

// wide is a root with n children of k labels, each with one child of its own.
func wide(n, k int, seed uint64) Side {
	t := &labeltree.Tree{Label: []uint64{0}, End: []int32{int32(1 + 2*n)}}
	for i := range n {
		at := int32(1 + 2*i)
		t.Label = append(t.Label, uint64(i%k)<<32, seed<<40+uint64(i))
		t.End = append(t.End, at+2, at+2)
	}
	return NewSide(t)
}

// BenchmarkMap maps trees whose every child has to be found by its label: the
// time for each node must not grow with their number.
//
//	go test ./algorithms/site/internal/equaltopdown -bench Map
func BenchmarkMap(b *testing.B) {
	for _, n := range []int{100, 1000, 9000} {
		for _, k := range []int{1, 50} {
			b.Run(fmt.Sprintf("children=%d/labels=%d", n, k), func(b *testing.B) {
				x, y := wide(n, k, 1), wide(n, k, 2)
				var m Mapper
				mapped := make([]bool, x.Len())
				b.ReportAllocs()
				for b.Loop() {
					m.Map(x, y, mapped)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(x.Len()), "ns/node")
			})
		}
	}
}
