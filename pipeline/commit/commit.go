package commit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/commit/compact"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// Options of Run. Store and Broker are needed.
type Options struct {
	Store  blob.Store // the output folder, with the run's manifest in it
	Broker Broker

	// Name of this process in the manifest; default its machine and process id.
	Name string

	// PartRows and PartBytes end a part when the shards of its items have so many
	// rows or bytes. They decide how the tables are cut, not what is in them.
	// Defaults 4 million and 512 MiB.
	PartRows, PartBytes int64
	// PartItems ends a part when it has so many items, whose reports are held in
	// memory until then; default 8192.
	PartItems int
	// SortRows is extsort.Sorter.Rows: rows that are held in memory while a table is
	// sorted. TempDir is the folder for further rows; default the system's.
	SortRows int
	TempDir  string

	// Quiet is how long nothing may be reported before the broker is compared with the
	// items that are waited for; default 15 s.
	Quiet time.Duration

	// RetryFor is how long an operation is retried if the broker or the store cannot
	// carry it out; default until ctx ends.
	RetryFor time.Duration

	// KeepShards leaves shards where they are after they were committed.
	KeepShards bool

	// Report draws the tables. It is called when the tables are published, and before
	// schemas.SuccessFile is written. Its error is logged and does not fail the run: a
	// report can be made at any time.
	Report func(ctx context.Context, store blob.Store) error

	Log      *slog.Logger   // default: nothing is logged
	Progress func(Progress) // called after every step, by one goroutine
	Refused  func()         // called for every message that is not a report of this run, or contradicts itself

	layout columnar.Size // size of the files written; columnar.PartSize unless a test sets another
	pause  time.Duration // before the first retry; default 1 s
}

// Progress is how far a run has come in its current phase.
type Progress struct {
	Run   schemas.RunID
	Phase schemas.Phase

	Items, ItemsOf int   // accepted or dead items, and all items of the phase
	Bytes, BytesOf int64 // bytes of input in these items
	Records, Pages int64 // counts of the accepted items
	Failed         int64 // extractions that failed
	Dead           int   // dead items
	Parts          int   // parts in the manifest
}

func (o *Options) withDefaults() {
	if o.Name == "" {
		host, _ := os.Hostname()
		o.Name = fmt.Sprintf("%s, process %d", cmp.Or(host, "unknown machine"), os.Getpid())
	}
	if o.PartRows <= 0 {
		o.PartRows = 4_000_000
	}
	if o.PartBytes <= 0 {
		o.PartBytes = 512 << 20
	}
	if o.PartItems <= 0 {
		o.PartItems = 8192
	}
	if o.Quiet <= 0 {
		o.Quiet = 15 * time.Second
	}
	if o.layout == (columnar.Size{}) {
		o.layout = columnar.PartSize
	}
	if o.pause <= 0 {
		o.pause = time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Refused == nil {
		o.Refused = func() {}
	}
}

// markEvery is the interval at which the output folder is checked for the mark of a canceled run.
const markEvery = 2 * time.Second

// Run publishes the run's items, commits their rows, and publishes the tables. It
// returns when the run is done, with a summary; also for a run that was done before.
// After an error it can be called again and goes on where it stopped. Other errors are:
//
//   - a *manifest.TakenError: another aggregator took the run over. What this one
//     committed stays.
//   - a *manifest.EndedError: the run was canceled, or it failed before.
//   - an account.ErrConservation: the run has failed now, and is marked so.
func Run(ctx context.Context, opt Options) (*stats.Summary, error) {
	opt.withDefaults()
	c := &committer{opt: opt, log: opt.Log, unusable: shardSet{}}
	sum, err := c.do(ctx)
	if errors.Is(err, account.ErrConservation) {
		err = errors.Join(err, c.retry(ctx, "mark the run as failed", func() error {
			return manifest.End(ctx, opt.Store, c.run.ID, schemas.RunFailed, err.Error())
		}))
	}
	if errors.Is(err, account.ErrConservation) || errors.As(err, new(*manifest.EndedError)) {
		err = errors.Join(err, c.retry(ctx, "end the run", func() error { return opt.Broker.End(ctx) }))
	}
	return sum, err
}

// do takes the manifest and carries out the run.
func (c *committer) do(ctx context.Context) (*stats.Summary, error) {
	opt := &c.opt
	if err := c.retry(ctx, "read the manifest", func() (err error) {
		if _, err = manifest.Over(ctx, opt.Store); err == nil {
			c.manifestLog, err = manifest.Take(ctx, opt.Store, opt.Name)
		}
		return err
	}); err != nil {
		return nil, fmt.Errorf("commit: %s: %w", opt.Store.URL(), err)
	}
	if !c.manifestLog.Exclusive {
		c.log.Warn("the store replaces files that it was told not to replace: only the lease of the run keeps two aggregators apart", "out", opt.Store.URL())
	}
	c.manifest = c.manifestLog.Manifest
	c.run = &c.manifest.Run
	c.compact = &compact.Compactor{Store: opt.Store, Run: c.run, Term: c.manifestLog.Term, SortRows: opt.SortRows, TempDir: opt.TempDir,
		Size: opt.layout, Log: opt.Log}
	working, cancel := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { c.watchMark(working, cancel) })
	sum, err := c.stages(working)
	if err != nil && ctx.Err() == nil && working.Err() != nil {
		err = context.Cause(working) // what failed did so because the run was marked
	}
	cancel(nil)
	watching.Wait()
	return sum, err
}

// watchMark cancels the work on the run when the run is marked as canceled.
func (c *committer) watchMark(ctx context.Context, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(markEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := manifest.Ended(ctx, c.opt.Store); errors.As(err, new(*manifest.EndedError)) {
				cancel(err)
			}
		case <-ctx.Done():
			return
		}
	}
}

// committer carries out the stages of one run.
type committer struct {
	opt         Options
	log         *slog.Logger
	manifestLog *manifest.Log
	manifest    *schemas.Manifest // the manifest of manifestLog
	run         *schemas.Run      // the run of manifest
	compact     *compact.Compactor
	progress    Progress

	// unusable are shards whose reports do not count any more, in any stage.
	unusable shardSet
}

// stages carries out the phases of the run that remain, of which the manifest has the current
// one, and publishes the tables. Publishing is repeated, so that it also completes what
// another process left unfinished.
func (c *committer) stages(ctx context.Context) (sum *stats.Summary, err error) {
	for extracted := !c.manifest.Finished.IsZero(); !extracted; {
		phase := c.run.Phase
		err := c.stage(string(phase), func() error {
			switch phase {
			case schemas.PhaseScan:
				return c.scan(ctx)
			case schemas.PhaseLearn:
				return c.learn(ctx)
			case schemas.PhaseExtract:
				extracted = true
				return c.extract(ctx)
			}
			return fmt.Errorf("commit: run %s is in phase %q, which this program does not know", c.run.ID, phase)
		})
		if err != nil {
			return nil, err
		}
	}
	err = c.stage("publish", func() (err error) {
		sum, err = c.publish(ctx)
		return err
	})
	return sum, err
}

// stage carries out a stage of the run and logs how long it took, if there are several phases.
func (c *committer) stage(name string, work func() error) error {
	began := time.Now()
	c.log.Debug("stage begins", "run", c.run.ID, "stage", name)
	err := work()
	if err == nil && len(c.run.Phases) > 1 {
		c.log.Info("phase ends", "run", c.run.ID, "phase", name, "seconds", time.Since(began).Seconds())
	}
	return err
}
