package blob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"strings"
)

// Store is a folder for output: of a disk, of a bucket or of anything that can
// make a file appear complete or not at all. Names are slash-separated paths
// below it (ValidName). Safe for concurrent use, also by several processes;
// files that are replaced while they are read stay readable or give ErrChanged.
//
// Implementations are tested with blobtest.TestStore.
type Store interface {
	// Create begins a file. When the Writer is committed, the file appears and replaces
	// an earlier one of its name; if ctx ends first, it never appears.
	Create(ctx context.Context, name string) (*Writer, error)
	// CreateNew begins a file that appears only if no file has its name by then;
	// otherwise Commit returns ErrExists. After ErrTransient the file may have appeared.
	CreateNew(ctx context.Context, name string) (*Writer, error)
	// Open opens a file for reading until ctx ends.
	Open(ctx context.Context, name string) (File, error)
	// Stat looks a file up.
	Stat(ctx context.Context, name string) (Info, error)
	// List returns the files whose name begins with prefix, sorted by name.
	List(ctx context.Context, prefix string) ([]Info, error)
	// Folders returns the names of the folders that lie directly in this one, sorted. What
	// is in them is not listed, however much it is. A folder without any file may be among
	// them, or not.
	Folders(ctx context.Context) ([]string, error)
	// Delete removes a file. It is not an error if there is none.
	Delete(ctx context.Context, name string) error
	// URL names the folder, for logs and for opening it elsewhere.
	URL() string
}

// Sweeper is a Store in which unfinished writers may leave files, and deleted files may
// leave empty folders.
type Sweeper interface {
	// Sweep removes the files of unfinished writers. A writer that is still at work
	// cannot commit afterwards. Sweep also removes the given folders, and those in them,
	// if they contain no file.
	Sweep(ctx context.Context, folders ...string) error
}

// Info describes a file in a Store.
type Info struct {
	Name string
	Size int64
}

// Written describes a file that was published.
type Written struct {
	Name   string
	Bytes  int64
	SHA256 string // hex
}

// Sink receives the bytes of a file in an implementation of Store.
type Sink interface {
	io.Writer
	// Commit publishes the file, durable when it returns.
	Commit() error
	// Abort discards it.
	Abort() error
}

// Writer writes one file of a Store. One goroutine owns it. Exactly one of
// Commit and Close takes effect, so that "defer w.Close()" after Create discards
// a file whose writing failed.
type Writer struct {
	name string
	ctx  context.Context // ends the write; once it has ended, nothing is published
	sink Sink
	hash hash.Hash
	n    int64
	err  error // sticky
	done bool
}

// NewWriter returns the Writer of a file. Implementations of Store use it.
func NewWriter(ctx context.Context, name string, sink Sink) *Writer {
	return &Writer{name: name, ctx: ctx, sink: sink, hash: sha256.New()}
}

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	if w.err == nil && w.done {
		w.err = fmt.Errorf("write to %s: %w", w.name, fs.ErrClosed)
	}
	if w.err == nil {
		w.err = context.Cause(w.ctx)
	}
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.sink.Write(p)
	w.hash.Write(p[:n])
	w.n += int64(n)
	w.err = named("write", w.name, err)
	return n, w.err
}

// Commit publishes the file, unless a write failed or the context has ended.
func (w *Writer) Commit() (Written, error) {
	if w.done {
		return Written{}, fmt.Errorf("blob: commit %s: %w", w.name, fs.ErrClosed)
	}
	if w.err == nil {
		w.err = context.Cause(w.ctx)
	}
	if w.err != nil {
		return Written{}, errors.Join(w.err, w.Close())
	}
	w.done = true
	if err := w.sink.Commit(); err != nil {
		return Written{}, named("commit", w.name, err)
	}
	return Written{w.name, w.n, hex.EncodeToString(w.hash.Sum(nil))}, nil
}

// Close discards the file unless it was committed.
func (w *Writer) Close() error {
	if w.done {
		return nil
	}
	w.done = true
	return named("discard", w.name, w.sink.Abort())
}

// maxName is the longest element of a name; common file systems have 255.
const maxName = 200

// ValidName reports whether name can be a file of a Store: a slash-separated
// relative path whose elements are not empty, do not begin with a dot, are at
// most 200 bytes long and hold no backslash, colon or control character.
func ValidName(name string) error {
	bad := func(why string) error { return fmt.Errorf("file name %q %s", name, why) }
	if !fs.ValidPath(name) || name == "." {
		return bad("is not a relative path of plain elements")
	}
	if len(name) > 1000 {
		return bad("is longer than 1000 bytes")
	}
	for e := range strings.SplitSeq(name, "/") {
		if e[0] == '.' {
			return bad("has an element that begins with a dot")
		}
		if len(e) > maxName {
			return bad("has an element longer than 200 bytes")
		}
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' || r == ':' }) {
		return bad("has a backslash, a colon or a control character")
	}
	return nil
}

// ReadAll reads a file of at most limit bytes.
func ReadAll(ctx context.Context, s Store, name string, limit int64) ([]byte, error) {
	f, err := s.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Size() > limit {
		return nil, fmt.Errorf("blob: read %s: %d bytes, limit is %d", name, f.Size(), limit)
	}
	data := make([]byte, f.Size())
	n, err := f.ReadAt(data, 0)
	if err == io.EOF && n == len(data) {
		err = nil
	}
	return data[:n], named("read", name, err)
}

// WriteAll publishes a file.
func WriteAll(ctx context.Context, s Store, name string, data []byte) (Written, error) {
	return writeAll(ctx, s.Create, name, data)
}

// WriteNew publishes a file, or returns ErrExists if there is one of that name.
func WriteNew(ctx context.Context, s Store, name string, data []byte) (Written, error) {
	return writeAll(ctx, s.CreateNew, name, data)
}

func writeAll(ctx context.Context, create func(context.Context, string) (*Writer, error), name string, data []byte) (Written, error) {
	w, err := create(ctx, name)
	if err != nil {
		return Written{}, err
	}
	defer w.Close()
	if _, err := w.Write(data); err != nil {
		return Written{}, err
	}
	return w.Commit()
}

// Exists reports whether there is a file of that name.
func Exists(ctx context.Context, s Store, name string) (bool, error) {
	_, err := s.Stat(ctx, name)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
