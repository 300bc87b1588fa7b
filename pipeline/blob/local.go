package blob

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
)

// localCheck is how many bytes are read between two checks whether the file has
// changed: a change is noticed soon, and the checks take no measurable time.
const localCheck = 4 << 20

// localFile is a Source on a local disk.
type localFile struct {
	file     *os.File
	size     int64
	identity string
	read     atomic.Int64 // bytes since the last check
}

// localURL is the file URL of a path.
func localURL(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}).String(), nil
}

func statLocal(path string) (Object, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Object{}, fileError(err)
	}
	if !info.Mode().IsRegular() {
		return Object{}, fmt.Errorf("%s is not a regular file", path)
	}
	u, err := localURL(path)
	return Object{URL: u, Size: info.Size(), Identity: localIdentity(info), Ranges: true}, err
}

// localIdentity is the modification time. Inode numbers cannot be used, because they
// differ between machines that have copies of one file.
func localIdentity(info fs.FileInfo) string {
	return fmt.Sprintf("mtime:%d", info.ModTime().UnixNano())
}

// openRegular opens a file for reading. open is os.OpenFile, or that of an os.Root. Nothing
// but a regular file is opened: a device has no end, and opening a pipe would wait for a
// writer, which no context ends, if it were not for O_NONBLOCK.
func openRegular(open func(name string, flag int, perm fs.FileMode) (*os.File, error), name string) (*os.File, fs.FileInfo, error) {
	file, err := open(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, fileError(err)
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = classed(ErrNotFound, errors.New("not a regular file"))
	}
	if err != nil {
		file.Close()
		return nil, nil, fileError(err)
	}
	return file, info, nil
}

func openLocal(path string, obj Object) (*localFile, error) {
	file, _, err := openRegular(os.OpenFile, path)
	if err != nil {
		return nil, err
	}
	f := &localFile{file: file, size: obj.Size, identity: obj.Identity}
	if err := f.Check(); err != nil {
		file.Close()
		return nil, err
	}
	return f, nil
}

func (f *localFile) Size() int64 { return f.size }

func (f *localFile) Expect(int64) {}

func (f *localFile) Close() error { return f.file.Close() }

// Check implements Source.
func (f *localFile) Check() error {
	info, err := f.file.Stat()
	if err != nil {
		return fileError(err)
	}
	if info.Size() != f.size {
		return changed("%s: size is %d, was %d", f.file.Name(), info.Size(), f.size)
	}
	if id := localIdentity(info); f.identity != "" && id != f.identity {
		return changed("%s: identity is %s, was %s", f.file.Name(), id, f.identity)
	}
	return nil
}

// ReadAt implements io.ReaderAt.
func (f *localFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.readAt(p, off)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("blob: read at %d: %w", off, err)
	}
	return n, err
}

func (f *localFile) readAt(p []byte, off int64) (int, error) {
	if rest := f.size - off; off >= 0 && rest < int64(len(p)) {
		// The file may have grown; bytes beyond the planned size are not part of it.
		n, err := f.file.ReadAt(p[:max(0, rest)], off)
		switch {
		case err == nil:
			err = io.EOF
		case errors.Is(err, io.EOF):
			err = changed("%s ends before its size %d", f.file.Name(), f.size)
		}
		return n, err
	}
	n, err := f.file.ReadAt(p, off)
	if err != nil {
		if errors.Is(err, io.EOF) {
			return n, changed("%s ends before its size %d", f.file.Name(), f.size)
		}
		return n, fileError(err)
	}
	if f.read.Add(int64(n)) >= localCheck {
		f.read.Store(0)
		if err := f.Check(); err != nil {
			return 0, err
		}
	}
	return n, nil
}
