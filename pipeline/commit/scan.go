package commit

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
)

// maxManifest bounds the files that this package reads; the manifest of a run of a
// million items has 100 MB.
const maxManifest = 4 << 30

// scan waits until every item of the phase scan is accepted or dead, and writes
// the index of their shards.
func (c *committer) scan(ctx context.Context) (outcome, error) {
	l := newLedger(c.run, c.unusable, func(d *schemas.Done) error {
		return errors.Join(account.CheckScan(&d.Counts, d.Next-d.First), account.CheckBytes(&d.Counts))
	})
	waiting := l.waiting()
	if c.rescan != nil {
		waiting = c.rescanned(l)
	}
	reports, err := c.begin(ctx, waiting)
	if err != nil {
		return "", err
	}
	defer reports.Close()
	c.progress = Progress{Phase: c.run.Phase, ItemsOf: c.run.Items(), BytesOf: c.inputBytes()}
	index := schemas.ScanIndex{Version: schemas.Version, Run: c.run.ID, Hash: c.run.Hash}
	left := schemas.Templates{}
	// Of a second report of an item only those shards are superfluous that the first
	// does not name.
	drop := func(shards []schemas.Shard) {
		c.drop(ctx, slices.DeleteFunc(slices.Clone(shards), func(s schemas.Shard) bool { return inIndex(&index, s.Name) }))
	}
	for !l.settled() {
		it, err := c.settle(ctx, l)
		if err != nil {
			return "", err
		}
		if it == nil {
			if err := c.receive(ctx, reports, l, drop); err != nil {
				return "", err
			}
			continue
		}
		if it.Dead {
			left.Dead = append(left.Dead, *it.end)
		}
		if d := it.Done; d != nil {
			account.AddCounts(&left.Scanned, &d.Counts)
			if len(d.Shards) > 0 {
				index.Items = append(index.Items, schemas.ScanItem{ID: d.ID, Stored: it.Item.File.Stored, Private: it.Item.File.Private, Shards: d.Shards})
			}
		}
		c.drop(ctx, it.superfluous())
		c.advanced(it.key, it.Dead)
		c.opt.Progress(c.progress)
		if err := l.commit(); err != nil { // the items of this phase are in no part
			return "", err
		}
	}
	if err := c.writeJSON(ctx, c.scanIndexName(), &index); err != nil {
		return "", err
	}
	c.rescan = nil
	return allScanned, c.enterPhase(ctx, schemas.PhaseLearn, &left)
}

// inIndex says whether the index names a shard.
func inIndex(x *schemas.ScanIndex, name string) bool {
	return slices.ContainsFunc(x.Items, func(it schemas.ScanItem) bool {
		return slices.ContainsFunc(it.Shards, func(s schemas.Shard) bool { return s.Name == name })
	})
}

// rescanned yields the items of a ledger that must be scanned again.
func (c *committer) rescanned(l *ledger) iter.Seq2[*schemas.Item, error] {
	return func(yield func(*schemas.Item, error) bool) {
		for it, err := range l.waiting() {
			if (err != nil || c.rescan[it.ID()]) && !yield(it, err) {
				return
			}
		}
	}
}

// goBackToScan commits that the phase scan is entered again, because the named
// shards are gone, or the index that names them. Their items will be published
// again.
func (c *committer) goBackToScan(ctx context.Context, gone []string) error {
	for _, name := range gone {
		c.unusable[name] = true
	}
	index, err := c.readScanIndex(ctx)
	if err != nil && !errors.Is(err, blob.ErrNotFound) {
		return err
	}
	c.rescan = map[schemas.ItemID]bool{}
	if err == nil {
		for _, it := range index.Items {
			if c.unusable.has(it.Shards) {
				// An item that began at a requested offset is published without it.
				plain, _, _ := strings.Cut(string(it.ID), "-s")
				c.rescan[schemas.ItemID(plain)] = true
				c.unusable.add(it.Shards) // what is still there of the item goes with it
			}
		}
	}
	c.log.Warn("items are scanned again, because their shards are gone", "run", c.run.ID, "items", len(c.rescan), "shards", len(gone))
	return c.enterPhase(ctx, schemas.PhaseScan, nil)
}

func (c *committer) scanIndexName() string {
	return schemas.ShardFolder + "/" + c.run.Hash + "/" + schemas.ScanIndexFile
}

func (c *committer) readScanIndex(ctx context.Context) (*schemas.ScanIndex, error) {
	data, err := blob.ReadAll(ctx, c.opt.Store, c.scanIndexName(), maxManifest)
	if err != nil {
		return nil, err
	}
	return schemas.DecodeScanIndex(data)
}

// writeJSON writes a record to a file.
func (c *committer) writeJSON(ctx context.Context, name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.retry(ctx, "write "+name, func() error {
		_, err := blob.WriteAll(ctx, c.opt.Store, name, data)
		return err
	})
}
