package learn

import (
	"iter"
	"maps"
	"slices"
	"sort"

	"github.com/winnow/winnow/pipeline/learn/template"
)

// keptPages is the number of pages of a site that are candidates for its sample.
const keptPages = 64

// BottomK is a bottom-k sample of each site: it keeps the candidates of smallest rank.
// The result does not depend on the order in which they are added. The zero BottomK is
// empty.
type BottomK struct {
	sites map[string][]*Candidate // by rank, ascending, each rank once
	n     int
}

// Wants reports whether a page would be kept. Candidates outside the k smallest ranks
// need no further fields.
func (b *BottomK) Wants(c *Candidate) bool {
	kept := b.sites[c.Site]
	if len(kept) == keptPages && c.Rank > kept[keptPages-1].Rank {
		return false
	}
	i, found := find(kept, c.Rank)
	return !found || better(c, kept[i])
}

// Add keeps a candidate if Wants reports true for it.
func (b *BottomK) Add(c *Candidate) {
	if !b.Wants(c) {
		return
	}
	if b.sites == nil {
		b.sites = make(map[string][]*Candidate)
	}
	kept := b.sites[c.Site]
	i, found := find(kept, c.Rank)
	switch {
	case found:
		kept[i] = c
	case len(kept) == keptPages:
		copy(kept[i+1:], kept[i:])
		kept[i] = c
	default:
		b.sites[c.Site] = slices.Insert(kept, i, c)
		b.n++
	}
}

// Site returns the candidates of a site, in the order of ranks.
func (b *BottomK) Site(name string) []*Candidate { return b.sites[name] }

// Len returns the number of candidates that are kept.
func (b *BottomK) Len() int { return b.n }

// Reset empties b.
func (b *BottomK) Reset() { b.sites, b.n = nil, 0 }

// All yields the sites in the order of their names, each with its candidates in
// the order of ranks.
func (b *BottomK) All() iter.Seq2[string, []*Candidate] {
	return func(yield func(string, []*Candidate) bool) {
		for _, site := range slices.Sorted(maps.Keys(b.sites)) {
			if !yield(site, b.sites[site]) {
				return
			}
		}
	}
}

func find(kept []*Candidate, rank uint64) (int, bool) {
	i := sort.Search(len(kept), func(i int) bool { return kept[i].Rank >= rank })
	return i, i < len(kept) && kept[i].Rank == rank
}

// longFor returns the length of the long list for a sample of n pages, at most
// keptPages.
func longFor(pages int) int { return min(template.LongList(pages), keptPages) }

// long returns the long list of a site's candidates: the first n whose texts differ.
func long(kept []*Candidate, n int) []*Candidate {
	seen := make(map[uint64]bool, n)
	var out []*Candidate
	for _, c := range kept {
		if seen[c.TextHash] {
			continue
		}
		seen[c.TextHash] = true
		if out = append(out, c); len(out) == n {
			break
		}
	}
	return out
}
