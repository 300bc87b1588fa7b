package ingest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/schemas"
)

const (
	// earlierReaders bounds the manifests of earlier runs that are in memory at once.
	earlierReaders = 4
	// lookUps bounds the requests that look for finished runs at once.
	lookUps = 16
)

// content tells an input from others and from itself after a change. It has no Run.
type content = schemas.SkippedFile

// earlier is what runs have done before a run is planned.
type earlier struct {
	done     map[content]schemas.RunID // inputs, with the first run that has done them
	captures *schemas.Shard            // Run.Captures
}

// skip divides files into those that the run reads and those that an earlier run has
// done. A run that goes on skips what its recorded plan skips: runs that were finished
// since its plan was made do not change the plan. The same holds for the captures with
// which it compares pages.
func skip(ctx context.Context, client *blob.Client, opt Options, files []source.File) (rest []source.File, skipped []schemas.SkippedFile, captures *schemas.Shard, err error) {
	if len(opt.OnlyNew) == 0 {
		return files, nil, nil, nil
	}
	before, err := recorded(ctx, opt)
	if before == nil && err == nil {
		before, err = doneBefore(ctx, client, opt, files)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	for i := range files {
		f := &files[i]
		c := contentOf(f)
		by, is := before.done[c]
		if !is || !skippable(f.Refused, f.Selection) {
			rest = append(rest, *f)
			continue
		}
		c.Run = by
		skipped = append(skipped, c)
	}
	slices.SortFunc(skipped, func(a, b schemas.SkippedFile) int { return strings.Compare(a.URL, b.URL) })
	return rest, skipped, before.captures, nil
}

func contentOf(f *source.File) content {
	size := f.Size
	if f.Selection != (schemas.Selection{}) {
		size = f.Selection.Whole
	}
	return content{URL: f.URL, Size: size, Identity: f.Identity, Within: schemas.Within(f.Within), Indexed: f.Selection.Collection}
}

// skippable reports whether an input can be skipped at all. One that cannot be read is
// reported by every run, and the records that an index names of a file may be others than
// those that an earlier run has read from it, unless the index is part of the same
// collection.
func skippable(refused string, s schemas.Selection) bool {
	return refused == "" && (s == (schemas.Selection{}) || s.Collection)
}

// recorded returns what the plan that the output folder holds has of earlier runs, or nil if
// the folder holds no plan of this run.
func recorded(ctx context.Context, opt Options) (*earlier, error) {
	if opt.Store == nil {
		return nil, nil
	}
	m, err := Manifest(ctx, opt.Store)
	switch {
	case errors.Is(err, blob.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	case m.Run.ID != opt.Run:
		return nil, nil // Submit returns the error
	}
	done := make(map[content]schemas.RunID, len(m.Run.Skipped))
	for _, c := range m.Run.Skipped {
		run := c.Run
		c.Run = ""
		done[c] = run
	}
	return &earlier{done, m.Run.Captures}, nil
}

// doneBefore returns which of the files the runs of opt.OnlyNew have done, and writes the
// table of the pages that they have extracted. If several have done a file, the first run
// counts.
func doneBefore(ctx context.Context, client *blob.Client, opt Options, files []source.File) (*earlier, error) {
	var outs []string
	for _, folder := range opt.OnlyNew {
		found, err := finishedRuns(ctx, client, folder)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		if len(found) == 0 && opt.Note != nil {
			opt.Note(folder + " holds no finished run: nothing is left out because of it")
		}
		outs = append(outs, found...)
	}
	wanted := make(map[content]bool, len(files))
	for i := range files {
		wanted[contentOf(&files[i])] = true
	}
	// Of each manifest only the entries for the files are kept: a year of nightly runs may
	// have listed far more.
	byRun := make([]map[content]schemas.RunID, len(outs))
	extracted := make([]extractedRun, len(outs))
	g, reading := errgroup.WithContext(ctx)
	g.SetLimit(earlierReaders)
	for i, out := range outs {
		g.Go(func() error {
			store, err := client.Store(reading, out)
			if err != nil {
				return err
			}
			m, err := Manifest(reading, store)
			if errors.Is(err, blob.ErrNotFound) {
				return nil // removed since it was listed
			}
			if err != nil {
				return err
			}
			byRun[i] = doneBy(m, wanted)
			extracted[i] = extractedRun{store, m.Run.ID, m.Finished, m.Totals.Pages, m.FilesOf(schemas.TablePages)}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	done := map[content]schemas.RunID{}
	for _, of := range byRun {
		for c, run := range of {
			if _, is := done[c]; !is {
				done[c] = run
			}
		}
	}
	captures, err := writeCaptures(ctx, &opt, extracted)
	return &earlier{done, captures}, err
}

// finishedRuns returns the URLs of the output folders of finished runs: the folder itself,
// or those that lie directly in it.
func finishedRuns(ctx context.Context, client *blob.Client, folder string) ([]string, error) {
	store, err := client.Store(ctx, folder)
	if err != nil {
		return nil, err
	}
	// A run writes this file last. The folder of a run that goes on, was canceled or has
	// failed has none.
	if is, err := blob.Exists(ctx, store, schemas.SuccessFile); is || err != nil {
		return []string{store.URL()}, err
	}
	// The folders of runs are not listed, because that of a large run has thousands of files.
	folders, err := store.Folders(ctx)
	if err != nil {
		return nil, err
	}
	finished := make([]bool, len(folders))
	g, all := errgroup.WithContext(ctx)
	g.SetLimit(lookUps)
	for i, folder := range folders {
		g.Go(func() (err error) {
			finished[i], err = blob.Exists(all, store, folder+"/"+schemas.SuccessFile)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var found []string
	for i, folder := range folders {
		if finished[i] {
			found = append(found, blob.Below(store.URL(), folder))
		}
	}
	return found, nil
}

// doneBy returns which of the wanted files a run has done: those of which it has
// committed every item and given up none, and those that it skipped itself, with the run
// that has done them.
func doneBy(m *schemas.Manifest, wanted map[content]bool) map[content]schemas.RunID {
	if m.Finished.IsZero() {
		return nil
	}
	committed := make([]int, len(m.Run.Files)) // items that were read
	for i := range m.Parts {
		for _, item := range m.Parts[i].Items {
			if !item.Dead {
				committed[item.File]++
			}
		}
	}
	if m.Templates != nil {
		for i := range m.Templates.Dead {
			if item := &m.Templates.Dead[i].Item; item.Phase == schemas.PhaseScan && item.File.Index < len(committed) {
				committed[item.File.Index] = -1 // its pages were not sampled
			}
		}
	}
	done := map[content]schemas.RunID{}
	undone := map[content]bool{} // contents of which a range was not finished
	for i := range m.Run.Files {
		f := &m.Run.Files[i]
		c := content{URL: f.URL, Size: f.Stored().Size, Identity: f.Identity, Within: f.Within, Indexed: f.Selection.Collection}
		switch {
		case !wanted[c] || !skippable(f.Refused, f.Selection):
		case committed[i] == f.Items:
			// A run that reads ranges of a file retries a run that has done the rest of it.
			done[c] = m.Run.ID
		default:
			undone[c] = true
		}
	}
	maps.DeleteFunc(done, func(c content, _ schemas.RunID) bool { return undone[c] })
	for _, c := range m.Run.Skipped {
		run := c.Run
		if c.Run = ""; wanted[c] {
			done[c] = run
		}
	}
	return done
}
