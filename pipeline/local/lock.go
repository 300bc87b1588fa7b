package local

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// ErrInUse means that another process works in a folder.
var ErrInUse = errors.New("in use")

// lockFile is the name of the lock in a folder, beside the broker's store.
const lockFile = "lock"

// lock is the right to work in a folder. The operating system takes it back when the
// process ends, however it ends.
type lock struct{ file *flock.Flock }

// advised adds what to do to the error of a full disk.
func advised(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("%w: the disk is full: free space there", err)
	}
	return err
}

// take locks a folder, and creates it if necessary. A store can be used by one server
// only, and a run by one process. what names the folder in the error for a second
// process.
func take(folder, what string, log *slog.Logger) (*lock, error) {
	name := filepath.Join(folder, lockFile)
	for {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			// The last holder may have removed the folder while it was created here, and
			// the next one may have created it again since.
			if info, there := os.Lstat(folder); errors.Is(err, os.ErrExist) && (errors.Is(there, os.ErrNotExist) || there == nil && info.IsDir()) {
				continue
			}
			return nil, fmt.Errorf("local: %w", advised(err))
		}
		f := flock.New(name, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o644))
		got, err := f.TryLock()
		switch {
		case errors.Is(err, errors.ErrUnsupported):
			// Some network file systems have no locks. The log of commits still keeps
			// two processes from writing the tables of one run.
			log.Warn("the file system has no locks: nothing keeps a second process out", "folder", folder)
			return &lock{}, f.Close()
		case errors.Is(err, os.ErrNotExist): // the last holder has just removed the folder
			continue
		case err != nil:
			return nil, fmt.Errorf("local: lock %s: %w", name, advised(err))
		case !got:
			return nil, fmt.Errorf("local: %s is %w by %s: wait for its end, or end it, or choose another folder", what, ErrInUse, holder(name))
		}
		// The last holder may have removed the file after it was opened here. This lock is
		// then on a file without a name, and another process may lock a new file.
		mine, err1 := f.Stat()
		named, err2 := os.Stat(name)
		if err1 != nil || err2 != nil || !os.SameFile(mine, named) {
			if err := f.Close(); err != nil {
				return nil, fmt.Errorf("local: lock %s: %w", name, err)
			}
			continue
		}
		host, _ := os.Hostname()
		text := fmt.Sprintf("process %d on %s since %s", os.Getpid(), host, time.Now().UTC().Format(time.RFC3339))
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return nil, errors.Join(fmt.Errorf("local: lock: %w", advised(err)), f.Close())
		}
		return &lock{f}, nil
	}
}

// holder returns the text by which the holder of a lock identifies itself.
func holder(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return "another process"
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 300))
	if err != nil || !strings.HasPrefix(string(text), "process ") {
		return "another process"
	}
	return fmt.Sprintf("%q", text)
}

// release unlocks the folder and removes the lock file.
func (l *lock) release() error {
	if l.file == nil {
		return nil
	}
	name := l.file.Path()
	err := errors.Join(os.Remove(name), l.file.Close())
	if folder := filepath.Dir(name); filepath.Base(folder) == stateFolder {
		_ = os.Remove(folder) // if it is empty now
	}
	if err != nil {
		return fmt.Errorf("local: lock: %w", err)
	}
	return nil
}
