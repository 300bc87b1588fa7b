package commit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/commit/compact"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// learn waits until every item of the phase learn is accepted or dead, and
// publishes the templates. It ends with scanLost if the shards that the items are
// learned from are gone.
func (c *committer) learn(ctx context.Context) (outcome, error) {
	l := newLearnLedger(c.run, c.unusable)
	reports, err := c.begin(ctx, l.waiting())
	if err != nil {
		return "", err
	}
	defer reports.Close()
	index, err := c.readScanIndex(ctx)
	if errors.Is(err, blob.ErrNotFound) {
		return scanLost, c.scanAgain(ctx, []string{c.scanIndexName()})
	}
	if err != nil {
		return "", err
	}
	c.progress = Progress{Phase: c.run.Phase, ItemsOf: c.run.LearnItems}
	for {
		if l.settled() {
			damage, err := c.publishTemplates(ctx, index, l)
			switch {
			case err != nil:
				return "", err
			case damage == nil:
				return allLearned, nil
			}
			if err := c.learnAgain(ctx, l, damage); err != nil {
				return "", err
			}
			continue
		}
		rep, err := c.await(ctx, reports, l.waiting())
		if err != nil {
			return "", err
		}
		gone, err := c.receiveLearned(ctx, l, index, rep)
		if err != nil {
			return "", err
		}
		if len(gone) > 0 {
			return scanLost, c.scanAgain(ctx, gone)
		}
		c.progress.Items, c.progress.Dead = l.progress()
		c.opt.Progress(c.progress)
	}
}

// receiveLearned takes a report of the phase learn. gone are the shards of the phase
// scan without which the item cannot be learned.
func (c *committer) receiveLearned(ctx context.Context, l *learnLedger, index *schemas.ScanIndex, rep queue.Report) (gone []string, err error) {
	switch d := rep.Done; {
	case rep.Refused != nil:
		c.refuse(rep.About, rep.Refused)
	case d != nil && d.Item.Phase == schemas.PhaseLearn:
		if err := l.check(d); err != nil {
			c.refuse(&d.Item, err)
			return nil, nil
		}
		if len(d.Learned.Missing) == 0 {
			same, err := l.receive(d)
			if !same {
				c.log.Error("learning is not deterministic: two attempts at an item made different templates", "run", c.run.ID, "item", d.ID)
			}
			return nil, err
		}
		gone, err := c.goneShards(ctx, index, d.Learned.Missing)
		if err != nil || len(gone) > 0 {
			return gone, err
		}
		// The report is old, or its worker did not see what is there. Nothing else is
		// done about it: when the queue is quiet, the item is found unreported.
		letter, err := l.contradicted(d)
		if err != nil {
			return nil, err
		}
		if letter != nil {
			c.log.Error("item is given up", "run", c.run.ID, "item", d.ID, "reason", letter.Reason, "detail", letter.Detail)
		}
	case rep.Dead != nil && rep.Dead.Item.Phase == schemas.PhaseLearn && rep.Dead.Stage == queue.StageItem:
		if err := l.receiveLetter(rep.Dead); err != nil {
			c.refuse(&rep.Dead.Item, err)
		}
	}
	return nil, nil
}

// goneShards returns those of the named shards of the phase scan that really are gone
// or damaged: a replayed report may be about shards that have been made again
// since, and a worker may be wrong. The index is written again if it is missing.
func (c *committer) goneShards(ctx context.Context, index *schemas.ScanIndex, names []string) (gone []string, err error) {
	if name := c.scanIndexName(); slices.Contains(names, name) {
		if err := c.writeJSON(ctx, name, index); err != nil {
			return nil, err
		}
	}
	for _, it := range index.Items {
		for i := range it.Shards {
			s := &it.Shards[i]
			if !slices.Contains(names, s.Name) {
				continue
			}
			err := c.retry(ctx, "read a shard of phase scan", func() error { return c.compact.Intact(ctx, s) })
			switch {
			case err != nil && compact.IsDamage(err):
				gone = append(gone, s.Name)
			case err != nil:
				return nil, err
			}
		}
	}
	return gone, nil
}

// scanAgain has the run go back to the phase scan, a limited number of times.
func (c *committer) scanAgain(ctx context.Context, gone []string) error {
	if c.rescans++; c.rescans > maxRepairs {
		return fmt.Errorf("commit: run %s: shards of the phase scan were lost %d times, the last one %s", c.run.ID, c.rescans, gone[0])
	}
	return c.goBackToScan(ctx, gone)
}

// learnAgain has the items run again whose shards cannot be used.
func (c *committer) learnAgain(ctx context.Context, l *learnLedger, damage *compact.Damage) error {
	var again []*schemas.Item
	for _, e := range damage.Entries {
		cause := damage.Cause(e)
		requested, err := l.repair(e.Item.Seq, cause)
		switch {
		case err != nil:
			return err
		case requested:
			it := e.Item
			again = append(again, &it)
			c.log.Warn("item is run again, because its shards cannot be used", "run", c.run.ID, "item", e.Item.ID(), "reason", cause)
		default:
			c.log.Error("item is given up", "run", c.run.ID, "item", e.Item.ID(), "reason", reasonShards, "detail", cause)
		}
	}
	return c.publishAgain(ctx, again...)
}
