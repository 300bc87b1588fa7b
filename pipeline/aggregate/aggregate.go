package aggregate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

const (
	// ShardFolder is where workers put shards; what is in it can be deleted when
	// the run is done.
	ShardFolder = "shards"
	// SuccessFile appears last, and is empty.
	SuccessFile = "_SUCCESS"

	manifestLimit = 4 << 30 // a run of a million items has 100 MB
	// repairs is how often an item is done again because its shards were lost.
	repairs = 3
)

// Options of Run. Store and Broker are needed.
type Options struct {
	Store  blob.Store // the output folder, with the run's manifest in it
	Broker Broker

	// Name of this process, for those who find the run held; default its machine
	// and process id.
	Name string

	// PartRows and PartBytes end a part when the shards of its items have so many
	// rows or bytes. They decide how the tables are cut, not what is in them.
	// Defaults 4 million and 512 MiB.
	PartRows, PartBytes int64
	// SortRows are held in memory while a table is sorted; default 50,000, some 30
	// MB, and 32 MB at most of strings. TempDir takes what is more; default the system's.
	SortRows int
	TempDir  string

	// Quiet is how long nothing may be reported before the broker is asked what
	// became of the items; default 15 s.
	Quiet time.Duration

	// KeepShards leaves shards where they are after they were committed.
	KeepShards bool

	// Report makes what is only a picture of the tables, when these are there and
	// before SuccessFile says so. Its error is logged: the run is done all the same,
	// and a picture can be made at any time.
	Report func(ctx context.Context, store blob.Store) error

	Log      *slog.Logger   // default: nothing is logged
	Progress func(Progress) // called after every step, by one goroutine

	layout columnar.Size // of the files written; parts' unless a test wants less
}

// Progress is how far a run has come in its present phase.
type Progress struct {
	Phase schemas.Phase

	Items, ItemsOf int   // accounted for
	Bytes, BytesOf int64 // of input in them
	Records, Pages int64
	Failed         int64 // extractions
	Dead           int   // items given up
	Parts          int   // committed
}

