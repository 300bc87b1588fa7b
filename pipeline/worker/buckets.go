package worker

import (
	"context"
	"slices"
	"sync"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/learn"
	"github.com/winnow/winnow/schemas"
)

// gatherMax is the default of Options.GatherBytes.
const gatherMax = 32 << 20

// places finds the captures of an address by its rank: of pages, and of redirects
// from it.
type places struct {
	pages, redirects map[uint64][]*learn.Candidate
}

func newPlaces() places {
	return places{map[uint64][]*learn.Candidate{}, map[uint64][]*learn.Candidate{}}
}

func (p places) page(c *learn.Candidate)     { p.pages[c.Rank] = append(p.pages[c.Rank], c) }
func (p places) redirect(c *learn.Candidate) { p.redirects[c.Rank] = append(p.redirects[c.Rank], c) }

// captures are the pages of a site at an address, the best first; if there are
// none, those that its latest redirect leads to. That is followed once.
func (p places) captures(site string, rank uint64) []*learn.Candidate {
	out := of(p.pages[rank], site)
	if len(out) == 0 {
		if from := of(p.redirects[rank], site); len(from) > 0 {
			out = of(p.pages[from[0].TextHash], site)
		}
	}
	return out
}

// of are the captures of a site in order.
func of(captures []*learn.Candidate, site string) []*learn.Candidate {
	var out []*learn.Candidate
	for _, c := range captures {
		if c.Site == site {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, learn.Compare)
	return out
}

// buckets learns the item's sites, as many buckets at a time as may be held.
func (n *lesson) buckets(ctx context.Context) error {
	var samples, locations [schemas.SiteBuckets]int64
	for _, s := range n.shards {
		if s != nil {
			s.Weigh(learn.Samples, samples[:])
			s.Weigh(learn.Locations, locations[:])
			s.Weigh(learn.Redirects, locations[:])
		}
	}
	limit := n.s.w.opt.GatherBytes
	for from := n.it.Start; from < n.it.End; {
		to, located := from+1, locations[from]
		size := located + samples[from]
		for to < n.it.End && size+samples[to]+locations[to] <= limit {
			size += samples[to] + locations[to]
			located += locations[to]
			to++
		}
		if size > 0 {
			if err := n.sites(ctx, from, to, located > limit); err != nil {
				return err
			}
		}
		n.t.learned(to - from)
		from = to
	}
	return nil
}

// read calls f with every candidate of a kind in the buckets [from, to), one at a
// time, in no order.
func (n *lesson) read(ctx context.Context, kind learn.Kind, from, to int64, f func(*learn.Candidate)) error {
	var mu sync.Mutex // guards what f does
	return n.each(ctx, func(i int, name string, file blob.File) error {
		if !n.shards[i].Has(from, to) {
			return nil
		}
		return n.shards[i].Read(file, kind, from, to, func(c *learn.Candidate) {
			c.Shard = int32(i)
			mu.Lock()
			defer mu.Unlock()
			f(c)
		})
	}, nil)
}

// sites learns the sites of the buckets [from, to). If the locations of their
// pages are too many to be held, sites take turns.
func (n *lesson) sites(ctx context.Context, from, to int64, crowded bool) error {
	var bottom learn.Bottom
	if err := n.read(ctx, learn.Samples, from, to, bottom.Add); err != nil {
		return err
	}
	if crowded && n.j.linked {
		return n.inTurns(ctx, from, to, &bottom)
	}
	n.crawl.locate, n.crawl.seek = newPlaces(), nil
	if n.j.linked {
		if err := n.located(ctx, from, to, n.crawl.locate.page, n.crawl.locate.redirect); err != nil {
			return err
		}
	}
	for name, kept := range bottom.All() {
		if err := n.site(ctx, name, n.s.engine.Long(kept)); err != nil {
			return err
		}
	}
	return nil
}

// located reads redirects, and then pages.
func (n *lesson) located(ctx context.Context, from, to int64, page, redirect func(*learn.Candidate)) error {
	if err := n.read(ctx, learn.Redirects, from, to, redirect); err != nil {
		return err
	}
	return n.read(ctx, learn.Locations, from, to, page)
}

// locationBytes is about what a location takes as it is stored.
func locationBytes(c *learn.Candidate) int64 {
	return int64(40 + len(c.Site) + len(c.URL) + len(c.RecordID))
}

// inTurns learns the sites of a bucket whose locations cannot be held together.
// They are read once to be counted, once for each group of sites that can be held,
// and once for each site that alone is more than a quarter of that: of those only
// the pages that its sample links to are kept.
func (n *lesson) inTurns(ctx context.Context, from, to int64, bottom *learn.Bottom) error {
	limit := n.s.w.opt.GatherBytes
	sizes := map[string]int64{}
	count := func(c *learn.Candidate) { sizes[c.Site] += locationBytes(c) }
	if err := n.located(ctx, from, to, count, count); err != nil {
		return err
	}
	var group []string
	var held int64
	learned := func() error {
		at := map[string]bool{}
		for _, name := range group {
			at[name] = true
		}
		n.crawl.locate, n.crawl.seek = newPlaces(), nil
		ours := func(f func(*learn.Candidate)) func(*learn.Candidate) {
			return func(c *learn.Candidate) {
				if at[c.Site] {
					f(c)
				}
			}
		}
		err := n.located(ctx, from, to, ours(n.crawl.locate.page), ours(n.crawl.locate.redirect))
		for _, name := range group {
			if err == nil {
				err = n.site(ctx, name, n.s.engine.Long(bottom.Site(name)))
			}
		}
		group, held = group[:0], 0
		return err
	}
	var large []string
	for name := range bottom.All() {
		size := sizes[name]
		if size > limit/4 {
			large = append(large, name)
			continue
		}
		if held+size > limit {
			if err := learned(); err != nil {
				return err
			}
		}
		group, held = append(group, name), held+size
	}
	if err := learned(); err != nil {
		return err
	}
	n.crawl.locate, n.crawl.seek = places{}, func(name string, ranks []uint64) (places, error) {
		wanted := make(map[uint64]bool, len(ranks))
		for _, r := range ranks {
			wanted[r] = true
		}
		found := newPlaces()
		targets := map[uint64]bool{}
		err := n.located(ctx, from, to, func(c *learn.Candidate) {
			if c.Site == name && (wanted[c.Rank] || targets[c.Rank]) {
				found.page(c)
			}
		}, func(c *learn.Candidate) {
			if c.Site == name && wanted[c.Rank] {
				found.redirect(c)
				targets[c.TextHash] = true
			}
		})
		return found, err
	}
	for _, name := range large {
		if err := n.site(ctx, name, n.s.engine.Long(bottom.Site(name))); err != nil {
			return err
		}
	}
	return nil
}
