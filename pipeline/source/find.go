package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// File is a file of records that an input of a run leads to.
type File struct {
	blob.Object
	Split   bool        // it may be cut into ranges
	Format  warc.Format // FormatUnknown if it was not looked at
	Refused string      // why it is not read, as the failures table says it; "" if it is read
	Err     error       // the same for people

	// Selection is set if an index chose records of the file; Size is then that of these
	// records together.
	Selection schemas.Selection
}

// refused is a file that is not read.
func refused(o blob.Object, reason string, err error) File {
	return File{Object: o, Refused: reason, Err: fmt.Errorf("%s: %w", o.URL, err)}
}

// FindOptions say how inputs are looked for.
type FindOptions struct {
	blob.ExpandOptions
	// Select chooses lines of the inputs that are indexes.
	Select Selector
	// Selections is where the table of the records that indexes name is written. It is
	// needed if there are such inputs.
	Selections blob.Store
	// Note is told, in whole sentences for people, what is left aside or odd. Nil tells
	// nobody.
	Note func(string)
	// Trust judges files by their names alone, without a look at their first bytes. The
	// directory of a WACZ collection is read in any case.
	Trust bool
}

// Find returns the files that inputs lead to (see blob.Client.Expand), sorted by URL, a
// collection replaced by the files in it. Each is looked at, so that what cannot be read
// is known before any work begins; that is no error. The error is a *blob.MissingError,
// beside the files that are there, or one that concerns all inputs.
func Find(ctx context.Context, client *blob.Client, inputs []string, opt FindOptions) ([]File, error) {
	if opt.Note == nil {
		opt.Note = func(string) {}
	}
	var left aside
	opt.Wanted, opt.Aside = hasRecords, left.add
	objects, err := client.Expand(ctx, inputs, opt.ExpandOptions)
	left.tell(opt.Note)
	var missing *blob.MissingError
	if err != nil && !errors.As(err, &missing) {
		return nil, err
	}
	var indexes []blob.Object
	objects = slices.DeleteFunc(objects, func(o blob.Object) bool {
		if (index{}).called(pathOf(o.URL)) {
			indexes = append(indexes, o)
			return true
		}
		return false
	})
	if len(indexes) == 0 && !opt.Select.All() {
		return nil, errNoIndex
	}
	found := make([][]File, len(objects), len(objects)+1)
	g, looking := errgroup.WithContext(ctx)
	g.SetLimit(max(16, 2*runtime.GOMAXPROCS(0))) // it is the network that is waited for
	for i, o := range objects {
		g.Go(func() error {
			found[i] = lookAt(looking, client, o, opt.Trust)
			return looking.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if len(indexes) > 0 {
		chosen, lacking, err := writeSelections(ctx, client, indexes, opt)
		if err != nil {
			return nil, err
		}
		if found = append(found, chosen); len(lacking) > 0 {
			if missing == nil {
				missing = new(blob.MissingError)
			}
			missing.Missing = append(missing.Missing, lacking...)
		}
	}
	files := slices.Concat(found...)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.URL, b.URL) })
	for i := range files {
		if what := odd(&files[i]); what != "" {
			opt.Note(what)
		}
	}
	for i := 1; i < len(files); i++ {
		if files[i].URL == files[i-1].URL {
			return nil, fmt.Errorf("%s is an input, and an index that is an input names records of it: leave out one of the two", files[i].URL)
		}
	}
	if missing != nil {
		return files, missing
	}
	return files, nil
}

var errNoIndex = errors.New("records are to be chosen, and no input is an index (.cdxj, .cdx): give the index of the archives as INPUT")

// probe judges a file of records by its first bytes.
func probe(src warc.Source, o blob.Object) File {
	format, err := warc.Probe(src)
	switch {
	case errors.Is(err, warc.ErrNotWARC) && holdsXZ(src):
		return refused(o, "not-warc", errors.New("it is compressed by xz, which is not read: decompress it (xz -d)"))
	case errors.Is(err, warc.ErrNotWARC):
		return refused(o, "not-warc", err)
	case err != nil:
		return refused(o, "unreadable", err)
	}
	return File{Object: o, Format: format, Split: o.Ranges && format.Splittable()}
}

// pathOf is the path of an object, or of the part that it is of another one, in lower
// case and without the settings that a URL may end in.
func pathOf(objectURL string) string {
	name := objectURL
	if u, err := url.Parse(objectURL); err == nil && u.Path != "" {
		if name = u.Path; u.Fragment != "" {
			name = u.Fragment
		}
	}
	return strings.ToLower(name)
}

// holdsXZ reports whether a file begins as one does that was compressed by xz.
func holdsXZ(src io.ReaderAt) bool {
	head := make([]byte, 6)
	n, _ := src.ReadAt(head, 0) // what cannot be read is no such file
	return string(head[:n]) == "\xfd7zXZ\x00"
}
