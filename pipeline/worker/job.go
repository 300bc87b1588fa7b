package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/gold"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/template"
	"github.com/winnow/winnow/schemas"
)

// pause is how long a job rests that could not be opened: its consumer is not
// there yet, or the output folder is away.
const pause = 500 * time.Millisecond

// job is one phase of one run, as this worker carries it out. Its slots share
// it; what it holds does not change once it is open.
type job struct {
	run   *schemas.Run
	phase schemas.Phase
	ctx   context.Context // ends with the worker's, or when the phase is over
	end   func()
	gate  *gate

	// mu guards the opening: the first slot that wants an item opens the job.
	mu     sync.Mutex
	opened bool
	fatal  error     // why it will never open
	after  time.Time // when to try again

	extractors []*algorithms.Extractor
	scorers    []*algorithms.Scorer
	config     map[*algorithms.Extractor]string // recipe.ConfigHash
	gold       *gold.SideFile                   // nil if there is none
	store      blob.Store

	// Of a run that learns.
	methods []template.Method
	linked  bool              // one of them follows links
	earlier *template.Earlier // templates that may be used again; nil if there are none
	cache   *template.Cache   // of the phase extract; nil in others
	puller  *queue.Puller
}

// open makes the job ready. It returns false, and no error, if that has to wait; the
// fault is this machine's that it waits for, nil if it waits for the broker. What fails
// with an error will never open.
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
		j.opened = true
	case ctx.Err() != nil:
		return false, nil, ctx.Err()
	case waitable(err):
		j.after = time.Now().Add(pause)
		w.opt.Log.Debug("run not ready", "run", j.run.ID, "reason", err)
		return false, nil, nil
	case isAny(err, environmental), errors.As(err, new(*outputError)) && !errors.Is(err, blob.ErrDenied):
		return false, &fault{owner: ownerMachine, err: err}, nil
	default:
		j.fatal = fmt.Errorf("worker: run %s: %w", j.run.ID, err)
	}
	return j.opened, nil, j.fatal
}

// waitable reports whether err may go away: the broker or a store is away, or
// the run's consumer has not been made yet.
func waitable(err error) bool {
	return queue.Transient(err) || errors.Is(err, queue.ErrNotFound) || errors.Is(err, blob.ErrTransient)
}

func (j *job) prepare(ctx context.Context, w *worker) (err error) {
	r := &j.run.Recipe
	if r.Build != w.opt.Build {
		// Rows of one run must not come from two builds.
		return fmt.Errorf("it was planned by build %q, this is %q", r.Build, w.opt.Build)
	}
	if j.extractors, j.scorers, err = recipe.Find(r, w.opt.Extractors, w.opt.Scorers); err != nil {
		return err
	}
	j.config = make(map[*algorithms.Extractor]string, len(j.extractors))
	for _, e := range j.extractors {
		j.config[e] = recipe.ConfigHash(e)
	}
	if r.Gold != "" && j.gold == nil {
		if r.GoldPrivate {
			if err := admit(ctx, w.opt.Queue, w.opt.Blobs, j.run.ID, r.Gold); err != nil {
				return err
			}
		}
		if j.gold, err = openGold(ctx, w.opt.Blobs, r); err != nil {
			return err
		}
	}
	if j.store == nil {
		store, err := w.opt.Blobs.Store(ctx, j.run.Out)
		if err != nil {
			return err
		}
		if err := present(ctx, store); err != nil {
			return ofOutput(fmt.Errorf("output %s: %w", j.run.Out, err))
		}
		j.store = store
	}
	if r.Learn != nil {
		if err := j.prepareLearning(ctx, w); err != nil {
			return err
		}
	}
	j.puller, err = w.opt.Queue.Pull(ctx, j.run)
	return err
}

// prepareLearning makes ready what the phases of a run that learns need.
func (j *job) prepareLearning(ctx context.Context, w *worker) (err error) {
	r := j.run.Recipe.Learn
	if v := template.SiteVersion(); r.Sites != v {
		return fmt.Errorf("it was planned with sites by %q, this program has %q", r.Sites, v)
	}
	j.methods = template.Methods(j.extractors)
	j.linked = template.Linked(j.methods)
	switch {
	case j.phase == schemas.PhaseLearn && j.earlier == nil:
		j.earlier, err = template.OpenEarlier(j.ctx, w.opt.Blobs, r)
	case j.phase == schemas.PhaseExtract && j.cache == nil:
		err = j.openTemplates(ctx, w)
	}
	return err
}

// openGold reads the recipe's side file. Another file under the same name is
// not the run's.
func openGold(ctx context.Context, blobs *blob.Client, r *schemas.Recipe) (*gold.SideFile, error) {
	s, err := source.ReadGold(ctx, blobs, r.Gold)
	if err == nil && s.Digest != r.GoldDigest {
		err = fmt.Errorf("gold file %s has changed since the run was planned", r.Gold)
	}
	return s, err
}
