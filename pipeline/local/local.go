package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/commit"
	"github.com/winnow/winnow/pipeline/extract"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/learn"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/report/overview"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
)

const (
	// lease is short, because a worker in this process sends no heartbeat only if the
	// process is dead. The items that it had then wait for this time.
	lease = 10 * time.Second
	// quiet is the time without reports after which the aggregator looks for lost items.
	// It is short, because the broker is in this process.
	quiet = 3 * time.Second
	// retryFor is how long the aggregator retries while a store or the broker cannot be
	// reached or is full. It is limited, because the user can repair the cause and start
	// the run again.
	retryFor = 2 * time.Minute
	// maxWorkers bounds the slots: each may hold some hundred megabytes.
	maxWorkers = 1024
)

// Options of a run on this machine. Blobs, Plan and Extract.Extractors are needed.
type Options struct {
	Blobs *blob.Client
	// Plan describes the run. Without Inputs, the run must have been begun before.
	Plan ingest.Options
	// Recorded means that a run without Inputs goes on with the recipe that it has recorded.
	// Only the build of Plan.Recipe counts then. Otherwise the two recipes must be equal.
	Recorded bool
	// Worker has the slots, metrics and limits of the worker. Run sets the other fields.
	Worker worker.Options
	// Extract and Learn are the settings of the worker's tasks. Learn has the
	// extractors of Extract.
	Extract extract.Options
	Learn   learn.Options

	// Broker is used instead of a server in this process.
	Broker *queue.Queue
	// StoreDir is where the server in this process keeps its store.
	StoreDir string

	Status *Status // default: nothing is shown
	Log    *slog.Logger
}

// ErrNothing means that there are no inputs and that no run was begun before.
var ErrNothing = errors.New("no inputs, and no run was begun in the output folder")

