package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/panics"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/schemas"
)

// owner is what is at fault when an attempt ends with an error. Faults of a page or a
// record are not among them, because they become rows of the tables.
type owner int

const (
	ownerProgram owner = iota // a defect of the program: a retry would fail again
	ownerMachine              // this machine or the output: all items of the run would fail here
	ownerSource               // the source: a retry later or on another machine may succeed
	ownerBroker               // the broker: the worker waits for it
	ownerOther                // nothing: another worker has the item
)

// The classes of errors that are not those of reading the item's file. An error may be of several.
var (
	errOutput  = errors.New("output")
	errBroker  = errors.New("broker")
	errMachine = errors.New("machine")
)

// marked is an error with a class.
type marked struct {
	error
	class error
}

func (e marked) Unwrap() []error { return []error{e.class, e.error} }

func mark(class, err error) error {
	if err == nil {
		return nil
	}
	return marked{err, class}
}

// OutputError marks an error of reading or writing the output folder, which is never
// the item's fault. Nil stays nil. An error of the broker within it stays one.
func OutputError(err error) error { return mark(errOutput, err) }

// BrokerError marks an error of the broker. Nil stays nil.
func BrokerError(err error) error { return mark(errBroker, err) }

// MachineError marks an error of this machine that says nothing of the item, such as
// too many processes. Nil stays nil.
func MachineError(err error) error { return mark(errMachine, err) }

type inputError struct {
	error
	object blob.Object
}

func (e *inputError) Unwrap() error { return e.error }

// InputError marks an error of reading an input other than the item's own file.
func InputError(o blob.Object, err error) error { return &inputError{err, o} }

// exhausted lists errors of a machine that has run out of a resource. They do not say
// that the file is at fault.
var exhausted = []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM}

// full lists errors of a disk without space.
var full = []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT}

// environmental lists errors of file operations that may be caused by the mounts,
// permissions and quotas of a machine.
var environmental = append([]syscall.Errno{
	syscall.EACCES, syscall.EPERM, syscall.EROFS, syscall.ENOSPC, syscall.EDQUOT, syscall.EIO, syscall.EFBIG,
	syscall.ENODEV, syscall.ENOTCONN, syscall.ESTALE, syscall.ETIMEDOUT,
}, exhausted...)

func isAny(err error, list []syscall.Errno) bool {
	return slices.ContainsFunc(list, func(e syscall.Errno) bool { return errors.Is(err, e) })
}

// firstLine is an error of which only the first line is shown.
type firstLine struct{ error }

func (e *firstLine) Error() string {
	line, _, _ := strings.Cut(e.error.Error(), "\n")
	return line
}

func (e *firstLine) Unwrap() error { return e.error }

// fault is an error that ended an attempt, with its owner.
type fault struct {
	owner owner
	err   error
	// reason is the reason in the dead letter if the item is given up.
	reason string
	// lasting means that the source gave a definite answer. Otherwise it gave none, or
	// asked to be asked later.
	lasting bool
	// probe reports whether a machine's fault still exists, without using an item.
	probe func(context.Context) error
}

// classify finds the owner of the error that ended an attempt at an item.
func classify(ctx context.Context, blobs *blob.Client, j *Job, it *schemas.Item, err error) fault {
	var in *inputError
	switch {
	case errors.Is(err, queue.ErrConflict):
		return fault{owner: ownerOther, err: err}
	case errors.As(err, new(*panics.Error)):
		return fault{owner: ownerProgram, err: err, reason: "bug"}
	case errors.Is(err, errBroker), queue.Transient(err) && !errors.As(err, &in) && !errors.Is(err, blob.ErrTransient):
		return fault{owner: ownerBroker, err: err}
	case errors.Is(err, errOutput):
		// On a full disk the files of several tables have the same error, one in each line.
		return fault{owner: ownerMachine, err: fmt.Errorf("output %s: %w", j.Run.Out, &firstLine{err}), probe: func(ctx context.Context) error {
			if err := writeProbe(ctx, j.Store, j.Run.Hash); err != nil {
				return fmt.Errorf("output %s: %w", j.Run.Out, OutputError(err))
			}
			return nil
		}}
	}
	if errors.Is(err, errMachine) {
		return fault{owner: ownerMachine, err: err}
	}
	f := fault{owner: ownerSource, err: err, reason: "unreadable", lasting: true}
	switch {
	case errors.Is(err, blob.ErrNotFound):
		f.reason = "missing"
	case errors.Is(err, blob.ErrChanged):
		f.reason = "changed"
	}
	object := source.Object(it.File.Stored)
	if errors.As(err, &in) {
		object = in.object
	}
	name, local := localPath(object.URL)
	switch {
	case !local && errors.Is(err, blob.ErrDenied) && !strings.HasPrefix(object.URL, "http"):
		// The credentials of this machine do not permit reading the bucket.
		f.owner, f.err = ownerMachine, fmt.Errorf("input %s: %w", object.URL, err)
		f.probe = func(ctx context.Context) error { return reach(ctx, blobs, object) }
		return f
	case !local:
		f.lasting = !errors.Is(err, blob.ErrTransient)
		return f
	}
	others := neighbours(j.Run, object.URL)
	if isAny(err, exhausted) || blind(ctx, blobs, name, object, others) {
		f.owner, f.err = ownerMachine, fmt.Errorf("input %s: %w", object.URL, err)
		f.probe = func(ctx context.Context) error {
			for _, o := range append([]blob.Object{object}, others...) {
				last := reach(ctx, blobs, o)
				if last == nil {
					return nil
				}
				err = last
			}
			return fmt.Errorf("input %s: %w", object.URL, err)
		}
	}
	return f
}

