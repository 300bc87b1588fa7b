package commit

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/commit/compact"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
)

// publishTemplates puts the templates where they stay, writes their table and index,
// and commits that the phase learn is over. If shards of some items cannot be used,
// nothing is committed, and damage names these items.
func (c *committer) publishTemplates(ctx context.Context, scan *schemas.ScanIndex, l *learnLedger) (damage *compact.Damage, err error) {
	x := &schemas.TemplateIndex{Version: schemas.Version, Run: c.run.ID, Hash: c.run.Hash, Created: c.run.Created, SiteBy: c.run.Recipe.SiteBy, Reading: c.run.Recipe.Reading}
	if learn := c.run.Recipe.Learn; learn != nil {
		x.Sites = learn.Sites
	}
	sum := *c.manifest.Templates
	sum.Sites, sum.Statuses = 0, nil
	var entries []*compact.Entry
	for i := range l.items {
		it, plan := &l.items[i], c.run.LearnItem(i)
		x.Ranges = append(x.Ranges, schemas.BucketRange{Start: plan.Sites.Start, End: plan.Sites.End, Dead: it.state == dead})
		if it.state == dead {
			sum.Dead = append(slices.Clip(sum.Dead), *it.end)
			continue
		}
		d := it.done
		d.Counts.Rows = map[schemas.Table]int64{}
		for _, s := range d.Shards {
			d.Counts.Rows[s.Table] += s.Rows
		}
		entries = append(entries, &compact.Entry{Item: plan, Done: d})
		sum.Sites += d.Learned.Sites
		account.AddMap(&sum.Statuses, d.Learned.Statuses)
	}
	found := new(compact.Damage)
	err = c.retry(ctx, "publish the templates", func() error {
		for _, e := range entries {
			if err := c.copyBundles(ctx, e, &x.Ranges[e.Item.Seq]); compact.IsDamage(err) {
				found.Add(e, err)
			} else if err != nil {
				return err
			}
		}
		if found.Any() {
			return found
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
		return found, nil
	}
	if err != nil {
		return nil, err
	}
	if err := c.enterPhase(ctx, schemas.PhaseExtract, &sum); err != nil {
		return nil, err
	}
	c.log.Info("templates learned", "run", c.run.ID, "sites", sum.Sites, "statuses", fmt.Sprint(sum.Statuses))
	for _, e := range entries {
		c.drop(ctx, e.Done.Shards)
	}
	for _, it := range scan.Items {
		c.drop(ctx, it.Shards)
	}
	return nil, nil
}

// copyBundles copies the templates of an item to where they stay, and notes in the
// index where that is.
func (c *committer) copyBundles(ctx context.Context, e *compact.Entry, to *schemas.BucketRange) error {
	for _, s := range e.Done.Shards {
		if s.Table != schemas.TableBundles {
			continue
		}
		name := schemas.BundlesName(e.Item.Seq)
		if err := c.compact.Copy(ctx, &s, name); err != nil {
			return err
		}
		s.Name = name
		to.File = s
	}
	return nil
}

// writeIndex writes the index of the templates.
func (c *committer) writeIndex(ctx context.Context, x *schemas.TemplateIndex) (schemas.Shard, error) {
	data, err := json.MarshalIndent(x, "", " ")
	if err != nil {
		return schemas.Shard{}, err
	}
	w, err := blob.WriteAll(ctx, c.opt.Store, schemas.TemplateIndexFile, append(data, '\n'))
	return schemas.Shard{Name: w.Name, Bytes: w.Bytes, SHA256: w.SHA256, Rows: int64(len(x.Ranges))}, err
}