func (o *Options) withDefaults() {
	if o.Name == "" {
		host, _ := os.Hostname()
		o.Name = fmt.Sprintf("%s, process %d", cmp.Or(host, "unknown machine"), os.Getpid())
	}
	if o.PartRows <= 0 {
		o.PartRows = 4_000_000
	}
	if o.PartBytes <= 0 {
		o.PartBytes = 512 << 20
	}
	if o.SortRows <= 0 {
		o.SortRows = 50_000
	}
	if o.Quiet <= 0 {
		o.Quiet = 15 * time.Second
	}
	if o.layout == (columnar.Size{}) {
		o.layout = columnar.PartSize
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
}

// Run waits for the run's items, commits their rows, and publishes the tables.
// It returns when the run is done, with a summary; also for a run that was done
// before. After an error it can be called again and goes on where it stopped. An
// ErrConservation ends the run as failed: calling again gives the same error.
//
// While another aggregator works on the run the error is a *queue.HeldError, at
// once; if another one took the run over, it is a *manifest.TakenError or
// queue.ErrLost, and what this one committed stays.
func Run(ctx context.Context, opt Options) (*Summary, error) {
	opt.withDefaults()
	held, release, err := opt.Broker.Hold(ctx, opt.Name)
	if err != nil {
		return nil, err
	}
	defer release()
	s, err := carryOut(held, opt)
	if err != nil && held.Err() != nil && ctx.Err() == nil {
		err = context.Cause(held) // what failed, failed because of this
	}
	return s, err
}

// carryOut is Run of a process that holds the run.
func carryOut(ctx context.Context, opt Options) (_ *Summary, err error) {
	a := &aggregator{opt: opt, log: opt.Log, repair: map[place]*repair{}}
	if err := a.patient(ctx, func() (err error) {
		a.commits, err = manifest.Take(ctx, opt.Store, opt.Name)
		return err
	}); err != nil {
		return nil, fmt.Errorf("aggregate: %s: %w", opt.Store.URL(), err)
	}
	if !a.commits.Exclusive {
		a.log.Warn("the store replaces files that it was told not to: only the broker keeps two aggregators apart", "out", opt.Store.URL())
	}
	a.manifest = a.commits.Manifest
	a.run = &a.manifest.Run
	a.compact = compactor{opt.Store, a.run, opt.SortRows, opt.TempDir, opt.layout, a.commits.Term}
	var summary *Summary
	if a.manifest.Finished.IsZero() {
		if err = a.conduct(ctx); err == nil {
			err = a.work(ctx)
		}
	}
	if err == nil {
		summary, err = a.finish(ctx)
	}
	if errors.Is(err, ErrConservation) {
		err = errors.Join(err, opt.Broker.Ended(ctx, schemas.RunFailed))
	}
	return summary, err
}

// LoadManifest reads the manifest of an output folder.
func LoadManifest(ctx context.Context, store blob.Store) (*schemas.Manifest, error) {
	m, err := manifest.Load(ctx, store)
	if err != nil {
		return nil, fmt.Errorf("aggregate: %s: %w", store.URL(), err)
	}
	return m, nil
}

// aggregator is the state of one Run.
type aggregator struct {
	opt      Options
	log      *slog.Logger
	commits  *manifest.Log
	manifest *schemas.Manifest // of commits
	run      *schemas.Run      // in manifest
	compact  compactor
	ledger   *ledger
	progress Progress

	// The part that is being gathered.
	entries     []*entry
	rows, bytes int64
	repair      map[place]*repair // entries whose shards were lost
}

// repair is an entry that waits for new shards.
type repair struct {
	entry *entry
	times int
	open  bool // asked for, not reported yet
}

type deadKey struct {
	item   schemas.ItemID
	offset int64
	stage  string
	reason string
}

// work commits parts until every item of the plan is in one.
func (a *aggregator) work(ctx context.Context) error {
	if err := a.clean(ctx); err != nil {
		return err
	}
	if err := a.restore(); err != nil {
		return err
	}
	reports, err := a.opt.Broker.Reports(ctx)
	if err != nil {
		return err
	}
	defer reports.Close()
	for {
		if err := a.judge(ctx); err != nil {
			return err
		}
		if a.ledger.finished() && len(a.entries) == 0 {
			return nil
		}
		if err := a.hear(ctx, reports); err != nil {
			return err
		}
	}
}

// clean deletes the files of tables that no part names: of a part that was begun
// and not committed.
func (a *aggregator) clean(ctx context.Context) error {
	named := map[string]bool{}
	for _, p := range a.manifest.Parts {
		for _, f := range p.Files {
			named[f.Name] = true
		}
	}
	for _, table := range []schemas.Table{schemas.TableDocuments, schemas.TableScores, schemas.TableTexts, schemas.TableFailures, schemas.TableAgreement} {
		files, err := a.opt.Store.List(ctx, string(table)+"/")
		if err != nil {
			return err
		}
		for _, f := range files {
			if named[f.Name] {
				continue
			}
			a.log.Info("file of an unfinished part deleted", "file", f.Name)
			if err := a.opt.Store.Delete(ctx, f.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// restore takes up where the manifest ends.
func (a *aggregator) restore() error {
	a.ledger = newLedger(a.run)
	dead := map[schemas.ItemID]*schemas.Dead{}
	for i := range a.manifest.Dead {
		d := &a.manifest.Dead[i]
		if d.Stage == queue.StageItem {
			it := d.Item
			it.First = -1
			dead[it.ID()] = d
		}
	}
	a.progress = Progress{Phase: schemas.PhaseExtract, ItemsOf: a.run.Items(), Parts: len(a.manifest.Parts)}
	for _, f := range a.run.Files {
		if f.Items > 0 {
			a.progress.BytesOf += f.Size
		}
	}
	for i := range a.manifest.Parts {
		p := &a.manifest.Parts[i]
		if p.Seq != i {
			return fmt.Errorf("aggregate: manifest: part %d stands at place %d", p.Seq, i)
		}
		for j := range p.Items {
			c := &p.Items[j]
			if err := a.ledger.restore(c, dead[c.ID]); err != nil {
				return err
			}
			a.advanced(c.File, c.Seq, c.Dead)
		}
		a.counted(&p.Counts)
	}
	return nil
}

func (a *aggregator) advanced(file, seq int, dead bool) {
	it := a.run.Item(file, seq)
	a.progress.Items++
	a.progress.Bytes += it.Length()
	if dead {
		a.progress.Dead++
	}
}

func (a *aggregator) counted(c *schemas.Counts) {
	a.progress.Records += c.Records
	a.progress.Pages += c.Pages
	for key, n := range c.Outcomes {
		if _, outcome := splitOutcome(key); strings.HasPrefix(outcome, failed) {
			a.progress.Failed += n
		}
	}
}

// judge accepts items as long as it can, and commits what is enough for a part.
func (a *aggregator) judge(ctx context.Context) error {
	for !a.mending() {
		if a.full() {
			if err := a.commit(ctx); err != nil {
				return err
			}
			continue
		}
		e, again, err := a.ledger.next()
		if err != nil {
			return err
		}
		if again != nil {
			a.log.Info("item is run again from where the one before ended", "item", again.ID())
			return a.publish(ctx, again)
		}
		if e == nil {
			return nil
		}
		a.gather(e)
	}
	return nil
}

// full says whether the entries are to be committed.
func (a *aggregator) full() bool {
	return len(a.entries) > 0 &&
		(a.rows >= a.opt.PartRows || a.bytes >= a.opt.PartBytes || a.ledger.finished())
}

// gather adds a judged item to the part.
func (a *aggregator) gather(e *entry) {
	a.entries = append(a.entries, e)
	a.advanced(e.item.File, e.item.Seq, e.dead)
	if e.done != nil {
		for _, s := range e.done.Shards {
			a.rows += s.Rows
			a.bytes += s.Bytes
		}
		a.counted(&e.done.Counts)
	}
	a.opt.Progress(a.progress)
}

// commit makes the entries a part. If the shards of one are gone, its item is
// published again and the entries wait.
func (a *aggregator) commit(ctx context.Context) error {
	var part schemas.Part
	err := a.patient(ctx, func() (err error) {
		part, err = a.compact.compact(ctx, len(a.manifest.Parts), a.entries)
		return err
	})
	var damaged *shardError
	if errors.As(err, &damaged) {
		return a.mend(ctx, damaged)
	}
	if err != nil {
		return err
	}
	change := schemas.Change{Part: &part}
	known := map[deadKey]bool{}
	for i := range a.manifest.Dead {
		known[keyOf(&a.manifest.Dead[i])] = true
	}
	for _, e := range a.entries {
		if e.report != nil && !known[keyOf(e.report)] {
			known[keyOf(e.report)] = true
			change.Dead = append(change.Dead, *e.report)
		}
	}
	if err := a.append(ctx, &change); err != nil {
		var taken *manifest.TakenError
		if errors.As(err, &taken) {
			a.discard(ctx, &part)
		}
		return err
	}
	a.log.Info("part committed", "part", part.Seq, "items", len(part.Items), "pages", part.Counts.Pages, "rows", a.rows)
	a.progress.Parts++
	a.opt.Progress(a.progress)
	for _, e := range a.entries {
		if e.done != nil {
			e.drop = append(e.drop, e.done.Shards...)
		}
		a.drop(ctx, e.drop)
	}
	a.entries, a.rows, a.bytes = nil, 0, 0
	clear(a.repair)
	return nil
}

// patient repeats f, which may be repeated, while its errors are temporary.
func (a *aggregator) patient(ctx context.Context, f func() error) error {
	const attempts = 8
	for n, wait := 1, time.Second; ; n, wait = n+1, min(2*wait, 30*time.Second) {
		err := f()
		if err == nil || n == attempts || !errors.Is(err, blob.ErrTransient) && !queue.Transient(err) {
			return err
		}
		a.log.Warn("tried again", "after", wait.String(), "reason", err)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (a *aggregator) publish(ctx context.Context, item *schemas.Item) error {
	return a.patient(ctx, func() error { return a.opt.Broker.Publish(ctx, item) })
}

// append commits a change of the manifest.
func (a *aggregator) append(ctx context.Context, c *schemas.Change) error {
	return a.patient(ctx, func() error { return a.commits.Append(ctx, c) })
}

// discard deletes the files of a part that was not committed, because another
// aggregator goes on with the run: it may have looked for such files before these
// were there. Their names are this one's alone.
func (a *aggregator) discard(ctx context.Context, p *schemas.Part) {
	for _, f := range p.Files {
		if err := a.opt.Store.Delete(ctx, f.Name); err != nil {
			a.log.Warn("file of an unfinished part left behind", "file", f.Name, "reason", err)
		}
	}
}

// drop deletes shards that nobody needs any more. What stays behind is deleted
// at the end of the run.
func (a *aggregator) drop(ctx context.Context, shards []schemas.Shard) {
	if a.opt.KeepShards {
		return
	}
	for _, s := range shards {
		if !strings.HasPrefix(s.Name, ShardFolder+"/") {
			continue // a report is no reason to delete anything else
		}
		if err := a.opt.Store.Delete(ctx, s.Name); err != nil {
			a.log.Warn("shard left behind", "file", s.Name, "reason", err)
			return
		}
	}
}

// mend has an item done again whose shards are gone or damaged.
func (a *aggregator) mend(ctx context.Context, damaged *shardError) error {
	e := damaged.entry
	if err := a.patient(ctx, func() error { return a.commits.Check(ctx) }); err != nil {
		return err // another aggregator has committed them
	}
	p := place{e.item.File, e.item.Seq}
	r := a.repair[p]
	if r == nil {
		r = &repair{entry: e}
		a.repair[p] = r
	}
	if r.times++; r.times > repairs {
		return damaged
	}
	r.open = true
	again := e.item
	again.First = e.first
	a.log.Warn("item is done again", "item", again.ID(), "reason", damaged.err)
	return a.publish(ctx, &again)
}

// hear takes one report, or asks the broker when there is none for a while.
func (a *aggregator) hear(ctx context.Context, reports Reports) error {
	wait, cancel := context.WithTimeout(ctx, a.opt.Quiet)
	defer cancel()
	rep, err := reports.Next(wait)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, context.DeadlineExceeded):
		if err := a.opt.Broker.Idle(ctx, a.waiting); err != nil && !queue.Transient(err) {
			return err
		}
		a.opt.Progress(a.progress)
		return nil
	case err != nil:
		return err
	case rep.Done != nil && rep.Done.Item.Phase == schemas.PhaseExtract:
		return a.heardDone(ctx, rep.Done)
	case rep.Dead != nil && rep.Dead.Item.Phase == schemas.PhaseExtract:
		return a.heardDead(rep.Dead)
	}
	return nil
}

func (a *aggregator) heardDone(ctx context.Context, d *schemas.Done) error {
	p := place{d.Item.File, d.Item.Seq}
	if r := a.repair[p]; r != nil && r.open && d.First == r.entry.first && d.Next == r.entry.next && !sameShards(d, r.entry.done) {
		if _, err := a.ledger.known(&d.Item); err == nil {
			r.entry.drop = append(r.entry.drop, r.entry.done.Shards...)
			r.entry.done, r.open = d, false
			return nil
		}
	}
	late, err := a.ledger.report(d)
	if err != nil {
		a.log.Error("report ignored", "item", d.ID, "reason", err)
		return nil
	}
	for _, e := range a.entries { // its shards may be those of a part yet to be made
		if e.item.File == p.file && e.item.Seq == p.seq {
			if e.done == nil || !sameShards(e.done, d) {
				e.drop = append(e.drop, late...)
			}
			return nil
		}
	}
	a.drop(ctx, late)
	return nil
}

// mending says whether the part waits for new shards.
func (a *aggregator) mending() bool {
	for _, r := range a.repair {
		if r.open {
			return true
		}
	}
	return false
}

func (a *aggregator) heardDead(d *schemas.Dead) error {
	if d.Stage != queue.StageItem {
		return nil // its item reports it among its failures
	}
	if err := a.ledger.giveUp(d); err != nil {
		a.log.Error("report ignored", "item", d.Item.ID(), "reason", err)
	}
	return nil
}

// waiting yields the items that nothing was heard of, or that were asked for again.
func (a *aggregator) waiting(yield func(*schemas.Item, error) bool) {
	for _, e := range a.entries {
		if r := a.repair[place{e.item.File, e.item.Seq}]; r != nil && r.open {
			again := e.item
			again.First = e.first
			if !yield(&again, nil) {
				return
			}
		}
	}
	for it, err := range a.ledger.waiting() {
		if !yield(it, err) {
			return
		}
	}
}

func keyOf(d *schemas.Dead) deadKey {
	return deadKey{d.Item.ID(), d.Offset, d.Stage, d.Reason}
}
