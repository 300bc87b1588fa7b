package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// Options of a worker. Queue, Blobs and Tasks are needed.
type Options struct {
	Queue *queue.Queue
	Blobs *blob.Client

	// Tasks is the work of every phase that a run may have.
	Tasks map[schemas.Phase]Task
	// Build is this program's version. Runs that were planned by another are left alone,
	// because the rows of one run must not come from two builds.
	Build string

	Slots int    // items at once; default one per core
	Name  string // in reports; default the host's name and the process id

	// Run is the only run to work for; default all that are active.
	Run schemas.RunID
	// ExitWhenDone returns when the run is over, or when no run is active,
	// instead of waiting for more.
	ExitWhenDone bool
	// RunWait is how long a worker that ends with Run waits until the broker knows it.
	// Then it ends with an error. Default for ever.
	RunWait time.Duration

	// Restarted says that the process is started again when it ends. Then the worker
	// ends with an error after an item in which a method did not come back, because
	// nothing else stops what that left running.
	Restarted bool

	// BrokerForgets says that the broker ends with this process. It stores with a delay
	// how often it delivered an item, so an item whose pages end the process at once
	// could be begun as for the first time for ever. Attempts are therefore noted in
	// the crash journal, for one message each.
	BrokerForgets bool

	// GiveUpAfter is how long an input that cannot be read is tried again when this
	// machine is not at fault: it is missing, another version, or not allowed. A fifth
	// of it is enough when two workers had such an answer. A source that gives no
	// answer, or asks to be asked later, is tried again 24 times as long. Default 10
	// minutes.
	GiveUpAfter time.Duration
	// FaultLimit is how long a fault of this machine or of the output may last before
	// Run ends with it; default for ever.
	FaultLimit time.Duration
	// Rest is how long the worker does nothing before it works alone on a record at
	// which the process ended before: a process that ends meanwhile is ended from
	// outside. Default 2 s.
	Rest time.Duration

	Health  *Health  // says why no items are taken; default: only the log does
	Metrics *Metrics // default: counted, shown nowhere
	Stats   *Stats   // likewise
	Log     *slog.Logger
}

