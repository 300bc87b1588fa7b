package worker

import (
	"context"
	"log/slog"
	"runtime/debug"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/schemas"
)

// Solo carries out items of a run without a broker, one at a time: it holds no lease,
// keeps no crash journal and reports to nobody. It serves programs that repeat the work
// on committed items to compare the rows. A page that ends the process ends the caller's,
// so the caller leaves out items with records that were given up for this reason.
type Solo struct {
	slot *slot
	job  *Job
	work Work
}

// NewSolo opens a task for a run. Shards are written to store, and what else the task
// needs of the output folder is read from it.
func NewSolo(ctx context.Context, task Task, run *schemas.Run, blobs *blob.Client, store blob.Store) (*Solo, error) {
	log := slog.New(slog.DiscardHandler)
	ctx, stop := context.WithCancel(ctx)
	s := &Solo{job: &Job{Run: run, Blobs: blobs, Store: store, Log: log, ctx: ctx, stop: stop}}
	s.slot = &slot{w: &worker{opt: Options{Name: "solo", Metrics: NewMetrics(nil), Stats: new(Stats), Log: log}}}
	var err error
	if s.work, err = task.Open(ctx, s.job); err != nil {
		stop()
		return nil, err
	}
	return s, nil
}

// Run makes one attempt at an item and returns its report. A panic of the task is an
// error, after which Solo can still be used.
func (s *Solo) Run(ctx context.Context, it *schemas.Item) (d *schemas.Done, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &bugError{v, debug.Stack()}
			s.slot.drop()
		}
	}()
	if s.slot.runner == nil {
		if s.slot.runner, err = s.work.Runner(); err != nil {
			return nil, err
		}
	}
	return s.slot.runner.Run(ctx, &Attempt{Item: it, Number: 1, Job: s.job, Log: s.job.Log, slot: s.slot,
		journal: &journal{worker: s.slot.w.opt.Name}, name: newName(), told: tally{stats: s.slot.w.opt.Stats, phase: it.Phase}})
}

// Close ends what the task has started.
func (s *Solo) Close() {
	s.slot.drop()
	s.job.stop()
}
