package learn

import (
	"iter"
	"maps"
	"slices"
	"sort"

	"github.com/winnow/winnow/pipeline/template"
)

// keptPages is how many pages of a site are candidates for its sample.
const keptPages = 64

// Bottom keeps, of each site, the candidates of smallest rank. What it holds
// does not depend on the order in which they came. The zero value is empty.
type Bottom struct {
	sites map[string][]*Candidate // by rank, ascending, each rank once
	n     int
}

// Wants says whether a page would be kept: nothing more of it need be known, if
// not.
func (b *Bottom) Wants(c *Candidate) bool {
	kept := b.sites[c.Site]
	if len(kept) == keptPages && c.Rank > kept[keptPages-1].Rank {
		return false
	}
	i, found := find(kept, c.Rank)
	return !found || better(c, kept[i])
}

// Add keeps a candidate, if it is wanted.
func (b *Bottom) Add(c *Candidate) {
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

// Site are the candidates of a site, in the order of ranks.
func (b *Bottom) Site(name string) []*Candidate { return b.sites[name] }

// Len is the number of candidates that are kept.
func (b *Bottom) Len() int { return b.n }

// Reset empties b.
func (b *Bottom) Reset() { b.sites, b.n = nil, 0 }

// All yields the sites in the order of their names, each with its candidates in
// the order of ranks.
func (b *Bottom) All() iter.Seq2[string, []*Candidate] {
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

// longFor is the length of the long list of a sample of so many pages. No more
// than keptPages candidates are known of a site.
func longFor(pages int) int { return min(template.LongList(pages), keptPages) }

// long is the long list of a site's kept candidates: the first n of them whose
// texts differ.
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
