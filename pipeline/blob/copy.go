package blob

import (
	"context"
	"errors"
	"io"
	"os"
	"path"
)

// Copier is a Store that can give a file a second name without moving its bytes
// through this process.
type Copier interface {
	// Copy makes the file "from" appear under the name "to" as well, replacing
	// what bore that name.
	Copy(ctx context.Context, from, to string) error
}

// Copy makes a file appear under a second name, whole or not at all. Deleting
// one leaves the other.
func Copy(ctx context.Context, s Store, from, to string) error {
	if c, ok := s.(Copier); ok {
		return c.Copy(ctx, from, to)
	}
	in, err := s.Open(ctx, from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := s.Create(ctx, to)
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

// plain hides that a store is a Copier.
type plain struct{ Store }

// Copy implements Copier with a hard link where the file system has them.
func (s localStore) Copy(ctx context.Context, from, to string) error {
	if err := errors.Join(ValidName(from), ValidName(to), context.Cause(ctx)); err != nil {
		return named("copy", from, err)
	}
	linked, err := s.link(from, to)
	if err != nil || linked {
		return named("copy", from, err)
	}
	return Copy(ctx, plain{s}, from, to)
}

// link links from to a temporary name and moves that to its place: a link
// itself never replaces a file. It says no if links are not to be had.
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
	return true, publish(root, temp, to)
}

// publish moves a finished temporary file into place and closes root.
func publish(root *os.Root, temp, name string) error {
	defer root.Close()
	dir := path.Dir(name)
	var err error
	if dir != "." {
		err = root.MkdirAll(dir, 0o777)
	}
	if err == nil {
		err = root.Rename(temp, name)
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

// Copy implements Copier within the bucket.
func (s *bucketStore) Copy(ctx context.Context, from, to string) error {
	err := errors.Join(ValidName(from), ValidName(to), context.Cause(ctx))
	if err == nil {
		err = s.retry.do(ctx, func() error {
			return bucketError(ctx, s.bucket.Copy(ctx, s.prefix+to, s.prefix+from, nil))
		})
	}
	return named("copy", from, err)
}
