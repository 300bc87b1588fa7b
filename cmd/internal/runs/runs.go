// Package runs finds the output folders of runs, and deletes them.
package runs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
)

// Summary is a run as its output folder shows it.
type Summary struct {
	Run     schemas.RunID    `json:"run"`
	Out     string           `json:"out"`
	State   schemas.RunState `json:"state"` // done, canceled, failed, or active
	Phase   schemas.Phase    `json:"phase"`
	Files   int              `json:"files"`
	Items   int              `json:"items"`
	Settled int              `json:"settled"` // items that are accepted or dead
	Dead    int              `json:"dead"`
	Pages   int64            `json:"pages"`
	Refused int64            `json:"refused"` // records
	Skipped int              `json:"skipped"` // files that earlier runs have done
	Started time.Time        `json:"started"`
	Ended   time.Time        `json:"ended,omitzero"`
	RetryOf schemas.RunID    `json:"retry_of,omitempty"`
	// Problem is the reason why the folder cannot be read. Only Out is set besides.
	Problem string `json:"problem,omitempty"`
}

// readers bounds the manifests that are in memory at once.
const readers = 4

// List returns the runs whose output folder is root, or lies directly in it, the oldest
// first.
func List(ctx context.Context, client *blob.Client, root string) ([]Summary, error) {
	store, err := client.Store(ctx, root)
	if err != nil {
		return nil, err
	}
	folders, err := store.Folders(ctx) // the files of a large run are too many to list
	if err != nil {
		return nil, err
	}
	outs := []string{store.URL()}
	for _, folder := range folders {
		outs = append(outs, blob.Below(store.URL(), folder))
	}
	list := make([]Summary, len(outs))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(readers)
	for i, out := range outs {
		g.Go(func() error {
			store, err := client.Store(ctx, out)
			if err != nil {
				return err
			}
			m, err := manifest.Load(ctx, store)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case errors.Is(err, blob.ErrNotFound): // no folder of a run
			case err != nil:
				list[i] = Summary{Out: out, Problem: err.Error()}
			default:
				if list[i], err = Of(ctx, store, m); err != nil {
					list[i] = Summary{Out: out, Problem: err.Error()}
				}
			}
			return nil
		})
	}
	err = g.Wait()
	list = slices.DeleteFunc(list, func(s Summary) bool { return s.Out == "" })
	slices.SortStableFunc(list, func(a, b Summary) int { return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.Out, b.Out)) })
	return list, err
}

// Of returns the Summary of a run. store is its output folder.
func Of(ctx context.Context, store blob.Store, m *schemas.Manifest) (Summary, error) {
	s := Summary{Run: m.Run.ID, Out: store.URL(), State: schemas.RunActive, Phase: m.Run.Phase, Files: len(m.Run.Files), Items: m.Run.Items(),
		Skipped: len(m.Run.Skipped), Started: m.Started, Ended: m.Finished}
	var ended *manifest.EndedError
	if !m.Finished.IsZero() {
		s.State = schemas.RunDone
	} else if err := manifest.Ended(ctx, store); errors.As(err, &ended) {
		s.State, s.Ended = ended.State, ended.Time
	} else if err != nil {
		return s, err
	}
	if m.Run.RetryOf != nil {
		s.RetryOf = m.Run.RetryOf.Run
	}
	for i := range m.Parts {
		p := &m.Parts[i]
		s.Settled += len(p.Items)
		for _, c := range p.Items {
			if c.Dead {
				s.Dead++
			}
		}
		s.Pages += p.Counts.Pages
		s.Refused += account.Sum(p.Counts.Refused)
	}
	return s, nil
}

// Deleted counts what Delete did.
type Deleted struct {
	Run   schemas.RunID `json:"run"`
	Out   string        `json:"out"`
	Files int           `json:"files"`
	Bytes int64         `json:"bytes"`
	// Left is the number of files in the folder that are not of the run, and LeftFiles
	// names the first of them.
	Left      int      `json:"left"`
	LeftFiles []string `json:"left_files,omitempty"`
}

// leftShown bounds Deleted.LeftFiles.
const leftShown = 100

// files are what a run writes directly into its folder, except for the manifest, and
// folders have files that schemas.Run.Writes knows.
var (
	files = []string{schemas.SuccessFile, schemas.PackagesFile, schemas.SpeedFile, schemas.AgreementFile, schemas.FailuresFile, schemas.TemplateIndexFile,
		schemas.DuplicatesFile, schemas.RetriedFile, schemas.EndedFile, "report.html"}
	folders = []string{schemas.CommitsFolder, schemas.ShardFolder, schemas.InputsFolder, schemas.SelectionFolder, schemas.PushedFolder}
)

// Delete removes the files of a run from its output folder, those that mark it as
// finished first and the manifest last, so that it can be repeated after an interruption.
// Other files stay, also those in the folders of the run. If the run has retried another one, that one can be retried again.
func Delete(ctx context.Context, client *blob.Client, store blob.Store, m *schemas.Manifest) (*Deleted, error) {
	d := &Deleted{Run: m.Run.ID, Out: store.URL()}
	sweep := func() error {
		sweeper, ok := store.(blob.Sweeper)
		if !ok {
			return nil
		}
		empty := slices.Clone(folders)
		for _, t := range schemas.PartTables {
			empty = append(empty, string(t))
		}
		return sweeper.Sweep(ctx, empty...)
	}
	if err := sweep(); err != nil { // such as a folder that is a link out of the output folder: nothing is deleted yet
		return nil, err
	}
	all, err := store.List(ctx, "")
	if err != nil {
		return nil, err
	}
	// What is committed is recorded. The files of parts that were not committed, and of the
	// other folders, are known by their names.
	committed := map[string]bool{}
	for i := range m.Parts {
		for _, f := range m.Parts[i].Files {
			committed[f.Name] = true
		}
	}
	mine := func(name string) bool { return slices.Contains(files, name) || committed[name] || m.Run.Writes(name) }
	slices.SortStableFunc(all, func(a, b blob.Info) int { return cmp.Compare(rank(a.Name), rank(b.Name)) })
	for _, f := range all {
		if f.Name != schemas.ManifestFile && !mine(f.Name) {
			if d.Left++; d.Left <= leftShown {
				d.LeftFiles = append(d.LeftFiles, f.Name)
			}
			continue
		}
		if f.Name == schemas.ManifestFile {
			if err := letGo(ctx, client, m); err != nil {
				return nil, err
			}
		}
		if err := store.Delete(ctx, f.Name); err != nil {
			return nil, fmt.Errorf("runs: delete %s: %w", store.URL(), err)
		}
		d.Files++
		d.Bytes += f.Size
	}
	return d, sweep()
}

// rank is the position of a file in the order of deletion.
func rank(name string) int {
	switch name {
	case schemas.SuccessFile:
		return 0
	case schemas.ManifestFile:
		return 2
	}
	return 1
}

// letGo removes the note of the run that m retries, if the note is about m.
func letGo(ctx context.Context, client *blob.Client, m *schemas.Manifest) error {
	if m.Run.RetryOf == nil {
		return nil
	}
	store, err := client.Store(ctx, m.Run.RetryOf.Out)
	if err != nil {
		return err
	}
	data, err := blob.ReadAll(ctx, store, schemas.RetriedFile, 1<<20)
	if errors.Is(err, blob.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	var by schemas.RunLink
	if err := json.Unmarshal(data, &by); err != nil || by.Run != m.Run.ID || by.Out != m.Run.Out {
		return nil // it is of another run
	}
	return store.Delete(ctx, schemas.RetriedFile)
}
