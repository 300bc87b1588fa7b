package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"slices"
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
	Name  string // name of this worker in reports; default the host's name and the process id

	// Run is the only run to work for; default all that are active.
	Run schemas.RunID
	// ExitWhenDone returns when the run is over, or when no run is active,
	// instead of waiting for more.
	ExitWhenDone bool

	// Restarted means that the process is started again when it ends. Then the worker
	// ends with an error after an item in which a method did not come back, because
	// nothing else stops what that left running.
	Restarted bool

	// BrokerForgets means that the broker ends with this process. It stores with a delay
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

	Health  *Health  // reports why no items are taken; by default only the log does
	Metrics *Metrics // default: counted but not shown
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

// worker is the state that the slots share.
type worker struct {
	opt Options
	// alone is held for writing while the worker works on a record at which the process
	// ended before, and for reading while it works on any other.
	alone sync.RWMutex

	// mu guards the jobs and what is known about them.
	mu      sync.Mutex
	jobs    []*job        // jobs that may have items
	known   bool          // all runs that there were have been seen
	out     string        // the output folder of the run that was asked for, once it was seen
	done    bool          // the run that was asked for is over
	changed chan struct{} // closed, and made again, when any of this changes
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
	g.Go(func() error { w.watch(watching); return nil })
	g.Go(func() error { // the watch has no other reason to end
		slots.Wait()
		stop()
		return nil
	})
	return g.Wait()
}

// listEvery is how often runs are looked for.
const listEvery = time.Second

// watch keeps the list of jobs up to date until ctx ends.
func (w *worker) watch(ctx context.Context) {
	list, unlisted := w.opt.Queue.NewRunList(), ""
	for {
		changed, err := list.Refresh(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			unlisted = ""
		case err.Error() != unlisted:
			unlisted = err.Error()
			w.opt.Log.Warn("runs cannot be listed", "reason", err)
		}
		if changed {
			w.update(func() { w.take(ctx, list.Runs) })
		}
		if err == nil && w.opt.ExitWhenDone && w.opt.Run != "" && w.idle() && w.over(ctx) {
			w.update(func() { w.done = true })
		}
		select {
		case <-time.After(listEvery):
		case <-ctx.Done():
			return
		}
	}
}

// over reports whether the run that was asked for, which the broker does not hold, is
// over: its output folder says so, or holds no run. If not, the broker has lost the run.
func (w *worker) over(ctx context.Context) bool {
	out, err := w.opt.Queue.FolderOf(ctx, w.opt.Run)
	if err != nil && w.out == "" {
		return false
	}
	store, err := w.opt.Blobs.Store(ctx, cmp.Or(out, w.out))
	if err != nil {
		return false
	}
	for _, mark := range []string{schemas.SuccessFile, schemas.EndedFile} {
		if there, _ := blob.Exists(ctx, store, mark); there {
			return true
		}
	}
	run, err := blob.Exists(ctx, store, schemas.ManifestFile)
	return err == nil && !run
}

// idle reports whether there are no jobs.
func (w *worker) idle() bool {
	jobs, _, _ := w.state()
	return len(jobs) == 0
}

func (w *worker) update(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f()
	close(w.changed)
	w.changed = make(chan struct{})
}

// take makes the jobs those of the listed runs. Jobs end with ctx. The caller holds mu.
func (w *worker) take(ctx context.Context, runs []*schemas.Run) {
	w.known = true
	kept := make([]*job, 0, len(runs))
	old := w.jobs
	for _, run := range runs {
		if w.opt.Run != "" && run.ID != w.opt.Run {
			continue
		}
		w.out = run.Out
		i := slices.IndexFunc(old, func(j *job) bool { return j.Run.ID == run.ID && j.Run.Hash == run.Hash && j.Run.Out == run.Out })
		if i >= 0 {
			kept = append(kept, old[i])
			old = slices.Delete(slices.Clone(old), i, i+1)
			continue
		}
		w.opt.Log.Info("run", "run", run.ID, "items", run.Sealed.Items)
		kept = append(kept, w.newJob(ctx, run))
	}
	for _, j := range old {
		w.opt.Log.Info("run is over, or lost by the broker", "run", j.Run.ID)
		j.end()
	}
	w.jobs = kept
}

// newJob returns the job of the current phase of a run.
func (w *worker) newJob(ctx context.Context, run *schemas.Run) *job {
	own := *run
	j := &job{parent: ctx}
	j.Job = Job{Run: &own, Queue: w.opt.Queue, Blobs: w.opt.Blobs}
	j.gate = &gate{run: run.ID, log: w.opt.Log, health: w.opt.Health, limit: w.opt.FaultLimit}
	j.ctx, j.stop = context.WithCancel(ctx)
	return j
}

// renew replaces a job whose consumer is gone by one that waits for the next: the phase is
// over, or the consumer was lost and will be created again.
func (w *worker) renew(gone *job) {
	w.update(func() {
		if i := slices.Index(w.jobs, gone); i >= 0 {
			next := w.newJob(gone.parent, gone.Run)
			next.after = time.Now().Add(firstPause)
			gone.end()
			w.jobs = slices.Clone(w.jobs)
			w.jobs[i] = next
		}
	})
}

// drop removes a job that will never open.
func (w *worker) drop(gone *job) {
	w.update(func() {
		if i := slices.Index(w.jobs, gone); i >= 0 {
			gone.end()
			w.jobs = slices.Delete(slices.Clone(w.jobs), i, i+1)
		}
	})
}

// state returns the jobs, whether there will be no more, and a channel that is closed
// when either changes.
func (w *worker) state() (jobs []*job, over bool, changed <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	over = w.done || w.opt.ExitWhenDone && w.opt.Run == "" && w.known && len(w.jobs) == 0
	return w.jobs, over, w.changed
}
