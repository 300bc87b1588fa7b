package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// ErrNothingFailed means that a run has no dead letter and refused no file, so that there is
// nothing to retry.
var ErrNothingFailed = errors.New("nothing failed in the run")

// failed describes what an earlier run gave up.
type failed struct {
	manifest *schemas.Manifest
	out      blob.Store
	inputs   []string          // files that it refused when it was planned
	names    map[string]string // names of these files in the tables, by URL
	ranges   []schemas.File    // ranges that it gave up in files that it did read, in the order of its plan
}

// link names the run.
func (f *failed) link() *schemas.RunLink {
	run := &f.manifest.Run
	l := &schemas.RunLink{Run: run.ID, Out: f.out.URL(), Files: run.Sealed.Files}
	switch {
	case run.RetryOf != nil:
		l.Files = run.RetryOf.Files
	case run.Share != nil:
		l.Files = run.Share.Files
	}
	return l
}

// Finished reads the manifest of a finished run. Without one the error says what to do.
func Finished(ctx context.Context, client *blob.Client, out string) (*schemas.Manifest, error) {
	store, err := client.Store(ctx, out)
	if err != nil {
		return nil, err
	}
	m, err := Manifest(ctx, store)
	switch {
	case errors.Is(err, blob.ErrNotFound):
		return nil, fmt.Errorf("%s: no run is here (it has no %s)", out, schemas.ManifestFile)
	case err != nil:
		return nil, err
	case m.Finished.IsZero():
		return nil, fmt.Errorf("%s: run %s is not finished: go on with it first", out, m.Run.ID)
	}
	return m, nil
}

