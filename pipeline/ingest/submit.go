package ingest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// ErrFinished says that the run is done: there is nothing to submit.
var ErrFinished = errors.New("the run is finished")

// ErrOther says that the output folder, or the queue, holds another run.
var ErrOther = errors.New("choose another output folder or run id")

// Manifest reads the manifest of an output folder. It is blob.ErrNotFound if
// there is none.
func Manifest(ctx context.Context, store blob.Store) (*schemas.Manifest, error) {
	return manifest.Load(ctx, store)
}

// OverError says that the broker knows a run as ended, and the output folder does
// not hold its tables: the folder was removed, or the run canceled. Publishing it
// again would do nothing, because no program works on a run that is over.
type OverError struct {
	Run   schemas.RunID
	State schemas.RunState
	Out   string
}

func (e OverError) Error() string {
	return fmt.Sprintf("ingest: the broker knows run %s as %s, but %s does not hold its tables: choose another run id (--run), or remove what the broker remembers of the run (winnow runs delete --yes --nats URL %s) and run ingest again",
		e.Run, e.State, e.Out, e.Run)
}

// Submit makes a planned run known and publishes its items, or those that are
// left of it if it was submitted before. It returns the manifest and how many
// items it published. For a run that is done the error is ErrFinished, beside
// its manifest, and the broker knows it again if it had forgotten it.
func Submit(ctx context.Context, q *queue.Queue, store blob.Store, run *schemas.Run) (*schemas.Manifest, int, error) {
	// Before the manifest is written, which would make the folder look begun.
	over := refuseEnded(ctx, q, store, run)
	if over != nil {
		m, err := Manifest(ctx, store)
		if err == nil && !m.Finished.IsZero() {
			over = nil // the output is there: enter returns the error
		}
	}
	if over != nil {
		return nil, 0, over
	}
	m, fresh, err := enter(ctx, store, run)
	if errors.Is(err, ErrFinished) {
		if err := announceFinished(ctx, q, store, m); err != nil {
			return m, 0, err
		}
	}
	if err != nil {
		return m, 0, err
	}
	// Also for a run that goes on: its URLs may have been signed anew.
	if err := q.ShareAccess(ctx, run); err != nil {
		return m, 0, err
	}
	// A run that was submitted before keeps its first plan, lease and creation time.
	n, err := publish(ctx, q, m, fresh)
	return m, n, err
}

// refuseEnded returns an error if the broker knows a run of this name as ended: an
// OverError, or ErrOther if its output is elsewhere.
func refuseEnded(ctx context.Context, q *queue.Queue, store blob.Store, run *schemas.Run) error {
	head, _, err := q.Run(ctx, run.ID)
	switch {
	case errors.Is(err, queue.ErrNotFound):
		return nil
	case err != nil || head.State == schemas.RunPlanned || head.State == schemas.RunActive:
		return err
	case head.Out != run.Out:
		return otherRun(head)
	}
	return OverError{Run: run.ID, State: head.State, Out: store.URL()}
}

// enter writes the manifest of a new run, or finds that of an old one.
func enter(ctx context.Context, store blob.Store, run *schemas.Run) (m *schemas.Manifest, fresh bool, err error) {
	m, err = Manifest(ctx, store)
	switch {
	case errors.Is(err, blob.ErrNotFound):
		if err := refuseForeign(ctx, store); err != nil {
			return nil, false, err
		}
		m = &schemas.Manifest{Version: schemas.Version, Run: *run, Started: run.Created}
		err := manifest.Create(ctx, store, m)
		if errors.Is(err, blob.ErrExists) {
			return enter(ctx, store, run) // another ingest was faster
		}
		if err != nil {
			return nil, false, fmt.Errorf("ingest: run %s: %w", run.ID, err)
		}
		return m, true, nil
	case err != nil:
		return nil, false, fmt.Errorf("ingest: %s: %w", store.URL(), err)
	}
	if err := same(&m.Run, run); err != nil {
		return m, false, fmt.Errorf("ingest: %s holds %w: %w", store.URL(), err, ErrOther)
	}
	if !m.Finished.IsZero() {
		return m, false, fmt.Errorf("ingest: run %s: %w", run.ID, ErrFinished)
	}
	return m, false, nil
}

