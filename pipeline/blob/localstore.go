package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// unfinished is the folder of files that are being written. No name of a Store can lie
// in it, because names do not begin with a dot. The folder is inside the store because a
// rename is atomic only within one file system.
const unfinished = ".unfinished"

// localStore is a Store in a local folder. The first Create makes the folder, so that
// reading never leaves an empty one. Every operation uses an os.Root, so that links in
// the folder cannot lead out of it.
type localStore struct {
	dir string
	url string
}

func (s localStore) URL() string { return s.url }

func (s localStore) root() (*os.Root, error) {
	root, err := os.OpenRoot(s.dir)
	return root, fileError(err)
}

func (s localStore) Create(ctx context.Context, name string) (*Writer, error) {
	w, err := s.create(ctx, name, replace)
	return w, named("create", name, err)
}

// CreateNew implements Store.
func (s localStore) CreateNew(ctx context.Context, name string) (*Writer, error) {
	w, err := s.create(ctx, name, add)
	return w, named("create", name, err)
}

func (s localStore) create(ctx context.Context, name string, move func(root *os.Root, temp, name string) error) (*Writer, error) {
	if err := errors.Join(ValidName(name), context.Cause(ctx)); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(s.dir, unfinished), 0o777); err != nil {
		return nil, fileError(err)
	}
	root, err := s.root()
	if err != nil {
		return nil, err
	}
	temp := unfinishedName(name)
	file, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		root.Close()
		return nil, fileError(err)
	}
	return NewWriter(ctx, name, &localSink{root: root, file: file, temp: temp, name: name, move: move}), nil
}

// unfinishedName is a new temporary name for a file.
func unfinishedName(name string) string {
	return path.Join(unfinished, rand.Text()+"-"+path.Base(name))
}

// isUnfinished matches the names of unfinishedName, below their folder.
var isUnfinished = regexp.MustCompile(`^[A-Z2-7]{26,}-`)

// localSink writes a file under a temporary name and then renames it.
type localSink struct {
	root       *os.Root // owned
	file       *os.File
	temp, name string
	move       func(root *os.Root, temp, name string) error // replace or add
}

func (s *localSink) Write(p []byte) (int, error) {
	n, err := s.file.Write(p)
	return n, fileError(err)
}

// Commit makes first the content durable and then the name, so that after a power
// failure no name exists without its content.
func (s *localSink) Commit() error {
	err := s.file.Sync()
	if cerr := s.file.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		s.root.Remove(s.temp)
		s.root.Close()
		return fileError(err)
	}
	return publish(s.root, s.temp, s.name, s.move)
}

func syncDir(root *os.Root, name string) error {
	dir, err := root.Open(name)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

func (s *localSink) Abort() error {
	defer s.root.Close()
	s.file.Close()
	return fileError(s.root.Remove(s.temp))
}

func (s localStore) Open(ctx context.Context, name string) (File, error) {
	f, err := s.open(name)
	if err != nil {
		return nil, named("open", name, err)
	}
	return f, nil
}

func (s localStore) open(name string) (*localFile, error) {
	if err := ValidName(name); err != nil {
		return nil, err
	}
	root, err := s.root()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, info, err := openRegular(root.OpenFile, name)
	if err != nil {
		return nil, err
	}
	return &localFile{file: file, size: info.Size(), identity: localIdentity(info)}, nil
}

func (s localStore) Stat(ctx context.Context, name string) (Info, error) {
	f, err := s.open(name)
	if err != nil {
		return Info{}, named("stat", name, err)
	}
	defer f.Close()
	return Info{name, f.size}, nil
}

func (s localStore) List(ctx context.Context, prefix string) ([]Info, error) {
	found, err := s.list(ctx, prefix)
	return found, named("list", s.url, err)
}

func (s localStore) list(ctx context.Context, prefix string) ([]Info, error) {
	root, err := s.root()
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	start := path.Dir(prefix + "x") // the deepest folder that contains all files with the prefix
	if !fs.ValidPath(start) {
		return nil, nil // no valid name begins with this prefix
	}
	var found []Info
	err = fs.WalkDir(root.FS(), start, func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, fs.ErrNotExist): // deleted meanwhile, or no such folder
			return nil
		case err != nil:
			return err
		case d.Name() != "." && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular() || !strings.HasPrefix(name, prefix):
			return nil
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		found = append(found, Info{name, info.Size()})
		return nil
	})
	// The walk is ordered by folder, but the result by name: "a-b" sorts before "a/b".
	slices.SortFunc(found, func(a, b Info) int { return strings.Compare(a.Name, b.Name) })
	return found, fileError(err)
}

// Folders implements Store.
func (s localStore) Folders(ctx context.Context) ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var found []string
	for _, e := range entries {
		if e.IsDir() && ValidName(e.Name()) == nil {
			found = append(found, e.Name())
		}
	}
	return found, named("list", s.url, errors.Join(fileError(err), context.Cause(ctx)))
}

func (s localStore) Delete(ctx context.Context, name string) error {
	err := errors.Join(ValidName(name), context.Cause(ctx))
	if err == nil {
		err = s.delete(name)
	}
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return named("delete", name, err)
}

func (s localStore) delete(name string) error {
	root, err := s.root()
	if err != nil {
		return err
	}
	defer root.Close()
	if info, err := root.Lstat(name); err == nil && info.IsDir() {
		return nil // not a file
	}
	return fileError(root.Remove(name))
}

// Sweep implements Sweeper.
func (s localStore) Sweep(ctx context.Context, folders ...string) error {
	root, err := s.root()
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err == nil {
		defer root.Close()
		err = fileError(removeUnfinished(root))
	}
	for _, folder := range folders {
		if err == nil {
			err = ValidName(folder)
		}
		if err == nil {
			err = prune(ctx, root, folder)
		}
	}
	return named("sweep", s.url, err)
}

// removeUnfinished removes the files of unfinished writers, and their folder if nothing
// else is in it. Others may begin to write meanwhile, so it looks again until it finds none.
func removeUnfinished(root *os.Root) error {
	for range 100 {
		entries, err := fs.ReadDir(root.FS(), unfinished)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		found := false
		for _, e := range entries {
			if !isUnfinished.MatchString(e.Name()) {
				continue // a file that the store did not write
			}
			found = true
			if rerr := root.Remove(path.Join(unfinished, e.Name())); rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
				err = errors.Join(err, rerr)
			}
		}
		if gone := root.Remove(unfinished) == nil; gone || !found || err != nil {
			return err
		}
	}
	return errors.New("files are written there all the time")
}

// prune removes a folder and the folders in it that contain no file, the deepest first.
// The system refuses to remove a folder that is not empty; this is not an error.
func prune(ctx context.Context, root *os.Root, folder string) error {
	var found []string
	err := fs.WalkDir(root.FS(), folder, func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err == nil && d.IsDir():
			found = append(found, name)
		}
		return err
	})
	for _, name := range slices.Backward(found) {
		_ = root.Remove(name)
	}
	return fileError(err)
}
