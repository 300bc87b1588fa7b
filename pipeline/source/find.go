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

// File is a file of records to which an input of a run leads.
type File struct {
	blob.Object
	Split   bool        // it may be cut into ranges
	Format  warc.Format // FormatUnknown if the file's bytes were not examined
	Refused string      // reason why the file is not read, as in the failures table; "" if it is read
	Err     error       // the same reason as an error; nil if the run may begin without the file
	Detail  string      // more about the reason, "" if there is no more

	// Selection is set if an index chose records of the file. Size is then the total size
	// of these records.
	Selection schemas.Selection

	lists []listing // the indexes of the collection of which the file is a part
}

// refused returns a File that is not read.
func refused(o blob.Object, reason string, err error) File {
	return File{Object: o, Refused: reason, Err: fmt.Errorf("%s: %w", o.URL, err)}
}

// FindOptions describe how inputs are found.
type FindOptions struct {
	blob.ExpandOptions
	// Select chooses lines of the inputs that are indexes, and of the indexes in
	// collections.
	Select Selector
	// Selections is the store to which the table of the records that indexes name is
	// written. It is needed if some inputs are indexes or collections with indexes.
	Selections blob.Store
	// Note is called with a sentence about each kind of file that is not read or is odd.
	// It may be nil.
	Note func(string)
	// Trust determines the formats of files by their names alone, without reading their
	// first bytes. The directory of a WACZ collection is read in any case.
	Trust bool
}

// Find returns the files to which inputs lead (see blob.Client.Expand), sorted by URL. A
// collection is replaced by the files in it. Each file is examined, so that files that
// cannot be read are known before any work begins; such a file is refused and is not an
// error. If inputs are missing, Find returns the files that exist and a
// *blob.MissingError. Any other error concerns all inputs.
func Find(ctx context.Context, client *blob.Client, inputs []string, opt FindOptions) ([]File, error) {
	if opt.Note == nil {
		opt.Note = func(string) {}
	}
	var left aside
	opt.Wanted, opt.Aside = hasRecords, left.add
	objects, err := client.Expand(ctx, inputs, opt.ExpandOptions)
	left.tell(leftAside, opt.Note)
	var missing *blob.MissingError
	if err != nil && !errors.As(err, &missing) {
		return nil, err
	}
	var indexes []blob.Object
	objects = slices.DeleteFunc(objects, func(o blob.Object) bool {
		if isIndex(o) {
			indexes = append(indexes, o)
			return true
		}
		return false
	})
	found := make([][]File, len(objects), len(objects)+1)
	g, looking := errgroup.WithContext(ctx)
	g.SetLimit(max(16, 2*runtime.GOMAXPROCS(0))) // the time is spent waiting for the network
	for i, o := range objects {
		g.Go(func() error {
			found[i] = lookAt(looking, client, o, opt.Trust)
			return looking.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	collections := withIndexes(found, opt.Select)
	if len(indexes)+len(collections) == 0 && !opt.Select.All() {
		return nil, errNoIndex
	}
	if len(indexes)+len(collections) > 0 {
		chosen, lacking, err := writeSelections(ctx, client, indexes, collections, opt)
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
	var doubtful aside
	for i := range files {
		if why := odd(&files[i]); why != "" {
			doubtful.because(why, files[i].URL)
		}
	}
	doubtful.tell("read, though they may hold no pages", opt.Note)
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

var errNoIndex = errors.New("records are to be chosen, and no input is an index (.cdxj, .cdx, .parquet, .csv) or a WACZ collection that holds one: give the index of the archives as INPUT")

// probe determines the format of a file of records from its first bytes.
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

// pathOf returns the path of an object in lower case, without the settings in which a
// URL may end. If the object is a part of another one, it returns the path of the part.
func pathOf(objectURL string) string { return strings.ToLower(fullPath(objectURL)) }

// fullPath is pathOf with capital letters.
func fullPath(objectURL string) string {
	name := objectURL
	if u, err := url.Parse(objectURL); err == nil && u.Path != "" {
		if name = u.Path; u.Fragment != "" {
			name = u.Fragment
		}
	}
	return name
}

// holdsXZ reports whether a file begins with the first bytes of an xz file.
func holdsXZ(src io.ReaderAt) bool {
	head := make([]byte, 6)
	n, _ := src.ReadAt(head, 0) // a file that cannot be read does not count as one
	return string(head[:n]) == "\xfd7zXZ\x00"
}
