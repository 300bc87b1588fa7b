package commit

import (
	"context"
	"errors"

	"github.com/winnow/winnow/pipeline/commit/compact"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// gathered are the sizes of the part that is being gathered.
type gathered struct{ rows, bytes int64 }

// gather adds an item of the ledger's part to the sizes and the progress.
func (e *extraction) gather(it *item) {
	e.advanced(it.key, it.Dead)
	if d := it.Done; d != nil {
		for _, s := range d.Shards {
			e.sizes.rows += s.Rows
			e.sizes.bytes += s.Bytes
		}
		e.counted(&d.Counts)
	}
	e.opt.Progress(e.progress)
}

// full reports whether the gathered items are to be committed.
func (e *extraction) full() bool {
	n := len(e.ledger.part)
	return n > 0 && (e.sizes.rows >= e.opt.PartRows || e.sizes.bytes >= e.opt.PartBytes || n >= e.opt.PartItems || e.ledger.settled())
}

// entriesOf returns items as they are compacted.
func entriesOf(items []*item) []*compact.Entry {
	entries := make([]*compact.Entry, len(items))
	for i, it := range items {
		entries[i] = &it.Entry
	}
	return entries
}

// commit makes a part of the gathered items. If shards of some of them cannot be used,
// these items are run again instead, and the part is gathered again.
func (e *extraction) commit(ctx context.Context) error {
	items := e.ledger.part
	entries := entriesOf(items)
	var part schemas.Part
	err := e.retry(ctx, "compact a part", func() (err error) {
		part, err = e.compact.Part(ctx, len(e.manifest.Parts), entries)
		return err
	})
	var damage *compact.Damage
	if errors.As(err, &damage) {
		return e.repair(ctx, damage)
	}
	if err != nil {
		return err
	}
	change := schemas.Change{Part: &part, Dead: e.newLetters(items)}
	if err := e.appendChange(ctx, &change); err != nil {
		var taken *manifest.TakenError
		if errors.As(err, &taken) {
			e.discard(ctx, &part)
		}
		return err
	}
	e.log.Info("part committed", "run", e.run.ID, "part", part.Seq, "items", len(part.Items), "pages", part.Counts.Pages, "rows", e.sizes.rows)
	e.progress.Parts++
	e.opt.Progress(e.progress)
	for _, it := range items {
		if it.Done != nil {
			e.drop(ctx, it.Done.Shards)
		}
		e.drop(ctx, it.superfluous())
	}
	e.sizes = gathered{}
	e.committed = e.progress
	return e.ledger.commit()
}

// letterKey tells dead letters apart.
type letterKey struct {
	item   schemas.ItemID
	offset int64
	stage  string
	reason string
}

func keyOf(d *schemas.Dead) letterKey {
	return letterKey{d.Item.ID(), d.Offset, d.Stage, d.Reason}
}

// newLetters are the dead letters of the dead items, without those that
// the manifest has.
func (e *extraction) newLetters(items []*item) (letters []schemas.Dead) {
	known := map[letterKey]bool{}
	for i := range e.manifest.Dead {
		known[keyOf(&e.manifest.Dead[i])] = true
	}
	for _, it := range items {
		if it.Dead && it.end != nil && !known[keyOf(it.end)] {
			known[keyOf(it.end)] = true
			letters = append(letters, *it.end)
		}
	}
	return letters
}

// repair has all items of the part run again whose shards cannot be used. The other
// items of the part go back to the ledger, which waits for the new reports. An item
// whose shards were damaged too often is given up.
func (e *extraction) repair(ctx context.Context, damage *compact.Damage) error {
	if err := e.retry(ctx, "verify that no other aggregator took over the run", func() error { return e.manifestLog.Check(ctx) }); err != nil {
		return err // another aggregator has committed the shards, and deleted them
	}
	causes := map[itemKey]error{}
	for _, d := range damage.Entries {
		causes[itemKey{d.Item.File.Index, d.Item.Seq}] = damage.Cause(d)
	}
	again, abandoned, err := e.ledger.repair(causes)
	if err != nil {
		return err
	}
	e.progress, e.sizes = e.committed, gathered{}
	for _, it := range abandoned {
		e.logAbandoned(it)
	}
	items := make([]*schemas.Item, len(again))
	for i, it := range again {
		items[i] = e.ledger.request(it)
		e.log.Warn("item is run again, because its shards cannot be used", "run", e.run.ID, "item", items[i].ID(), "time", it.repairs, "reason", causes[it.key])
	}
	return e.publishAgain(ctx, items...)
}

// restore continues from the state in the manifest.
func (e *extraction) restore() error {
	letters := map[schemas.ItemID]*schemas.Dead{}
	for i := range e.manifest.Dead {
		d := &e.manifest.Dead[i]
		if d.Stage == queue.StageItem {
			it := d.Item
			it.File.First = -1
			letters[it.ID()] = d
		}
	}
	e.progress = Progress{Run: e.run.ID, Phase: schemas.PhaseExtract, ItemsOf: e.run.Items(), BytesOf: e.inputBytes(), Parts: len(e.manifest.Parts)}
	for i := range e.manifest.Parts {
		p := &e.manifest.Parts[i]
		for j := range p.Items {
			c := &p.Items[j]
			if err := e.ledger.restore(c, letters[c.ID]); err != nil {
				return err
			}
			e.advanced(itemKey{c.File, c.Seq}, c.Dead)
		}
		if err := e.ledger.commit(); err != nil {
			return err
		}
		e.counted(&p.Counts)
	}
	e.committed = e.progress
	return nil
}
