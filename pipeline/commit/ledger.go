package commit

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/winnow/winnow/pipeline/commit/compact"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

const (
	// maxRepairs is how often an item is run again because its shards cannot be used.
	maxRepairs = 3
	// maxRefusals is the number of refused reports after which an item is abandoned.
	maxRefusals = 5
	// maxDetail bounds the characters of the text of a dead letter.
	maxDetail = 2000
)

// Reasons of dead letters that the committer writes. They mean that the input may be
// readable, but that no attempt left a usable result.
const (
	reasonShards = "shards-unusable" // every attempt's shards were lost, damaged or not as reported
	reasonReport = "report-refused"  // every report contradicts itself or the recipe
)

// itemKey is the position of an item in the plan.
type itemKey struct{ file, seq int }

// ledger holds the state of every item of a phase in which files are read, and takes
// the items of each file in the order of the plan, so that every record is in
// exactly one accepted item (warc.Chain). It does no I/O: its methods take events
// and return what is to be done.
type ledger struct {
	run      *schemas.Run
	check    func(*schemas.Done) error // verifies the account of a report
	unusable shardSet

	// items are those with a record. An item without one is committed if it lies
	// before the last commit, and otherwise planned.
	items map[itemKey]*item
	// part are the items that were accepted or dead since the last commit, in the
	// order of the plan.
	part []*item
	position
	committed position
}

// position is a ledger's position in the plan.
type position struct {
	at    itemKey    // the next item to be accepted or dead
	chain warc.Chain // chain of the file at.file
	lost  lostRange  // lost bytes of that file, up to now
}

// item holds what is known about an item that is not committed.
type item struct {
	// Entry is the item as it is compacted. Only accepted and dead items have one.
	compact.Entry
	key   itemKey
	state state

	reports []*schemas.Done // accepted as consistent, in the order of arrival
	letters []*schemas.Dead
	// end is the dead letter that ended the wait for an item that is abandoned or
	// given up.
	end *schemas.Dead
	// start is where a requested item must begin; -1 if it was never requested.
	start int64

	repairs  int   // how often its shards were unusable
	refusals int   // refused reports since it was planned or requested
	refusal  error // why the last one was refused
}

// superfluous are the shards of the reports that were not accepted.
func (it *item) superfluous() (shards []schemas.Shard) {
	for _, d := range it.reports {
		if d != it.Done {
			shards = append(shards, d.Shards...)
		}
	}
	return shards
}

// newLedger returns a ledger whose items are all planned. check verifies the account
// of a report. Reports that name a shard of unusable are ignored.
func newLedger(run *schemas.Run, unusable shardSet, check func(*schemas.Done) error) *ledger {
	l := &ledger{run: run, check: check, unusable: unusable, items: map[itemKey]*item{}}
	l.enter(0)
	l.committed = l.position
	return l
}

// enter goes to the first item of a file, or of the first one after it that has items.
func (l *ledger) enter(file int) {
	for file < len(l.run.Files) && l.run.Files[file].Items == 0 {
		file++
	}
	l.position = position{at: itemKey{file, 0}}
	if file < len(l.run.Files) {
		start, _ := l.run.Files[file].Bounds()
		l.chain, l.lost.from = warc.ChainFrom(start), start
	}
}

// settled reports whether every item of the plan is accepted, dead or committed.
func (l *ledger) settled() bool { return l.at.file >= len(l.run.Files) }

// before reports whether k comes before other in the plan.
func (k itemKey) before(other itemKey) bool {
	return k.file < other.file || k.file == other.file && k.seq < other.seq
}

// stateOf returns the state of an item of the plan.
func (l *ledger) stateOf(k itemKey) state {
	switch it := l.items[k]; {
	case it != nil:
		return it.state
	case k.before(l.committed.at):
		return committed
	}
	return planned
}

// record returns the record of an item that is not committed.
func (l *ledger) record(k itemKey) *item {
	it := l.items[k]
	if it == nil {
		it = &item{key: k, start: -1}
		l.items[k] = it
	}
	return it
}

