package commit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/winnow/winnow/pipeline/account"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/compact"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// learn waits until every item of the phase learn is reported or given up, and
// publishes what they learned.
func (c *conductor) learn(ctx context.Context) error {
	index, err := c.scanIndex(ctx)
	if errors.Is(err, blob.ErrNotFound) {
		// Somebody removed the shards, and what names them.
		return c.move(ctx, schemas.PhaseScan, nil)
	}
	if err != nil {
		return err
	}
	n := c.run.LearnItems
	done, dead := make([]*schemas.Done, n), make([]*schemas.Dead, n)
	c.progress = Progress{Phase: c.run.Phase, ItemsOf: n}
	left := n
	open := func(i int) bool { return done[i] == nil && dead[i] == nil }
	asked := make([]int, n) // how often an item was done again for shards that are there
	for left > 0 {
		rep, err := c.await(ctx, c.reports, unlearned(c.run, open))
		if err != nil {
			return err
		}
		it := &schemas.Item{}
		switch {
		case rep.Refused != nil:
			c.refuse(nil, rep.About, rep.Refused)
			continue
		case rep.Done != nil && rep.Done.Item.Phase == schemas.PhaseLearn:
			it = &rep.Done.Item
		case rep.Dead != nil && rep.Dead.Item.Phase == schemas.PhaseLearn && rep.Dead.Stage == queue.StageItem:
			it = &rep.Dead.Item
		default:
			continue
		}
		i := it.Seq
		if i < 0 || i >= n || *it != sameSeq(c.run.LearnItem(i), it) {
			c.refuse(nil, it, errors.New("the plan has no such item"))
			continue
		}
		switch {
		case rep.Done != nil && c.isUnusable(rep.Done):
		case rep.Done != nil && len(rep.Done.Learned.Missing) > 0:
			gone, err := c.missing(ctx, index, rep.Done.Learned.Missing)
			if err != nil {
				return err
			}
			if len(gone) > 0 {
				return c.remake(ctx, gone)
			}
			// The report is an old one, or another process did not see what is there.
			// Nothing else is done about it: Idle finds the item unreported. If that
			// happens again and again, the item is given up.
			if asked[i]++; asked[i] > maxRepairs && open(i) {
				dead[i] = &schemas.Dead{Version: schemas.Version, Item: c.run.LearnItem(i), Offset: it.Start, Length: it.Length(),
					Stage: queue.StageItem, Reason: reasonReport, Detail: "workers report shards as missing that are there", Attempts: asked[i], Time: time.Now().UTC()}
				c.log.Error("item given up", "item", it.ID(), "why", reasonReport, "reason", dead[i].Detail)
				left--
				c.progress.Dead++
			}
		case rep.Done != nil && learnedRows(rep.Done) != account.Sum(rep.Done.Learned.Statuses):
			c.refuse(nil, it, fmt.Errorf("%w: %d rows of templates, reported are %d", account.ErrConservation, learnedRows(rep.Done), account.Sum(rep.Done.Learned.Statuses)))
		case !open(i):
			if d := rep.Done; d != nil && done[i] != nil && bundlesOf(d) != bundlesOf(done[i]) {
				c.log.Error("learning is not deterministic", "item", it.ID(), "reason", "another attempt made other templates")
			}
		case rep.Done != nil:
			done[i] = rep.Done
			left--
		default:
			dead[i] = rep.Dead
			left--
			c.progress.Dead++
		}
		if !open(i) {
			c.progress.Items = n - left
			c.opt.Progress(c.progress)
		}
	}
	return c.publishTemplates(ctx, index, done, dead)
}

// missing returns those of the named shards of the phase scan that really are gone
// or damaged: a replayed report may be about shards that have been made again
// since, and a worker may be wrong. The index is written again if it is missing.
func (c *conductor) missing(ctx context.Context, index *schemas.ScanIndex, names []string) (gone []string, err error) {
	if name := c.scanIndexName(); slices.Contains(names, name) {
		if err := c.writeJSON(ctx, name, index); err != nil {
			return nil, err
		}
	}
	for _, it := range index.Items {
		for i := range it.Shards {
			s := &it.Shards[i]
			if !slices.Contains(names, s.Name) {
				continue
			}
			err := c.retry(ctx, "read a shard of phase scan", func() error { return c.compact.Intact(ctx, s) })
			switch {
			case err != nil && compact.IsDamage(err):
				gone = append(gone, s.Name)
			case err != nil:
				return nil, err
			}
		}
	}
	return gone, nil
}

// learnedRows are the rows that a report's shard of templates has.
func learnedRows(d *schemas.Done) (rows int64) {
	for _, s := range d.Shards {
		if s.Table == schemas.TableTemplates {
			rows += s.Rows
		}
	}
	return rows
}

// sameSeq is the planned item with the first record that a report has: it may
// have been published more than once.
func sameSeq(plan schemas.Item, it *schemas.Item) schemas.Item {
	plan.First, plan.Version = it.First, it.Version
	return plan
}

func bundlesOf(d *schemas.Done) string {
	for _, s := range d.Shards {
		if s.Table == schemas.TableBundles {
			return s.SHA256
		}
	}
	return ""
}