func (o Options) withDefaults() (Options, error) {
	if o.Queue == nil || o.Blobs == nil || len(o.Tasks) == 0 {
		return o, errors.New("worker: needs a queue, a blob client and tasks")
	}
	if o.Slots < 0 {
		return o, fmt.Errorf("worker: %d slots", o.Slots)
	}
	if o.Slots == 0 {
		o.Slots = runtime.GOMAXPROCS(0)
	}
	if o.GiveUpAfter <= 0 {
		o.GiveUpAfter = 10 * time.Minute
	}
	if o.Rest <= 0 {
		o.Rest = 2 * time.Second
	}
	if o.Health == nil {
		o.Health = new(Health)
	}
	if o.Name == "" {
		host, _ := os.Hostname()
		o.Name = fmt.Sprintf("%s/%d", host, os.Getpid())
	}
	if o.Metrics == nil {
		o.Metrics = NewMetrics(nil)
	}
	if o.Stats == nil {
		o.Stats = new(Stats)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

// worker is what the slots share.
type worker struct {
	opt Options
	// alone is held for writing while the worker works on a record at which the process
	// ended before, and for reading while it works on any other.
	alone sync.RWMutex

	// mu guards the jobs and what is known about them.
	mu      sync.Mutex
	jobs    []*job        // that may have items
	known   bool          // all runs that there were have been seen
	seen    bool          // the run that was asked for has been seen
	absent  bool          // the run that was asked for was waited for in vain
	changed chan struct{} // closed, and made anew, when any of this changes
}

// Run works until ctx ends, or until there is nothing left if Options say so.
// Items that are begun are finished in either case; the error is ctx's only if
// it ended the watch before there was anything to do, else nil.
func Run(ctx context.Context, opt Options) error {
	opt, err := opt.withDefaults()
	if err != nil {
		return err
	}
	w := &worker{opt: opt, changed: make(chan struct{})}
	watching, stop := context.WithCancel(ctx)
	defer stop()
	g := new(errgroup.Group)
	var slots sync.WaitGroup
	for i := range opt.Slots {
		s := &slot{w: w, turn: i}
		slots.Add(1)
		g.Go(func() error {
			defer slots.Done()
			err := s.loop(ctx)
			if err != nil {
				stop()
			}
			return err
		})
	}
	g.Go(func() error {
		err := w.watch(watching)
		if errors.Is(err, context.Canceled) {
			return nil
		}
		return err
	})
	if opt.ExitWhenDone && opt.Run != "" && opt.RunWait > 0 {
		g.Go(func() error { return w.awaitRun(watching) })
	}
	g.Go(func() error { // the watch has no other reason to end
		slots.Wait()
		stop()
		return nil
	})
	return g.Wait()
}

// awaitRun returns an error if the run that was asked for is not known in time. The slots
// end then.
func (w *worker) awaitRun(ctx context.Context) error {
	late := time.NewTimer(w.opt.RunWait)
	defer late.Stop()
	for told := false; ; {
		w.mu.Lock()
		seen, known, changed := w.seen, w.known, w.changed
		w.mu.Unlock()
		if seen {
			return nil
		}
		if known && !told {
			told = true
			w.opt.Log.Info("waiting for a run that the broker does not know yet", "run", w.opt.Run, "for", w.opt.RunWait.String())
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil
		case <-late.C:
			w.update(func() { w.absent = true })
			return fmt.Errorf("worker: %w", queue.AbsentError{Run: w.opt.Run, Waited: w.opt.RunWait})
		}
	}
}

// watch keeps the list of jobs up to date. If the watch on the runs fails it is started
// again.
func (w *worker) watch(ctx context.Context) error {
	for ctx.Err() == nil {
		for run, err := range w.opt.Queue.WatchRuns(ctx) {
			switch {
			case err != nil && ctx.Err() == nil:
				w.opt.Log.Warn("watching runs", "reason", err)
			case err != nil:
				return ctx.Err()
			case run == nil:
				w.update(func() { w.known = true })
			case w.opt.Run == "" || run.ID == w.opt.Run:
				w.update(func() { w.take(ctx, run) })
			}
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

func (w *worker) update(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f()
	close(w.changed)
	w.changed = make(chan struct{})
}

// take records the present state of a run. A job that it begins ends with ctx. The
// caller holds mu.
func (w *worker) take(ctx context.Context, run *schemas.Run) {
	w.seen = true
	active := run.State == schemas.RunPlanned || run.State == schemas.RunActive
	for i, j := range w.jobs {
		if j.Run.ID != run.ID {
			continue
		}
		if active && j.phase == run.Phase && j.Run.Hash == run.Hash && j.Run.Out == run.Out {
			return
		}
		w.jobs = append(w.jobs[:i:i], w.jobs[i+1:]...)
		j.end()
		break
	}
	if active {
		j := &job{phase: run.Phase}
		j.Job = Job{Run: run, Queue: w.opt.Queue, Blobs: w.opt.Blobs, Log: w.opt.Log.With("run", run.ID)}
		j.gate = &gate{run: run.ID, log: w.opt.Log, health: w.opt.Health, limit: w.opt.FaultLimit}
		j.ctx, j.stop = context.WithCancel(ctx)
		w.jobs = append(w.jobs, j)
		w.opt.Log.Info("run", "run", run.ID, "phase", run.Phase, "items", run.Sealed.Items)
	} else {
		w.opt.Log.Info("run is over", "run", run.ID, "state", run.State)
	}
}

// drop removes a job whose phase is over. The run's next phase is a new job.
func (w *worker) drop(gone *job) {
	w.update(func() {
		for i, j := range w.jobs {
			if j == gone {
				j.end()
				w.jobs = append(w.jobs[:i:i], w.jobs[i+1:]...)
				return
			}
		}
	})
}

// state returns the jobs, whether there will be no more, and a channel that is closed
// when either changes.
func (w *worker) state() (jobs []*job, over bool, changed <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	over = w.absent || w.opt.ExitWhenDone && w.known && len(w.jobs) == 0 && (w.opt.Run == "" || w.seen)
	return w.jobs, over, w.changed
}
