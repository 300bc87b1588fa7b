package commit

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/winnow/winnow/pipeline/account"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// conductor leads a run that learns through the phases before extract. What
// decides is the manifest: it is changed before the new phase is made known, so
// that a conductor that is started again finds out what was still to do.
//
//	scan     every item of the plan accepted, in chains as in the last phase
//	         --> scan.json names the shards; manifest: phase learn
//	learn    every range of buckets reported, or given up
//	         --> files of templates, their index and table; manifest: phase extract
//
// Both phases end when all their items are accounted for, as a set. Reports are
// replayed from the beginning in each, so nothing else is remembered.
type conductor struct {
	*aggregator
	reports Reports
	times   int // that shards had to be made again
}

// conduct goes through the phases before extract, if there are any left.
func (a *aggregator) conduct(ctx context.Context) error {
	if len(a.run.Phases) <= 1 {
		return nil
	}
	c := &conductor{aggregator: a}
	for a.run.Phase != schemas.PhaseExtract {
		clear(a.refused)
		if err := c.phase(ctx); err != nil {
			return err
		}
	}
	clear(a.refused)
	return a.enter(ctx)
}

// phase carries out the present phase.
func (c *conductor) phase(ctx context.Context) (err error) {
	if err := c.enter(ctx); err != nil {
		return err
	}
	if c.reports, err = c.aggregator.reports(ctx); err != nil {
		return err
	}
	defer c.reports.Close()
	now, began := c.run.Phase, time.Now()
	c.log.Info("phase", "run", c.run.ID, "phase", now)
	if now == schemas.PhaseScan {
		err = c.scan(ctx)
	} else {
		err = c.learn(ctx)
	}
	if err == nil {
		c.log.Info("phase ends", "run", c.run.ID, "phase", now, "seconds", time.Since(began).Seconds(), "next", c.run.Phase)
	}
	return err
}

// enter makes the manifest's phase known.
func (a *aggregator) enter(ctx context.Context) error {
	return a.retry(ctx, "enter the phase", func() error { return a.opt.Broker.Enter(ctx, a.run, planned(a.run)) })
}

// planned yields all items of the run's present phase.
func planned(run *schemas.Run) iter.Seq2[*schemas.Item, error] {
	return func(yield func(*schemas.Item, error) bool) {
		if run.Phase == schemas.PhaseLearn {
			for i := range run.LearnItems {
				if it := run.LearnItem(i); !yield(&it, nil) {
					return
				}
			}
			return
		}
		for f := range run.Files {
			for s := range run.Files[f].Items {
				if it := run.Item(f, s); !yield(&it, nil) {
					return
				}
			}
		}
	}
}

// move commits another phase, and what the present one left, if anything.
func (c *conductor) move(ctx context.Context, to schemas.Phase, left *schemas.Templates) error {
	return c.append(ctx, &schemas.Change{Phase: to, Templates: left})
}

// scan waits until every item of the phase scan is accepted or given up.
func (c *conductor) scan(ctx context.Context) error {
	l := newLedger(c.run)
	index := schemas.ScanIndex{Version: schemas.Version, Run: c.run.ID, Hash: c.run.Hash}
	var counts schemas.Counts
	var lost []schemas.Dead
	c.progress = Progress{Phase: c.run.Phase, ItemsOf: c.run.Items()}
	for _, f := range c.run.Files {
		if f.Items > 0 {
			c.progress.BytesOf += f.Size
		}
	}
	for {
		for {
			e, again, err := l.next()
			if err != nil {
				return err
			}
			if again != nil {
				c.log.Info("item is run again from where the one before ended", "item", again.ID())
				if err := c.publish(ctx, again); err != nil {
					return err
				}
				continue
			}
			if e == nil {
				break
			}
			if e.report != nil {
				lost = append(lost, *e.report)
			}
			if e.Done != nil {
				account.AddCounts(&counts, &e.Done.Counts)
				if len(e.Done.Shards) > 0 {
					index.Items = append(index.Items, schemas.ScanItem{ID: e.Done.ID, URL: e.Item.URL, Private: e.Item.Private, Size: e.Item.Size, Within: e.Item.Within,
						Identity: e.Item.Ident, Shards: e.Done.Shards})
				}
			}
			c.drop(ctx, e.superfluous())
			c.advanced(e.Item.File, e.Item.Seq, e.Dead)
			c.opt.Progress(c.progress)
		}
		if l.finished() {
			break
		}
		rep, err := c.await(ctx, c.reports, l.waiting())
		if err != nil {
			return err
		}
		switch {
		case rep == queue.Report{}:
			c.giveUpRefused(l)
		case rep.Refused != nil:
			c.refuse(l, rep.About, rep.Refused)
		case rep.Done != nil && rep.Done.Item.Phase == schemas.PhaseScan && !c.isUnusable(rep.Done):
			c.receiveScan(ctx, l, &index, rep.Done)
		case rep.Dead != nil && rep.Dead.Item.Phase == schemas.PhaseScan && rep.Dead.Stage == queue.StageItem:
			if err := l.giveUp(rep.Dead); err != nil {
				c.refuse(nil, &rep.Dead.Item, err)
			}
		}
	}
	if err := c.writeJSON(ctx, c.scanIndexName(), &index); err != nil {
		return err
	}
	return c.move(ctx, schemas.PhaseLearn, &schemas.Templates{Scanned: counts, Dead: lost})
}

