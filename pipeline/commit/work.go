package commit

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/account"
	"github.com/winnow/winnow/pipeline/compact"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// work commits parts until every item of the plan is in one.
func (a *aggregator) work(ctx context.Context) error {
	if err := a.clean(ctx); err != nil {
		return err
	}
	if err := a.restore(); err != nil {
		return err
	}
	reports, err := a.reports(ctx)
	if err != nil {
		return err
	}
	defer reports.Close()
	for {
		if err := a.accept(ctx); err != nil {
			return err
		}
		if a.ledger.finished() && len(a.entries) == 0 {
			return nil
		}
		if err := a.receive(ctx, reports); err != nil {
			return err
		}
	}
}

// clean deletes the files of tables that no part names: of a part that was begun
// and not committed.
func (a *aggregator) clean(ctx context.Context) error {
	named := map[string]bool{}
	for _, p := range a.manifest.Parts {
		for _, f := range p.Files {
			named[f.Name] = true
		}
	}
	for _, table := range schemas.PartTables {
		files, err := a.opt.Store.List(ctx, string(table)+"/")
		if err != nil {
			return err
		}
		for _, f := range files {
			if named[f.Name] {
				continue
			}
			a.log.Info("file of an unfinished part deleted", "file", f.Name)
			if err := a.opt.Store.Delete(ctx, f.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// restore takes up where the manifest ends.
func (a *aggregator) restore() error {
	a.ledger = newLedger(a.run)
	dead := map[schemas.ItemID]*schemas.Dead{}
	for i := range a.manifest.Dead {
		d := &a.manifest.Dead[i]
		if d.Stage == queue.StageItem {
			it := d.Item
			it.First = -1
			dead[it.ID()] = d
		}
	}
	a.progress = Progress{Phase: schemas.PhaseExtract, ItemsOf: a.run.Items(), Parts: len(a.manifest.Parts)}
	for _, f := range a.run.Files {
		if f.Items > 0 {
			a.progress.BytesOf += f.Size
		}
	}
	for i := range a.manifest.Parts {
		p := &a.manifest.Parts[i]
		if p.Seq != i {
			return fmt.Errorf("aggregate: manifest: part %d stands at place %d", p.Seq, i)
		}
		for j := range p.Items {
			c := &p.Items[j]
			if err := a.ledger.restore(c, dead[c.ID]); err != nil {
				return err
			}
			a.advanced(c.File, c.Seq, c.Dead)
		}
		a.counted(&p.Counts)
	}
	a.ledger.commit()
	a.committed = a.progress
	return nil
}

func (a *aggregator) advanced(file, seq int, dead bool) {
	it := a.run.Item(file, seq)
	a.progress.Items++
	a.progress.Bytes += it.Length()
	if dead {
		a.progress.Dead++
	}
}

func (a *aggregator) counted(c *schemas.Counts) {
	a.progress.Records += c.Records
	a.progress.Pages += c.Pages
	for key, n := range c.Outcomes {
		if _, outcome := account.SplitOutcome(key); strings.HasPrefix(outcome, string(algorithms.Failed)) {
			a.progress.Failed += n
		}
	}
}

// accept accepts items as long as it can, and commits what is enough for a part.
func (a *aggregator) accept(ctx context.Context) error {
	for {
		if a.full() {
			if err := a.commit(ctx); err != nil {
				return err
			}
			continue
		}
		e, again, err := a.ledger.next()
		if err != nil {
			return err
		}
		if again != nil {
			a.log.Info("item is run again from where the one before ended", "item", again.ID())
			return a.publish(ctx, again)
		}
		if e == nil {
			return nil
		}
		a.gather(e)
	}
}

// full says whether the entries are to be committed.
func (a *aggregator) full() bool {
	return len(a.entries) > 0 &&
		(a.rows >= a.opt.PartRows || a.bytes >= a.opt.PartBytes || len(a.entries) >= a.opt.PartItems || a.ledger.finished())
}

// gather adds an item to the part.
func (a *aggregator) gather(e *entry) {
	a.entries = append(a.entries, e)
	a.advanced(e.Item.File, e.Item.Seq, e.Dead)
	if e.Done != nil {
		for _, s := range e.Done.Shards {
			a.rows += s.Rows
			a.bytes += s.Bytes
		}
		a.counted(&e.Done.Counts)
	}
	a.opt.Progress(a.progress)
}

// commit makes the entries a part. Items whose shards cannot be used are done again
// instead.
func (a *aggregator) commit(ctx context.Context) error {
	var part schemas.Part
	err := a.retry(ctx, "compact a part", func() (err error) {
		part, err = a.compact.Part(ctx, len(a.manifest.Parts), compactable(a.entries))
		return err
	})
	var found *compact.Damage
	if errors.As(err, &found) {
		return a.repair(ctx, found)
	}
	if err != nil {
		return err
	}
	change := schemas.Change{Part: &part}
	known := map[deadKey]bool{}
	for i := range a.manifest.Dead {
		known[keyOf(&a.manifest.Dead[i])] = true
	}
	for _, e := range a.entries {
		if e.report != nil && !known[keyOf(e.report)] {
			known[keyOf(e.report)] = true
			change.Dead = append(change.Dead, *e.report)
		}
	}
	if err := a.append(ctx, &change); err != nil {
		var taken *manifest.TakenError
		if errors.As(err, &taken) {
			a.discard(ctx, &part)
		}
		return err
	}
	a.log.Info("part committed", "part", part.Seq, "items", len(part.Items), "pages", part.Counts.Pages, "rows", a.rows)
	a.progress.Parts++
	a.opt.Progress(a.progress)
	for _, e := range a.entries {
		if e.Done != nil {
			a.drop(ctx, e.Done.Shards)
		}
		a.drop(ctx, e.superfluous())
	}
	a.entries, a.rows, a.bytes = nil, 0, 0
	a.ledger.commit()
	a.committed = a.progress
	clear(a.repairs)
	return nil
}

func (a *aggregator) publish(ctx context.Context, items ...*schemas.Item) error {
	if len(items) == 0 {
		return nil
	}
	return a.retry(ctx, "publish items again", func() error { return a.opt.Broker.Publish(ctx, items...) })
}

// append commits a change of the manifest.
func (a *aggregator) append(ctx context.Context, c *schemas.Change) error {
	return a.retry(ctx, "commit", func() error { return a.commits.Append(ctx, c) })
}

// discard deletes the files of a part that was not committed, because another
// aggregator goes on with the run: it may have looked for such files before these
// were there. Their names are this one's alone.
func (a *aggregator) discard(ctx context.Context, p *schemas.Part) {
	for _, f := range p.Files {
		if err := a.opt.Store.Delete(ctx, f.Name); err != nil {
			a.log.Warn("file of an unfinished part left behind", "file", f.Name, "reason", err)
		}
	}
}

// drop deletes shards that nobody needs any more. What stays behind is deleted
// at the end of the run.
func (a *aggregator) drop(ctx context.Context, shards []schemas.Shard) {
	if a.opt.KeepShards {
		return
	}
	for _, s := range shards {
		if !strings.HasPrefix(s.Name, schemas.ShardFolder+"/") {
			continue // a report is no reason to delete anything else
		}
		if err := a.opt.Store.Delete(ctx, s.Name); err != nil {
			a.log.Warn("shard left behind", "file", s.Name, "reason", err)
			return
		}
	}
}