// findFailed returns what the run in an output folder gave up: whole files that were
// refused, ranges of items that were given up, and single records. Bytes that were read
// and are damaged are not among them, because they would be the same again.
func findFailed(ctx context.Context, client *blob.Client, out string) (*failed, error) {
	m, err := Finished(ctx, client, out)
	if err != nil {
		return nil, err
	}
	f := &failed{manifest: m, names: map[string]string{}}
	if f.out, err = client.Store(ctx, out); err != nil {
		return nil, err
	}
	for i := range m.Run.Files {
		if file := &m.Run.Files[i]; file.Refused != "" {
			f.inputs = append(f.inputs, file.URL)
			f.names[file.URL] = cmp.Or(file.Name, schemas.FileNames(file.URL)[0])
		}
	}
	for i := range m.Parts {
		p := &m.Parts[i]
		if err := f.part(ctx, p); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(f.ranges, func(a, b schemas.File) int {
		return cmp.Or(cmp.Compare(a.URL, b.URL), cmp.Compare(a.Range.Start, b.Range.Start))
	})
	// Items that were given up one after the other are one range.
	var joined []schemas.File
	for _, r := range f.ranges {
		if n := len(joined); n > 0 && joined[n-1].URL == r.URL && r.Range.Start <= joined[n-1].Range.End {
			joined[n-1].Range.End = max(joined[n-1].Range.End, r.Range.End)
			continue
		}
		joined = append(joined, r)
	}
	f.ranges = joined
	if len(f.inputs)+len(f.ranges) == 0 {
		return nil, fmt.Errorf("%s: run %s: %w", out, m.Run.ID, ErrNothingFailed)
	}
	return f, nil
}

// part adds the ranges that the failures of a part name.
func (f *failed) part(ctx context.Context, p *schemas.Part) error {
	files := map[string][]int{} // indexes of the part's files, by URL
	for _, c := range p.Items {
		u := f.manifest.Run.Files[c.File].URL
		if !slices.Contains(files[u], c.File) {
			files[u] = append(files[u], c.File)
		}
	}
	var rows []schemas.Failure // about items that were given up, and records that ended the process of a worker
	for row, err := range tables.PartRows(ctx, f.out, columnar.Failures, p) {
		if err != nil {
			return err
		}
		if row.Stage == "item" || crashed(row) {
			rows = append(rows, *row)
		}
	}
	rows, err := f.separate(ctx, p, rows)
	if err != nil {
		return err
	}
	for _, row := range rows {
		for _, i := range files[row.File] {
			file := f.manifest.Run.Files[i]
			start, end := file.Bounds()
			// The ranges of a selection are not those of its records in the file.
			if row.Offset < start || row.Offset >= end || row.Length <= 0 || crashed(&row) && file.Selection != (schemas.Selection{}) {
				continue
			}
			file.Range = schemas.Range{Start: row.Offset, End: min(row.Offset+row.Length, end)}
			f.ranges = append(f.ranges, file)
		}
	}
	return nil
}

// crashed reports whether a row is about a record that ended the process of a worker.
func crashed(row *schemas.Failure) bool { return row.Stage == "record" && row.Reason == "crash" }

// separate leaves out records that share a compressed unit with a page: reading the unit
// again would give the rows of that page twice.
func (f *failed) separate(ctx context.Context, p *schemas.Part, rows []schemas.Failure) ([]schemas.Failure, error) {
	type unit struct {
		file   string
		offset int64
	}
	single := map[unit]bool{}
	for i := range rows {
		if r := &rows[i]; crashed(r) {
			at := unit{r.File, r.Offset}
			_, twice := single[at]
			single[at] = !twice
		}
	}
	if len(single) == 0 {
		return rows, nil
	}
	for row, err := range tables.PartRows(ctx, f.out, columnar.Pages, p) {
		if err != nil {
			return nil, err
		}
		if at := (unit{row.File, row.Offset}); single[at] {
			single[at] = false
		}
	}
	return slices.DeleteFunc(rows, func(r schemas.Failure) bool { return crashed(&r) && !single[unit{r.File, r.Offset}] }), nil
}

// plan returns the ranges as files of a new run, cut into items of maxItem to twice maxItem
// bytes. An input that has changed since is an error: the ranges would be of other bytes.
func (f *failed) plan(ctx context.Context, client *blob.Client, store blob.Store, maxItem int64) ([]schemas.File, error) {
	var names []string
	for _, r := range f.ranges {
		if r.Within == (schemas.Within{}) && !slices.Contains(names, r.URL) {
			names = append(names, r.URL)
		}
	}
	objects, faults, err := client.StatAll(ctx, names)
	if err != nil {
		return nil, err
	}
	var changed []error
	for i, name := range names {
		switch j := slices.IndexFunc(f.ranges, func(r schemas.File) bool { return r.URL == name }); {
		case faults[i] != nil:
			changed = append(changed, faults[i])
		case objects[i].Identity != f.ranges[j].Identity:
			changed = append(changed, fmt.Errorf("%s has changed since run %s: it is a new input, which a run with --only-new reads", name, f.manifest.Run.ID))
		}
	}
	if len(changed) > 0 {
		return nil, errors.Join(changed...)
	}
	for i := range f.ranges {
		r := &f.ranges[i]
		if start, end := r.Range.Start, r.Range.End; start == 0 && end == r.Size {
			r.Range = schemas.Range{}
		}
		if r.Items = 1; r.Split {
			r.Items = int(max(1, r.Length()/maxItem))
		}
		if r.Selection == (schemas.Selection{}) || store == nil {
			continue
		}
		// The table that names the records is part of the output folder of each run.
		if err := blob.Transfer(ctx, f.out, store, r.Selection.Table); err != nil {
			return nil, err
		}
	}
	if c := f.manifest.Run.Captures; c != nil && store != nil {
		return f.ranges, blob.Transfer(ctx, f.out, store, c.Name)
	}
	return f.ranges, nil
}

// TakenUpError means that another run does again what a run gave up.
type TakenUpError struct {
	Of, By schemas.RunLink
}

func (e *TakenUpError) Error() string {
	return fmt.Sprintf("ingest: what run %s gave up is done again by run %s in %s: go on with that run, by its name, or retry what it gave up itself (--retry-failed %s)",
		e.Of.Run, e.By.Run, e.By.Out, e.By.Out)
}

// TakeUp makes a run the only one that does again what the run that it retries gave up. It
// may be repeated for the same run. For another run the error is a *TakenUpError. It does
// nothing for a run that retries none.
func TakeUp(ctx context.Context, client *blob.Client, run *schemas.Run) error {
	if run.RetryOf == nil {
		return nil
	}
	store, err := client.Store(ctx, run.RetryOf.Out)
	if err != nil {
		return err
	}
	me := schemas.RunLink{Run: run.ID, Out: run.Out}
	data, err := json.MarshalIndent(&me, "", " ")
	if err != nil {
		return err
	}
	_, err = blob.WriteNew(ctx, store, schemas.RetriedFile, append(data, '\n'))
	if !errors.Is(err, blob.ErrExists) {
		return err
	}
	by, err := TakenUp(ctx, store)
	if err == nil && *by != me {
		err = &TakenUpError{Of: *run.RetryOf, By: *by}
	}
	return err
}

// TakenUp returns the run that does again what the run of an output folder gave up. It is
// blob.ErrNotFound if there is none.
func TakenUp(ctx context.Context, store blob.Store) (*schemas.RunLink, error) {
	data, err := blob.ReadAll(ctx, store, schemas.RetriedFile, 1<<20)
	if err != nil {
		return nil, err
	}
	by := new(schemas.RunLink)
	if err := json.Unmarshal(data, by); err != nil {
		return nil, fmt.Errorf("ingest: %s: %w", blob.Below(store.URL(), schemas.RetriedFile), err)
	}
	return by, nil
}