// refuseForeign returns an error if a folder that holds no run has files where a run keeps
// its own. A run deletes and replaces files there that are named like its own, such as the
// parts of another run, and programs that read all files of a table would read the others.
func refuseForeign(ctx context.Context, store blob.Store) error {
	folders := []string{schemas.CommitsFolder, schemas.ShardFolder, schemas.TemplatesFolder}
	for _, table := range schemas.PartTables {
		folders = append(folders, string(table))
	}
	for _, folder := range folders {
		files, err := store.List(ctx, folder+"/")
		if err != nil {
			return err
		}
		if len(files) > 0 {
			if is, err := blob.Exists(ctx, store, schemas.ManifestFile); is || err != nil {
				return err // another ingest was faster, and its run has begun
			}
			return fmt.Errorf("ingest: %s holds %s and no run (run.json), and a run could delete or replace that file: choose another output folder", store.URL(), files[0].Name)
		}
	}
	return nil
}

// announceFinished tells a broker that has lost its data of a run that is finished, for an
// aggregator that waits for it. If the run was finished, but not published, it has to be
// taken up.
func announceFinished(ctx context.Context, q *queue.Queue, store blob.Store, m *schemas.Manifest) error {
	run := m.Run
	run.State = schemas.RunDone
	_, err := store.Stat(ctx, schemas.SuccessFile)
	if errors.Is(err, blob.ErrNotFound) {
		run.State, err = schemas.RunActive, nil
	}
	if err != nil {
		return fmt.Errorf("ingest: %s: %w", store.URL(), err)
	}
	if _, err := q.CreateRun(ctx, &run); err != nil && !errors.Is(err, queue.ErrExists) {
		return err
	}
	return nil
}

// refuseOther returns the error that entering the run would give, as far as it is known
// before the inputs are looked at, which may write archives of them to the output folder.
func refuseOther(ctx context.Context, opt *Options) error {
	if opt.Store == nil {
		return nil
	}
	m, err := Manifest(ctx, opt.Store)
	switch {
	case errors.Is(err, blob.ErrNotFound):
		return refuseForeign(ctx, opt.Store)
	case err != nil:
		return fmt.Errorf("ingest: %s: %w", opt.Store.URL(), err)
	}
	if err := sameSettings(&m.Run, opt.Run, opt.Recipe.Digest()); err != nil {
		return fmt.Errorf("ingest: %s holds %w: %w", opt.Store.URL(), err, ErrOther)
	}
	return nil
}

// sameSettings says in which way a run differs from one with this id and hash of the
// recipe, whatever their inputs are.
func sameSettings(old *schemas.Run, id schemas.RunID, hash string) error {
	switch {
	case old.ID != id:
		return fmt.Errorf("run %s already", old.ID)
	case old.Hash != hash:
		return fmt.Errorf("run %s already, which was begun with other extractors, scorers, facts or settings, or by another version of the program", old.ID)
	}
	return nil
}

// same says in which way two plans differ, nil if in none that matters.
func same(old, now *schemas.Run) error {
	if err := sameSettings(old, now.ID, now.Hash); err != nil {
		return err
	}
	switch {
	case len(old.Files) != len(now.Files):
		return fmt.Errorf("run %s already, which was begun with %d input files, not %d", old.ID, len(old.Files), len(now.Files))
	}
	for i := range old.Files {
		a, b := &old.Files[i], &now.Files[i]
		if a.URL != b.URL {
			return fmt.Errorf("run %s already, which was begun with other input files (%s, not %s)", old.ID, a.URL, b.URL)
		}
		if a.Range != b.Range {
			return fmt.Errorf("run %s already, which was begun with another range of %s", old.ID, a.URL)
		}
		if a.Selection != b.Selection && a.Identity == b.Identity {
			return fmt.Errorf("run %s already, which was begun with another selection of records of %s", old.ID, a.URL)
		}
		if a.Size != b.Size || a.Identity != b.Identity {
			return fmt.Errorf("run %s already, and %s has changed since", old.ID, a.URL)
		}
	}
	return nil
}

