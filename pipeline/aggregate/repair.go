package aggregate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/winnow/winnow/pipeline/account"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/supervise"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// Reasons of dead letters that the aggregator writes. They say that it is not the
// input that could not be read, but that no attempt left a usable result.
const (
	reasonShards = "shards-unusable" // every attempt's shards were lost, damaged or not as reported
	reasonReport = "report-refused"  // every report contradicts itself or the recipe
)

// damage gathers the items of a part whose shards are gone, damaged or not as
// their reports said. Compacting goes on over the other items after the first
// one, only to find the rest: all are done again at once.
type damage struct {
	entries []*entry
	causes  map[*entry]error
}

func (d *damage) add(e *entry, cause error) {
	if d.causes[e] != nil {
		return
	}
	if d.causes == nil {
		d.causes = map[*entry]error{}
	}
	d.causes[e] = cause
	d.entries = append(d.entries, e)
}

func (d *damage) any() bool { return len(d.entries) > 0 }

// has says whether an item is damaged.
func (d *damage) has(e *entry) bool { return d.causes[e] != nil }

// Error names the first items.
func (d *damage) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "aggregate: the shards of %d items cannot be used", len(d.entries))
	for i, e := range d.entries {
		if i == 3 {
			b.WriteString("; ...")
			break
		}
		fmt.Fprintf(&b, "; item %s: %v", e.item.ID(), d.causes[e])
	}
	return b.String()
}

// Unwrap returns the causes.
func (d *damage) Unwrap() []error {
	var causes []error
	for _, e := range d.entries {
		causes = append(causes, d.causes[e])
	}
	return causes
}

// isDamage tells what another attempt at the item may replace from errors of the
// store and of this machine.
func isDamage(err error) bool {
	var panicked *supervise.PanicError
	return errors.Is(err, blob.ErrNotFound) || errors.Is(err, blob.ErrChanged) || errors.Is(err, columnar.ErrMalformed) ||
		errors.Is(err, errChecksum) || errors.Is(err, account.ErrConservation) || errors.As(err, &panicked)
}

// repair has all damaged items of the part done again. The items of the part go
// back to the ledger, which waits for the new reports. An item whose shards were
// damaged too often is given up.
func (a *aggregator) repair(ctx context.Context, d *damage) error {
	if err := a.retry(ctx, "look who makes the tables", func() error { return a.commits.Check(ctx) }); err != nil {
		return err // another aggregator has committed the shards
	}
	a.progress = a.committed
	a.ledger.rewind(a.entries)
	a.entries, a.rows, a.bytes = nil, 0, 0
	var again []*schemas.Item
	for _, e := range d.entries {
		p := place{e.item.File, e.item.Seq}
		for _, s := range e.done.Shards {
			a.unusable[s.Name] = true
		}
		a.ledger.forget(p, e.done)
		a.repairs[p]++
		if a.repairs[p] > maxRepairs {
			a.giveUp(a.ledger, p, reasonShards, d.causes[e])
			continue
		}
		it := e.item
		it.First = e.first
		a.ledger.rerun[p] = e.first
		again = append(again, &it)
		a.log.Warn("item is done again", "item", it.ID(), "time", a.repairs[p], "reason", d.causes[e])
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
