package blobtest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/winnow/winnow/pipeline/blob"
)

// ErrCrash is returned by all operations of a Faulty store after it has crashed.
var ErrCrash = errors.New("injected crash")

// Faulty is a blob.Store that fails at its n-th operation and at all later ones, like
// the store of a process that is killed there. Operations are: Create and CreateNew,
// each Write, Commit, Open, each read, Stat, List and Delete.
type Faulty struct {
	store blob.Store
	n     int64
	after bool
	ops   atomic.Int64
}

var _ blob.Store = (*Faulty)(nil)

// NewFaulty wraps store. The n-th operation, counted from 1, fails; with n = 0 none
// does. If after is set, the operation takes effect before it fails, as if the process
// was killed before it learned of the success.
func NewFaulty(store blob.Store, n int64, after bool) *Faulty {
	return &Faulty{store: store, n: n, after: after}
}

// Ops is the number of operations so far.
func (f *Faulty) Ops() int64 { return f.ops.Load() }

// Crashed reports whether the n-th operation has failed.
func (f *Faulty) Crashed() bool { return f.n > 0 && f.ops.Load() >= f.n }

// step carries out one operation unless the store has crashed.
func (f *Faulty) step(what string, op func() error) error {
	at := f.ops.Add(1)
	dead := f.n > 0 && at >= f.n
	if dead && !(at == f.n && f.after) {
		return fmt.Errorf("%s: %w", what, ErrCrash)
	}
	err := op()
	if dead {
		return fmt.Errorf("%s, done: %w", what, ErrCrash)
	}
	return err
}

// URL implements blob.Store.
func (f *Faulty) URL() string { return f.store.URL() }

// Create implements blob.Store.
func (f *Faulty) Create(ctx context.Context, name string) (*blob.Writer, error) {
	return f.create(ctx, name, f.store.Create)
}

// CreateNew implements blob.Store.
func (f *Faulty) CreateNew(ctx context.Context, name string) (*blob.Writer, error) {
	return f.create(ctx, name, f.store.CreateNew)
}

func (f *Faulty) create(ctx context.Context, name string, begin func(context.Context, string) (*blob.Writer, error)) (*blob.Writer, error) {
	var inner *blob.Writer
	err := f.step("create "+name, func() (err error) {
		inner, err = begin(ctx, name)
		return err
	})
	if err != nil {
		if inner != nil {
			inner.Close()
		}
		return nil, err
	}
	return blob.NewWriter(ctx, name, &faultySink{f, inner, name}), nil
}

type faultySink struct {
	f     *Faulty
	inner *blob.Writer
	name  string
}

func (s *faultySink) Write(p []byte) (n int, err error) {
	err = s.f.step("write "+s.name, func() (err error) {
		n, err = s.inner.Write(p)
		return err
	})
	return n, err
}

func (s *faultySink) Commit() error {
	defer s.inner.Close()
	return s.f.step("commit "+s.name, func() error {
		_, err := s.inner.Commit()
		return err
	})
}

func (s *faultySink) Abort() error { return s.inner.Close() }

// Open implements blob.Store.
func (f *Faulty) Open(ctx context.Context, name string) (file blob.File, err error) {
	err = f.step("open "+name, func() (err error) {
		file, err = f.store.Open(ctx, name)
		return err
	})
	if err != nil {
		if file != nil {
			file.Close()
		}
		return nil, err
	}
	return faultyFile{file, f, name}, nil
}

type faultyFile struct {
	blob.File
	f    *Faulty
	name string
}

func (r faultyFile) ReadAt(p []byte, off int64) (n int, err error) {
	err = r.f.step("read "+r.name, func() (err error) {
		n, err = r.File.ReadAt(p, off)
		return err
	})
	return n, err
}

// Stat implements blob.Store.
func (f *Faulty) Stat(ctx context.Context, name string) (info blob.Info, err error) {
	err = f.step("stat "+name, func() (err error) {
		info, err = f.store.Stat(ctx, name)
		return err
	})
	return info, err
}

// List implements blob.Store.
func (f *Faulty) List(ctx context.Context, prefix string) (found []blob.Info, err error) {
	err = f.step("list "+prefix, func() (err error) {
		found, err = f.store.List(ctx, prefix)
		return err
	})
	return found, err
}

// Folders implements blob.Store.
func (f *Faulty) Folders(ctx context.Context) (found []string, err error) {
	err = f.step("list folders", func() (err error) {
		found, err = f.store.Folders(ctx)
		return err
	})
	return found, err
}

// Delete implements blob.Store.
func (f *Faulty) Delete(ctx context.Context, name string) error {
	return f.step("delete "+name, func() error { return f.store.Delete(ctx, name) })
}
