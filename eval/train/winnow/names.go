package main

import (
	"cmp"
	"math"
	"slices"

	"github.com/winnow/winnow/algorithms/extract/winnow/blocks"
)

// nameShare is the share of content in the text below elements with one name on one
// page.
type nameShare struct {
	name  uint32
	page  int
	share float64
}

// nameShares returns the shares of the page that r holds. Each block counts by its
// words.
func (r *reader) nameShares(page int, content []float32) (shares []nameShare) {
	type sum struct{ words, content float64 }
	sums := make(map[uint32]sum)
	var names []uint32
	for i := range r.blocks.Blocks {
		words := float64(r.blocks.Blocks[i].Words)
		if words == 0 {
			continue
		}
		names = r.blocks.NameTokens(names[:0], i)
		for _, name := range names {
			s := sums[name]
			sums[name] = sum{s.words + words, s.content + words*float64(content[i])}
		}
	}
	for name, s := range sums {
		shares = append(shares, nameShare{name, page, s.content / s.words})
	}
	slices.SortFunc(shares, func(a, b nameShare) int { return cmp.Compare(a.name, b.name) })
	return shares
}

// Names on fewer domains than leastDomains are left out of the tables. Fewer than
// leastPages pages of different domains are too few for a value.
const (
	leastDomains = 5
	leastPages   = 3
)

// nameTables are the tables of learned names: [o][i] is learned from the pages outside
// of fold o and inner fold i. [none] leaves out no fold, and [..][innerFolds] no inner
// fold. A training page gets its values from a table that was learned without its inner
// fold; otherwise the model would trust the table too much.
type nameTables [folds + 1][innerFolds + 1]*blocks.NameTable

// learnNames computes the tables. The more pages a domain has, the less each of them
// counts.
func learnNames(documents []sample, shares []nameShare) (tables nameTables) {
	pagesOf := make(map[string]int)
	for _, d := range documents {
		if d.made == real {
			pagesOf[d.Domain]++
		}
	}
	type sums struct{ content, rest float64 }
	type variants [folds + 1][innerFolds + 1]sums
	add := func(v *variants, s nameShare) {
		d := documents[s.page]
		weight := 1 / float64(pagesOf[d.Domain])
		fold, inner := d.fold(), d.inner()
		for o := range v {
			for i := range v[o] {
				if o != fold && i != inner {
					v[o][i].content += weight * s.share
					v[o][i].rest += weight * (1 - s.share)
				}
			}
		}
	}
	slices.SortFunc(shares, func(a, b nameShare) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.page, b.page))
	})
	var all variants
	for _, s := range shares {
		add(&all, s)
	}
	var entries [folds + 1][innerFolds + 1][]blocks.NameEntry
	for from := 0; from < len(shares); {
		to := from
		var own variants
		domains := make(map[string]bool)
		for ; to < len(shares) && shares[to].name == shares[from].name; to++ {
			add(&own, shares[to])
			domains[documents[shares[to].page].Domain] = true
		}
		name := shares[from].name
		from = to
		if len(domains) < leastDomains {
			continue
		}
		for o := range own {
			for i, s := range own[o] {
				if s.content+s.rest < leastPages {
					continue
				}
				prior := all[o][i].content / (all[o][i].content + all[o][i].rest)
				odds := math.Log((s.content+2*prior)/(s.rest+2*(1-prior))) - math.Log(prior/(1-prior))
				if v := int8(math.Round(min(max(odds, -4), 4) * blocks.NameUnit)); v != 0 {
					entries[o][i] = append(entries[o][i], blocks.NameEntry{Hash: name, Value: v})
				}
			}
		}
	}
	for o := range tables {
		for i := range tables[o] {
			tables[o][i] = blocks.NewNameTable(entries[o][i])
		}
	}
	return tables
}

// of returns the table for page d when fold o is held out.
func (t *nameTables) of(o int, d *document) *blocks.NameTable {
	if d.fold() == o {
		return t[o][innerFolds]
	}
	return t[o][d.inner()]
}
