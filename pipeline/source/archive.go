package source

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// archive is the format of WARC and ARC files, compressed or not.
type archive struct{}

var _ recordFormat = archive{}

// archiveSuffixes are the suffixes of the names by which archives are found in folders.
var archiveSuffixes = []string{".warc", ".warc.gz", ".warc.zst", ".warc.bz2", ".warc.lz4", ".arc", ".arc.gz"}

func (archive) Name() string  { return "archive" }
func (archive) Alone() bool   { return false }
func (archive) aside() string { return "" }

func (archive) called(name string) bool {
	return slices.ContainsFunc(archiveSuffixes, func(s string) bool { return strings.HasSuffix(name, s) })
}

// holds implements recordFormat. A file in a known format that cannot be read is an archive
// too, and is refused when it is opened.
func (archive) holds(file warc.Source) (bool, error) {
	format, err := warc.Probe(file)
	switch {
	case errors.Is(err, warc.ErrNotWARC):
		return false, nil
	case err == nil || format != warc.FormatUnknown:
		return true, nil
	}
	return false, err
}

func (archive) pages(ctx context.Context, in *Inputs, name string) iter.Seq2[*Page, error] {
	return in.archives(ctx, name)
}

func (archive) files(_ context.Context, _ *blob.Client, file warc.Source, o blob.Object, _ bool) []File {
	return []File{probe(file, o)}
}

// archiveByName returns an archive of which only the name is known. If a file is cut into ranges
// although its format does not allow it, that costs time, but no record: its first item
// then does all the work.
func archiveByName(o blob.Object) File {
	cannot := slices.Contains([]string{".zst", ".zstd", ".bz2", ".lz4", ".xz"}, path.Ext(pathOf(o.URL)))
	return File{Object: o, Split: o.Ranges && !cannot}
}

// archives yields the pages of all files of records to which an input leads. The input
// may be one file, a folder, a pattern or a list.
func (in *Inputs) archives(ctx context.Context, name string) iter.Seq2[*Page, error] {
	return func(yield func(*Page, error) bool) {
		var left aside
		opt := in.find().ExpandOptions
		opt.Wanted, opt.Aside = hasRecords, left.add
		objects, err := in.Blobs.Expand(ctx, []string{name}, opt)
		if in.Note != nil {
			left.tell(leftAside, in.Note)
		}
		var missing *blob.MissingError
		switch {
		case errors.As(err, &missing) && len(objects) > 0:
			if !in.missing(missing.Missing, yield) {
				return
			}
		case err != nil:
			yield(nil, err)
			return
		}
		var lists []blob.Object
		indexes := 0
		for _, o := range objects {
			if isIndex(o) {
				lists = append(lists, o)
				continue
			}
			found := [][]File{lookAt(ctx, in.Blobs, o, false)}
			collections := withIndexes(found, in.Select)
			indexes += len(collections)
			if more := in.files(ctx, found[0], yield) && (len(collections) == 0 || in.chosen(ctx, nil, collections, yield)); !more {
				return
			}
		}
		switch {
		case len(lists) > 0:
			in.chosen(ctx, lists, nil, yield)
		case indexes == 0 && !in.Select.All():
			yield(nil, errNoIndex)
		}
	}
}

// errStopped ends the reading of indexes when the caller wants no more pages.
var errStopped = errors.New("no more pages are asked for")

// chosen yields the pages that indexes name, and those of the archives in collections that
// are read completely. It returns whether the caller wants more.
func (in *Inputs) chosen(ctx context.Context, lists []blob.Object, collections [][]File, yield func(*Page, error) bool) bool {
	x, err := newIndexes(ctx, in.Blobs, lists, collections, in.find())
	if err != nil {
		yield(nil, err)
		return false
	}
	defer x.picks.Close()
	missing, err := x.each(ctx, func(f File, s *selection) error {
		file, err := in.Blobs.Open(ctx, f.Object)
		if err != nil {
			return err
		}
		defer file.Close() // it was only read
		records := &selected{Source: file, sel: s, format: f.Format}
		records.Expect(records.Size())
		if !in.yield(ctx, f.URL, records, yield) {
			return errStopped
		}
		return nil
	})
	if err != nil {
		if !errors.Is(err, errStopped) {
			yield(nil, err)
		}
		return false
	}
	for _, f := range x.refused {
		lost := schemas.Failure{Offset: -1, Stage: "file", Reason: f.Refused, Severity: warc.Lost.String(), Detail: f.Err.Error()}
		if !yield(nil, &Failure{f.URL, lost}) {
			return false
		}
	}
	return in.files(ctx, x.completely(), yield) && in.missing(missing, yield)
}

// missing yields an error for each missing input. It returns false if the caller wants no
// more.
func (in *Inputs) missing(list []blob.Missing, yield func(*Page, error) bool) bool {
	for _, m := range list {
		f := schemas.Failure{Offset: -1, Stage: "read", Reason: "missing", Severity: warc.Lost.String(), Detail: m.Err.Error()}
		if !yield(nil, &Failure{m.URL, f}) {
			return false
		}
	}
	return true
}

// find returns the options with which inputs are found.
func (in *Inputs) find() FindOptions {
	return FindOptions{ExpandOptions: blob.ExpandOptions{Base: in.Base, ListMayLeave: in.ListMayLeave}, Select: in.Select, Note: in.Note}
}

// files yields the pages of files that are read completely. It returns whether the caller
// wants more.
func (in *Inputs) files(ctx context.Context, files []File, yield func(*Page, error) bool) bool {
	for _, f := range files {
		if f.Refused != "" {
			yield(nil, f.Err)
			return false
		}
		file, err := in.Blobs.Open(ctx, f.Object)
		if err != nil {
			yield(nil, err)
			return false
		}
		file.Expect(f.Size)
		more := in.yield(ctx, f.URL, file, yield)
		file.Close() // it was only read
		if !more {
			return false
		}
	}
	return true
}

// yield yields the pages of a file. It returns whether the caller wants more.
func (in *Inputs) yield(ctx context.Context, name string, file warc.Source, yield func(*Page, error) bool) bool {
	more := true
	for p, err := range in.archive(ctx, name, file) {
		var f *Failure
		if more = yield(p, err) && (err == nil || errors.As(err, &f)); !more {
			break
		}
	}
	return more
}

// archive returns the pages of one file.
func (in *Inputs) archive(ctx context.Context, name string, file warc.Source) iter.Seq2[*Page, error] {
	var format warc.Format
	var err error
	if _, chosen := file.(*selected); !chosen {
		format, err = warc.Probe(file)
	}
	if err == nil {
		opt := in.Options
		opt.Name, opt.Format = name, format
		err = in.warc.Reset(file, Range{End: file.Size()}, opt)
	}
	if err != nil {
		return broken(fmt.Errorf("%s: %w", name, err))
	}
	return Pages(ctx, name, &in.warc)
}
