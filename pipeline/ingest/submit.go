package ingest

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// ErrFinished means that the run is done: there is nothing to submit.
var ErrFinished = errors.New("the run is finished")

// ErrOther means that the output folder, or the queue, holds another run.
var ErrOther = errors.New("choose another output folder or run id")

// Manifest reads the manifest of an output folder. It is blob.ErrNotFound if
// there is none.
func Manifest(ctx context.Context, store blob.Store) (*schemas.Manifest, error) {
	return manifest.Load(ctx, store)
}

// Submit writes the plan of a run to its output folder and tells the aggregators of it,
// which publish its items. It returns the manifest. For a run that is done the error is
// ErrFinished, beside its manifest; the aggregators are told nevertheless, because they
// may not have ended it. For a run that was canceled, or failed, it is a
// *manifest.EndedError.
func Submit(ctx context.Context, q *queue.Queue, store blob.Store, run *schemas.Run) (*schemas.Manifest, error) {
	m, finished := enter(ctx, store, run)
	if finished != nil && !errors.Is(finished, ErrFinished) {
		return m, finished
	}
	// Also for a run that goes on: its URLs may have been signed again.
	if err := q.ShareAccess(ctx, run); err != nil {
		return m, err
	}
	// A run that was submitted before keeps its first plan, lease and creation time.
	switch err := q.PublishRun(ctx, &m.Run); {
	case errors.Is(err, queue.ErrOther):
		return m, fmt.Errorf("ingest: %w: %w", err, ErrOther)
	case err != nil:
		return m, err
	}
	return m, finished
}

// enter writes the manifest of a new run, or finds that of an old one.
func enter(ctx context.Context, store blob.Store, run *schemas.Run) (*schemas.Manifest, error) {
	m, err := Manifest(ctx, store)
	switch {
	case errors.Is(err, blob.ErrNotFound):
		if err := refuseForeign(ctx, store); err != nil {
			return nil, err
		}
		m = &schemas.Manifest{Version: schemas.Version, Run: *run, Started: run.Created}
		err := manifest.Create(ctx, store, m)
		if errors.Is(err, blob.ErrExists) {
			return enter(ctx, store, run) // another ingest was faster
		}
		if err != nil {
			return nil, fmt.Errorf("ingest: run %s: %w", run.ID, err)
		}
		return m, nil
	case err != nil:
		return nil, fmt.Errorf("ingest: %s: %w", store.URL(), err)
	}
	if err := same(&m.Run, run); err != nil {
		return m, fmt.Errorf("ingest: %s holds %w: %w", store.URL(), err, ErrOther)
	}
	if !m.Finished.IsZero() {
		return m, fmt.Errorf("ingest: run %s: %w", run.ID, ErrFinished)
	}
	return m, manifest.Ended(ctx, store)
}

// refuseForeign returns an error if a folder that holds no run has files where a run keeps
// its own. A run deletes and replaces files there that are named like its own, such as the
// parts of another run, and programs that read all files of a table would read the others.
func refuseForeign(ctx context.Context, store blob.Store) error {
	folders := []string{schemas.CommitsFolder, schemas.ShardFolder}
	for _, table := range schemas.PartTables {
		folders = append(folders, string(table))
	}
	for i := range folders {
		folders[i] += "/"
	}
	for _, prefix := range append(folders, schemas.EndedFile, schemas.SuccessFile) {
		files, err := store.List(ctx, prefix)
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