// publish brings the queue to where the manifest is: streams, the head of the
// run, the consumer of its phase and every outstanding item. It can be called
// at any time and any number of times; fresh says that the run was never
// published before.
func publish(ctx context.Context, q *queue.Queue, m *schemas.Manifest, fresh bool) (int, error) {
	run := &m.Run
	_, err := q.CreateRun(ctx, run)
	if errors.Is(err, queue.ErrExists) {
		err = sameAsQueued(ctx, q, run)
	}
	if err != nil {
		return 0, err
	}
	if err := q.Open(ctx, run, 0); err != nil {
		return 0, err
	}
	var n int
	if fresh {
		n, err = q.PublishItems(ctx, "", valid(outstanding(m, nil)))
	}
	// The broker takes no items that an earlier run of this name published a few
	// minutes ago, even if it was forgotten since.
	if err == nil && n < run.Items() {
		var more int
		more, err = reconcile(ctx, q, m)
		n += more
	}
	if err != nil {
		return n, err
	}
	return n, activate(ctx, q, run.ID)
}

// sameAsQueued returns an error if the queue holds another run of the same name.
func sameAsQueued(ctx context.Context, q *queue.Queue, run *schemas.Run) error {
	head, _, err := q.Run(ctx, run.ID)
	if err != nil {
		return err
	}
	if head.Hash != run.Hash || head.Out != run.Out || head.Sealed != run.Sealed {
		return otherRun(head)
	}
	return nil
}

func otherRun(head *schemas.Run) error {
	return fmt.Errorf("ingest: the queue holds another run %s, with output in %s: %w", head.ID, head.Out, ErrOther)
}

// activate seals the run: from now on an item that is neither queued, reported nor
// committed is lost.
func activate(ctx context.Context, q *queue.Queue, id schemas.RunID) error {
	for {
		head, rev, err := q.Run(ctx, id)
		if err != nil {
			return err
		}
		if head.State != schemas.RunPlanned {
			return nil
		}
		head.State = schemas.RunActive
		if _, err := q.UpdateRun(ctx, head, rev); !errors.Is(err, queue.ErrConflict) {
			return err
		}
	}
}

// outstanding yields the items of a run that no part of the manifest holds and
// that are not reported either. An item that was run again from another start
// counts as the item. In the phases before extract nothing is committed.
func outstanding(m *schemas.Manifest, reported map[schemas.ItemID]bool) iter.Seq[*schemas.Item] {
	if m.Run.Phase == schemas.PhaseLearn {
		return func(yield func(*schemas.Item) bool) {
			for i := range m.Run.LearnItems {
				it := m.Run.LearnItem(i)
				if !reported[it.ID()] && !yield(&it) {
					return
				}
			}
		}
	}
	type part struct{ file, seq int }
	committed := make(map[part]bool)
	for _, p := range m.Parts {
		for _, c := range p.Items {
			committed[part{c.File, c.Seq}] = true
		}
	}
	return func(yield func(*schemas.Item) bool) {
		for f := range m.Run.Files {
			for s := range m.Run.Files[f].Items {
				it := m.Run.Item(f, s)
				if committed[part{f, s}] || reported[it.ID()] {
					continue
				}
				if !yield(&it) {
					return
				}
			}
		}
	}
}

// reconcile publishes again what is neither committed nor reported nor in the
// queue, and returns how many items that were. It is safe at any time: an item
// that is settled between its three looks is at worst worked on twice.
func reconcile(ctx context.Context, q *queue.Queue, m *schemas.Manifest) (int, error) {
	lost, err := q.Missing(ctx, m.Run.ID, m.Run.Phase, valid(outstanding(m, nil)))
	if err != nil || len(lost) == 0 {
		return 0, err
	}
	// Reports are read after the items: what was settled in between has one.
	reported, err := q.Reported(ctx, m.Run.ID)
	if err != nil {
		return 0, err
	}
	generation := strconv.FormatInt(time.Now().UnixNano(), 36)
	return q.PublishItems(ctx, generation, func(yield func(*schemas.Item, error) bool) {
		for _, it := range lost {
			if !reported[it.ID()] && !yield(it, nil) {
				return
			}
		}
	})
}

// valid gives a sequence that cannot fail the form of one that can.
func valid(seq iter.Seq[*schemas.Item]) iter.Seq2[*schemas.Item, error] {
	return func(yield func(*schemas.Item, error) bool) {
		for it := range seq {
			if !yield(it, nil) {
				return
			}
		}
	}
}
