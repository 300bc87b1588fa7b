package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/source/pack"
	"github.com/winnow/winnow/schemas"
)

const (
	// DefaultItemBytes is about half a minute of work for a core, so that a lost
	// worker costs little and a million items hold a crawl of 64 TiB.
	DefaultItemBytes = 64 << 20
	// minItemBytes is where the cost of an item itself (a look for the first
	// record, reading past the end, one shard per table) begins to show.
	minItemBytes = 4 << 20
	// itemsPerWorker evens out items that take longer than others.
	itemsPerWorker = 8
)

// Options say what a run is to be. Inputs and Run are needed.
type Options struct {
	Run    schemas.RunID
	Inputs []string // paths, globs, folders, list files, URLs: see blob.Client.Expand and pack.Packer
	Base   string   // what relative names in list files and indexes are relative to
	// Select chooses records of the inputs that are indexes.
	Select source.Selector
	// Store is where the table of these records is written, and the archives that are made
	// of inputs: the output folder, unless the run is only planned.
	Store  blob.Store
	Out    string // URL of the output folder
	Recipe schemas.Recipe

	// ItemBytes is the size of an item; 0: DefaultItemBytes, or less if Workers
	// is known and would otherwise have nothing to do.
	ItemBytes int64
	Workers   int
	Lease     time.Duration // see queue.DefaultLease

	// KeepGoing leaves files that are missing or cannot be read in the plan as
	// refused, instead of refusing the whole run. A folder or pattern without any
	// archives is then no error: a run may have no files at all.
	KeepGoing bool
	// OnlyNew names output folders of earlier runs, or folders of such folders. The plan
	// leaves out the inputs that one of these runs has done (Run.Skipped), and has the pages
	// that they have extracted (Run.Captures) if Store is set.
	OnlyNew []string
	// Share is the part of the input that the run reads. All shares of one input are runs
	// of their own, each with an aggregator, and read every file once.
	Share Share
	// RetryFailed is the output folder of a finished run. The plan has what that run gave
	// up, instead of Inputs.
	RetryFailed string
	// ListMayLeave reads what list files name wherever it is (blob.ExpandOptions).
	ListMayLeave bool
	// Note is called with a description of the input that is not read (source.FindOptions).
	Note func(string)
	// Trust plans by name and size alone, without a look at the first bytes: for
	// lists of many thousand remote files from a publisher that is known.
	Trust bool
}

// Share is one of Of equal parts of the input, counted from 1. The zero Share is the whole
// input.
type Share struct{ Number, Of int }

// choose returns every Of-th of the files, which must be all files of the input in the order
// of their URLs.
func (s Share) choose(files []source.File) []source.File {
	if s == (Share{}) {
		return files
	}
	var part []source.File
	for i := s.Number - 1; i < len(files); i += s.Of {
		part = append(part, files[i])
	}
	return part
}

// Validate checks what needs no look at the inputs.
func (o *Options) Validate() error {
	if err := o.Run.Check(); err != nil {
		return err
	}
	switch {
	case len(o.Inputs) == 0 && o.RetryFailed == "":
		return errors.New("ingest: no inputs")
	case len(o.Inputs) > 0 && o.RetryFailed != "":
		return errors.New("ingest: a run that does again what another one gave up has no inputs of its own: leave out one of the two")
	case o.ItemBytes < 0:
		return fmt.Errorf("ingest: item size %d: must be positive", o.ItemBytes)
	case o.Share != Share{} && (o.Share.Number < 1 || o.Share.Number > o.Share.Of):
		return fmt.Errorf("ingest: share %d of %d: the first share is 1, the last one %[2]d", o.Share.Number, o.Share.Of)
	case o.Share != Share{} && o.RetryFailed != "":
		return errors.New("ingest: a run that does again what another one gave up cannot be a share of an input: leave out one of the two")
	case o.Workers < 0:
		return fmt.Errorf("ingest: %d workers", o.Workers)
	}
	return nil
}

