package commit

import (
	"fmt"
	"iter"
	"slices"

	"github.com/winnow/winnow/pipeline/account"
	"github.com/winnow/winnow/pipeline/compact"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// place is where an item stands in the plan.
type place struct{ file, seq int }

// ledger goes through the items of the plan in order and accepts one result for
// each. It holds reports that came before their turn.
type ledger struct {
	run *schemas.Run
	position
	committed position // up to where parts hold the items; see rewind

	done map[place][]*schemas.Done
	dead map[place][]*schemas.Dead
	// lost are items of which the aggregator itself found that no result will come.
	lost map[place]*schemas.Dead
	// rerun is where an item must begin that was asked for again.
	rerun map[place]int64
}

// position is how far a ledger has come.
type position struct {
	at    place      // the next item to be accepted or given up
	chain warc.Chain // of the file at.file
	gone  lostRange  // of that file, up to now
}

// lostRange follows which bytes of a file are in no accepted item.
type lostRange struct {
	from int64 // what lies before is in an item or was listed
	open bool  // an item was given up and no later one accepted
	dead *schemas.Dead
	read int64 // bytes in accepted items
	sum  int64 // bytes listed as lost
}

// entry is an item that was accepted or given up, and is in no part yet.
type entry struct {
	compact.Entry
	report  *schemas.Dead   // that ended the wait, if it is dead
	reports []*schemas.Done // all that came, Done among them
	letters []*schemas.Dead // all dead letters that came
}

// compactable are the entries as they are compacted.
func compactable(entries []*entry) []*compact.Entry {
	out := make([]*compact.Entry, len(entries))
	for i, e := range entries {
		out[i] = &e.Entry
	}
	return out
}

// superfluous are the shards of the results that were not accepted.
func (e *entry) superfluous() (shards []schemas.Shard) {
	for _, d := range e.reports {
		if d != e.Done {
			shards = append(shards, d.Shards...)
		}
	}
	return shards
}

func newLedger(run *schemas.Run) *ledger {
	l := &ledger{run: run, done: map[place][]*schemas.Done{}, dead: map[place][]*schemas.Dead{}, lost: map[place]*schemas.Dead{}, rerun: map[place]int64{}}
	l.skip()
	l.commit()
	return l
}

// skip goes over files without items.
func (l *ledger) skip() {
	for l.at.file < len(l.run.Files) && l.run.Files[l.at.file].Items == 0 {
		l.at.file++
	}
}

// finished says whether every item of the plan was accepted or given up.
func (l *ledger) finished() bool { return l.at.file >= len(l.run.Files) }

// before says whether an item was accepted or given up already.
func (l *ledger) before(p place) bool {
	return p.file < l.at.file || p.file == l.at.file && p.seq < l.at.seq
}

// known returns the item of the plan that a report is about, or an error.
func (l *ledger) known(it *schemas.Item) (place, error) {
	p := place{it.File, it.Seq}
	if it.Run != l.run.ID || it.Hash != l.run.Hash {
		return p, fmt.Errorf("it is of run %s, recipe %s", it.Run, it.Hash)
	}
	if p.file < 0 || p.file >= len(l.run.Files) || p.seq < 0 || p.seq >= l.run.Files[p.file].Items {
		return p, fmt.Errorf("the plan has no item %d of file %d", p.seq, p.file)
	}
	plan := l.run.Item(p.file, p.seq)
	plan.First, plan.Version = it.First, it.Version
	if plan != *it {
		return p, fmt.Errorf("it is about [%d,%d) of %s in phase %s, the plan's item is [%d,%d) of %s in phase %s", it.Start, it.End, it.URL, it.Phase, plan.Start, plan.End, plan.URL, plan.Phase)
	}
	return p, nil
}

// add takes the report of an item whose turn is to come.
func (l *ledger) add(p place, d *schemas.Done) {
	if !slices.ContainsFunc(l.done[p], func(old *schemas.Done) bool { return sameShards(old, d) }) {
		l.done[p] = append(l.done[p], d)
	}
}

// forget leaves a report out that turned out to be of no use, and with it what
// was given up before it came.
func (l *ledger) forget(p place, d *schemas.Done) {
	l.done[p] = slices.DeleteFunc(l.done[p], func(o *schemas.Done) bool { return o == d })
	delete(l.dead, p)
}

// commit notes that all items up to here are in a part.
func (l *ledger) commit() { l.committed = l.position }

// rewind goes back to the last part, with everything that was reported of the
// items since.
func (l *ledger) rewind(entries []*entry) {
	l.position = l.committed
	for _, e := range entries {
		p := place{e.Item.File, e.Item.Seq}
		l.done[p], l.dead[p] = e.reports, e.letters
		if e.Dead {
			l.lost[p] = e.report
		}
	}
}

func sameShards(a, b *schemas.Done) bool {
	return a.First == b.First && slices.Equal(a.Shards, b.Shards)
}

// giveUp takes an item that was given up.
func (l *ledger) giveUp(d *schemas.Dead) error {
	p, err := l.known(&d.Item)
	if err == nil && !l.before(p) {
		l.dead[p] = append(l.dead[p], d)
	}
	return err
}

// next accepts the next item of the plan, or gives it up, if what was reported suffices. If not,
// e is nil; again is then an item that must be run again, if there is one that
// nobody asked for yet.
func (l *ledger) next() (e *entry, again *schemas.Item, err error) {
	if l.finished() {
		return nil, nil, nil
	}
	p := l.at
	item := l.run.Item(p.file, p.seq)
	start := int64(-1)
	for _, d := range l.done[p] {
		v, from, err := l.chain.Next(warc.Extent{Start: item.Start, End: item.End, First: d.First, Next: d.Next})
		if err != nil {
			return nil, nil, fmt.Errorf("aggregate: item %s: %w", d.ID, err)
		}
		if v != warc.Rerun {
			return l.accept(item, d, v)
		}
		if d.Item.First == from {
			return nil, nil, fmt.Errorf("aggregate: item %s was to begin at %d and began at %d", d.ID, from, d.First)
		}
		start = from
	}
	if dead := l.fatal(p, start); dead != nil {
		return l.skipDead(item, dead)
	}
	if start >= 0 {
		if asked, ok := l.rerun[p]; !ok || asked != start {
			l.rerun[p] = start
			item.First = start
			return nil, &item, nil
		}
	}
	return nil, nil, nil
}

// fatal is the dead letter that ends the wait for an item: nothing was reported but
// that it was given up, or it was given up when run again from start.
func (l *ledger) fatal(p place, start int64) *schemas.Dead {
	if d := l.lost[p]; d != nil {
		return d
	}
	for _, d := range l.dead[p] {
		if start < 0 || d.Item.First == start {
			return d
		}
	}
	return nil
}

func (l *ledger) accept(item schemas.Item, d *schemas.Done, v warc.Verdict) (*entry, *schemas.Item, error) {
	e := &entry{Entry: compact.Entry{Item: item, First: d.First, Next: d.Next}, reports: l.done[l.at], letters: l.dead[l.at]}
	switch v {
	case warc.Accept, warc.AcceptUnverified:
		e.Done, e.Unverified = d, v == warc.AcceptUnverified
		if l.gone.open && d.First > l.gone.from {
			// What the lost item would have read beyond its range.
			e.Lost = append(e.Lost, l.lostRow(l.gone.from, d.First))
		}
		l.gone.from, l.gone.open = d.Next, false
		l.gone.read += d.Next - d.First
	case warc.Discard:
		if l.gone.open && item.End > l.gone.from {
			e.Lost = append(e.Lost, l.lostRow(l.gone.from, item.End))
		}
	}
	return e, nil, l.advance()
}

// skipDead goes on without an item that was given up.
func (l *ledger) skipDead(item schemas.Item, d *schemas.Dead) (*entry, *schemas.Item, error) {
	from, to, err := l.chain.GiveUp(item.Start, item.End)
	if err != nil {
		return nil, nil, fmt.Errorf("aggregate: item %s: %w", item.ID(), err)
	}
	e := &entry{Entry: compact.Entry{Item: item, First: -1, Next: -1, Dead: true}, report: d, reports: l.done[l.at], letters: l.dead[l.at]}
	if from < to {
		l.gone.dead = d
		l.gone.open = true
		e.Lost = append(e.Lost, l.lostRow(from, to))
	}
	return e, nil, l.advance()
}

// lostRow lists a range of the present file as lost.
func (l *ledger) lostRow(from, to int64) schemas.Failure {
	l.gone.from = to
	l.gone.sum += to - from
	row := schemas.Failure{Run: string(l.run.ID), File: l.run.Files[l.at.file].URL, Offset: from, Length: to - from,
		Stage: "item", Severity: "lost"}
	if d := l.gone.dead; d != nil {
		row.Reason, row.Detail, row.Attempts = d.Reason, d.Detail, int32(d.Attempts)
	}
	return row
}

// advance goes to the next item, and at the end of a file checks that its items
// cover it.
func (l *ledger) advance() error {
	delete(l.done, l.at)
	delete(l.dead, l.at)
	delete(l.lost, l.at)
	delete(l.rerun, l.at)
	l.at.seq++
	f := &l.run.Files[l.at.file]
	if l.at.seq < f.Items {
		return nil
	}
	if _, err := l.chain.Close(f.Size); err != nil {
		return fmt.Errorf("aggregate: %s: %w: %w", f.URL, account.ErrConservation, err)
	}
	if l.gone.read+l.gone.sum != f.Size {
		return fmt.Errorf("aggregate: %s: %w: %d bytes were read and %d lost, it has %d", f.URL, account.ErrConservation, l.gone.read, l.gone.sum, f.Size)
	}
	l.at = place{l.at.file + 1, 0}
	l.chain, l.gone = warc.Chain{}, lostRange{}
	l.skip()
	return nil
}

// restore goes over an item that a committed part holds; dead is the report
// that ended the wait for it, if it was given up.
func (l *ledger) restore(c *schemas.Commit, dead *schemas.Dead) error {
	if (place{c.File, c.Seq}) != l.at {
		return fmt.Errorf("aggregate: manifest: item %s is not the next of the plan, %d of file %d", c.ID, l.at.seq, l.at.file)
	}
	item := l.run.Item(c.File, c.Seq)
	if c.Dead {
		_, _, err := l.skipDead(item, dead)
		return err
	}
	v, _, err := l.chain.Next(warc.Extent{Start: item.Start, End: item.End, First: c.First, Next: c.Next})
	if err != nil || v == warc.Rerun {
		return fmt.Errorf("aggregate: manifest: item %s, [%d,%d), does not join the one before: %v", c.ID, c.First, c.Next, err)
	}
	_, _, err = l.accept(item, &schemas.Done{First: c.First, Next: c.Next}, v)
	return err
}

// waiting yields the items of which nothing was reported, or not since they were
// asked for again.
func (l *ledger) waiting() iter.Seq2[*schemas.Item, error] {
	return func(yield func(*schemas.Item, error) bool) {
		for p := l.at; p.file < len(l.run.Files); p = (place{p.file + 1, 0}) {
			for ; p.seq < l.run.Files[p.file].Items; p.seq++ {
				from, again := l.rerun[p]
				if l.answered(p, from, again) {
					continue
				}
				item := l.run.Item(p.file, p.seq)
				if again {
					item.First = from
				}
				if !yield(&item, nil) {
					return
				}
			}
		}
	}
}

// answered says whether an item has a report or a dead letter: any, or if it was
// asked for again one of the attempt that began at from.
func (l *ledger) answered(p place, from int64, again bool) bool {
	return l.lost[p] != nil ||
		slices.ContainsFunc(l.done[p], func(d *schemas.Done) bool { return !again || d.First == from }) ||
		slices.ContainsFunc(l.dead[p], func(d *schemas.Dead) bool { return !again || d.Item.First == from })
}