// step applies an event to an item and returns its record, which is nil if it is
// committed.
func (l *ledger) step(k itemKey, e event) (*item, error) {
	next, err := l.stateOf(k).after(e)
	if err != nil {
		return nil, fmt.Errorf("commit: item %d of file %d: %w", k.seq, k.file, err)
	}
	if next == committed {
		delete(l.items, k)
		return nil, nil
	}
	it := l.record(k)
	it.state = next
	return it, nil
}

// known returns the item of the plan that a report is about, or an error.
func (l *ledger) known(it *schemas.Item) (itemKey, error) {
	k := itemKey{it.File.Index, it.Seq}
	if it.Run != l.run.ID || it.Hash != l.run.Hash {
		return k, fmt.Errorf("it is of run %s, recipe %s", it.Run, it.Hash)
	}
	if k.file < 0 || k.file >= len(l.run.Files) || k.seq < 0 || k.seq >= l.run.Files[k.file].Items {
		return k, fmt.Errorf("the plan has no item %d of file %d", k.seq, k.file)
	}
	plan := l.run.Item(k.file, k.seq)
	plan.File.First, plan.Version = it.File.First, it.Version
	if plan != *it {
		return k, fmt.Errorf("it is about [%d,%d) of %s in phase %s, the plan's item is [%d,%d) of %s in phase %s", it.File.Start, it.File.End, it.File.URL, it.Phase, plan.File.Start, plan.File.End, plan.File.URL, plan.Phase)
	}
	return k, nil
}

// receive takes a report. superfluous is true if its item is committed already. An
// error says why the report is refused.
func (l *ledger) receive(d *schemas.Done) (superfluous bool, err error) {
	if l.unusable.has(d.Shards) {
		return false, nil // a report of an attempt whose shards are known to be unusable
	}
	k, err := l.known(&d.Item)
	if err == nil {
		err = l.check(d)
	}
	if err != nil {
		return false, err
	}
	// There are as many reports as items, so they share the strings of the plan to save memory.
	it := l.run.Item(k.file, k.seq)
	it.Version, it.File.First = d.Item.Version, d.Item.File.First
	d.Item, d.Worker = it, ""

	rec, err := l.step(k, reportReceived)
	if err != nil || rec == nil {
		return rec == nil, err
	}
	if !slices.ContainsFunc(rec.reports, func(old *schemas.Done) bool { return sameResult(old, d) }) {
		rec.reports = append(rec.reports, d)
	}
	return false, nil
}

// sameResult reports whether two reports are of one attempt.
func sameResult(a, b *schemas.Done) bool {
	return a.First == b.First && slices.Equal(a.Shards, b.Shards)
}

// receiveLetter takes the dead letter of an item. An error says why it is refused.
func (l *ledger) receiveLetter(d *schemas.Dead) error {
	k, err := l.known(&d.Item)
	if err != nil {
		return err
	}
	it, err := l.step(k, letterReceived)
	if err == nil && it != nil && it.state != accepted && it.state != dead {
		it.letters = append(it.letters, d)
	}
	return err
}

// refuse counts a refused report against the item that it is about, if the plan has
// it and still waits for it.
func (l *ledger) refuse(about *schemas.Item, reason error) {
	k, err := l.known(about)
	if err != nil || k.before(l.at) {
		return
	}
	it := l.record(k)
	it.refusals++
	it.refusal = reason
}

// quiet is called when nothing is reported any more. It abandons and returns the
// items whose reports were all refused, several times. Because this waits for
// the silence, the order of good and bad reports does not matter.
func (l *ledger) quiet() (abandoned []*item, err error) {
	for k, it := range l.items {
		if it.refusals < maxRefusals || it.state != planned && it.state != requested {
			continue
		}
		if _, err := l.step(k, attemptsExhausted); err != nil {
			return nil, err
		}
		it.end = l.deadLetter(k, reasonReport, it.refusal, it.refusals)
		abandoned = append(abandoned, it)
	}
	return abandoned, nil
}

// deadLetter is the letter of an item that the committer abandons.
func (l *ledger) deadLetter(k itemKey, reason string, cause error, attempts int) *schemas.Dead {
	return newLetter(l.run.Item(k.file, k.seq), reason, cause.Error(), attempts)
}

