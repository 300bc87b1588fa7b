package menupages

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

func linking(rank uint64, links ...uint64) sketched {
	slices.Sort(links)
	return sketched{rank: rank, links: links}
}

func ranks(pages []sketched) (r []uint64) {
	for _, p := range pages {
		r = append(r, p.rank)
	}
	return r
}

// TestCandidates: pages 1 to 4 are the sample.
//
//	to    from 1  2  3  4   links
//	10         x  x         2
//	11         x  x  x      3
//	12            x         1: not a candidate
//	13            x  x      2, and a larger rank than 10
//	14               x      1 besides its own, which does not count
func TestCandidates(t *testing.T) {
	sample := []sketched{
		linking(1, 10, 11), linking(2, 10, 11, 12, 13, 99), linking(3, 11, 13, 14, 99), linking(14, 14),
	}
	linked := []sketched{linking(14), linking(13), linking(12), linking(11), linking(10), linking(11)}
	if got := ranks(candidates(sample, linked)); !slices.Equal(got, []uint64{11, 10, 13}) {
		t.Errorf("candidates %v, want 11 10 13 (99 was not captured)", got)
	}
	var many []sketched
	var all []uint64
	for r := range uint64(40) {
		many, all = append(many, linking(100-r)), append(all, 100-r)
	}
	if got := ranks(candidates([]sketched{linking(1, all...), linking(2, all...)}, many)); len(got) != 16 || got[0] != 61 || got[15] != 76 {
		t.Errorf("candidates %v, want 61 to 76", got)
	}
}

func TestChoose(t *testing.T) {
	f := func(rule string, n int, want []uint64, linked ...sketched) {
		t.Helper()
		var all []uint64
		for _, p := range linked {
			all = append(all, p.rank)
		}
		sample := []sketched{linking(1, all...), linking(2, all...)} // links to all: candidates by rank
		if got := ranks(choose(candidates(sample, linked), n)); !slices.Equal(got, want) {
			t.Errorf("%s: chosen %v, want %v", rule, got, want)
		}
	}
	f("no candidates", 4, nil)
	f("a link in one direction is no tie", 4, nil, linking(10, 11), linking(11))
	f("a pair", 4, []uint64{10, 12}, linking(10, 11, 12), linking(11), linking(12, 10))
	f("the larger clique, not the first", 4, []uint64{12, 13, 14},
		linking(10, 11), linking(11, 10), linking(12, 13, 14), linking(13, 12, 14), linking(14, 12, 13))
	f("of equals the foremost", 4, []uint64{10, 13},
		linking(10, 13, 14), linking(11, 12), linking(12, 11), linking(13, 10), linking(14, 10))
	square := func(r uint64) sketched { return linking(r, 10, 11, 12, 13) }
	f("at most n", 2, []uint64{10, 11}, square(10), square(11), square(12), square(13))
	f("all of n", 4, []uint64{10, 11, 12, 13}, square(10), square(11), square(12), square(13))
}

// TestLargest looks at all sets of vertices.
func TestLargest(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		v := 1 + r.IntN(16)
		ties := make([]uint16, v)
		for i := range v {
			for j := range i {
				if r.IntN(3) > 0 {
					ties[i] |= 1 << j
					ties[j] |= 1 << i
				}
			}
		}
		n := 2 + r.IntN(5)
		var want []int
		for set := 1; set < 1<<v; set++ {
			if bits.OnesCount(uint(set)) > n || !clique(ties, set) {
				continue
			}
			if got := members(set); len(got) > len(want) || len(got) == len(want) && slices.Compare(got, want) < 0 {
				want = got
			}
		}
		if got := members(int(largest(ties, 1<<len(ties)-1, n))); !slices.Equal(got, want) {
			t.Fatalf("%v of %b, want %v", got, ties, want)
		}
	}
	if largest(nil, 0, 4) != 0 {
		t.Error("a clique of no vertices")
	}
}

func clique(ties []uint16, set int) bool {
	for _, i := range members(set) {
		if set&^int(ties[i])&^(1<<i) != 0 {
			return false
		}
	}
	return true
}

func members(set int) (m []int) {
	for i := range 16 {
		if set>>i&1 != 0 {
			m = append(m, i)
		}
	}
	return m
}
