package aggregate

import (
	"context"
	"errors"

	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// repair is an entry that waits for new shards.
type repair struct {
	entry *entry
	times int
	open  bool // asked for, not reported yet
}

type deadKey struct {
	item   schemas.ItemID
	offset int64
	stage  string
	reason string
}

// mend has an item done again whose shards are gone or damaged.
func (a *aggregator) mend(ctx context.Context, damaged *shardError) error {
	e := damaged.entry
	if err := a.patient(ctx, func() error { return a.commits.Check(ctx) }); err != nil {
		return err // another aggregator has committed them
	}
	p := place{e.item.File, e.item.Seq}
	r := a.repair[p]
	if r == nil {
		r = &repair{entry: e}
		a.repair[p] = r
	}
	if r.times++; r.times > repairs {
		return damaged
	}
	r.open = true
	again := e.item
	again.First = e.first
	a.log.Warn("item is done again", "item", again.ID(), "reason", damaged.err)
	return a.publish(ctx, &again)
}

// hear takes one report, or asks the broker when there is none for a while.
func (a *aggregator) hear(ctx context.Context, reports Reports) error {
	wait, cancel := context.WithTimeout(ctx, a.opt.Quiet)
	defer cancel()
	rep, err := reports.Next(wait)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, context.DeadlineExceeded):
		if err := a.opt.Broker.Idle(ctx, a.waiting); err != nil && !queue.Transient(err) {
			return err
		}
		a.opt.Progress(a.progress)
		return nil
	case err != nil:
		return err
	case rep.Done != nil && rep.Done.Item.Phase == schemas.PhaseExtract:
		return a.heardDone(ctx, rep.Done)
	case rep.Dead != nil && rep.Dead.Item.Phase == schemas.PhaseExtract:
		return a.heardDead(rep.Dead)
	}
	return nil
}

func (a *aggregator) heardDone(ctx context.Context, d *schemas.Done) error {
	p := place{d.Item.File, d.Item.Seq}
	if r := a.repair[p]; r != nil && r.open && d.First == r.entry.first && d.Next == r.entry.next && !sameShards(d, r.entry.done) {
		if _, err := a.ledger.known(&d.Item); err == nil {
			r.entry.drop = append(r.entry.drop, r.entry.done.Shards...)
			r.entry.done, r.open = d, false
			return nil
		}
	}
	late, err := a.ledger.report(d)
	if err != nil {
		a.log.Error("report ignored", "item", d.ID, "reason", err)
		return nil
	}
	for _, e := range a.entries { // its shards may be those of a part yet to be made
		if e.item.File == p.file && e.item.Seq == p.seq {
			if e.done == nil || !sameShards(e.done, d) {
				e.drop = append(e.drop, late...)
			}
			return nil
		}
	}
	a.drop(ctx, late)
	return nil
}

// mending says whether the part waits for new shards.
func (a *aggregator) mending() bool {
	for _, r := range a.repair {
		if r.open {
			return true
		}
	}
	return false
}

func (a *aggregator) heardDead(d *schemas.Dead) error {
	if d.Stage != queue.StageItem {
		return nil // its item reports it among its failures
	}
	if err := a.ledger.giveUp(d); err != nil {
		a.log.Error("report ignored", "item", d.Item.ID(), "reason", err)
	}
	return nil
}

// waiting yields the items that nothing was heard of, or that were asked for again.
func (a *aggregator) waiting(yield func(*schemas.Item, error) bool) {
	for _, e := range a.entries {
		if r := a.repair[place{e.item.File, e.item.Seq}]; r != nil && r.open {
			again := e.item
			again.First = e.first
			if !yield(&again, nil) {
				return
			}
		}
	}
	for it, err := range a.ledger.waiting() {
		if !yield(it, err) {
			return
		}
	}
}

func keyOf(d *schemas.Dead) deadKey {
	return deadKey{d.Item.ID(), d.Offset, d.Stage, d.Reason}
}
