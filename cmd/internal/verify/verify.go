// Package verify checks an output folder: that its files are the ones that were committed,
// that its sums add up, and that the work on a random sample of its items, done again,
// gives the same rows.
//
//	result, err := verify.Run(ctx, store, verify.Options{Blobs: client, Task: task, Build: build, Sample: 4, Seed: 1})
//	for _, f := range result.Findings { ... }
//
// A run that goes on is checked as far as it is committed. Nothing is written to the
// output folder. What cannot be verified because the store or a network fails is an
// error of Run; what is wrong with the folder, or with the inputs, is a Finding.
//
// Limits: the inputs of items that are not in the sample are not looked at. Templates of
// sites are taken as they are; they are not learned again. Items with a record that ended
// a worker's process are left out of the sample.
package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
)

// Kind is what a finding is about.
type Kind string

// The kinds of findings, in the order in which a Result has them.
const (
	Manifest     Kind = "manifest"     // it contradicts itself, or cannot be read
	Conservation Kind = "conservation" // its sums do not add up
	Part         Kind = "part"         // a committed file is missing, or has other bytes
	Stray        Kind = "stray"        // a file in the folder of a table that no part names
	Table        Kind = "table"        // a table of the whole run is not what its parts give
	Program      Kind = "program"      // this program is not the version that made the run
	Input        Kind = "input"        // an input cannot be read again as it was
	Rows         Kind = "rows"         // the item gives other rows now
)

var kinds = []Kind{Manifest, Conservation, Part, Stray, Table, Program, Input, Rows}

// Finding is one thing that is wrong.
type Finding struct {
	Kind   Kind   `json:"kind"`
	Object string `json:"object"` // the file, table or item
	Detail string `json:"detail"`
}

// Result is what was checked and what was found.
type Result struct {
	Run      schemas.RunID    `json:"run,omitempty"`
	Out      string           `json:"out"`
	Build    string           `json:"build,omitempty"` // that planned the run
	Finished bool             `json:"finished"`
	Parts    int              `json:"parts"`
	Files    int              `json:"files"` // whose digests were computed
	Bytes    int64            `json:"bytes"` // of these files
	Tables   []string         `json:"tables,omitempty"`
	Items    int              `json:"items"` // that could be in the sample
	Seed     uint64           `json:"seed"`
	Sample   []schemas.ItemID `json:"sample,omitempty"` // the items that were carried out again
	Pages    int64            `json:"pages"`            // of the sample
	Compared int64            `json:"rows"`             // of all tables, that the sample gave again
	Findings []Finding        `json:"findings"`
}

// Options of a check. Blobs is needed, and Task for a sample.
type Options struct {
	Blobs *blob.Client
	// Task carries out the items of the phase extract.
	Task worker.Task
	// Build is the version of this program.
	Build string
	// Sample is the number of items that are carried out again; 0 for none.
	Sample int
	// Seed chooses the items: with the same seed, the same run gives the same sample.
	Seed uint64
}

// verifier is a check that goes on.
type verifier struct {
	Options
	store    blob.Store
	scratch  overlay
	manifest *schemas.Manifest
	result   *Result

	mu     sync.Mutex          // guards the findings and damaged
	damage map[string]struct{} // names of files that cannot be used
}

// Run checks the output folder store.
func Run(ctx context.Context, store blob.Store, opt Options) (*Result, error) {
	v := &verifier{Options: opt, store: store, damage: map[string]struct{}{},
		result: &Result{Out: store.URL(), Seed: opt.Seed, Findings: []Finding{}}}
	m, err := tables.Manifest(ctx, store)
	switch {
	case err == nil:
	case errors.Is(err, blob.ErrNotFound), errors.Is(err, blob.ErrTransient), errors.Is(err, blob.ErrDenied), ctx.Err() != nil:
		return nil, err
	default:
		v.find(Manifest, schemas.ManifestFile, "%v", err)
		return v.result, nil
	}
	v.manifest = m
	v.result.Run, v.result.Build, v.result.Finished, v.result.Parts = m.Run.ID, m.Run.Recipe.Build, !m.Finished.IsZero(), len(m.Parts)
	if v.Build != m.Run.Recipe.Build {
		v.find(Program, v.Build, "the run was made by version %s of this program: rows may differ for this reason", m.Run.Recipe.Build)
	}
	for _, check := range []func(context.Context) error{v.marker, v.sums, v.files, v.strays, v.again} {
		if err := check(ctx); err != nil {
			return nil, fmt.Errorf("verify: %s: %w", store.URL(), err)
		}
	}
	slices.SortStableFunc(v.result.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)), cmp.Compare(a.Object, b.Object))
	})
	return v.result, nil
}

func (v *verifier) find(kind Kind, object, format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.result.Findings = append(v.result.Findings, Finding{kind, object, fmt.Sprintf(format, args...)})
}

// again does work again: it makes the tables of the whole run from the parts, and the rows
// of the sample from the inputs. What it writes goes to a temporary folder.
func (v *verifier) again(ctx context.Context) (err error) {
	scratch, discard, err := newOverlay(ctx, v.Blobs, v.store)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, discard()) }()
	v.scratch = scratch
	if err := v.recompute(ctx); err != nil {
		return err
	}
	return v.rerun(ctx)
}
