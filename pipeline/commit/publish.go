package commit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
)

// publish writes the tables that are computed from all parts and ends the run. Every step can be
// repeated.
func (c *committer) publish(ctx context.Context) (*stats.Summary, error) {
	store, m := c.opt.Store, c.manifest
	rows, err := c.publishTables(ctx)
	if err != nil {
		return nil, err
	}
	if m.Finished.IsZero() {
		// An aggregator that lost the run may have written files until now.
		if err := c.deleteUnnamedParts(ctx); err != nil {
			return nil, err
		}
		totals := m.Totals
		// Nights are ordered by this time (--only-new), and two may finish within a second.
		if err := c.appendChange(ctx, &schemas.Change{Totals: &totals, Finished: time.Now().UTC().Truncate(time.Millisecond)}); err != nil {
			return nil, err
		}
	}
	if err := c.retry(ctx, "write run.json", func() error { return c.manifestLog.Seal(ctx) }); err != nil {
		return nil, err
	}
	if err := c.writeReport(ctx); err != nil {
		return nil, err
	}
	err = c.retry(ctx, "write "+schemas.SuccessFile, func() error {
		_, err := blob.WriteAll(ctx, store, schemas.SuccessFile, nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	// The first sweep is before the end, so that it is repeated if this process dies before.
	// Until the end, workers may still attempt items that are in the queue twice.
	c.sweep(ctx)
	if err := c.retry(ctx, "end the run", func() error { return c.opt.Broker.End(ctx) }); err != nil {
		return nil, err
	}
	c.sweep(ctx)
	sum, err := tables.Summary(ctx, store, m, rows)
	if err != nil {
		return nil, err
	}
	logLosses(c.log, sum.Losses)
	return sum, nil
}

// writeReport has the report of the tables made, unless everything was published
// before.
func (c *committer) writeReport(ctx context.Context) error {
	if c.opt.Report == nil {
		return nil
	}
	if _, err := c.opt.Store.Stat(ctx, schemas.SuccessFile); err == nil {
		return nil
	}
	err := c.retry(ctx, "write the report", func() error { return c.opt.Report(ctx, c.opt.Store) })
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		c.log.Error("the report could not be written", "run", c.run.ID, "reason", err)
	}
	return nil
}

// publishTables writes the tables that are made of all parts, unless they are there.
func (c *committer) publishTables(ctx context.Context) (rows stats.Tables, err error) {
	if !c.manifest.Finished.IsZero() {
		if rows, err = tables.Packages(ctx, c.opt.Store); !errors.Is(err, blob.ErrNotFound) {
			return rows, err
		}
	}
	if c.manifest.Totals, err = account.Totals(c.manifest); err != nil {
		return rows, fmt.Errorf("commit: %w", err)
	}
	err = c.retry(ctx, "write the tables", func() (err error) {
		rows, err = c.compact.RunTables(ctx, c.manifest, c.compact.Store)
		return err
	})
	return rows, err
}

// sweep deletes the shards and changes that only an unfinished run needs, and logs if it
// cannot.
func (c *committer) sweep(ctx context.Context) {
	if c.opt.KeepShards {
		return
	}
	if err := c.deleteShards(ctx); err != nil {
		c.log.Warn("shards are left behind", "run", c.run.ID, "reason", err)
	}
}

// deleteShards deletes shards, and changes that are sealed. Files of others in their
// folders stay. Unfinished files go first, so that attempts which go on although the run is
// over can finish no file that they had begun.
func (c *committer) deleteShards(ctx context.Context) error {
	sweeper, sweeps := c.opt.Store.(blob.Sweeper)
	if sweeps {
		if err := sweeper.Sweep(ctx); err != nil {
			return err
		}
	}
	if err := c.deleteFinishedShards(ctx); err != nil {
		return err
	}
	if sweeps {
		return sweeper.Sweep(ctx, schemas.ShardFolder, schemas.CommitsFolder)
	}
	return nil
}

// deleteFinishedShards deletes all files of the run in the folder of shards.
func (c *committer) deleteFinishedShards(ctx context.Context) error {
	shards, err := c.opt.Store.List(ctx, schemas.ShardFolder+"/")
	if err != nil {
		return err
	}
	for _, s := range shards {
		if !c.run.Writes(s.Name) {
			continue
		}
		if err := c.opt.Store.Delete(ctx, s.Name); err != nil {
			return err
		}
	}
	return nil
}

// logLosses logs which input files were lost, in whole or in part.
func logLosses(log *slog.Logger, losses []account.Loss) {
	for i, l := range losses {
		if i == account.LossesShown {
			log.Warn("more input was lost", "files", len(losses)-i, "table", schemas.FailuresFile)
			return
		}
		if l.Bytes == 0 { // the number of bytes is not known: the file is missing, or ends within a record
			log.Warn("input was lost", "file", l.File, "reasons", strings.Join(l.Reasons, ","))
			continue
		}
		log.Warn("input was lost", "file", l.File, "bytes", l.Bytes, "reasons", strings.Join(l.Reasons, ","))
	}
}
