package commit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/winnow/winnow/pipeline/account"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/compact"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

const (
	manifestLimit = 4 << 30 // a run of a million items has 100 MB
	// maxRepairs is how often an item is done again because its shards cannot be
	// used, and maxRefused after how many refused reports it is given up.
	maxRepairs = 3
	maxRefused = 5
)

// Options of Run. Store and Broker are needed.
type Options struct {
	Store  blob.Store // the output folder, with the run's manifest in it
	Broker Broker

	// Name of this process, for those who find the run held; default its machine
	// and process id.
	Name string

	// PartRows and PartBytes end a part when the shards of its items have so many
	// rows or bytes. They decide how the tables are cut, not what is in them.
	// Defaults 4 million and 512 MiB.
	PartRows, PartBytes int64
	// PartItems ends a part when it has so many items, whose reports are held in
	// memory until then; default 8192.
	PartItems int
	// SortRows are held in memory while a table is sorted; default 50,000, some 30
	// MB, and 32 MB at most of strings. TempDir takes what is more; default the system's.
	SortRows int
	TempDir  string

	// Quiet is how long nothing may be reported before the broker is asked what
	// became of the items; default 15 s.
	Quiet time.Duration

	// Patience is how long an operation is repeated that the broker or the store
	// cannot carry out at present; default until ctx ends.
	Patience time.Duration

	// KeepShards leaves shards where they are after they were committed.
	KeepShards bool

	// Report makes what is only a picture of the tables, when these are there and
	// before schemas.SuccessFile says so. Its error is logged: the run is done all the same,
	// and a picture can be made at any time.
	Report func(ctx context.Context, store blob.Store) error

	Log      *slog.Logger   // default: nothing is logged
	Progress func(Progress) // called after every step, by one goroutine
	Refused  func()         // called for every message that is no report of this run, or contradicts itself

	layout columnar.Size // of the files written; parts' unless a test wants less
	pause  time.Duration // before the first retry; default 1 s
}

// Progress is how far a run has come in its present phase.
type Progress struct {
	Phase schemas.Phase

	Items, ItemsOf int   // accounted for
	Bytes, BytesOf int64 // of input in them
	Records, Pages int64
	Failed         int64 // extractions
	Dead           int   // items given up
	Parts          int   // committed
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
	if o.SortRows <= 0 {
		o.SortRows = compact.SortRows
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

// Run waits for the run's items, commits their rows, and publishes the tables.
// It returns when the run is done, with a summary; also for a run that was done
// before. After an error it can be called again and goes on where it stopped. An
// account.ErrConservation ends the run as failed: calling again gives the same error.
//
// While another aggregator works on the run the error is a *queue.HeldError, at
// once; if another one took the run over, it is a *manifest.TakenError or
// queue.ErrLost, and what this one committed stays.
func Run(ctx context.Context, opt Options) (*stats.Summary, error) {
	opt.withDefaults()
	var held context.Context
	var release func()
	err := retry(ctx, &opt, "lock the run", func() (err error) {
		held, release, err = opt.Broker.Hold(ctx, opt.Name)
		return err
	})
	if err != nil {
		return nil, err
	}
	defer release()
	s, err := carryOut(held, opt)
	if err != nil && held.Err() != nil && ctx.Err() == nil {
		err = context.Cause(held) // what failed, failed because of this
	}
	return s, err
}

// carryOut is Run of a process that holds the run.
func carryOut(ctx context.Context, opt Options) (_ *stats.Summary, err error) {
	a := &aggregator{opt: opt, log: opt.Log, repairs: map[place]int{}, refused: map[place]int{}, refusal: map[place]error{}, unusable: map[string]bool{}}
	if err := a.retry(ctx, "read the manifest", func() (err error) {
		a.commits, err = manifest.Take(ctx, opt.Store, opt.Name)
		return err
	}); err != nil {
		return nil, fmt.Errorf("aggregate: %s: %w", opt.Store.URL(), err)
	}
	if !a.commits.Exclusive {
		a.log.Warn("the store replaces files that it was told not to: only the broker keeps two aggregators apart", "out", opt.Store.URL())
	}
	a.manifest = a.commits.Manifest
	a.run = &a.manifest.Run
	a.compact = &compact.Compactor{Store: opt.Store, Run: a.run, Term: a.commits.Term, SortRows: opt.SortRows, TempDir: opt.TempDir,
		Size: opt.layout, Log: opt.Log}
	var summary *stats.Summary
	if a.manifest.Finished.IsZero() {
		if err = a.conduct(ctx); err == nil {
			err = a.work(ctx)
		}
	}
	if err == nil {
		summary, err = a.finish(ctx)
	}
	if errors.Is(err, account.ErrConservation) {
		err = errors.Join(err, opt.Broker.Ended(ctx, schemas.RunFailed))
	}
	return summary, err
}

// aggregator is the state of one Run.
type aggregator struct {
	opt      Options
	log      *slog.Logger
	commits  *manifest.Log
	manifest *schemas.Manifest // of commits
	run      *schemas.Run      // in manifest
	compact  *compact.Compactor
	ledger   *ledger
	progress Progress

	// The part that is being gathered.
	entries     []*entry
	rows, bytes int64

	// committed is the progress of the parts, to which a repair goes back.
	committed Progress
	// repairs counts how often the shards of an item were unusable, refused its
	// reports that were refused in this phase; refusal is the last reason. unusable are names of shards whose reports do not
	// count any more.
	repairs, refused map[place]int
	refusal          map[place]error
	unusable         map[string]bool
}