func (o *Options) withDefaults() error {
	if o.Worker.Slots < 0 || o.Worker.Slots > maxWorkers {
		return fmt.Errorf("local: %d workers: must be 1 to %d", o.Worker.Slots, maxWorkers)
	}
	if o.Worker.Slots == 0 {
		o.Worker.Slots = runtime.GOMAXPROCS(0)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Status == nil {
		o.Status = NewStatus(io.Discard)
	}
	if o.Worker.GiveUpAfter <= 0 {
		o.Worker.GiveUpAfter = giveUpAfter
	}
	if o.Worker.FaultLimit <= 0 {
		o.Worker.FaultLimit = faultLimit
	}
	if o.Plan.Note == nil {
		log := o.Log
		o.Plan.Note = func(what string) { log.Warn(what) }
	}
	o.Plan.Workers, o.Plan.Lease = o.Worker.Slots, lease
	return nil
}

// Plan returns the run that Run would carry out, and publishes nothing.
func Plan(ctx context.Context, opt Options) (*schemas.Run, error) {
	if err := opt.withDefaults(); err != nil {
		return nil, err
	}
	if len(opt.Plan.Inputs) > 0 || opt.Plan.RetryFailed != "" {
		return ingest.Plan(ctx, opt.Blobs, opt.Plan)
	}
	store, err := opt.Blobs.Store(ctx, opt.Plan.Out)
	if err != nil {
		return nil, err
	}
	return begun(ctx, store, &opt)
}

// granted returns an error if the client lacks the password or signature for a private
// file.
func granted(run *schemas.Run, blobs *blob.Client) error {
	for i := range run.Files {
		if f := &run.Files[i]; f.Private {
			if _, ok := blobs.Granted(f.URL); !ok {
				return fmt.Errorf("local: open %s: it needs a password or a signature, which is not stored: give the INPUT again", f.URL)
			}
		}
	}
	if r := &run.Recipe; r.GoldPrivate {
		if _, ok := blobs.Granted(r.Gold); !ok {
			return fmt.Errorf("local: open %s: it needs a password or a signature, which is not stored: give the INPUT, --gold and the other settings again", r.Gold)
		}
	}
	return nil
}

// begun returns the plan of the run that the output folder holds.
func begun(ctx context.Context, store blob.Store, opt *Options) (*schemas.Run, error) {
	plan := &opt.Plan
	m, err := ingest.Manifest(ctx, store)
	switch {
	case errors.Is(err, blob.ErrNotFound):
		return nil, fmt.Errorf("local: %s: %w", store.URL(), ErrNothing)
	case err != nil:
		return nil, err
	case m.Run.ID != plan.Run:
		return nil, fmt.Errorf("local: %s holds run %s, not %s", store.URL(), m.Run.ID, plan.Run)
	}
	run := m.Run
	// A broker outside of this process holds the passwords and signatures itself.
	if opt.Broker == nil && m.Finished.IsZero() {
		if err := granted(&run, opt.Blobs); err != nil {
			return nil, err
		}
	}
	if !opt.Recorded {
		// Submit refuses settings that differ from those with which the run was begun.
		run.Recipe, run.Hash = plan.Recipe, plan.Recipe.Digest()
	} else if was := run.Recipe.Build; was != plan.Recipe.Build && m.Finished.IsZero() {
		return nil, fmt.Errorf("local: run %s was begun by version %s of this program, and this is %s: go on with the same version, so that all rows are made alike, or begin another run", run.ID, was, plan.Recipe.Build)
	}
	return &run, nil
}

// Run carries out a run and returns its summary. For a run that is done it returns at
// once. If ctx ends before, items that were begun are finished, the error is ctx's, and
// the same call continues the run later.
func Run(ctx context.Context, opt Options) (*stats.Summary, error) {
	if err := opt.withDefaults(); err != nil {
		return nil, err
	}
	store, err := opt.Blobs.Store(ctx, opt.Plan.Out)
	if err != nil {
		return nil, err
	}
	opt.Plan.Out, opt.Plan.Store = store.URL(), store
	run, err := Plan(ctx, opt)
	if err != nil {
		return nil, err
	}
	if err := ingest.TakeUp(ctx, opt.Blobs, run); err != nil {
		return nil, err
	}
	return execute(ctx, &opt, store, run)
}

// Execute carries out a run that is planned already, in its output folder. Opt.Plan is not
// read.
func Execute(ctx context.Context, opt Options, run *schemas.Run) (*stats.Summary, error) {
	if err := opt.withDefaults(); err != nil {
		return nil, err
	}
	store, err := opt.Blobs.Store(ctx, run.Out)
	if err != nil {
		return nil, err
	}
	return execute(ctx, &opt, store, run)
}

// execute carries out a planned run, with the lock of its output folder.
func execute(ctx context.Context, opt *Options, store blob.Store, run *schemas.Run) (_ *stats.Summary, err error) {
	out := diskPath(store.URL())
	if out != "" {
		l, lockErr := take(filepath.Join(out, stateFolder), out, opt.Log)
		if lockErr != nil {
			return nil, lockErr
		}
		defer func() { err = errors.Join(err, l.release()) }()
	}
	if opt.Broker != nil {
		return carryOut(ctx, opt, opt.Broker, store, run)
	}
	// The client in this process has the passwords and signatures of private files. They
	// must not be written to disk.
	run.Access = nil
	dir := opt.StoreDir
	if dir == "" {
		dir = storeDir(out)
	} else {
		l, lockErr := take(dir, "--store "+dir, opt.Log)
		if lockErr != nil {
			return nil, lockErr
		}
		defer func() { err = errors.Join(err, l.release()) }()
		dir = filepath.Join(dir, "nats")
	}
	return supervise(ctx, opt, dir, store, run)
}

// carryOut runs the stages.
func carryOut(ctx context.Context, opt *Options, q *queue.Queue, store blob.Store, run *schemas.Run) (*stats.Summary, error) {
	if err := q.Setup(ctx, queue.Limits{}); err != nil {
		return nil, &setupError{err}
	}
	if opt.Broker == nil { // a process that had leased the run in this broker has ended with the broker
		if err := q.EndLease(ctx, run.ID); err != nil {
			return nil, err
		}
	}
	m, err := ingest.Submit(ctx, q, store, run)
	done := errors.Is(err, ingest.ErrFinished)
	switch {
	case err != nil && !done:
		return nil, err
	case !done:
		opt.Log.Info("run begins", "run", run.ID, "files", run.Sealed.Files, "items", run.Sealed.Items,
			"bytes", run.Sealed.Bytes, "out", store.URL())
		if text := account.LeftOut(run.Skipped); text != "" {
			opt.Log.Info(text, "run", run.ID, "skipped", len(run.Skipped))
		}
	}
	return stages(ctx, opt, q, store, m, done)
}

// stages runs the worker until the aggregator has finished the run. A run that is done
// needs no worker.
func stages(ctx context.Context, opt *Options, q *queue.Queue, store blob.Store, m *schemas.Manifest, done bool) (*stats.Summary, error) {
	begun := time.Now()
	var work worker.Stats
	var conducted atomic.Pointer[commit.Progress] // progress of the current phase
	now := progressOf(m, &work, &conducted)
	opt.Status.begin(now(), opt.Log, begun)

	// The aggregator outlives the worker: what the slots finish when ctx ends is
	// reported to the broker, and the next call finds it there.
	var summary *stats.Summary
	working, stop := context.WithCancel(ctx)
	defer stop()
	g, all := errgroup.WithContext(working)
	if !done {
		g.Go(func() error {
			w := opt.Worker
			w.Queue, w.BrokerForgets, w.Blobs, w.Build, w.Run, w.ExitWhenDone = q, true, opt.Blobs, m.Run.Recipe.Build, m.Run.ID, true
			w.Stats, w.Log = &work, opt.Log
			learning := opt.Learn
			learning.Extractors = opt.Extract.Extractors
			w.Tasks = learn.Tasks(learning, extract.New(opt.Extract))
			return worker.Run(all, w)
		})
	}
	g.Go(func() error {
		err := commit.Serve(all, commit.ServeOptions{
			Queue: q, Blobs: opt.Blobs, Log: opt.Log, Run: m.Run.ID, Out: store.URL(), ExitWhenDone: true,
			Commit: commit.Options{Quiet: quiet, RetryFor: retryFor,
				Progress: func(p commit.Progress) { conducted.Store(&p) },
				Report: func(ctx context.Context, store blob.Store) error {
					return overview.Write(ctx, store, overview.Options{})
				},
			},
			Done: func(_ blob.Store, s *stats.Summary) error { summary = s; return nil },
		})
		if err == nil {
			stop() // no more work will come for the worker
		}
		return err
	})
	g.Go(func() error {
		defer opt.Status.end()
		tick := time.NewTicker(redraw)
		defer tick.Stop()
		for {
			select {
			case t := <-tick.C:
				opt.Status.update(now(), t)
			case <-all.Done():
				opt.Status.update(now(), time.Now())
				return nil
			}
		}
	})
	err := g.Wait()
	if summary != nil {
		return summary, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, err
}

// progressOf returns a function that adds the totals of this process to the progress
// before. conducted is the progress of the aggregator: the phase, and how much of it is done.
func progressOf(m *schemas.Manifest, work *worker.Stats, conducted *atomic.Pointer[commit.Progress]) func() Progress {
	base := Progress{Total: m.Run.Sealed.Bytes}
	for i := range m.Parts {
		p := &m.Parts[i]
		base.Pages += p.Counts.Pages
		base.Failures += account.Failed(&p.Counts) + account.Sum(p.Counts.Refused)
		for _, c := range p.Items {
			it := m.Run.Item(c.File, c.Seq)
			base.Bytes += it.File.Length()
		}
	}
	before := commit.Progress{Phase: m.Run.Phase, ItemsOf: m.Run.Items()} // copied, because the aggregator changes the manifest
	phases := len(m.Run.Phases)
	return func() Progress {
		c := conducted.Load()
		if c == nil {
			c = &before
		}
		p := base
		if phases > 1 {
			p.Phase = c.Phase
		}
		p.Items, p.ItemsOf = c.Items, c.ItemsOf
		switch p.Phase {
		case schemas.PhaseScan:
			return Progress{Phase: p.Phase, Items: p.Items, ItemsOf: p.ItemsOf, Bytes: max(work.Of(schemas.PhaseScan).Bytes, c.Bytes), Total: base.Total}
		case schemas.PhaseLearn:
			return Progress{Phase: p.Phase, Bytes: int64(c.Items), Total: int64(c.ItemsOf)}
		}
		done := work.Of(schemas.PhaseExtract)
		p.Bytes += done.Bytes
		p.Pages += done.Pages
		p.Failures += done.Failures
		return p
	}
}

// diskPath returns the local folder that a URL names, "" if it is not local.
func diskPath(storeURL string) string {
	u, err := url.Parse(storeURL)
	switch {
	case err != nil:
		return ""
	case u.Scheme == "file":
		return filepath.FromSlash(u.Path)
	case u.Scheme == "":
		if info, err := os.Stat(storeURL); err == nil && info.IsDir() {
			return storeURL
		}
	}
	return ""
}
