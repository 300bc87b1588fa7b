package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/queue"
)

// pause is the time between attempts to open a job whose consumer does not exist yet or
// whose output folder cannot be reached. The first pauses are shorter: an aggregator that
// begins a run at the same time creates the consumer within milliseconds.
const (
	pause      = 500 * time.Millisecond
	firstPause = 10 * time.Millisecond
)

// job is a Job with what the slots need to take its items. It does not change once it is
// open.
type job struct {
	Job
	parent context.Context // parent of Job.ctx
	gate   *gate

	// mu guards the opening: the first slot that wants an item opens the job.
	mu     sync.Mutex
	opened bool
	fatal  error     // why it will never open
	after  time.Time // when to try again
	tries  int       // failed attempts to open it, since the job began or was last open

	newRunner func() (Runner, error)
	puller    *queue.Puller
}

// end is called when the phase is over or the worker ends.
func (j *job) end() {
	j.stop()
	j.gate.end()
}

// open makes the job ready. It returns false and no error if the job cannot be opened
// yet; the fault is then the fault of this machine that prevents it, or nil if the
// broker does. A job that returned an error will never open.
func (j *job) open(ctx context.Context, w *worker) (bool, *fault, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.opened || j.fatal != nil {
		return j.opened, nil, j.fatal
	}
	if time.Now().Before(j.after) {
		return false, nil, nil
	}
	err := j.prepare(ctx, w)
	switch {
	case err == nil:
		j.opened, j.tries = true, 0
	case ctx.Err() != nil:
		return false, nil, ctx.Err()
	case waitable(err):
		j.after = time.Now().Add(min(pause, firstPause<<min(j.tries, 10)))
		j.tries++
		w.opt.Log.Debug("run not ready", "run", j.Run.ID, "reason", err)
		return false, nil, nil
	case isAny(err, environmental), errors.Is(err, errOutput) && !errors.Is(err, blob.ErrDenied), errors.Is(err, errMachine):
		return false, &fault{owner: ownerMachine, err: err}, nil
	default:
		j.fatal = fmt.Errorf("worker: run %s: %w", j.Run.ID, err)
	}
	return j.opened, nil, j.fatal
}

// waitable reports whether err may go away, because the broker or a store cannot be
// reached, or the run's consumer was not created yet.
func waitable(err error) bool {
	return queue.Transient(err) || errors.Is(err, queue.ErrNotFound) || errors.Is(err, blob.ErrTransient)
}

func (j *job) prepare(ctx context.Context, w *worker) (err error) {
	if build := j.Run.Recipe.Build; build != w.opt.Build {
		return fmt.Errorf("it was planned by build %q, this is %q", build, w.opt.Build)
	}
	if j.puller, err = w.opt.Queue.Pull(ctx, j.Run); err != nil {
		return err
	}
	if phase := j.puller.Phase(); j.Run.Phase != phase {
		j.Run.Phase, j.newRunner = phase, nil
	}
	task := w.opt.Tasks[j.Run.Phase]
	if task == nil {
		return fmt.Errorf("this worker has no task for phase %s", j.Run.Phase)
	}
	if j.Store == nil {
		store, err := w.opt.Blobs.Store(ctx, j.Run.Out)
		if err != nil {
			return err
		}
		if err := present(ctx, store); err != nil {
			return OutputError(fmt.Errorf("output %s: %w", j.Run.Out, err))
		}
		j.Store = store
	}
	if j.newRunner == nil {
		if j.newRunner, err = task(ctx, &j.Job); err != nil {
			return err
		}
	}
	return nil
}

// waits returns how long the job is not to be opened, at most pause.
func (j *job) waits() time.Duration {
	j.mu.Lock()
	defer j.mu.Unlock()
	if left := time.Until(j.after); left > 0 {
		return left
	}
	return pause
}
