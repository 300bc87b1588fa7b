package commit

import (
	"context"
	"errors"
	"iter"

	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// The manifest determines the stage of a run. This file makes the broker and the store
// agree with it: when a stage begins, also after a crash, and whenever nothing is
// reported for a while.

// begin makes the broker agree with the manifest and opens the stream of the run's
// reports, which begins with the first one. items are those of the current phase that
// have no result yet.
func (c *committer) begin(ctx context.Context, items iter.Seq2[*schemas.Item, error]) (r Reports, err error) {
	if err := c.reconcile(ctx, items); err != nil {
		return nil, err
	}
	err = c.retry(ctx, "read reports", func() (err error) {
		r, err = c.opt.Broker.Reports(ctx)
		return err
	})
	return r, err
}

// reconcile makes the broker hold all items of the current phase that it neither delivers
// nor has a report of. If a stream of the broker is full, or lost, this is only logged:
// an operator must make room, or start ingest again, and reports then continue. A run that was
// canceled is not published again.
func (c *committer) reconcile(ctx context.Context, items iter.Seq2[*schemas.Item, error]) error {
	err := c.retry(ctx, "compare the broker with the manifest", func() error {
		if err := manifest.Ended(ctx, c.opt.Store); err != nil {
			return err
		}
		return c.opt.Broker.Reconcile(ctx, c.run, items)
	})
	var full *FullError
	switch {
	case errors.As(err, &full):
		c.log.Warn("waiting for room in the broker", "run", c.run.ID, "reason", err)
		return nil
	case errors.Is(err, queue.ErrNotFound):
		c.log.Warn("the broker has lost its streams: call ingest again with the same run id", "run", c.run.ID, "reason", err)
		return nil
	}
	return err
}

// publishAgain publishes items that must be run again.
func (c *committer) publishAgain(ctx context.Context, items ...*schemas.Item) error {
	if len(items) == 0 {
		return nil
	}
	return c.retry(ctx, "publish items again", func() error { return c.opt.Broker.Publish(ctx, items...) })
}

// appendChange commits a change of the manifest. The broker learns of one that begins a phase
// when the phase is carried out.
func (c *committer) appendChange(ctx context.Context, change *schemas.Change) error {
	return c.retry(ctx, "commit a change", func() error { return c.manifestLog.Append(ctx, change) })
}

// deleteUnnamedParts deletes the files of tables that no part of the manifest names:
// those of a part that was begun and not committed. Files that are not named like those
// of a part are of others, and stay.
func (c *committer) deleteUnnamedParts(ctx context.Context) error {
	for _, table := range schemas.PartTables {
		named := map[string]bool{}
		for _, name := range c.manifest.FilesOf(table) {
			named[name] = true
		}
		files, err := c.opt.Store.List(ctx, string(table)+"/")
		if err != nil {
			return err
		}
		for _, f := range files {
			if named[f.Name] {
				continue
			}
			if !schemas.IsPart(table, f.Name) {
				c.log.Warn("a file in the folder of a table is not of the run, and is left there", "run", c.run.ID, "file", f.Name)
				continue
			}
			c.log.Info("file of an unfinished part is deleted", "run", c.run.ID, "file", f.Name)
			if err := c.opt.Store.Delete(ctx, f.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// discard deletes the files of a part that was not committed because another
// aggregator took over the run: that one may have looked for such files before these
// were there. No other process uses their names.
func (c *committer) discard(ctx context.Context, p *schemas.Part) {
	for _, f := range p.Files {
		if err := c.opt.Store.Delete(ctx, f.Name); err != nil {
			c.log.Warn("file of an unfinished part is left behind", "run", c.run.ID, "file", f.Name, "reason", err)
		}
	}
}
