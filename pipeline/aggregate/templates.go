package aggregate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

const (
	// TemplatesFile is the table of what was learned about which site.
	TemplatesFile = "templates.parquet"
	// templatesFolder has the templates themselves, and their index.
	templatesFolder = "templates"
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
	for left > 0 {
		rep, err := c.next(ctx, unlearned(c.run, open))
		if err != nil {
			return err
		}
		it, i := &schemas.Item{}, 0
		switch {
		case rep.Done != nil && rep.Done.Item.Phase == schemas.PhaseLearn && rep.Done.Learned != nil:
			it = &rep.Done.Item
		case rep.Dead != nil && rep.Dead.Item.Phase == schemas.PhaseLearn && rep.Dead.Stage == queue.StageItem:
			it = &rep.Dead.Item
		default:
			continue
		}
		if i = it.Seq; i >= n || it.Run != c.run.ID || it.Hash != c.run.Hash || *it != sameSeq(c.run.LearnItem(i), it) {
			c.log.Error("report ignored", "item", it.ID(), "reason", "the plan has no such item")
			continue
		}
		switch {
		case rep.Done != nil && c.isBanned(rep.Done):
		case rep.Done != nil && len(rep.Done.Learned.Missing) > 0:
			// A replayed report may be about shards that have been made again since.
			if gone := slices.DeleteFunc(slices.Clone(rep.Done.Learned.Missing), func(s string) bool { return !named(index, s) }); len(gone) > 0 {
				return c.remake(ctx, gone)
			}
			if name := c.scanIndexName(); slices.Contains(rep.Done.Learned.Missing, name) {
				if err := c.writeJSON(ctx, name, index); err != nil {
					return err
				}
			}
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
	var entries []*entry // as merge wants them
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
		entries = append(entries, &entry{item: it, done: d})
		sum.Sites += d.Learned.Sites
		addMap(&sum.Statuses, d.Learned.Statuses)
		if rows := sumMap(d.Learned.Statuses); rows != d.Counts.Rows[schemas.TableTemplates] {
			return fmt.Errorf("aggregate: item %s: %w: %d rows of templates, reported are %d", d.ID, ErrConservation, d.Counts.Rows[schemas.TableTemplates], rows)
		}
	}
	err := c.patient(ctx, func() error {
		for i, d := range done {
			if d == nil {
				continue
			}
			for _, s := range d.Shards {
				if s.Table != schemas.TableBundles {
					continue
				}
				name := fmt.Sprintf("%s/part-%05d.bundles", templatesFolder, i)
				if err := c.compact.copy(ctx, &s, name); err != nil {
					return blame(&entry{item: c.run.LearnItem(i), done: d}, &s, err)
				}
				s.Name = name
				x.Ranges[i].File = s
			}
		}
		table, err := c.templateTable(ctx, entries)
		if err != nil {
			return err
		}
		sum.Table = *table
		sum.Index, err = c.writeIndex(ctx, x)
		return err
	})
	var damaged *shardError
	if errors.As(err, &damaged) {
		if c.times++; c.times > repairs {
			return damaged
		}
		again := damaged.entry.item
		c.log.Warn("item is done again", "item", again.ID(), "reason", damaged.err)
		return c.relearn(ctx, &again, damaged.entry.done)
	}
	if err != nil {
		return err
	}
	if err := c.move(ctx, schemas.PhaseExtract, &sum); err != nil {
		return err
	}
	c.log.Info("templates learned", "run", c.run.ID, "sites", sum.Sites, "statuses", fmt.Sprint(sum.Statuses))
	for _, e := range entries {
		c.drop(ctx, e.done.Shards)
	}
	for _, it := range scan.Items {
		c.drop(ctx, it.Shards)
	}
	return nil
}

// templateTable writes the rows of all items to one table.
func (c *conductor) templateTable(ctx context.Context, entries []*entry) (*schemas.Shard, error) {
	s := &sorter[schemas.TemplateRow]{table: columnar.Templates, compare: compareTemplates, limit: c.opt.SortRows, dir: c.opt.TempDir}
	defer s.close()
	for _, e := range entries {
		for i := range e.done.Shards {
			shard := &e.done.Shards[i]
			if shard.Table != schemas.TableTemplates {
				continue
			}
			if err := readShard(ctx, &c.compact, columnar.Templates, shard, s.add); err != nil {
				return nil, blame(e, shard, err)
			}
		}
	}
	return writeTable(ctx, c.opt.Store, columnar.Templates, TemplatesFile, c.run, c.opt.layout, s.sorted(ctx))
}

func compareTemplates(a, b *schemas.TemplateRow) int {
	return cmp.Or(cmp.Compare(a.Site, b.Site), cmp.Compare(a.Method, b.Method))
}

// relearn has an item done again and goes on hearing reports, but for the one
// whose shards are gone.
func (c *conductor) relearn(ctx context.Context, it *schemas.Item, gone *schemas.Done) error {
	for _, s := range gone.Shards {
		c.banned[s.Name] = true
	}
	return c.publish(ctx, it)
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
	return c.patient(ctx, func() error {
		_, err := blob.WriteAll(ctx, c.opt.Store, name, data)
		return err
	})
}
