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

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// Options of a worker. Queue, Blobs and Extractors are needed.
type Options struct {
	Queue *queue.Queue
	Blobs *blob.Client

	// Extractors and Scorers are all that a recipe may name.
	Extractors []*algorithms.Extractor
	Scorers    []*algorithms.Scorer
	// Build is this program's version; runs of another are left alone.
	Build string

	Slots int    // items at once; default one per core
	Name  string // in reports; default the host's name and the process id

	// Run is the only run to work for; default all that are active.
	Run schemas.RunID
	// ExitWhenDone returns when the run is over, or when no run is active,
	// instead of waiting for more.
	ExitWhenDone bool

	// Restarted says that a process that ends is started again. Then the worker ends
	// with an error when the item is done in which a method did not come back: what that
	// left running cannot be stopped otherwise.
	Restarted bool

	// BrokerForgets says that the broker ends with this process, and may not have
	// stored by then how often it delivered an item: it writes that down with a
	// delay. An item whose pages end the process at once would then be begun as for
	// the first time for ever. Attempts are noted in the item's progress instead,
	// for one message each.
	BrokerForgets bool

	// Isolate makes, for one slot, what runs wrapped libraries where they can be
	// killed, and what ends it. Nil runs them in this process.
	Isolate func() (driver.Isolate, func())
	// Align makes, for one slot, what finds the text of a wrapped library on the
	// page; see driver.Config. Nil leaves wrapped libraries without spans.
	Align func() func(dst *page.Selection, b *page.Body, text string)

	// TemplateBytes bounds the templates of sites that are held ready, over all
	// slots; default 256 MiB.
	TemplateBytes int64

	// ScoreMemory bounds what scoring pages takes at once, over all slots, in bytes:
	// slots with large pages wait for each other. Default 512 MiB.
	ScoreMemory int64

	// GatherBytes bounds the candidates and locations that learning holds at once
	// in a slot, in bytes as they are stored; in memory they take some three times
	// as many. Default 32 MiB.
	GatherBytes int64

	// GiveUpAfter is how long an input is tried again that cannot be read though this
	// machine is not at fault: it is missing, another version, or not allowed. When two
	// workers had such an answer a fifth of it is enough; a source that gives no answer,
	// or asks to be asked later, is tried again 24 times as long. Default 10 minutes.
	GiveUpAfter time.Duration
	// FaultLimit is how long a fault of this machine or of the output may last before
	// Run ends with it; default for ever.
	FaultLimit time.Duration
	// Rest is how long the worker does nothing before it works alone on a record at
	// which the process ended before: a process that ends meanwhile is ended from
	// outside. Default 2 s.
	Rest time.Duration

	Health  *Health  // says why no items are taken; default: the log alone does
	Metrics *Metrics // default: counted, shown nowhere
	Stats   *Stats   // likewise
	Log     *slog.Logger

	// Before is called before a page is worked on, with its address, or before a
	// site is learned, with its name, in the slot that works on it. It is how tests
	// make a worker's process end at a record.
	Before func(file string, at schemas.Place)
}

func (o Options) withDefaults() (Options, error) {
	if o.Queue == nil || o.Blobs == nil {
		return o, errors.New("worker: needs a queue and a blob client")
	}
	if o.Slots < 0 {
		return o, fmt.Errorf("worker: %d slots", o.Slots)
	}
	if o.Slots == 0 {
		o.Slots = runtime.GOMAXPROCS(0)
	}
	if o.TemplateBytes <= 0 {
		o.TemplateBytes = templatesMax
	}
	if o.ScoreMemory <= 0 {
		o.ScoreMemory = scoreMax
	}
	if o.GatherBytes <= 0 {
		o.GatherBytes = gatherMax
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
	if o.Before == nil {
		o.Before = func(string, schemas.Place) {}
	}
	return o, nil
}

// worker is what the slots share.
type worker struct {
	opt     Options
	scoring *budget
	// alone is held for writing while a record is worked on at which the process ended
	// before, and for reading while any other is.
	alone sync.RWMutex

	// mu guards the jobs and what is known about them.
	mu      sync.Mutex
	jobs    []*job        // that may have items
	known   bool          // all runs that there were have been seen
	seen    bool          // the run that was asked for has been seen
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
	w := &worker{opt: opt, scoring: newBudget(opt.ScoreMemory), changed: make(chan struct{})}
	watching, stop := context.WithCancel(ctx)
	defer stop()
	g := new(errgroup.Group)
	var slots sync.WaitGroup
	for i := range opt.Slots {
		s := newSlot(w, i)
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
	g.Go(func() error { // the watch has no other reason to end
		slots.Wait()
		stop()
		return nil
	})
	return g.Wait()
}

// watch keeps the list of jobs. A watch that breaks is begun again.
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

// take notes the present state of a run; what comes of it ends with ctx. Called
// with mu held.
func (w *worker) take(ctx context.Context, run *schemas.Run) {
	w.seen = true
	active := run.State == schemas.RunPlanned || run.State == schemas.RunActive
	for i, j := range w.jobs {
		if j.run.ID != run.ID {
			continue
		}
		if active && j.phase == run.Phase && j.run.Hash == run.Hash && j.run.Out == run.Out {
			return
		}
		w.jobs = append(w.jobs[:i:i], w.jobs[i+1:]...)
		j.end()
		break
	}
	if active {
		j := &job{run: run, phase: run.Phase}
		j.gate = &gate{run: run.ID, log: w.opt.Log, health: w.opt.Health, limit: w.opt.FaultLimit}
		var cancel context.CancelFunc
		j.ctx, cancel = context.WithCancel(ctx)
		j.end = func() { cancel(); j.gate.end() }
		w.jobs = append(w.jobs, j)
		w.opt.Log.Info("run", "run", run.ID, "phase", run.Phase, "items", run.Sealed.Items)
	} else {
		w.opt.Log.Info("run is over", "run", run.ID, "state", run.State)
	}
}

// drop forgets a job whose phase is over; its run may come back with another.
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

// state returns the jobs, whether there may be more, and what tells of changes.
func (w *worker) state() (jobs []*job, over bool, changed <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	over = w.opt.ExitWhenDone && w.known && len(w.jobs) == 0 && (w.opt.Run == "" || w.seen)
	return w.jobs, over, w.changed
}
