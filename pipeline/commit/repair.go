package commit

import (
	"context"
	"strings"
	"time"

	"github.com/winnow/winnow/pipeline/compact"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// Reasons of dead letters that the aggregator writes. They say that it is not the
// input that could not be read, but that no attempt left a usable result.
const (
	reasonShards = "shards-unusable" // every attempt's shards were lost, damaged or not as reported
	reasonReport = "report-refused"  // every report contradicts itself or the recipe
)

// repair has all damaged items of the part done again. The items of the part go
// back to the ledger, which waits for the new reports. An item whose shards were
// damaged too often is given up.
func (a *aggregator) repair(ctx context.Context, d *compact.Damage) error {
	if err := a.retry(ctx, "look who makes the tables", func() error { return a.commits.Check(ctx) }); err != nil {
		return err // another aggregator has committed the shards
	}
	a.progress = a.committed
	a.ledger.rewind(a.entries)
	a.entries, a.rows, a.bytes = nil, 0, 0
	var again []*schemas.Item
	for _, e := range d.Entries {
		p := place{e.Item.File, e.Item.Seq}
		for _, s := range e.Done.Shards {
			a.unusable[s.Name] = true
		}
		a.ledger.forget(p, e.Done)
		a.repairs[p]++
		if a.repairs[p] > maxRepairs {
			a.giveUp(a.ledger, p, reasonShards, d.Cause(e))
			continue
		}
		it := e.Item
		it.First = e.First
		a.ledger.rerun[p] = e.First
		again = append(again, &it)
		a.log.Warn("item is done again", "item", it.ID(), "time", a.repairs[p], "reason", d.Cause(e))
	}
	return a.publish(ctx, again...)
}

// giveUp ends the wait for an item of which no usable result came.
func (a *aggregator) giveUp(l *ledger, p place, reason string, cause error) {
	it := a.run.Item(p.file, p.seq)
	a.log.Error("item given up", "item", it.ID(), "why", reason, "bytes", it.Length(), "reason", cause)
	l.lost[p] = &schemas.Dead{Version: schemas.Version, Item: it, Offset: it.Start, Length: it.Length(), Stage: queue.StageItem,
		Reason: reason, Detail: clip(cause.Error(), maxDetail), Attempts: max(a.repairs[p], a.refused[p]), Time: time.Now().UTC()}
}

// maxDetail bounds the text of a dead letter.
const maxDetail = 2000

func clip(s string, most int) string {
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "")
	}
	return s
}
