package blob

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"
)

// Copier is a Store that can give a file a second name without moving its bytes
// through this process.
type Copier interface {
	// Copy makes the file "from" appear under the name "to" as well, replacing
	// what bore that name.
	Copy(ctx context.Context, from, to string) error
}

// Copy makes a complete file appear under a second name, or none. Deleting one of the
// two leaves the other.
func Copy(ctx context.Context, s Store, from, to string) error {
	if c, ok := s.(Copier); ok {
		return c.Copy(ctx, from, to)
	}
	return transfer(ctx, s, from, s, to)
}

// Transfer copies a file of one store to another store, where it has the same name.
func Transfer(ctx context.Context, from, to Store, name string) error {
	return transfer(ctx, from, name, to, name)
}

func transfer(ctx context.Context, source Store, from string, target Store, to string) error {
	in, err := source.Open(ctx, from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := target.Create(ctx, to)
	if err != nil {
		return err
	}
	defer out.Close()
	if _, err := io.CopyBuffer(struct{ io.Writer }{out}, io.NewSectionReader(in, 0, in.Size()), make([]byte, 1<<20)); err != nil {
		return named("copy", from, err)
	}
	_, err = out.Commit()
	return err
}

// Copy implements Copier with a hard link where the file system has them.
func (s localStore) Copy(ctx context.Context, from, to string) error {
	if err := errors.Join(ValidName(from), ValidName(to), context.Cause(ctx)); err != nil {
		return named("copy", from, err)
	}
	linked, err := s.link(from, to)
	if err != nil || linked {
		return named("copy", from, err)
	}
	return transfer(ctx, s, from, s, to)
}

// link makes a hard link with a temporary name and then renames it, because making a
// link never replaces a file. It returns false if the file system has no links.
func (s localStore) link(from, to string) (bool, error) {
	root, err := s.root()
	if err != nil {
		return false, err
	}
	if info, err := root.Stat(from); err != nil || !info.Mode().IsRegular() {
		root.Close()
		if err == nil {
			err = classed(ErrNotFound, errors.New("not a regular file"))
		}
		return false, fileError(err)
	}
	if err := root.MkdirAll(unfinished, 0o777); err != nil {
		root.Close()
		return false, fileError(err)
	}
	temp := unfinishedName(to)
	if err := root.Link(from, temp); err != nil {
		root.Close()
		return false, nil
	}
	return true, publish(root, temp, to, replace)
}

// publish moves a finished temporary file to its name and closes root.
func publish(root *os.Root, temp, name string, move func(root *os.Root, temp, name string) error) error {
	defer root.Close()
	dir := path.Dir(name)
	var err error
	for range 8 { // a folder may be pruned between the two steps
		if dir != "." {
			err = root.MkdirAll(dir, 0o777)
		}
		if err == nil {
			err = move(root, temp, name)
		}
		if dir == "." || !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		root.Remove(temp)
		return fileError(err)
	}
	for {
		if err := syncDir(root, dir); err != nil || dir == "." {
			return fileError(err)
		}
		dir = path.Dir(dir) // it may be new as well
	}
}

// replace moves a temporary file to its name and replaces a file of that name.
func replace(root *os.Root, temp, name string) error { return root.Rename(temp, name) }

// add moves a temporary file to its name if there is no such file. It makes a hard link,
// which never replaces a file, not even on a network file system. On a file system
// without links it first checks whether the file exists; two processes that check at the
// same time then both move their files.
func add(root *os.Root, temp, name string) error {
	err := root.Link(temp, name)
	switch {
	case err == nil:
		return root.Remove(temp)
	case errors.Is(err, fs.ErrExist):
		return classed(ErrExists, err)
	case !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EPERM):
		return err
	}
	if _, err := root.Lstat(name); err == nil {
		return classed(ErrExists, fs.ErrExist)
	}
	return root.Rename(temp, name)
}

// Copy implements Copier within the bucket.
func (s *bucketStore) Copy(ctx context.Context, from, to string) error {
	err := errors.Join(ValidName(from), ValidName(to), context.Cause(ctx))
	if err == nil {
		err = s.retry.do(ctx, func() error {
			return s.bucket.fault(ctx, s.bucket.copy(ctx, s.prefix+from, s.prefix+to))
		})
	}
	return named("copy", from, err)
}
