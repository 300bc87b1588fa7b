package manifest

import (
	"bytes"
	"context"
	"fmt"
	"sync/atomic"

	"github.com/winnow/winnow/pipeline/blob"
)

// Bounds on run.json, and on all changes together. An object of 2
// bytes of JSON takes up to 208 bytes of memory, and an entry of a map of 8 bytes some 60,
// so their numbers are bounded as well as the bytes: whatever a stranger's folder holds, it
// takes some 2 GB at most beyond the bytes themselves.
//
// The largest run of the design has a million items. If each is a file of its own, and texts
// are written as JSON lines, an item has a File, a Commit, an Input with its records by type,
// and a Shard: 880 bytes, 5 objects and 25 commas. A million items of 64 MiB in 65,000 files
// have fewer of all: 480 bytes, 2 objects and 13 commas an item, and 10 KB for each of 6,400
// parts.
const (
	maxBytes   = 1 << 30
	maxObjects = 6_000_000
	maxCommas  = 30_000_000
)

// budget counts what was read from a manifest. Several goroutines may use it.
type budget struct{ objects, commas atomic.Int64 }

// read reads a file of a manifest.
func (b *budget) read(ctx context.Context, store blob.Store, name string) ([]byte, error) {
	data, err := blob.ReadAll(ctx, store, name, maxBytes)
	if err != nil {
		return nil, err
	}
	if b.objects.Add(int64(bytes.Count(data, []byte{'{'}))) > maxObjects || b.commas.Add(int64(bytes.Count(data, []byte{','}))) > maxCommas {
		return nil, fmt.Errorf("manifest: %s in %s: more than %d objects or %d commas, which no run has", name, store.URL(), maxObjects, maxCommas)
	}
	return data, nil
}
