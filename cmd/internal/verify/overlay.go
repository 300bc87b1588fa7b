package verify

import (
	"context"
	"errors"
	"os"

	"github.com/winnow/winnow/pipeline/blob"
)

// overlay is an output folder that is only read. Files that are created lie in a temporary
// folder, and are found there first.
type overlay struct {
	blob.Store // the output folder
	written    blob.Store
}

func newOverlay(ctx context.Context, blobs *blob.Client, out blob.Store) (o overlay, discard func() error, err error) {
	dir, err := os.MkdirTemp("", "winnow-verify-*")
	if err != nil {
		return o, nil, err
	}
	discard = func() error { return os.RemoveAll(dir) }
	written, err := blobs.Store(ctx, dir)
	if err != nil {
		return o, nil, errors.Join(err, discard())
	}
	return overlay{out, written}, discard, nil
}

// Create implements blob.Store.
func (o overlay) Create(ctx context.Context, name string) (*blob.Writer, error) {
	return o.written.Create(ctx, name)
}

// CreateNew implements blob.Store.
func (o overlay) CreateNew(ctx context.Context, name string) (*blob.Writer, error) {
	return o.written.CreateNew(ctx, name)
}

// Open implements blob.Store.
func (o overlay) Open(ctx context.Context, name string) (blob.File, error) {
	file, err := o.written.Open(ctx, name)
	if errors.Is(err, blob.ErrNotFound) {
		return o.Store.Open(ctx, name)
	}
	return file, err
}

// Stat implements blob.Store.
func (o overlay) Stat(ctx context.Context, name string) (blob.Info, error) {
	info, err := o.written.Stat(ctx, name)
	if errors.Is(err, blob.ErrNotFound) {
		return o.Store.Stat(ctx, name)
	}
	return info, err
}

// Delete implements blob.Store. A file of the output folder stays.
func (o overlay) Delete(ctx context.Context, name string) error { return o.written.Delete(ctx, name) }
