// Package verify checks an output folder: that its files are the ones that were committed,
// that its sums add up, and that the tables of the whole run are what its parts give.
//
//	result, err := verify.Run(ctx, store, verify.Options{Blobs: client, Build: build})
//	for _, f := range result.Findings { ... }
//
// A run that goes on is checked as far as it is committed. Nothing is written to the
// output folder, and nothing outside it is opened: the inputs are not read, whatever the
// manifest states about them. What cannot be verified because the store or a network fails is
// an error of Run; what is wrong with the folder is a Finding.
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
)

var kinds = []Kind{Manifest, Conservation, Part, Stray, Table}

// Finding is one thing that is wrong.
type Finding struct {
	Kind   Kind   `json:"kind"`
	Object string `json:"object"` // the file, part or item
	Detail string `json:"detail"`
}

// Result is what was checked and what was found.
type Result struct {
	Run      schemas.RunID `json:"run,omitempty"`
	Out      string        `json:"out"`
	Build    string        `json:"build,omitempty"` // version of the program that planned the run
	Finished bool          `json:"finished"`
	Parts    int           `json:"parts"`
	Files    int           `json:"files"` // whose digests were computed
	Bytes    int64         `json:"bytes"` // bytes of these files
	Tables   []string      `json:"tables,omitempty"`
	Findings []Finding     `json:"findings"`
}

// Options of a check.
type Options struct {
	Blobs *blob.Client // opens the temporary folder of the tables that are made again
	Build string       // the version of this program
}

// verifier is a check that goes on.
type verifier struct {
	Options
	store    blob.Store
	manifest *schemas.Manifest
	result   *Result

	mu      sync.Mutex // guards the findings and damaged
	damaged bool       // a committed file cannot be used
}

// Run checks the output folder store.
func Run(ctx context.Context, store blob.Store, opt Options) (*Result, error) {
	v := &verifier{Options: opt, store: store,
		result: &Result{Out: store.URL(), Findings: []Finding{}}}
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
	for _, check := range []func(context.Context) error{v.marker, v.sums, v.files, v.strays, v.recompute} {
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
