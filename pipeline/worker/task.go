package worker

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/schemas"
)

// Task makes a phase of any run ready, and returns a function that makes a Runner for one
// slot. It is called again after errors that may be temporary: those of the broker and of
// a store, and those of OutputError and MachineError. After any other error the worker
// does not work on the run.
type Task func(ctx context.Context, j *Job) (newRunner func() (Runner, error), err error)

// Runner carries out one item at a time. It belongs to one slot, and keeps its memory
// from item to item. After a panic it is not used again.
type Runner interface {
	// Run makes one attempt at an item: it publishes the item's shards and returns the
	// report. The context has no end: an item that was begun is finished. Errors are
	// those of reading the item's file, unless OutputError, BrokerError, InputError or
	// MachineError says otherwise.
	Run(ctx context.Context, a *Attempt) (*schemas.Done, error)
	// Close ends the processes that the Runner has started.
	Close()
}

// Job is one phase of one run in this worker.
type Job struct {
	Run   *schemas.Run
	Queue *queue.Queue
	Blobs *blob.Client
	Store blob.Store // the output folder

	ctx  context.Context
	stop func()
}

// Context ends when the phase is over or the worker ends. Items that were begun are
// still being finished then.
func (j *Job) Context() context.Context { return j.ctx }

// Attempt is one try to process one item. A Runner gets it.
type Attempt struct {
	Item   *schemas.Item
	Number int // 1 for the first attempt at the item
	Job    *Job
	Log    *slog.Logger

	slot    *slot
	lease   *queue.Lease
	journal *journal
	name    string // distinguishes the attempt's shards from those of other attempts
	step    schemas.Step
	release func() // ends the lock for the step; nil if none has begun
	told    tally
}

// newName returns a name that no other attempt has.
func newName() string {
	var b [6]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// ShardPrefix returns the beginning of the names of the attempt's shards. The name of
// the table follows.
func (a *Attempt) ShardPrefix() string {
	return fmt.Sprintf("%s%s-", schemas.ShardPrefix(a.Item.Hash, a.Item.ID()), a.name)
}

// Report returns the report of the attempt, without an account of the item.
func (a *Attempt) Report() *schemas.Done {
	return &schemas.Done{Version: schemas.Version, Item: *a.Item, ID: a.Item.ID(), Worker: a.slot.w.opt.Name}
}

// OpenFile opens the item's file. The caller closes it.
func (a *Attempt) OpenFile(ctx context.Context) (blob.Source, error) {
	f := &a.Item.File
	if f.Private {
		if err := a.Job.Admit(ctx, f.URL); err != nil {
			return nil, err
		}
	}
	src, err := source.Open(ctx, a.Job.Blobs, a.Job.Store, f.Stored, f.Selection)
	if err != nil {
		if errors.As(err, new(*source.TableError)) {
			err = OutputError(err)
		}
		return nil, err
	}
	src.Expect(f.End)
	return src, nil
}

// Crashed returns the crash because of which a record or a site has to be left out: the
// process ended there too often while the worker worked on nothing else. It returns nil
// if the record or site has to be processed.
func (a *Attempt) Crashed(s schemas.Step) *schemas.Crash { return a.journal.stepDead(s) }

// Begin notes in the crash journal that the work on a record or a site begins. If the
// process ended at this step before, Begin rests first, and until End the worker works on
// nothing else. If the process ends again, the cause is then either the work or, during
// the rest, something outside of the process.
func (a *Attempt) Begin(ctx context.Context, s schemas.Step) error {
	c, w := a.journal, a.slot.w
	alone := !c.alone && c.suspect(s)
	a.step, a.release = s, func() {}
	switch {
	case alone:
		w.alone.Lock()
		a.release = w.alone.Unlock
		if err := c.rest(ctx, schemas.Note{Step: s}, w.opt.Rest); err != nil {
			return err
		}
	case !c.alone:
		w.alone.RLock()
		a.release = w.alone.RUnlock
	}
	return c.enter(ctx, s, alone)
}

// End notes that the work of the last Begin has ended, if there is any. last is true if it
// completes the record or the site. An attempt that ends with an error need not call End.
func (a *Attempt) End(ctx context.Context, last bool) error {
	if a.release == nil {
		return nil
	}
	defer a.unlock()
	return a.journal.leave(ctx, a.step, last)
}

func (a *Attempt) unlock() {
	if a.release != nil {
		a.release()
		a.release = nil
	}
}

// GiveUpRecord writes a dead letter about a record that ended the process too often.
func (a *Attempt) GiveUpRecord(ctx context.Context, offset, length int64, stage, reason, detail string) error {
	a.slot.w.opt.Metrics.deadLetters.WithLabelValues(stage, reason).Inc()
	err := a.lease.GiveUpRecord(ctx, &schemas.Dead{
		Item: *a.Item, Offset: offset, Length: length, Stage: stage, Reason: reason, Detail: detail, Attempts: a.Number, Time: time.Now().UTC(),
	})
	return BrokerError(err)
}

// CountDeadSite counts a site that is left out because it ended the process too often.
func (a *Attempt) CountDeadSite() {
	a.slot.w.opt.Metrics.deadLetters.WithLabelValues("site", "crash").Inc()
}

// InputRead notes in the crash journal that all of the item was read. If the process
// ends after that, the item is not suspected.
func (a *Attempt) InputRead(ctx context.Context) error { return a.journal.read(ctx) }

// LeftRunning notes that an extractor or scorer did not return and cannot be stopped.
// See Options.Restarted.
func (a *Attempt) LeftRunning() { a.slot.spoiled = true }

// Advance adds to the worker's totals. If the attempt fails, the addition is reversed.
func (a *Attempt) Advance(p Progress) {
	a.told.add(p)
	m := a.slot.w.opt.Metrics.inputBytes
	if p.Bytes > 0 {
		m.WithLabelValues("compressed").Add(float64(p.Bytes))
	}
	if p.HTML > 0 {
		m.WithLabelValues("raw").Add(float64(p.HTML))
	}
}