// blind reports whether this machine is the reason that a local file cannot be read,
// because it can read none of its neighbours either. A file that is missing from a
// folder that holds others was removed; a folder that is missing or empty was not
// mounted.
func blind(ctx context.Context, blobs *blob.Client, name string, object blob.Object, others []blob.Object) bool {
	err := reach(ctx, blobs, object)
	if err == nil {
		return false
	}
	for _, o := range others {
		if reach(ctx, blobs, o) == nil {
			return false
		}
	}
	return !errors.Is(err, blob.ErrNotFound) || empty(filepath.Dir(name))
}

// Gone reports whether the error of opening an input means that the input itself is gone
// or is another version. A file that only this machine cannot see is not gone.
func (j *Job) Gone(ctx context.Context, o blob.Object, err error) bool {
	missing := errors.Is(err, blob.ErrNotFound)
	if name, local := localPath(o.URL); missing && local {
		missing = !blind(ctx, j.Blobs, name, o, neighbours(j.Run, o.URL))
	}
	return missing || errors.Is(err, blob.ErrChanged)
}

// empty reports whether a folder is not there, or holds nothing that can be seen.
func empty(dir string) bool {
	f, err := os.Open(dir)
	if err != nil {
		return true
	}
	defer f.Close()
	names, _ := f.Readdirnames(1)
	return len(names) == 0
}

// reach opens an object and reads a byte of it. A version other than the planned one is
// not an error, because it can be read.
func reach(ctx context.Context, blobs *blob.Client, o blob.Object) error {
	src, err := blobs.Open(ctx, o)
	if err == nil {
		defer src.Close()
		if o.Size > 0 {
			_, err = src.ReadAt(make([]byte, 1), 0)
		}
	}
	if err == io.EOF || errors.Is(err, blob.ErrChanged) {
		return nil
	}
	return err
}

// maxNeighbours bounds the files that are opened for comparison.
const maxNeighbours = 8

// neighbours returns other local inputs of a run, those of the same folder first.
func neighbours(run *schemas.Run, of string) []blob.Object {
	var near, far []blob.Object
	for i := range run.Files {
		f := &run.Files[i]
		if _, local := localPath(f.URL); !local || f.URL == of {
			continue
		}
		o := source.Object(f.Stored())
		if path.Dir(f.URL) == path.Dir(of) {
			near = append(near, o)
		} else if len(far) < maxNeighbours {
			far = append(far, o)
		}
		if len(near) == maxNeighbours {
			break
		}
	}
	near = append(near, far...)
	return near[:min(len(near), maxNeighbours)]
}

// localPath returns the path of a file URL, and false for any other URL.
func localPath(object string) (string, bool) {
	u, err := url.Parse(object)
	if err != nil || u.Scheme != "file" {
		return "", false
	}
	return filepath.FromSlash(u.Path), true
}

// present returns an error if the output folder does not hold the run, because it is not
// mounted on this machine or was removed.
func present(ctx context.Context, store blob.Store) error {
	_, err := store.Stat(ctx, schemas.ManifestFile)
	if errors.Is(err, blob.ErrNotFound) {
		return fmt.Errorf("the output folder does not hold the run (is it mounted here?): %w", err)
	}
	return err
}

// probeSize is large enough that a file system must allocate blocks for it, and too
// small to matter.
const probeSize = 64 << 10

// writeProbe writes a file to the output folder and removes it.
func writeProbe(ctx context.Context, store blob.Store, hash string) error {
	if err := present(ctx, store); err != nil {
		return err
	}
	name := schemas.ProbeName(hash, newName())
	w, err := store.Create(ctx, name)
	if err != nil {
		return err
	}
	defer w.Close()
	if _, err := w.Write(make([]byte, probeSize)); err != nil {
		return err
	}
	if _, err := w.Commit(); err != nil {
		return err
	}
	// A probe that cannot be deleted now is removed with the shards at the end of the run.
	if err := store.Delete(ctx, name); err != nil && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, blob.ErrDenied) {
		return err
	}
	return nil
}

const (
	// awayFactor is how many times longer a source is retried if it gives no answer or
	// asks to be asked later, compared with a source that gives an answer.
	awayFactor = 24
	// agreedShare divides the time if two workers got the same answer.
	agreedShare = 5
	// maxWorkers bounds the workers that are recorded.
	maxWorkers = 4
)

// unreadable records that a worker could not read the input, and reports whether the
// item is to be given up: one worker has failed for the duration after, or two workers
// for a share of it. The clocks of workers may differ, and be set meanwhile: the time from
// one failure to the next counts as at most a quarter of the whole, or a minute, and never
// as less than nothing.
func unreadable(u *schemas.Unreadable, worker string, now time.Time, after time.Duration, lasting bool) (*schemas.Unreadable, bool) {
	if u == nil {
		u = &schemas.Unreadable{Since: now.UTC(), Last: now.UTC()}
	}
	u.Times++
	if len(u.Workers) < maxWorkers && !slices.Contains(u.Workers, worker) {
		u.Workers = append(u.Workers, worker)
	}
	if !lasting {
		after *= awayFactor
	}
	if len(u.Workers) > 1 {
		after /= agreedShare
	}
	u.Lasted += min(max(now.Sub(u.Last), 0), max(after/4, maxRetry))
	u.Last = now.UTC()
	return u, u.Lasted >= after
}
