package menupages

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/winnow/winnow/algorithms"
)

// choose returns the largest set of at most n candidates that all link to each other,
// or nil if no two do.
func choose(from []sketched, n int) []sketched {
	clique := largest(ties(from, func(p *sketched) (uint64, []uint64) { return p.rank, p.links }), 1<<len(from)-1, n)
	if bits.OnesCount16(clique) < 2 {
		return nil
	}
	var chosen []sketched
	for i, p := range from {
		if clique>>i&1 != 0 {
			chosen = append(chosen, p)
		}
	}
	return chosen
}

// candidates returns the linked pages that at least two sample pages link to, those
// with most such links first, then by rank.
func candidates(sample, linked []sketched) []sketched {
	in := make(map[uint64]int, len(linked)) // sample pages that link to it
	for _, p := range linked {
		in[p.rank] = 0
	}
	for _, p := range sample {
		for _, to := range p.links {
			if _, ok := in[to]; ok && to != p.rank {
				in[to]++
			}
		}
	}
	kept := slices.DeleteFunc(slices.Clone(linked), func(p sketched) bool { return in[p.rank] < 2 })
	slices.SortStableFunc(kept, func(a, b sketched) int {
		return cmp.Or(in[b.rank]-in[a.rank], cmp.Compare(a.rank, b.rank))
	})
	kept = slices.CompactFunc(kept, func(a, b sketched) bool { return a.rank == b.rank })
	return kept[:min(len(kept), algorithms.MaxLinked)]
}

// ties returns, for each of at most MaxLinked pages, the indexes of the pages that it
// links to and that link to it. of returns the rank and the sorted links of a page.
func ties[P any](pages []P, of func(*P) (rank uint64, links []uint64)) []uint16 {
	ties := make([]uint16, len(pages))
	for i := range pages {
		rank, links := of(&pages[i])
		for j := range i {
			other, back := of(&pages[j])
			if contains(links, other) && contains(back, rank) {
				ties[i] |= 1 << j
				ties[j] |= 1 << i
			}
		}
	}
	return ties
}

func contains(sorted []uint64, rank uint64) bool {
	_, ok := slices.BinarySearch(sorted, rank)
	return ok
}

// largest returns the largest clique of at most n vertices, all of them within a set.
// Of equally large ones it is the one whose vertices come first. ties[i] holds the
// neighbours of vertex i. There are at most MaxLinked vertices, so all cliques can be
// tried.
func largest(ties []uint16, within uint16, n int) uint16 {
	best := uint16(0)
	var extend func(clique, left uint16)
	extend = func(clique, left uint16) {
		// Cliques are found in the order of their vertices, so only a larger one is
		// better.
		if bits.OnesCount16(clique) > bits.OnesCount16(best) {
			best = clique
		}
		if bits.OnesCount16(clique) == n {
			return
		}
		for ; left != 0; left &= left - 1 {
			v := bits.TrailingZeros16(left)
			extend(clique|1<<v, left&ties[v]&^(1<<v))
		}
	}
	extend(0, within)
	return best
}
