package commit

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
)

// extraction is the stage that commits parts until every item of the plan is in one.
type extraction struct {
	*committer
	ledger *ledger
	sizes  gathered
	// committed is the progress of the parts in the manifest, to which a repair goes
	// back.
	committed Progress
}

// extract commits parts until every item of the plan is in one.
func (c *committer) extract(ctx context.Context) error {
	e := &extraction{committer: c, ledger: newLedger(c.run, c.unusable, func(d *schemas.Done) error { return account.CheckDone(d, c.run) })}
	if err := e.restore(); err != nil {
		return err
	}
	if err := c.deleteUnnamedParts(ctx); err != nil {
		return err
	}
	if c.manifest.Templates != nil {
		// The index is a copy of what is committed, so that it does not matter which
		// aggregator writes it last.
		if err := c.writeJSON(ctx, schemas.TemplateIndexFile, c.manifest.Index()); err != nil {
			return err
		}
	}
	reports, err := c.begin(ctx, e.ledger.waiting())
	if err != nil {
		return err
	}
	defer reports.Close()
	return e.work(ctx, reports, e.commit, func(shards []schemas.Shard) { c.drop(ctx, shards) })
}

// work gathers items and calls commit when there are enough, until every item of the plan
// is committed. drop is called with the shards of a report about a committed item.
func (e *extraction) work(ctx context.Context, reports Reports, commit func(context.Context) error, drop func([]schemas.Shard)) error {
	for {
		if e.full() {
			if err := commit(ctx); err != nil {
				return err
			}
			continue
		}
		if e.ledger.settled() {
			return nil
		}
		it, err := e.settle(ctx, e.ledger)
		if err != nil {
			return err
		}
		if it != nil {
			e.gather(it)
			continue
		}
		if err := e.receive(ctx, reports, e.ledger, drop); err != nil {
			return err
		}
	}
}

// settle takes the next item of a ledger, and publishes items that must be run again
// from another start. It returns nil if the ledger waits for reports.
func (c *committer) settle(ctx context.Context, l *ledger) (*item, error) {
	for {
		it, again, err := l.next()
		if err != nil || again == nil {
			return it, err
		}
		c.log.Info("item is run again from where the item before it ended", "run", c.run.ID, "item", again.ID())
		if err := c.publishAgain(ctx, again); err != nil {
			return nil, err
		}
	}
}

// inputBytes is the size of the files that have items.
func (c *committer) inputBytes() (n int64) {
	for _, f := range c.run.Files {
		if f.Items > 0 {
			n += f.Length()
		}
	}
	return n
}

// advanced adds an item to the progress.
func (c *committer) advanced(k itemKey, dead bool) {
	it := c.run.Item(k.file, k.seq)
	c.progress.Items++
	c.progress.Bytes += it.File.Length()
	if dead {
		c.progress.Dead++
	}
}

// counted adds what was found in items to the progress.
func (c *committer) counted(n *schemas.Counts) {
	c.progress.Records += n.Records
	c.progress.Pages += n.Pages
	c.progress.Failed += account.Failed(n)
}

// writeJSON writes a record to a file.
func (c *committer) writeJSON(ctx context.Context, name string, v any) error {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	return c.retry(ctx, "write "+name, func() error {
		_, err := blob.WriteAll(ctx, c.opt.Store, name, append(data, '\n'))
		return err
	})
}

// drop deletes shards that are not needed any more. Those that cannot be deleted now are deleted at the
// end of the run.
func (c *committer) drop(ctx context.Context, shards []schemas.Shard) {
	if c.opt.KeepShards {
		return
	}
	for _, s := range shards {
		if !strings.HasPrefix(s.Name, schemas.ShardFolder+"/") {
			continue // a report must not cause other files to be deleted
		}
		if err := c.opt.Store.Delete(ctx, s.Name); err != nil {
			c.log.Warn("shard is left behind", "run", c.run.ID, "file", s.Name, "reason", err)
			return
		}
	}
}