// receiveScan takes a report of the phase scan.
func (c *conductor) receiveScan(ctx context.Context, l *ledger, index *schemas.ScanIndex, d *schemas.Done) {
	p, err := l.known(&d.Item)
	if err == nil {
		err = errors.Join(account.CheckScan(&d.Counts, d.Next-d.First), account.CheckBytes(&d.Counts))
	}
	switch {
	case err != nil:
		c.refuse(l, &d.Item, err)
	case !l.before(p):
		l.add(p, d)
	default:
		// Of a second report of an accepted item only what the first does not name.
		c.drop(ctx, slices.DeleteFunc(slices.Clone(d.Shards), func(s schemas.Shard) bool { return named(index, s.Name) }))
	}
}

func named(x *schemas.ScanIndex, name string) bool {
	return slices.ContainsFunc(x.Items, func(it schemas.ScanItem) bool {
		return slices.ContainsFunc(it.Shards, func(s schemas.Shard) bool { return s.Name == name })
	})
}

// remake goes back to the phase scan, because workers found shards gone.
func (c *conductor) remake(ctx context.Context, gone []string) error {
	if c.times++; c.times > maxRepairs {
		return fmt.Errorf("aggregate: shards of the phase scan were lost %d times, the last one %s", c.times, gone[0])
	}
	for _, name := range gone {
		c.unusable[name] = true
	}
	data, err := blob.ReadAll(ctx, c.opt.Store, c.scanIndexName(), manifestLimit)
	if err != nil && !errors.Is(err, blob.ErrNotFound) {
		return err
	}
	var items []schemas.ItemID
	if err == nil {
		x, err := schemas.DecodeScanIndex(data)
		if err != nil {
			return err
		}
		for _, it := range x.Items {
			if slices.ContainsFunc(it.Shards, func(s schemas.Shard) bool { return c.unusable[s.Name] }) {
				items = append(items, it.ID)
				for _, s := range it.Shards { // what is still there of it goes with it
					c.unusable[s.Name] = true
				}
			}
		}
	}
	c.log.Warn("shards of the phase scan are made again", "run", c.run.ID, "items", len(items), "first", gone[0])
	if err := c.move(ctx, schemas.PhaseScan, nil); err != nil {
		return err
	}
	// Entering publishes all items under ids that the broker may or may not still
	// remember; those that are needed are published as new ones.
	if err := c.retry(ctx, "enter the phase again", func() error {
		return c.opt.Broker.Enter(ctx, c.run, func(func(*schemas.Item, error) bool) {})
	}); err != nil {
		return err
	}
	for it := range planned(c.run) {
		if slices.ContainsFunc(items, func(id schemas.ItemID) bool { return id == it.ID() || sameItem(id, it) }) {
			if err := c.publish(ctx, it); err != nil {
				return err
			}
		}
	}
	return nil
}

// sameItem says whether id is the item, run again from another start.
func sameItem(id schemas.ItemID, it *schemas.Item) bool {
	plain := string(it.ID())
	return len(id) > len(plain)+2 && string(id[:len(plain)]) == plain && id[len(plain):len(plain)+2] == "-s"
}