// Plan looks at the inputs and returns the run, not yet known to anyone. Files
// are in the order of their URLs, each once, whatever the order of the inputs.
// The error names every file that is missing or cannot be read, up to a thousand. If Store
// holds another run, or files that are not of a run, nothing is written there.
func Plan(ctx context.Context, client *blob.Client, opt Options) (*schemas.Run, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	var failed *failed
	if opt.RetryFailed != "" {
		var err error
		if failed, err = findFailed(ctx, client, opt.RetryFailed); err != nil {
			return nil, fmt.Errorf("ingest: retry: %w", err)
		}
		opt.Inputs = failed.inputs
		opt.KeepGoing = true // what cannot be read again is given up again
	}
	if err := refuseOther(ctx, &opt); err != nil {
		return nil, err
	}
	packer := pack.Packer{Blobs: client, Store: opt.Store, Out: opt.Out, Note: opt.Note}
	inputs, refused, err := packer.Replace(ctx, opt.Inputs)
	if err != nil {
		return nil, fmt.Errorf("ingest: %w", err)
	}
	files, err := source.Find(ctx, client, inputs, source.FindOptions{
		ExpandOptions: blob.ExpandOptions{Base: opt.Base, ListMayLeave: opt.ListMayLeave}, Trust: opt.Trust,
		Select: opt.Select, Selections: opt.Store, Note: opt.Note,
	})
	var missing blob.MissingError
	if lacks := (*blob.MissingError)(nil); errors.As(err, &lacks) {
		missing = *lacks
	} else if err != nil {
		return nil, fmt.Errorf("ingest: %w", err)
	}
	files = append(files, refused...)
	if !opt.KeepGoing {
		if err := refusal(missing.Missing, files); err != nil {
			return nil, err
		}
	}
	missing.Missing = slices.DeleteFunc(missing.Missing, func(m blob.Missing) bool {
		empty := errors.Is(m.Err, blob.ErrEmpty)
		if empty && opt.Note != nil {
			opt.Note(m.URL + " holds no archives: the run has no files from there")
		}
		return empty
	})
	files = withMissing(files, missing.Missing)
	if opt.Recipe.Records {
		if err := copyable(files); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(files, func(a, b source.File) int { return cmp.Compare(a.URL, b.URL) })
	whole := make([]string, len(files)) // the URLs of all shares
	for i := range files {
		whole[i] = files[i].URL
	}
	files = opt.Share.choose(files)
	files, skipped, captures, err := skip(ctx, client, opt, files)
	if err != nil {
		return nil, fmt.Errorf("ingest: leave out what earlier runs have done: %w", err)
	}
	run := &schemas.Run{
		Version: schemas.Version, ID: opt.Run, Created: time.Now().UTC().Truncate(time.Second),
		Recipe: opt.Recipe, Hash: opt.Recipe.Digest(), Out: opt.Out,
		Phases: []schemas.Phase{schemas.PhaseExtract}, State: schemas.RunPlanned, Lease: opt.Lease,
		Files: make([]schemas.File, len(files)), Skipped: skipped, Captures: captures,
	}
	if opt.Recipe.Learn != nil {
		run.Phases = schemas.Phases
	}
	run.Phase = run.Phases[0]
	var ranges []schemas.File // files of which the run reads a part
	run.ItemMax = itemBytes(opt, files)
	if failed != nil {
		run.RetryOf, run.Captures = failed.link(), failed.manifest.Run.Captures
		if ranges, err = failed.plan(ctx, client, opt.Store, run.ItemMax); err != nil {
			return nil, fmt.Errorf("ingest: retry: %w", err)
		}
	}
	urls := make([]string, len(files))
	for i := range files {
		urls[i] = files[i].URL
	}
	called := names(urls)
	if opt.Share != (Share{}) {
		run.Share = &schemas.Share{Number: opt.Share.Number, Of: opt.Share.Of, Files: len(whole)}
		called = among(whole, urls) // no two shares have files of one name
	}
	for i, name := range called {
		f := planned(&files[i], run.ItemMax)
		if failed != nil {
			name = cmp.Or(failed.names[f.URL], name)
		}
		if name != schemas.FileNames(f.URL)[0] {
			f.Name = name
		}
		run.Files[i] = f
	}
	run.Files = append(run.Files, ranges...)
	for i := range run.Files {
		f := &run.Files[i]
		if full, ok := client.Granted(f.URL); ok {
			f.Private = true
			grant(run, f.URL, full)
		}
		run.Sealed.Files++
		run.Sealed.Items += f.Items
		run.Sealed.Bytes += f.Length()
	}
	if full, ok := client.Granted(opt.Recipe.Gold); ok {
		grant(run, opt.Recipe.Gold, full)
	}
	return run, nil
}

// copyable returns an error for a file whose records cannot be copied, because no index names
// them or because an archive of ARC records needs a beginning of its own.
func copyable(files []source.File) error {
	for i := range files {
		f := &files[i]
		switch {
		case f.Refused != "":
		case f.Selection == (schemas.Selection{}):
			return fmt.Errorf("ingest: %s: records are copied if an index names them: give an index of the file as INPUT, or leave out --records", f.URL)
		case strings.HasPrefix(f.Selection.Format, "arc"):
			return fmt.Errorf("ingest: %s: records of ARC files cannot be copied: leave out --records", f.URL)
		}
	}
	return nil
}

// grant records the full URL by which a public URL of the run is fetched.
func grant(run *schemas.Run, public, full string) {
	if run.Access == nil {
		run.Access = map[string]string{}
	}
	run.Access[public] = full
}

// planned is a file as the plan has it, cut into items of maxItem to twice maxItem bytes.
func planned(found *source.File, maxItem int64) schemas.File {
	f := schemas.File{URL: found.URL, Size: found.Size, Identity: found.Identity, Within: schemas.Within(found.Within), Selection: found.Selection, Split: found.Split, Items: 1}
	switch {
	case found.Refused != "":
		f.Refused, f.Detail, f.Items = found.Refused, schemas.Shorten(found.Detail, maxDetail), 0
	case f.Split:
		f.Items = int(max(1, f.Size/maxItem))
	}
	return f
}

// maxDetail bounds the characters of what the plan says about a file that is not read.
const maxDetail = 1000

// withMissing adds the inputs that are missing to the files that were found, so that they
// are in the plan as refused. A missing name that another input led to is not added.
func withMissing(files []source.File, missing []blob.Missing) []source.File {
	if len(missing) == 0 {
		return files
	}
	there := make(map[string]bool, len(files))
	for i := range files {
		there[files[i].URL] = true
	}
	for _, m := range missing {
		if there[m.URL] {
			continue
		}
		there[m.URL] = true
		f := source.File{Object: blob.Object{URL: m.URL}, Refused: "unreadable", Err: m.Err}
		if errors.Is(m.Err, blob.ErrNotFound) {
			f.Refused = "missing"
		}
		files = append(files, f)
	}
	return files
}

// itemBytes is the size of the run's items.
func itemBytes(opt Options, files []source.File) int64 {
	if opt.ItemBytes > 0 {
		return opt.ItemBytes
	}
	if opt.Workers == 0 {
		return DefaultItemBytes
	}
	var total int64
	for i := range files {
		if files[i].Refused == "" {
			total += files[i].Size
		}
	}
	return min(max(total/int64(opt.Workers*itemsPerWorker), minItemBytes), DefaultItemBytes)
}

// refusal is one error for all files that are missing, in the order of the inputs,
// and that cannot be read, in the order of their URLs; nil if there is none.
func refusal(missing []blob.Missing, files []source.File) error {
	const show = 1000
	var bad []error
	for _, m := range missing {
		bad = append(bad, m.Err)
	}
	for i := range files {
		if files[i].Err != nil {
			bad = append(bad, files[i].Err)
		}
	}
	n := len(bad)
	if n == 0 {
		return nil
	}
	if n > show {
		bad = append(bad[:show], fmt.Errorf("and %d more", n-show))
	}
	return &RefusedError{Files: n, Of: len(missing) + len(files), err: errors.Join(bad...)}
}

// RefusedError lists the inputs that cannot be read.
type RefusedError struct {
	Files, Of int
	err       error
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("ingest: %d of %d input files are missing or cannot be read:\n%v", e.Files, e.Of, e.err)
}

func (e *RefusedError) Unwrap() error { return e.err }
