package learn

import (
	"context"
	"slices"
	"sync"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
)

// locations finds captures of pages, and of redirects, by the rank of their address.
type locations struct {
	pages, redirects map[uint64][]*Candidate
}

func newLocations() locations {
	return locations{map[uint64][]*Candidate{}, map[uint64][]*Candidate{}}
}

func (l locations) page(c *Candidate)     { l.pages[c.Rank] = append(l.pages[c.Rank], c) }
func (l locations) redirect(c *Candidate) { l.redirects[c.Rank] = append(l.redirects[c.Rank], c) }

// captures returns the pages of a site at an address, the best first. If there are
// none, it returns the pages to which the latest redirect from the address leads. It
// does not follow a redirect to another redirect.
func (l locations) captures(site string, rank uint64) []*Candidate {
	out := of(l.pages[rank], site)
	if len(out) == 0 {
		if from := of(l.redirects[rank], site); len(from) > 0 {
			out = of(l.pages[from[0].Target], site)
		}
	}
	return out
}

// of returns the captures of a site, the best first.
func of(captures []*Candidate, site string) []*Candidate {
	var out []*Candidate
	for _, c := range captures {
		if c.Site == site {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, Compare)
	return out
}

// buckets learns the item's sites. It reads as many buckets at a time as fit into
// memory.
func (n *lesson) buckets(ctx context.Context) error {
	var samples, others [schemas.SiteBuckets]int64 // bytes by bucket
	for _, s := range n.shards {
		if s != nil {
			s.Weigh(Samples, samples[:])
			s.Weigh(Locations, others[:])
			s.Weigh(Redirects, others[:])
		}
	}
	limit, end := n.opt.GatherBytes, n.attempt.Item.Sites.End
	for from := n.attempt.Item.Sites.Start; from < end; {
		to, located := from+1, others[from]
		size := located + samples[from]
		for to < end && size+samples[to]+others[to] <= limit {
			size += samples[to] + others[to]
			located += others[to]
			to++
		}
		if size > 0 {
			if err := n.sites(ctx, from, to, located > limit); err != nil {
				return err
			}
		}
		n.attempt.Advance(worker.Progress{Buckets: to - from})
		from = to
	}
	return nil
}

// read calls f with every candidate of a kind in the buckets [from, to), one at a time,
// in no particular order.
func (n *lesson) read(ctx context.Context, kind Kind, from, to int64, f func(*Candidate)) error {
	var mu sync.Mutex // guards what f changes
	return n.each(ctx, func(i int, name string, file blob.File) error {
		if !n.shards[i].Has(from, to) {
			return nil
		}
		return n.shards[i].Read(file, kind, from, to, func(c *Candidate) {
			c.Shard = int32(i)
			mu.Lock()
			defer mu.Unlock()
			f(c)
		})
	}, nil)
}

// sites learns the sites of the buckets [from, to). If the locations of their pages do
// not fit into memory, it learns them in groups.
func (n *lesson) sites(ctx context.Context, from, to int64, crowded bool) error {
	var bottom BottomK
	if err := n.read(ctx, Samples, from, to, bottom.Add); err != nil {
		return err
	}
	if crowded && n.linked {
		return n.inTurns(ctx, from, to, &bottom)
	}
	n.crawl.locations, n.crawl.seek = newLocations(), nil
	if n.linked {
		if err := n.located(ctx, from, to, n.crawl.locations.page, n.crawl.locations.redirect); err != nil {
			return err
		}
	}
	for name, kept := range bottom.All() {
		if err := n.site(ctx, name, n.engine.Long(kept)); err != nil {
			return err
		}
	}
	return nil
}

// located reads the redirects, and then the pages.
func (n *lesson) located(ctx context.Context, from, to int64, page, redirect func(*Candidate)) error {
	if err := n.read(ctx, Redirects, from, to, redirect); err != nil {
		return err
	}
	return n.read(ctx, Locations, from, to, page)
}

// locationBytes is the approximate size of a stored location.
func locationBytes(c *Candidate) int64 {
	return int64(40 + len(c.Site) + len(c.URL) + len(c.RecordID))
}

// inTurns learns the sites of a bucket whose locations do not fit into memory together.
// It reads them once to count them, once for each group of sites that fits, and once
// for each site that alone takes more than a quarter of the memory. For such a site it
// keeps only the pages to which its sample links.
func (n *lesson) inTurns(ctx context.Context, from, to int64, bottom *BottomK) error {
	limit := n.opt.GatherBytes
	sizes := map[string]int64{}
	count := func(c *Candidate) { sizes[c.Site] += locationBytes(c) }
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
		n.crawl.locations, n.crawl.seek = newLocations(), nil
		ours := func(f func(*Candidate)) func(*Candidate) {
			return func(c *Candidate) {
				if at[c.Site] {
					f(c)
				}
			}
		}
		err := n.located(ctx, from, to, ours(n.crawl.locations.page), ours(n.crawl.locations.redirect))
		for _, name := range group {
			if err == nil {
				err = n.site(ctx, name, n.engine.Long(bottom.Site(name)))
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
	n.crawl.locations, n.crawl.seek = locations{}, func(name string, ranks []uint64) (locations, error) {
		wanted := make(map[uint64]bool, len(ranks))
		for _, r := range ranks {
			wanted[r] = true
		}
		found := newLocations()
		targets := map[uint64]bool{}
		err := n.located(ctx, from, to, func(c *Candidate) {
			if c.Site == name && (wanted[c.Rank] || targets[c.Rank]) {
				found.page(c)
			}
		}, func(c *Candidate) {
			if c.Site == name && wanted[c.Rank] {
				found.redirect(c)
				targets[c.Target] = true
			}
		})
		return found, err
	}
	for _, name := range large {
		if err := n.site(ctx, name, n.engine.Long(bottom.Site(name))); err != nil {
			return err
		}
	}
	return nil
}