// newLetter is a dead letter that the committer writes.
func newLetter(it schemas.Item, reason, detail string, attempts int) *schemas.Dead {
	return &schemas.Dead{Version: schemas.Version, Item: it, Offset: it.File.Start, Length: it.File.Length(), Stage: queue.StageItem,
		Reason: reason, Detail: schemas.Shorten(detail, maxDetail), Attempts: attempts, Time: time.Now().UTC()}
}

// next takes the next item of the plan, if what was received of it suffices: settled
// is then an item that was accepted or dead, or again one that must be published
// once more. Both are nil if the ledger waits for reports.
func (l *ledger) next() (settled *item, again *schemas.Item, err error) {
	it := l.items[l.at]
	if it == nil || it.state == planned {
		return nil, nil, nil
	}
	plan := l.run.Item(l.at.file, l.at.seq)
	t, err := l.turn(it, &plan)
	if err != nil {
		return nil, nil, err
	}
	if t == (turn{}) {
		return nil, nil, nil
	}
	if _, err := l.step(l.at, t.event); err != nil {
		return nil, nil, err
	}
	switch t.event {
	case turnFits:
		return it, nil, l.accept(it, plan, t.report, t.verdict)
	case turnFails:
		return it, nil, l.giveUp(it, plan, t.letter)
	}
	if it.start == t.start {
		return nil, nil, nil // it was requested from there already
	}
	it.start, it.refusals = t.start, 0
	plan.File.First = t.start
	return nil, &plan, nil
}

// turn is what happens to an item when all before it are settled. The zero turn means
// that nothing is known yet.
type turn struct {
	event   event
	report  *schemas.Done // the report that fits
	verdict warc.Verdict  // verdict of the chain on report
	start   int64         // where the item must begin, if no report fits
	letter  *schemas.Dead // the dead letter that ends the wait
}

// turn compares what was received of the next item with where the item before ended.
func (l *ledger) turn(it *item, plan *schemas.Item) (turn, error) {
	start := int64(-1)
	for _, d := range it.reports {
		v, from, err := l.chain.Next(warc.Extent{Start: plan.File.Start, End: plan.File.End, First: d.First, Next: d.Next})
		switch {
		case err != nil:
			return turn{}, fmt.Errorf("commit: item %s: %w", d.ID, err)
		case v != warc.Rerun:
			return turn{event: turnFits, report: d, verdict: v}, nil
		}
		start = from
	}
	if it.end != nil {
		return turn{event: turnFails, letter: it.end}, nil
	}
	// A letter counts if there is no report, or if its attempt began where the
	// item must begin.
	for _, d := range it.letters {
		if start < 0 || d.Item.File.First == start {
			return turn{event: turnFails, letter: d}, nil
		}
	}
	if start < 0 {
		return turn{}, nil
	}
	return turn{event: turnMisfits, start: start}, nil
}

// accept makes a report the result of the next item.
func (l *ledger) accept(it *item, plan schemas.Item, d *schemas.Done, v warc.Verdict) error {
	it.Entry = compact.Entry{Item: plan, First: d.First, Next: d.Next}
	switch v {
	case warc.Accept, warc.AcceptUnverified:
		it.Done, it.Unverified = d, v == warc.AcceptUnverified
		if l.lost.open && d.First > l.lost.from {
			// What the lost item would have read beyond its range.
			it.Lost = append(it.Lost, l.lostRow(l.lost.from, d.First))
		}
		l.lost.from, l.lost.open = d.Next, false
		l.lost.read += d.Next - d.First
	case warc.Discard:
		if l.lost.open && plan.File.End > l.lost.from {
			it.Lost = append(it.Lost, l.lostRow(l.lost.from, plan.File.End))
		}
	}
	return l.advance(it)
}

// giveUp goes on without a result of the next item.
func (l *ledger) giveUp(it *item, plan schemas.Item, d *schemas.Dead) error {
	from, to, err := l.chain.GiveUp(plan.File.Start, plan.File.End)
	if err != nil {
		return fmt.Errorf("commit: item %s: %w", plan.ID(), err)
	}
	it.Entry = compact.Entry{Item: plan, First: -1, Next: -1, Dead: true}
	it.end = d
	if from < to {
		l.lost.letter, l.lost.open = d, true
		it.Lost = append(it.Lost, l.lostRow(from, to))
	}
	return l.advance(it)
}

