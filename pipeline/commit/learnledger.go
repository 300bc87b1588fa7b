package commit

import (
	"errors"
	"fmt"
	"iter"

	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
)

// learnLedger holds the state of every item of the phase learn. No item has to fit
// another one: it is its turn as soon as something is received of it. Like ledger it
// does no I/O.
type learnLedger struct {
	run      *schemas.Run
	unusable shardSet
	items    []learnItem
	open     int // neither accepted nor dead
	dead     int // with a dead letter
}

// learnItem is an item of the phase learn.
type learnItem struct {
	state   state
	done    *schemas.Done // the accepted report
	end     *schemas.Dead // the dead letter that ended the wait
	useless int           // attempts that left nothing that can be used
}

// newLearnLedger returns a ledger whose items are all planned. Reports that name a
// shard of unusable are ignored.
func newLearnLedger(run *schemas.Run, unusable shardSet) *learnLedger {
	return &learnLedger{run: run, unusable: unusable, items: make([]learnItem, run.LearnItems), open: run.LearnItems}
}

// settled says whether every item is accepted or dead.
func (l *learnLedger) settled() bool { return l.open == 0 }

// progress is the number of items that are settled, and of those that were given up.
func (l *learnLedger) progress() (settled, dead int) { return len(l.items) - l.open, l.dead }

// step lets events happen to an item, and counts what they change.
func (l *learnLedger) step(seq int, events ...event) (err error) {
	it := &l.items[seq]
	before := it.state
	for _, e := range events {
		if it.state, err = it.state.after(e); err != nil {
			return fmt.Errorf("commit: item %d of phase learn: %w", seq, err)
		}
	}
	count := func(s state, n int) {
		switch s {
		case accepted:
			l.open -= n
		case dead:
			l.open -= n
			l.dead += n
		}
	}
	count(before, -1)
	count(it.state, 1)
	return nil
}

// check returns why a report is refused, if it is.
func (l *learnLedger) check(d *schemas.Done) error {
	if err := l.known(&d.Item); err != nil {
		return err
	}
	if len(d.Learned.Missing) > 0 {
		return nil
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
	return nil
}

// known returns an error if the plan has no such item. One that was published more
// than once may say that it begins at a known offset.
func (l *learnLedger) known(it *schemas.Item) error {
	if it.Seq < 0 || it.Seq >= len(l.items) {
		return fmt.Errorf("the plan has no item %d of phase learn", it.Seq)
	}
	plan := l.run.LearnItem(it.Seq)
	plan.Version = it.Version
	if plan != *it {
		return errors.New("the plan has another item of this number")
	}
	return nil
}

// receive takes a report that check passed. same is false if another attempt made
// other templates.
func (l *learnLedger) receive(d *schemas.Done) (same bool, err error) {
	it := &l.items[d.Item.Seq]
	switch {
	case l.unusable.has(d.Shards) || it.state == dead:
		return true, nil
	case it.state == accepted:
		return bundlesOf(d) == bundlesOf(it.done), nil
	}
	it.done = d
	return true, l.step(d.Item.Seq, reportReceived, turnFits)
}

// receiveLetter takes the dead letter of an item. An error says why it is refused.
func (l *learnLedger) receiveLetter(d *schemas.Dead) error {
	if err := l.known(&d.Item); err != nil {
		return err
	}
	it := &l.items[d.Item.Seq]
	if it.state == accepted || it.state == dead {
		return nil
	}
	it.end = d
	return l.step(d.Item.Seq, letterReceived, turnFails)
}

// contradicted takes a report that calls shards missing that are there. After too
// many of them the item is given up, with the letter that is returned.
func (l *learnLedger) contradicted(d *schemas.Done) (*schemas.Dead, error) {
	it := &l.items[d.Item.Seq]
	if it.state == accepted || it.state == dead {
		return nil, nil
	}
	if it.useless++; it.useless <= maxRepairs {
		return nil, nil
	}
	it.end = newLetter(l.run.LearnItem(d.Item.Seq), reasonReport, "workers report shards as missing that are there", it.useless)
	return it.end, l.step(d.Item.Seq, attemptsExhausted, turnFails)
}

// repair takes back an accepted item whose shards cannot be used. requested says that
// it must be published again; if not, it is given up, because that happened too often.
func (l *learnLedger) repair(seq int, cause error) (requested bool, err error) {
	it := &l.items[seq]
	l.unusable.add(it.done.Shards)
	it.done = nil
	if it.useless++; it.useless <= maxRepairs {
		return true, l.step(seq, shardsUnusable)
	}
	it.end = newLetter(l.run.LearnItem(seq), reasonShards, cause.Error(), it.useless)
	return false, l.step(seq, attemptsExhausted, turnFails)
}

// waiting yields the items that a worker must still report.
func (l *learnLedger) waiting() iter.Seq2[*schemas.Item, error] {
	return func(yield func(*schemas.Item, error) bool) {
		for i := range l.items {
			if s := l.items[i].state; s != planned && s != requested {
				continue
			}
			if it := l.run.LearnItem(i); !yield(&it, nil) {
				return
			}
		}
	}
}

// bundlesOf is the checksum of a report's templates.
func bundlesOf(d *schemas.Done) string {
	for _, s := range d.Shards {
		if s.Table == schemas.TableBundles {
			return s.SHA256
		}
	}
	return ""
}