// unlearned yields the items of the phase learn that are open.
func unlearned(run *schemas.Run, open func(int) bool) iter.Seq2[*schemas.Item, error] {
	return func(yield func(*schemas.Item, error) bool) {
		for i := range run.LearnItems {
			if it := run.LearnItem(i); open(i) && !yield(&it, nil) {
				return
			}
		}
	}
}

func (c *conductor) scanIndex(ctx context.Context) (*schemas.ScanIndex, error) {
	data, err := blob.ReadAll(ctx, c.opt.Store, c.scanIndexName(), manifestLimit)
	if err != nil {
		return nil, err
	}
	return schemas.DecodeScanIndex(data)
}

func (c *conductor) scanIndexName() string {
	return schemas.ShardFolder + "/" + c.run.Hash + "/" + schemas.ScanIndexFile
}

// publishTemplates puts the files of templates where they stay, writes their
// table and index, and ends the phase. If shards of an item are gone it is
// published again, and the phase goes on.
func (c *conductor) publishTemplates(ctx context.Context, scan *schemas.ScanIndex, done []*schemas.Done, dead []*schemas.Dead) error {
	x := &schemas.TemplateIndex{Version: schemas.Version, Run: c.run.ID, Hash: c.run.Hash, Created: c.run.Created, SiteBy: c.run.Recipe.SiteBy, Reading: c.run.Recipe.Reading}
	if l := c.run.Recipe.Learn; l != nil {
		x.Sites = l.Sites
	}
	sum := *c.manifest.Templates
	sum.Sites, sum.Statuses = 0, nil
	var entries []*compact.Entry
	for i := range done {
		it := c.run.LearnItem(i)
		r := schemas.BucketRange{Start: it.Start, End: it.End, Dead: done[i] == nil}
		x.Ranges = append(x.Ranges, r)
		if dead[i] != nil {
			sum.Dead = append(slices.Clip(sum.Dead), *dead[i])
			continue
		}
		d := done[i]
		d.Counts.Rows = map[schemas.Table]int64{}
		for _, s := range d.Shards {
			d.Counts.Rows[s.Table] += s.Rows
		}
		entries = append(entries, &compact.Entry{Item: it, Done: d})
		sum.Sites += d.Learned.Sites
		account.AddMap(&sum.Statuses, d.Learned.Statuses)
	}
	found := new(compact.Damage)
	err := c.retry(ctx, "publish the templates", func() error {
		for i, d := range done {
			if d == nil {
				continue
			}
			for _, s := range d.Shards {
				if s.Table != schemas.TableBundles {
					continue
				}
				name := schemas.BundlesName(i)
				if err := c.compact.Copy(ctx, &s, name); err != nil {
					if compact.IsDamage(err) {
						found.Add(&compact.Entry{Item: c.run.LearnItem(i), Done: d}, err)
						return found
					}
					return err
				}
				s.Name = name
				x.Ranges[i].File = s
			}
		}
		table, err := c.compact.Templates(ctx, found, entries)
		if err != nil {
			return err
		}
		sum.Table = *table
		sum.Index, err = c.writeIndex(ctx, x)
		return err
	})
	if found.Any() {
		if c.times++; c.times > maxRepairs {
			return found
		}
		return c.relearn(ctx, found)
	}
	if err != nil {
		return err
	}
	if err := c.move(ctx, schemas.PhaseExtract, &sum); err != nil {
		return err
	}
	c.log.Info("templates learned", "run", c.run.ID, "sites", sum.Sites, "statuses", fmt.Sprint(sum.Statuses))
	for _, e := range entries {
		c.drop(ctx, e.Done.Shards)
	}
	for _, it := range scan.Items {
		c.drop(ctx, it.Shards)
	}
	return nil
}

// relearn has the items done again whose shards cannot be used. Their reports do
// not count any more.
func (c *conductor) relearn(ctx context.Context, found *compact.Damage) error {
	var again []*schemas.Item
	for _, e := range found.Entries {
		for _, s := range e.Done.Shards {
			c.unusable[s.Name] = true
		}
		again = append(again, &e.Item)
		c.log.Warn("item is done again", "item", e.Item.ID(), "reason", found.Cause(e))
	}
	return c.publish(ctx, again...)
}

// writeIndex writes the index of the templates.
func (c *conductor) writeIndex(ctx context.Context, x *schemas.TemplateIndex) (schemas.Shard, error) {
	data, err := json.MarshalIndent(x, "", " ")
	if err != nil {
		return schemas.Shard{}, err
	}
	w, err := blob.WriteAll(ctx, c.opt.Store, schemas.TemplateIndexFile, append(data, '\n'))
	return schemas.Shard{Name: w.Name, Bytes: w.Bytes, SHA256: w.SHA256, Rows: int64(len(x.Ranges))}, err
}

// writeJSON writes a record.
func (c *conductor) writeJSON(ctx context.Context, name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.retry(ctx, "write "+name, func() error {
		_, err := blob.WriteAll(ctx, c.opt.Store, name, data)
		return err
	})
}