// advance adds an item to the part and goes to the next one. At the end of a file it
// verifies that the items cover the file.
func (l *ledger) advance(it *item) error {
	l.part = append(l.part, it)
	l.at.seq++
	f := &l.run.Files[l.at.file]
	if l.at.seq < f.Items {
		return nil
	}
	start, end := f.Bounds()
	end, err := l.chain.Close(end, end == f.Size)
	if err != nil {
		return fmt.Errorf("commit: %s: %w: %w", f.URL, account.ErrConservation, err)
	}
	if l.lost.read+l.lost.sum != end-start {
		return fmt.Errorf("commit: %s: %w: %d bytes were read and %d lost, it has %d", f.URL, account.ErrConservation, l.lost.read, l.lost.sum, end-start)
	}
	l.enter(l.at.file + 1)
	return nil
}

// commit records that the items of the part are in the manifest.
func (l *ledger) commit() error {
	l.committed = l.position
	for _, it := range l.part {
		if _, err := l.step(it.key, partCommitted); err != nil {
			return err
		}
	}
	l.part = nil
	return nil
}

// repair goes back to the last commit, because shards of some items of the part
// cannot be used. These items are to be published again, all at once. Items to which
// this happened too often are abandoned.
// causes maps items to what is wrong with their shards.
func (l *ledger) repair(causes map[itemKey]error) (again, abandoned []*item, err error) {
	part := l.part
	l.part, l.position = nil, l.committed
	for _, it := range part {
		cause := causes[it.key]
		if cause == nil {
			if _, err := l.step(it.key, partRewound); err != nil {
				return nil, nil, err
			}
			it.Entry = compact.Entry{}
			continue
		}
		l.unusable.add(it.Done.Shards)
		it.reports = slices.DeleteFunc(it.reports, func(d *schemas.Done) bool { return d == it.Done })
		it.letters = nil
		it.start, it.refusals = it.First, 0
		it.repairs++
		e := shardsUnusable
		if it.repairs > maxRepairs {
			e = attemptsExhausted
			it.end = l.deadLetter(it.key, reasonShards, cause, it.repairs)
			abandoned = append(abandoned, it)
		} else {
			again = append(again, it)
		}
		it.Entry = compact.Entry{}
		if _, err := l.step(it.key, e); err != nil {
			return nil, nil, err
		}
	}
	return again, abandoned, nil
}

// request returns the item in the form in which it is published again.
func (l *ledger) request(it *item) *schemas.Item {
	plan := l.run.Item(it.key.file, it.key.seq)
	plan.File.First = it.start
	return &plan
}

// restore adds an item of a part in the manifest; letter is the one that
// ended the wait for it, if it was given up. commit must follow.
func (l *ledger) restore(c *schemas.Commit, letter *schemas.Dead) error {
	k := itemKey{c.File, c.Seq}
	if k != l.at || l.settled() {
		return fmt.Errorf("commit: manifest: item %s is not the next of the plan, %d of file %d", c.ID, l.at.seq, l.at.file)
	}
	it, plan := l.record(k), l.run.Item(c.File, c.Seq)
	if c.Dead {
		it.state = dead
		return l.giveUp(it, plan, letter)
	}
	v, _, err := l.chain.Next(warc.Extent{Start: plan.File.Start, End: plan.File.End, First: c.First, Next: c.Next})
	if err != nil || v == warc.Rerun {
		return fmt.Errorf("commit: manifest: item %s, [%d,%d), does not join the one before: %v", c.ID, c.First, c.Next, err)
	}
	it.state = accepted
	return l.accept(it, plan, &schemas.Done{First: c.First, Next: c.Next}, v)
}

// waiting yields the items that a worker must still report: those that are planned or
// requested.
func (l *ledger) waiting() iter.Seq2[*schemas.Item, error] {
	return func(yield func(*schemas.Item, error) bool) {
		for k := l.at; k.file < len(l.run.Files); k = (itemKey{k.file + 1, 0}) {
			for ; k.seq < l.run.Files[k.file].Items; k.seq++ {
				if s := l.stateOf(k); s != planned && s != requested {
					continue
				}
				plan := l.run.Item(k.file, k.seq)
				if it := l.items[k]; it != nil {
					plan.File.First = it.start
				}
				if !yield(&plan, nil) {
					return
				}
			}
		}
	}
}
