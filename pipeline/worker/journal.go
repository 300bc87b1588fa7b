package worker

import (
	"context"
	"slices"
	"time"

	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// crashesAlone is how many times the process must end at one location, while the
// worker worked on nothing else, before that location is given up. The next attempt
// cannot tell a kill from outside or the loss of a machine from a crash that the input
// caused. Only a crash that the input caused happens at the same location every time.
const crashesAlone = 3

// journal is the crash journal of an item. It notes in the broker the step of an
// attempt, so that the next attempt knows where the process ended. It is kept only for
// items that were delivered before and not settled. That does not prove a crash, because
// items are also left unsettled by a broker that cannot write and by a worker that is
// stopped.
//
// If another worker has got the item, the next note fails with queue.ErrConflict.
type journal struct {
	q      *queue.Queue
	run    schemas.RunID
	id     schemas.ItemID
	worker string
	p      schemas.Progress
	rev    uint64
	on     bool // notes are taken
	alone  bool // the worker works on nothing else
}

// begin reads the entry for the item of a lease and evaluates a note in it. A first
// delivery costs no request, unless forgets is true, which means that the broker's count of deliveries
// is not reliable; then every attempt is noted.
func begin(ctx context.Context, q *queue.Queue, l *queue.Lease, worker string, forgets bool) (*journal, error) {
	j := &journal{q: q, run: l.Item.Run, id: l.Item.ID(), worker: worker, p: schemas.Progress{Attempts: 1}}
	if l.Delivered <= 1 && l.Again == "" && !forgets {
		return j, nil
	}
	var err error
	if j.p, j.rev, err = q.Progress(ctx, j.run, j.id); err != nil {
		return nil, err
	}
	before := max(j.p.Attempts, l.Delivered-1)
	j.p.Attempts = before + 1
	if j.on = before > j.p.Retries; j.on {
		j.learn()
		j.p.Note = &schemas.Note{Step: schemas.Step{Activity: schemas.AtBeginning}, Worker: worker}
	} else if !forgets {
		return j, nil
	}
	return j, j.save(ctx)
}

// learn turns a note that an earlier attempt left into a crash at the step of the note.
func (j *journal) learn() {
	if j.p.Note == nil {
		return
	}
	at := *j.p.Note
	j.p.Note = nil
	if at.Resting {
		// The process was working on nothing, so it was ended from outside, and that may
		// have been the cause the times before.
		j.p.Crashes = slices.DeleteFunc(j.p.Crashes, func(c schemas.Crash) bool {
			return c.Step == at.Step || c.Step.Between() && at.Step.Between()
		})
		return
	}
	i := j.find(at.Step)
	if i < 0 {
		i = len(j.p.Crashes)
		j.p.Crashes = append(j.p.Crashes, schemas.Crash{Step: at.Step})
	}
	c := &j.p.Crashes[i]
	c.Times++
	if at.Alone {
		c.Alone++
	}
	if at.Worker != "" && !slices.Contains(c.Workers, at.Worker) {
		c.Workers = append(c.Workers, at.Worker)
	}
}

func (j *journal) find(at schemas.Step) int {
	return slices.IndexFunc(j.p.Crashes, func(c schemas.Crash) bool { return c.Step == at })
}

// itemDead returns the crash for which the whole item is given up, nil if there is none.
// It is a crash that happened repeatedly while the worker read on from one location and
// did nothing else.
func (j *journal) itemDead() *schemas.Crash {
	for i := range j.p.Crashes {
		if c := &j.p.Crashes[i]; c.Step.Between() && c.Alone >= crashesAlone {
			return c
		}
	}
	return nil
}

// suspicious reports whether the process ended repeatedly between records. The worker
// then does nothing else during the whole attempt.
func (j *journal) suspicious() bool {
	return slices.ContainsFunc(j.p.Crashes, func(c schemas.Crash) bool { return c.Step.Between() && c.Times >= 2 })
}

// suspect reports whether the process ended at step p before.
func (j *journal) suspect(p schemas.Step) bool { return j.find(p) >= 0 }

// stepDead returns the crash for which the record or site of step p is left out, nil if
// it is to be processed.
func (j *journal) stepDead(p schemas.Step) *schemas.Crash {
	if i := j.find(p); i >= 0 && j.p.Crashes[i].Alone >= crashesAlone {
		return &j.p.Crashes[i]
	}
	return nil
}

// rest notes that the worker works on nothing, and waits. A process that ends during the
// wait was ended from outside. The caller ensures that the worker works on nothing.
func (j *journal) rest(ctx context.Context, at schemas.Note, d time.Duration) error {
	at.Resting = true
	if err := j.note(ctx, at); err != nil {
		return err
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// solitary begins an attempt during which the worker does nothing else.
func (j *journal) solitary(ctx context.Context, d time.Duration) error {
	at := *j.p.Note
	if err := j.rest(ctx, at, d); err != nil {
		return err
	}
	j.alone, at.Alone = true, true
	return j.note(ctx, at)
}

// enter notes that the work of step p begins.
func (j *journal) enter(ctx context.Context, p schemas.Step, alone bool) error {
	return j.note(ctx, schemas.Note{Step: p, Alone: alone || j.alone})
}

// leave notes that the work of step p has ended, so that a crash of the reader is not
// attributed to it. A record is worked on twice: it is decoded, and then extracted. done
// means that this was the last work on it; it is then no longer suspect.
func (j *journal) leave(ctx context.Context, p schemas.Step, done bool) error {
	if i := j.find(p); done && i >= 0 {
		j.p.Crashes = slices.Delete(j.p.Crashes, i, i+1)
	}
	return j.note(ctx, schemas.Note{Step: p.After(), Alone: j.alone})
}

func (j *journal) note(ctx context.Context, at schemas.Note) error {
	if !j.on {
		return nil
	}
	at.Worker = j.worker
	j.p.Note = &at
	return j.save(ctx)
}

// read notes that the item is read to its end. The rest of the attempt writes to the
// output and the broker, so if the process ends now the item is not at fault.
func (j *journal) read(ctx context.Context) error {
	if !j.on {
		return nil
	}
	j.p.Note = nil
	return j.save(ctx)
}

// retry notes that this attempt ends in order, but without success.
func (j *journal) retry(ctx context.Context, cause error) error {
	j.p.Retries++
	j.p.Cause = schemas.Shorten(cause.Error(), 500)
	j.p.Note = nil
	return j.save(ctx)
}

func (j *journal) save(ctx context.Context) error {
	rev, err := j.q.SetProgress(ctx, j.run, j.id, j.p, j.rev)
	if err != nil {
		return BrokerError(err)
	}
	j.rev = rev
	return nil
}
