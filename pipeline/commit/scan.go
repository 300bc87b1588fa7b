package commit

import (
	"context"
	"errors"

	"github.com/winnow/winnow/pipeline/commit/compact"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
)

// scanned is the stage that sorts the candidates of every item of the plan. Nothing of it
// is in the manifest before all are sorted, so that after a crash they are sorted again.
type scanned struct {
	extraction
	parts []schemas.Shard // shards of candidates, of the items that are committed
	left  schemas.Templates
}

// scan waits until every item of the phase scan is accepted or dead, and makes the items
// of the phase learn of their candidates.
func (c *committer) scan(ctx context.Context) error {
	s := &scanned{extraction: extraction{committer: c, ledger: newLedger(c.run, c.unusable, func(d *schemas.Done) error {
		return errors.Join(account.CheckScan(&d.Counts, d.Next-d.First), account.CheckBytes(&d.Counts))
	})}}
	reports, err := c.begin(ctx, s.ledger.waiting())
	if err != nil {
		return err
	}
	defer reports.Close()
	c.progress = Progress{Run: c.run.ID, Phase: c.run.Phase, ItemsOf: c.run.Items(), BytesOf: c.inputBytes()}
	s.extraction.committed = c.progress
	// Shards stay until the next phase is over: after a crash they are sorted again.
	if err := s.work(ctx, reports, s.commit, func([]schemas.Shard) {}); err != nil {
		return err
	}
	return c.appendChange(ctx, &schemas.Change{Phase: schemas.PhaseLearn, Templates: &s.left})
}

// commit sorts the candidates of the gathered items. If shards of some of them cannot be
// used, these items are run again instead, and the part is gathered again.
func (s *scanned) commit(ctx context.Context) error {
	items := s.ledger.part
	entries := entriesOf(items)
	err := s.retry(ctx, "sort candidates", func() (err error) {
		if s.ledger.settled() {
			s.left.Items, err = s.compact.Candidates(ctx, s.parts, entries)
			return err
		}
		part, err := s.compact.CandidatePart(ctx, len(s.parts), entries)
		if err == nil {
			s.parts = append(s.parts, *part)
		}
		return err
	})
	var damage *compact.Damage
	if errors.As(err, &damage) {
		return s.repair(ctx, damage)
	}
	if err != nil {
		return err
	}
	for _, it := range items {
		if it.Dead {
			s.left.Dead = append(s.left.Dead, *it.end)
		}
		if it.Done != nil {
			account.AddCounts(&s.left.Scanned, &it.Done.Counts)
		}
	}
	s.sizes = gathered{}
	s.extraction.committed = s.progress
	return s.ledger.commit()
}
