package commit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/winnow/winnow/pipeline/account"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
)

// finish publishes what is made of all parts and ends the run. Every step can be
// repeated.
func (a *aggregator) finish(ctx context.Context) (*stats.Summary, error) {
	store, m := a.opt.Store, a.manifest
	rows, err := a.publishTables(ctx)
	if err != nil {
		return nil, err
	}
	if m.Finished.IsZero() {
		// Aggregators before this one may have written files until now.
		if err := a.clean(ctx); err != nil {
			return nil, err
		}
		totals := m.Totals
		if err := a.append(ctx, &schemas.Change{Totals: &totals, Finished: time.Now().UTC().Truncate(time.Second)}); err != nil {
			return nil, err
		}
	}
	if err := a.retry(ctx, "write run.json", func() error { return a.commits.Seal(ctx) }); err != nil {
		return nil, err
	}
	if err := a.report(ctx); err != nil {
		return nil, err
	}
	err = a.retry(ctx, "write "+schemas.SuccessFile, func() error {
		_, err := blob.WriteAll(ctx, store, schemas.SuccessFile, nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := a.sweep(ctx); err != nil {
		a.log.Warn("shards left behind", "reason", err)
	}
	if err := a.retry(ctx, "end the run", func() error { return a.opt.Broker.Ended(ctx, schemas.RunDone) }); err != nil {
		return nil, err
	}
	sum, err := tables.Summary(ctx, store, m, rows)
	if err != nil {
		return nil, err
	}
	warnOf(a.log, sum.Losses)
	return sum, nil
}

// report has the picture of the tables made, unless everything was published
// before.
func (a *aggregator) report(ctx context.Context) error {
	if a.opt.Report == nil {
		return nil
	}
	if _, err := a.opt.Store.Stat(ctx, schemas.SuccessFile); err == nil {
		return nil
	}
	err := a.retry(ctx, "write the report", func() error { return a.opt.Report(ctx, a.opt.Store) })
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		a.log.Error("no report", "reason", err)
	}
	return nil
}

// publishTables writes the package and failures tables, unless they are there.
func (a *aggregator) publishTables(ctx context.Context) (rows []schemas.PackageRow, err error) {
	if !a.manifest.Finished.IsZero() {
		if rows, err = tables.Packages(ctx, a.opt.Store); !errors.Is(err, blob.ErrNotFound) {
			return rows, err
		}
	}
	if a.manifest.Totals, err = account.Totals(a.manifest); err != nil {
		return nil, fmt.Errorf("aggregate: %w", err)
	}
	err = a.retry(ctx, "write the tables", func() (err error) {
		rows, err = a.compact.RunTables(ctx, a.manifest)
		return err
	})
	return rows, err
}

// sweep deletes what only the work needed.
func (a *aggregator) sweep(ctx context.Context) error {
	if a.opt.KeepShards {
		return nil
	}
	shards, err := a.opt.Store.List(ctx, schemas.ShardFolder+"/")
	if err != nil {
		return err
	}
	for _, s := range shards {
		if err := a.opt.Store.Delete(ctx, s.Name); err != nil {
			return err
		}
	}
	if s, ok := a.opt.Store.(blob.Sweeper); ok {
		return s.Sweep(ctx, schemas.ShardFolder, schemas.CommitsFolder)
	}
	return nil
}

// warnOf tells the log of the losses of a run.
func warnOf(log *slog.Logger, losses []account.Loss) {
	for i, l := range losses {
		if i == account.LossesShown {
			log.Warn("more input was lost", "files", len(losses)-i, "table", schemas.FailuresFile)
			return
		}
		log.Warn("input was lost", "file", l.File, "bytes", l.Bytes, "reasons", strings.Join(l.Reasons, ","))
	}
}
