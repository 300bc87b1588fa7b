package commit

import (
	"context"
	"errors"
	"iter"

	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// await waits for a report. If none comes for Options.Quiet, it returns none, after the broker
// was compared with what waiting yields.
func (c *committer) await(ctx context.Context, reports Reports, waiting iter.Seq2[*schemas.Item, error]) (queue.Report, error) {
	wait, cancel := context.WithTimeout(ctx, c.opt.Quiet)
	defer cancel()
	rep, err := reports.Next(wait)
	switch {
	case ctx.Err() != nil:
		return rep, context.Cause(ctx)
	case errors.Is(err, context.DeadlineExceeded):
		err := c.reconcile(ctx, waiting)
		c.opt.Progress(c.progress)
		return queue.Report{}, err
	}
	return rep, err
}

// receive waits for a report and hands it to the ledger of the current phase.
// superfluous is called with the shards of a report about a committed item.
func (c *committer) receive(ctx context.Context, reports Reports, l *ledger, superfluous func([]schemas.Shard)) error {
	rep, err := c.await(ctx, reports, l.waiting())
	if err != nil {
		return err
	}
	switch d := rep.Done; {
	case rep == queue.Report{}:
		abandoned, err := l.quiet()
		if err != nil {
			return err
		}
		for _, it := range abandoned {
			c.logAbandoned(it)
		}
	case rep.Refused != nil:
		c.refuse(rep.About, rep.Refused)
		if rep.About != nil {
			l.refuse(rep.About, rep.Refused)
		}
	case d != nil && d.Item.Phase == c.run.Phase:
		late, err := l.receive(d)
		if err != nil {
			c.refuse(&d.Item, err)
			l.refuse(&d.Item, err)
		}
		if late {
			superfluous(d.Shards)
		}
	case rep.Dead != nil && rep.Dead.Item.Phase == c.run.Phase && rep.Dead.Stage == queue.StageItem:
		// A record that was given up is among the failures of its item.
		if err := l.receiveLetter(rep.Dead); err != nil {
			c.refuse(&rep.Dead.Item, err)
		}
	}
	return nil
}

// refuse logs and counts a message that is not a report of this run, or contradicts
// itself. If it was about an item, the broker is found not to hold that any more when
// it is quiet, and the item is published again.
func (c *committer) refuse(about *schemas.Item, reason error) {
	c.opt.Refused()
	if about == nil {
		c.log.Error("report refused", "run", c.run.ID, "reason", reason)
		return
	}
	c.log.Error("report refused", "run", c.run.ID, "item", about.ID(), "reason", reason)
}

// logAbandoned logs that no usable result of an item will come.
func (c *committer) logAbandoned(it *item) {
	d := it.end
	c.log.Error("item is given up", "run", c.run.ID, "item", d.Item.ID(), "reason", d.Reason, "bytes", d.Length, "detail", d.Detail)
}
