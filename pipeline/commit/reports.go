package commit

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/winnow/winnow/pipeline/account"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// deadKey tells dead letters apart.
type deadKey struct {
	item   schemas.ItemID
	offset int64
	stage  string
	reason string
}

func keyOf(d *schemas.Dead) deadKey {
	return deadKey{d.Item.ID(), d.Offset, d.Stage, d.Reason}
}

// await waits for a report. It returns none when there was nothing for a while,
// after the broker was asked what became of what waiting yields.
func (a *aggregator) await(ctx context.Context, reports Reports, waiting iter.Seq2[*schemas.Item, error]) (queue.Report, error) {
	wait, cancel := context.WithTimeout(ctx, a.opt.Quiet)
	defer cancel()
	rep, err := reports.Next(wait)
	switch {
	case ctx.Err() != nil:
		return rep, context.Cause(ctx)
	case errors.Is(err, context.DeadlineExceeded):
		err := a.opt.Broker.Idle(ctx, waiting)
		var full *FullError
		if err != nil && !queue.Transient(err) && !errors.As(err, &full) {
			return rep, err
		}
		if err != nil {
			a.log.Warn("nothing is reported; waiting for the broker", "reason", err)
		}
		a.opt.Progress(a.progress)
		return queue.Report{}, nil
	}
	return rep, err
}

// receive takes one report of the phase extract.
func (a *aggregator) receive(ctx context.Context, reports Reports) error {
	rep, err := a.await(ctx, reports, a.ledger.waiting())
	switch {
	case err != nil:
		return err
	case rep == queue.Report{}:
		a.giveUpRefused(a.ledger)
	case rep.Refused != nil:
		a.refuse(a.ledger, rep.About, rep.Refused)
	case rep.Done != nil && rep.Done.Item.Phase == schemas.PhaseExtract:
		a.receiveDone(ctx, rep.Done)
	case rep.Dead != nil && rep.Dead.Item.Phase == schemas.PhaseExtract && rep.Dead.Stage == queue.StageItem:
		// A record that was given up is among the failures of its item.
		if err := a.ledger.giveUp(rep.Dead); err != nil {
			a.refuse(nil, &rep.Dead.Item, err)
		}
	}
	return nil
}

func (a *aggregator) receiveDone(ctx context.Context, d *schemas.Done) {
	if a.isUnusable(d) {
		return // it is the old report of an item that is done again
	}
	p, err := a.ledger.known(&d.Item)
	if err == nil {
		err = account.CheckDone(d, a.run)
	}
	if err != nil {
		a.refuse(a.ledger, &d.Item, err)
		return
	}
	share(d, a.run)
	if !a.ledger.before(p) {
		a.ledger.add(p, d)
		return
	}
	// Another attempt at an item that was accepted. It is kept as long as the item
	// is not committed, because the accepted shards may turn out to be damaged.
	i := slices.IndexFunc(a.entries, func(e *entry) bool { return e.Item.File == p.file && e.Item.Seq == p.seq })
	if i < 0 {
		a.drop(ctx, d.Shards)
		return
	}
	if e := a.entries[i]; !slices.ContainsFunc(e.reports, func(o *schemas.Done) bool { return sameShards(o, d) }) {
		e.reports = append(e.reports, d)
	}
}

func (a *aggregator) isUnusable(d *schemas.Done) bool {
	return slices.ContainsFunc(d.Shards, func(s schemas.Shard) bool { return a.unusable[s.Name] })
}

// refuse counts and logs a message that is no report of this run, or contradicts
// itself. If it stands for an item, the broker is found not to hold that any more,
// and it is published again.
func (a *aggregator) refuse(l *ledger, about *schemas.Item, reason error) {
	a.opt.Refused()
	if about == nil {
		a.log.Error("report refused", "run", a.run.ID, "reason", reason)
		return
	}
	a.log.Error("report refused", "run", a.run.ID, "item", about.ID(), "reason", reason)
	if l == nil {
		return
	}
	p, err := l.known(about)
	if err != nil || l.before(p) {
		return
	}
	a.refused[p]++
	a.refusal[p] = reason
}

// giveUpRefused gives up the items of which nothing but refused reports came, again
// and again. It is called when nothing is reported any more, so that it does not
// matter in which order good and bad reports came.
func (a *aggregator) giveUpRefused(l *ledger) {
	for p, n := range a.refused {
		if n >= maxRefused && !l.before(p) && len(l.done[p]) == 0 && l.lost[p] == nil {
			a.giveUp(l, p, reasonReport, a.refusal[p])
		}
	}
}

// share lets a report use the texts of the plan instead of its own copies, and drops
// what nobody asks for: there are as many reports as items.
func share(d *schemas.Done, run *schemas.Run) {
	it := run.Item(d.Item.File, d.Item.Seq)
	it.Version, it.First = d.Item.Version, d.Item.First
	d.Item, d.Worker = it, ""
}
