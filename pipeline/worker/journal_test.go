package worker

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// attempts begins attempts at one item, which end without a word.
type attempts struct {
	t *testing.T
	w *world
	l *queue.Lease
}

func newAttempts(t *testing.T) *attempts {
	w, p := oneItem(t, time.Minute)
	l, err := p.Next(t.Context(), 20*time.Second)
	if err != nil || l == nil {
		t.Fatal(l, err)
	}
	t.Cleanup(l.Abandon)
	return &attempts{t, w, l}
}

func (a *attempts) begin(worker string) *journal {
	a.t.Helper()
	j, err := begin(a.t.Context(), a.w.q, a.l, worker, true)
	if err != nil {
		a.t.Fatal(err)
	}
	return j
}

func (a *attempts) must(err error) {
	a.t.Helper()
	if err != nil {
		a.t.Fatal(err)
	}
}

// A broker that ended with the worker, before it stored that it had delivered the
// item, delivers it once more as for the first time.
func TestForgottenDeliveries(t *testing.T) {
	a := newAttempts(t)
	if a.l.Delivered != 1 {
		t.Fatal(a.l.Delivered)
	}
	if j := a.begin("w"); j.p.Attempts != 1 || j.on {
		t.Errorf("%+v", j)
	} else {
		a.must(j.retry(t.Context(), errors.New("store is away")))
	}
	if j := a.begin("w"); j.p.Attempts != 2 || j.on || j.p.Retries != 1 {
		t.Errorf("after an orderly end: %+v", j)
	}
	if j := a.begin("w"); j.p.Attempts != 3 || !j.on || len(j.p.Crashes) != 0 {
		t.Errorf("after an end without a word: %+v", j)
	}
}

// A record is given up after three ends of the process at it, alone, and no sooner.
func TestRecordIsDeadAlone(t *testing.T) {
	a, ctx := newAttempts(t), t.Context()
	before, bad := schemas.AtLocation(schemas.Location{Offset: 100}), schemas.AtLocation(schemas.Location{Offset: 200, Ordinal: 3})
	a.begin("w") // ends before a journal is kept
	end := func(worker string, alone bool) {
		t.Helper()
		j := a.begin(worker)
		if j.stepDead(before) != nil || j.stepDead(bad) != nil || j.suspect(before) || j.itemDead() != nil {
			t.Errorf("too early: %+v", j.p)
		}
		a.must(j.enter(ctx, before, false))
		a.must(j.leave(ctx, before, true))
		a.must(j.enter(ctx, bad, alone))
	}
	for range 5 { // other records were worked on, too: any of them may be to blame
		end("w", false)
	}
	for i := range crashesAlone {
		end([]string{"w", "x", "w"}[i], true)
	}
	old := a.begin("w")
	crash := old.stepDead(bad)
	if crash == nil || crash.Alone != crashesAlone || crash.Times != 5+crashesAlone || len(crash.Workers) != 2 || old.stepDead(before) != nil {
		t.Errorf("after %d ends alone: %+v", crashesAlone, old.p)
	}
	a.begin("x")
	if err := old.enter(ctx, before, false); !errors.Is(err, queue.ErrConflict) {
		t.Errorf("the worker that lost the item goes on: %v", err)
	}
}

// A suspect that is done without harm is suspected no more.
func TestSuspectThatDoesNoHarm(t *testing.T) {
	a, ctx := newAttempts(t), t.Context()
	p := schemas.AtLocation(schemas.Location{Offset: 200})
	a.begin("w")
	a.must(a.begin("w").enter(ctx, p, false))
	j := a.begin("w")
	a.must(j.enter(ctx, p, true))
	a.must(j.leave(ctx, p, false)) // decoded
	if j = a.begin("w"); !j.suspect(p) {
		t.Error("acquitted before its page was worked on")
	}
	a.must(j.enter(ctx, p, true))
	a.must(j.leave(ctx, p, true))
	if j = a.begin("w"); j.suspect(p) {
		t.Errorf("%+v", j.p)
	}
}

// A worker that is killed again and again from outside is killed in the rests, too:
// no record is given up for that.
func TestKillInTheRestAcquits(t *testing.T) {
	a, ctx := newAttempts(t), t.Context()
	bad := schemas.AtLocation(schemas.Location{Offset: 200})
	a.begin("w")
	for range 3 {
		for range crashesAlone - 1 {
			j := a.begin("w")
			a.must(j.enter(ctx, bad, true))
		}
		j := a.begin("w")
		if !j.suspect(bad) || j.stepDead(bad) != nil {
			t.Errorf("%+v", j.p)
		}
		gone, cancel := context.WithCancelCause(ctx)
		resting := make(chan error)
		go func() { resting <- j.rest(gone, schemas.Note{Step: bad}, time.Hour) }()
		noted := func() bool {
			p, _, err := a.w.q.Progress(ctx, j.run, j.id)
			a.must(err)
			return p.Note != nil && p.Note.Resting
		}
		for !noted() {
			time.Sleep(time.Millisecond)
		}
		cancel(errors.New("killed"))
		<-resting
		if j = a.begin("w"); j.suspect(bad) {
			t.Errorf("after an end in the rest: %+v", j.p)
		}
	}
}

// Attempts that are not settled prove nothing by their number; three ends of the
// process while it reads on from one location, alone, do.
func TestUnsettledIsNotCrashed(t *testing.T) {
	a, ctx := newAttempts(t), t.Context()
	for range 20 { // the item is read, and its report cannot be published
		j := a.begin("w")
		if len(j.p.Crashes) != 0 || j.itemDead() != nil || j.suspicious() {
			t.Fatalf("%+v", j.p)
		}
		a.must(j.read(ctx))
	}
	for i := 0; ; i++ {
		j := a.begin("w")
		if crash := j.itemDead(); crash != nil {
			if i != 2+crashesAlone {
				t.Errorf("given up after %d ends", i)
			}
			return
		}
		if i == 10 {
			t.Fatalf("ends behind one record are never given up: %+v", j.p)
		}
		if j.suspicious() {
			a.must(j.solitary(ctx, time.Millisecond))
		}
		a.must(j.leave(ctx, schemas.AtLocation(schemas.Location{Offset: 300}), true)) // the reader ends the process after it
	}
}
