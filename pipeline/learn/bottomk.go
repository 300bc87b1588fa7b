package learn

import (
	"cmp"
	"maps"
	"slices"

	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/schemas"
)

// BottomK is a bottom-k sample of each site: it keeps the candidates of smallest rank.
// The result does not depend on the order in which they are added. The zero BottomK is
// empty.
type BottomK struct {
	sites map[string][]*schemas.Candidate // by rank, ascending, each rank once
	n     int
}

// Wants reports whether a page would be kept. Candidates outside the k smallest ranks
// need no further fields.
func (b *BottomK) Wants(c *schemas.Candidate) bool {
	kept := b.sites[c.Site]
	if len(kept) == schemas.SitePages && c.Rank > kept[schemas.SitePages-1].Rank {
		return false
	}
	i, found := find(kept, c.Rank)
	return !found || schemas.CompareCandidates(c, kept[i]) < 0
}

// Add keeps a candidate if Wants reports true for it.
func (b *BottomK) Add(c *schemas.Candidate) {
	if !b.Wants(c) {
		return
	}
	if b.sites == nil {
		b.sites = make(map[string][]*schemas.Candidate)
	}
	kept := b.sites[c.Site]
	i, found := find(kept, c.Rank)
	switch {
	case found:
		kept[i] = c
	case len(kept) == schemas.SitePages:
		copy(kept[i+1:], kept[i:])
		kept[i] = c
	default:
		b.sites[c.Site] = slices.Insert(kept, i, c)
		b.n++
	}
}

// Len returns the number of candidates that are kept.
func (b *BottomK) Len() int { return b.n }

// Flush calls f with all candidates, by site and rank, and empties b. Later candidates
// are compared with each other only, so more of them than needed are kept, but never
// fewer.
func (b *BottomK) Flush(f func(*schemas.Candidate) error) error {
	for _, site := range slices.Sorted(maps.Keys(b.sites)) {
		for _, c := range b.sites[site] {
			if err := f(c); err != nil {
				return err
			}
		}
	}
	b.sites, b.n = nil, 0
	return nil
}

func find(kept []*schemas.Candidate, rank uint64) (int, bool) {
	return slices.BinarySearchFunc(kept, rank, func(c *schemas.Candidate, rank uint64) int { return cmp.Compare(c.Rank, rank) })
}

// longFor returns the length of the long list for a sample of n pages, at most
// schemas.SitePages.
func longFor(pages int) int { return min(template.LongList(pages), schemas.SitePages) }

// long returns the long list of a site's candidates: the first n whose texts differ.
func long(kept []*schemas.Candidate, n int) []*schemas.Candidate {
	seen := make(map[uint64]bool, n)
	var out []*schemas.Candidate
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
