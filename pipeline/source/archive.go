package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// isArchive says whether an input is, or leads to, crawl archives: a folder, a list, a
// file called like an archive, or one that holds records.
func isArchive(name string, info fs.FileInfo) (bool, error) {
	switch {
	case info.IsDir(), blob.IsArchive(name), blob.IsList(name):
		return true, nil
	case hasPageName(name):
		return false, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	return holdsRecords(io.NewSectionReader(f, 0, info.Size()))
}

// holdsRecords says whether a file is an archive, or a collection of archives, by its
// bytes. A file of a known format that is not read is an archive, too: it is refused when
// it is opened.
func holdsRecords(file warc.Source) (bool, error) {
	if zipped, err := holdsZip(file); zipped || err != nil {
		return zipped, err
	}
	format, err := warc.Probe(file)
	switch {
	case errors.Is(err, warc.ErrNotWARC):
		return false, nil
	case err == nil || format != warc.FormatUnknown:
		return true, nil
	}
	return false, err
}

// archives is the pages of crawl archives: one, a folder of them, a pattern, a list.
func (in *Inputs) archives(ctx context.Context, name string) iter.Seq2[*Page, error] {
	return func(yield func(*Page, error) bool) {
		objects, err := in.Blobs.Expand(ctx, []string{name}, blob.ExpandOptions{ListMayLeave: in.ListMayLeave})
		var missing *blob.MissingError
		switch {
		case errors.As(err, &missing) && len(objects) > 0:
			for _, m := range missing.Missing {
				f := schemas.Failure{Offset: -1, Stage: "read", Reason: "missing", Severity: warc.Lost.String(), Detail: m.Err.Error()}
				if !yield(nil, &Failure{m.URL, f}) {
					return
				}
			}
		case err != nil:
			yield(nil, err)
			return
		}
		for _, o := range objects {
			if !in.object(ctx, o, yield) {
				return
			}
		}
	}
}

// object yields the pages of one object: of an archive, or of those in a collection. It
// returns whether to go on.
func (in *Inputs) object(ctx context.Context, o blob.Object, yield func(*Page, error) bool) bool {
	file, err := in.Blobs.Open(ctx, o)
	if err != nil {
		yield(nil, err)
		return false
	}
	defer file.Close() // it was only read
	zipped, err := holdsZip(file)
	if err != nil {
		yield(nil, fmt.Errorf("%s: %w", o.URL, err))
		return false
	}
	if zipped || isWACZ(pathOf(o.URL)) {
		parts, err := partsOf(file, o)
		if err != nil {
			yield(nil, fmt.Errorf("%s: %w", o.URL, err))
			return false
		}
		for _, p := range parts {
			if p.Refused != "" {
				yield(nil, p.Err)
				return false
			}
			if !in.object(ctx, p.Object, yield) {
				return false
			}
		}
		return true
	}
	file.Expect(o.Size)
	more := true
	for p, err := range in.archive(ctx, o.URL, file) {
		var f *Failure
		if more = yield(p, err) && (err == nil || errors.As(err, &f)); !more {
			break
		}
	}
	return more
}

// archive is the pages of one file.
func (in *Inputs) archive(ctx context.Context, name string, file warc.Source) iter.Seq2[*Page, error] {
	format, err := warc.Probe(file)
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
