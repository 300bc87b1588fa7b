package commit

import (
	"context"
	"fmt"
	"slices"

	"github.com/winnow/winnow/pipeline/commit/compact"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// learn waits until every item of the phase learn is accepted or dead, and makes the
// table of templates from their shards.
func (c *committer) learn(ctx context.Context) error {
	l := newLearnLedger(c.manifest, c.unusable)
	reports, err := c.begin(ctx, l.waiting())
	if err != nil {
		return err
	}
	defer reports.Close()
	c.progress = Progress{Run: c.run.ID, Phase: c.run.Phase, ItemsOf: len(l.items)}
	for {
		if l.open == 0 {
			damage, err := c.publishTemplates(ctx, l)
			switch {
			case err != nil:
				return err
			case damage == nil:
				return nil
			}
			if err := c.learnAgain(ctx, l, damage); err != nil {
				return err
			}
			continue
		}
		rep, err := c.await(ctx, reports, l.waiting())
		if err != nil {
			return err
		}
		switch d := rep.Done; {
		case rep.Refused != nil:
			c.refuse(rep.About, rep.Refused)
		case d != nil && d.Item.Phase == schemas.PhaseLearn:
			if err := l.receive(d); err != nil {
				c.refuse(&d.Item, err)
			}
		case rep.Dead != nil && rep.Dead.Item.Phase == schemas.PhaseLearn && rep.Dead.Stage == queue.StageItem:
			if err := l.receiveLetter(rep.Dead); err != nil {
				c.refuse(&rep.Dead.Item, err)
			}
		}
		c.progress.Items, c.progress.Dead = len(l.items)-l.open, l.dead
		c.opt.Progress(c.progress)
	}
}

// learnAgain has the items run again whose shards cannot be used.
func (c *committer) learnAgain(ctx context.Context, l *learnLedger, damage *compact.Damage) error {
	var again []*schemas.Item
	for _, e := range damage.Entries {
		cause := damage.Cause(e)
		if l.repair(e.Item.Seq, cause) {
			again = append(again, &e.Item)
			c.log.Warn("item is run again, because its shards cannot be used", "run", c.run.ID, "item", e.Item.ID(), "reason", cause)
		} else {
			c.log.Error("item is given up", "run", c.run.ID, "item", e.Item.ID(), "reason", reasonShards, "detail", cause)
		}
	}
	return c.publishAgain(ctx, again...)
}

// publishTemplates makes the table of templates, and commits that the phase learn is
// over. If shards of some items cannot be used, nothing is committed, and damage names
// these items.
func (c *committer) publishTemplates(ctx context.Context, l *learnLedger) (damage *compact.Damage, err error) {
	sum := *c.manifest.Templates
	sum.Items, sum.Ranges, sum.Sites, sum.Statuses = nil, nil, 0, nil
	sum.Dead = slices.Clip(sum.Dead)
	found := new(compact.Damage)
	for i := range l.items {
		it, plan := &l.items[i], c.manifest.LearnItem(i)
		part := schemas.TemplateRange{From: plan.Sites.From}
		if it.end != nil {
			sum.Dead = append(sum.Dead, *it.end)
			sum.Ranges = append(sum.Ranges, part)
			continue
		}
		to := ""
		if i+1 < len(l.items) {
			to = c.manifest.LearnItem(i + 1).Sites.From
		}
		e := &compact.Entry{Item: plan, Done: it.done}
		err := c.retry(ctx, "publish templates", func() (err error) {
			part.File, err = c.compact.Templates(ctx, e, to)
			return err
		})
		if err != nil && !compact.IsDamage(err) {
			return nil, err
		}
		if err != nil {
			found.Add(e, err)
		}
		sum.Ranges = append(sum.Ranges, part)
		sum.Sites += it.done.Learned.Sites
		account.AddMap(&sum.Statuses, it.done.Learned.Statuses)
	}
	if found.Any() {
		return found, nil
	}
	if err := c.appendChange(ctx, &schemas.Change{Phase: schemas.PhaseExtract, Templates: &sum}); err != nil {
		return nil, err
	}
	c.log.Info("templates learned", "run", c.run.ID, "sites", sum.Sites, "statuses", fmt.Sprint(sum.Statuses))
	if !c.opt.KeepShards {
		// The phase extract has not begun, so there are only shards of the phases before.
		if err := c.deleteFinishedShards(ctx); err != nil {
			c.log.Warn("shards are left", "run", c.run.ID, "reason", err)
		}
	}
	return nil, nil
}
