package source

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/warc"
)

// A WACZ collection is a zip file that holds crawl archives without compression, their
// indexes and a description. Each archive is a range of bytes of the zip file, so it is
// read in place and cut into items as any other file is. The archives are found by the
// zip file's directory. Their records are those that the indexes in the collection name,
// see collection.go.

// maxDirectory bounds the bytes that are read to find the files in a collection, which
// are its directory and the header of each archive. A collection usually holds some
// dozens of files, each of which takes about a hundred bytes of the directory.
const maxDirectory = 8 << 20

// maxArchives bounds the archives in a collection, and its indexes. Each archive is at least one item, and an item
// without a page takes a millisecond and some 15 KB of memory: 10,000 take 12 seconds.
const maxArchives = 10_000

// collection is the format of WACZ collections.
type collection struct{}

var _ recordFormat = collection{}

func (collection) Name() string            { return "WACZ collection" }
func (collection) Alone() bool             { return false }
func (collection) called(name string) bool { return strings.HasSuffix(name, ".wacz") }
func (collection) aside() string           { return "" }

// holds implements recordFormat. A file with the first bytes of a zip file is a collection.
func (collection) holds(file warc.Source) (bool, error) {
	head := make([]byte, 4)
	n, err := file.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return false, err
	}
	return bytes.Equal(head[:n], []byte("PK\x03\x04")) || bytes.Equal(head[:n], []byte("PK\x05\x06")), nil
}

func (collection) pages(ctx context.Context, in *Inputs, name string) iter.Seq2[*Page, error] {
	return in.archives(ctx, name)
}

func (collection) files(ctx context.Context, blobs *blob.Client, file warc.Source, o blob.Object, trust bool) []File {
	parts, lists, err := partsOf(file, o)
	if err != nil {
		return []File{refused(o, "wacz-bad", err)}
	}
	var files []File
	for _, p := range parts {
		if p.Refused == "" {
			files = append(files, lookAt(ctx, blobs, p.Object, trust)...)
			continue
		}
		files = append(files, p)
	}
	for i := range files {
		files[i].lists = lists
	}
	return files
}

var errDirectoryTooBig = fmt.Errorf("the directory of the zip file has more than %d MiB", maxDirectory>>20)

var errNested = errors.New("a collection of collections: unzip it, and give the collections in it as INPUT")

// boundedReader fails when the caller asks for more bytes than it may read.
type boundedReader struct {
	r    io.ReaderAt
	left int64
}

func (b *boundedReader) ReadAt(p []byte, off int64) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, errDirectoryTooBig
	}
	return b.r.ReadAt(p, off)
}

// partsOf does what openWACZ does, for an object that is not itself a part of a
// collection.
func partsOf(src io.ReaderAt, o blob.Object) ([]File, []listing, error) {
	if o.Within != (blob.Within{}) {
		return nil, nil, errNested
	}
	return openWACZ(src, o)
}

// openWACZ returns the archives in the collection that src holds, in the order of their
// offsets, and the indexes of them. o is the collection's object. An archive that cannot
// be read in place is refused individually. A directory that contradicts itself is an
// error.
func openWACZ(src io.ReaderAt, o blob.Object) (files []File, lists []listing, err error) {
	bounded := &boundedReader{r: src, left: maxDirectory}
	z, err := zip.NewReader(bounded, o.Size)
	if err != nil {
		return nil, nil, fmt.Errorf("read the directory of the zip file: %w", err)
	}
	for _, f := range z.File {
		if !fs.ValidPath(strings.TrimSuffix(f.Name, "/")) || strings.Contains(f.Name, `\`) {
			return nil, nil, fmt.Errorf("the zip file names a file %.200q, which would lie outside of it", f.Name)
		}
		format := formatByName(f.Name)
		switch format.(type) {
		case archive, index:
		case collection:
			return nil, nil, errNested
		default:
			continue
		}
		file, err := entry(f, o)
		if err != nil {
			return nil, nil, fmt.Errorf("%.200q in the zip file: %w", f.Name, err)
		}
		if format == (index{}) {
			if len(lists) == maxArchives {
				return nil, nil, fmt.Errorf("it has more than %d indexes", maxArchives)
			}
			lists = append(lists, listing{Object: file.Object, encrypted: f.Flags&encrypted != 0, method: f.Method})
			continue
		}
		if files = append(files, file); len(files) > maxArchives {
			return nil, nil, fmt.Errorf("it has more than %d archives: unzip it, and give the folder of its archives as INPUT", maxArchives)
		}
	}
	if len(files) == 0 {
		return nil, nil, errors.New("the zip file is not a WACZ collection, or is an empty one: no archive/NAME.warc or archive/NAME.warc.gz is in it")
	}
	return files, lists, apart(files)
}

// encrypted is the flag of a zip file's entry that is encrypted.
const encrypted = 1

// entry returns an archive in a collection as a File.
func entry(f *zip.File, o blob.Object) (File, error) {
	at, err := f.DataOffset()
	if err != nil {
		return File{}, fmt.Errorf("there is no file where the directory says: %w", err)
	}
	if f.CompressedSize64 > uint64(o.Size) {
		return File{}, fmt.Errorf("its size is %d bytes, the zip file has %d", f.CompressedSize64, o.Size)
	}
	part, err := o.Part(f.Name, at, int64(f.CompressedSize64))
	if err != nil {
		return File{}, err
	}
	switch {
	case f.Flags&encrypted != 0:
		return refused(part, "wacz-entry-encrypted", errors.New("it is encrypted")), nil
	case f.Method != zip.Store:
		return refused(part, "wacz-entry-compressed", errors.New("it is compressed within the zip file, so that no range of it can be read: unzip the collection and give its archive folder as INPUT")), nil
	case f.UncompressedSize64 != f.CompressedSize64:
		return refused(part, "wacz-bad", fmt.Errorf("it is said to be stored, in %d bytes, and to have %d", f.CompressedSize64, f.UncompressedSize64)), nil
	}
	return File{Object: part}, nil
}

// apart sorts the archives by their offsets. It returns an error if two archives share
// bytes or have the same name.
func apart(files []File) error {
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Within.Offset, b.Within.Offset) })
	names := make(map[string]bool, len(files))
	for i := range files {
		f := &files[i]
		if names[f.URL] {
			return fmt.Errorf("the zip file has two archives of one name: %s", f.URL)
		}
		names[f.URL] = true
		if i > 0 && files[i-1].Within.Offset+files[i-1].Size > f.Within.Offset {
			return fmt.Errorf("archives in the zip file overlap: %s and %s", files[i-1].URL, f.URL)
		}
	}
	return nil
}
