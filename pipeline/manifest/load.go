package manifest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/schemas"
)

const (
	readers = 16 // changes read at a time
	tries   = 10 // to read a log that is being removed
)

// Create writes the manifest of a new run. It is blob.ErrExists if the folder has
// one already.
func Create(ctx context.Context, store blob.Store, m *schemas.Manifest) error {
	data, err := m.Encode()
	if err == nil {
		_, err = blob.WriteNew(ctx, store, schemas.ManifestFile, data)
	}
	return err
}

// Load reads the manifest of an output folder as it is now. It is
// blob.ErrNotFound if there is none.
func Load(ctx context.Context, store blob.Store) (*schemas.Manifest, error) {
	f, err := load(ctx, store)
	return f.manifest, err
}

// contents holds the manifest of a folder, and how far its log goes.
type contents struct {
	manifest *schemas.Manifest
	next     int   // number of the next change
	size     int64 // bytes of run.json, which grows when the log is sealed
}

func load(ctx context.Context, store blob.Store) (contents, error) {
	var gap error
	for range tries {
		var b budget
		f, err := readRunFile(ctx, store, &b)
		if err != nil || !f.manifest.Finished.IsZero() {
			return f, err
		}
		changes, err := readLog(ctx, store, &b)
		switch {
		case errors.Is(err, errGap):
			gap = err
			continue // the log is being sealed: run.json has everything now
		case err != nil:
			return contents{}, err
		case len(changes) == 0:
			return readRunFile(ctx, store, new(budget)) // nothing is committed yet, or the log was sealed meanwhile
		}
		for _, c := range changes {
			if err := f.manifest.Apply(c); err != nil {
				return contents{}, err
			}
		}
		f.next = len(changes)
		return f, nil
	}
	return contents{}, fmt.Errorf("%w: restore that file of %s, or remove what does not belong there, and call the program again", gap, store.URL())
}

// readRunFile reads run.json alone.
func readRunFile(ctx context.Context, store blob.Store, b *budget) (contents, error) {
	data, err := b.read(ctx, store, schemas.ManifestFile)
	if err != nil {
		return contents{}, err
	}
	m, err := schemas.DecodeManifest(data)
	if err != nil {
		err = fmt.Errorf("manifest: read %s: %w", blob.Below(store.URL(), schemas.ManifestFile), err)
	}
	return contents{manifest: m, size: int64(len(data))}, err
}

// errGap means that a change is missing.
var errGap = errors.New("a change is missing")

// readLog reads all changes, in order. Files that are not named like changes are of others,
// and not read.
func readLog(ctx context.Context, store blob.Store, b *budget) ([]*schemas.Change, error) {
	files, err := store.List(ctx, schemas.CommitsFolder+"/")
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, func(f blob.Info) bool { return !schemas.IsChange(f.Name) })
	var size int64
	for _, f := range files {
		if size += f.Size; size > maxBytes {
			return nil, fmt.Errorf("manifest: the changes in %s have more than %d bytes, which no run has", store.URL(), int64(maxBytes))
		}
	}
	changes := make([]*schemas.Change, len(files))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(readers)
	for i, f := range files {
		g.Go(func() (err error) {
			if f.Name != schemas.ChangeName(i) {
				return fmt.Errorf("manifest: %w: the folder has %s where %s must be", errGap, f.Name, schemas.ChangeName(i))
			}
			changes[i], err = readChange(ctx, store, i, b)
			if errors.Is(err, blob.ErrNotFound) {
				err = fmt.Errorf("manifest: %w: %s", errGap, f.Name)
			}
			return err
		})
	}
	return changes, g.Wait()
}

func readChange(ctx context.Context, store blob.Store, seq int, b *budget) (*schemas.Change, error) {
	data, err := b.read(ctx, store, schemas.ChangeName(seq))
	if err != nil {
		return nil, err
	}
	c := new(schemas.Change)
	if err := json.Unmarshal(data, c); err != nil {
		return nil, fmt.Errorf("manifest: %s: %w", schemas.ChangeName(seq), err)
	}
	if c.Seq != seq {
		return nil, fmt.Errorf("manifest: %s is change %d", schemas.ChangeName(seq), c.Seq)
	}
	return c, nil
}
