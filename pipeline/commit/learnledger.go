package commit

import (
	"errors"
	"fmt"
	"iter"

	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
)

// learnLedger holds the state of every item of the phase learn. Unlike the items of
// ledger, these form no chain: the first usable report of an item is accepted. It does no
// I/O.
type learnLedger struct {
	manifest *schemas.Manifest
	unusable shardSet
	items    []learnItem
	open     int // neither accepted nor dead
	dead     int // with a dead letter
}

// learnItem is an item of the phase learn.
type learnItem struct {
	done    *schemas.Done // the accepted report
	end     *schemas.Dead // the dead letter that ended the wait
	useless int           // attempts without a usable result
}

// newLearnLedger returns a ledger whose items are all waited for. Reports that name a
// shard of unusable are ignored.
func newLearnLedger(m *schemas.Manifest, unusable shardSet) *learnLedger {
	n := m.LearnItems()
	return &learnLedger{manifest: m, unusable: unusable, items: make([]learnItem, n), open: n}
}

// item returns the record of an item that is waited for, nil if it is not any more. The
// error means that the item is not in the plan.
func (l *learnLedger) item(it *schemas.Item) (*learnItem, error) {
	if it.Seq < 0 || it.Seq >= len(l.items) {
		return nil, fmt.Errorf("the plan has no item %d of phase learn", it.Seq)
	}
	plan := l.manifest.LearnItem(it.Seq)
	plan.Version = it.Version
	if plan != *it {
		return nil, errors.New("the plan has another item of this number")
	}
	if rec := &l.items[it.Seq]; rec.done == nil && rec.end == nil {
		return rec, nil
	}
	return nil, nil
}

// receive takes a report. An error says why it is refused.
func (l *learnLedger) receive(d *schemas.Done) error {
	it, err := l.item(&d.Item)
	if err != nil {
		return err
	}
	var rows int64
	for _, s := range d.Shards {
		if s.Table == schemas.TableTemplates {
			rows += s.Rows
		}
	}
	if n := account.Sum(d.Learned.Statuses); rows != n {
		return fmt.Errorf("%w: %d rows of templates, reported are %d", account.ErrConservation, rows, n)
	}
	if it != nil && !l.unusable.has(d.Shards) {
		it.done = d
		l.open--
	}
	return nil
}

// receiveLetter takes the dead letter of an item. An error says why it is refused.
func (l *learnLedger) receiveLetter(d *schemas.Dead) error {
	it, err := l.item(&d.Item)
	if it != nil {
		it.end = d
		l.open--
		l.dead++
	}
	return err
}

// repair takes back an accepted item whose shards cannot be used. again reports whether it must
// be published again; if not, it is given up, because that happened too often.
func (l *learnLedger) repair(seq int, cause error) (again bool) {
	it := &l.items[seq]
	l.unusable.add(it.done.Shards)
	it.done = nil
	if it.useless++; it.useless <= maxRepairs {
		l.open++
		return true
	}
	it.end = newLetter(l.manifest.LearnItem(seq), reasonShards, cause.Error(), it.useless)
	l.dead++
	return false
}

// waiting yields the items that a worker must still report.
func (l *learnLedger) waiting() iter.Seq2[*schemas.Item, error] {
	return func(yield func(*schemas.Item, error) bool) {
		for i := range l.items {
			it := l.manifest.LearnItem(i)
			if rec := &l.items[i]; rec.done == nil && rec.end == nil && !yield(&it, nil) {
				return
			}
		}
	}
}
