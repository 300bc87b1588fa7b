package compact

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/panics"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// shardInMemory is the largest shard that is held in memory; a larger one goes through
// a temporary file.
const shardInMemory = 32 << 20

// readShard checks a shard and calls f for each of its rows. If reading the file
// panics, it returns an error, as for any other malformed file.
func readShard[T any](ctx context.Context, c *Compactor, table *columnar.Table[T], shard *schemas.Shard, f func(*T) error) error {
	return panics.Call(func() error { return readRows(ctx, c, table, shard, f) })
}

func readRows[T any](ctx context.Context, c *Compactor, table *columnar.Table[T], shard *schemas.Shard, f func(*T) error) error {
	checked, err := c.open(ctx, shard)
	if err != nil {
		return err
	}
	defer checked.Close()
	r, err := columnar.NewReader(table, checked, shard.Bytes)
	if err != nil {
		return err
	}
	if m := r.Meta(); m.Run != c.Run.ID || m.Recipe != c.Run.Hash {
		return fmt.Errorf("%w: it is of run %s, recipe %s", columnar.ErrMalformed, m.Run, m.Recipe)
	}
	for row, err := range r.All(ctx) {
		if err != nil {
			return err
		}
		if err := f(row); err != nil {
			return err
		}
	}
	return nil
}

type readCloserAt interface {
	io.ReaderAt
	io.Closer
}

type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

// open copies a shard to memory or to a temporary file and verifies its checksum at
// the same time, so that the verified bytes are the ones that are read.
func (c *Compactor) open(ctx context.Context, shard *schemas.Shard) (readCloserAt, error) {
	file, err := c.Store.Open(ctx, shard.Name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if file.Size() != shard.Bytes {
		return nil, fmt.Errorf("%w: %d bytes, reported %d", errChecksum, file.Size(), shard.Bytes)
	}
	var to io.Writer
	var out readCloserAt
	hash := sha256.New()
	in := io.NewSectionReader(file, 0, file.Size())
	if shard.Bytes <= shardInMemory {
		data := make([]byte, shard.Bytes)
		if _, err := io.ReadFull(in, data); err != nil {
			return nil, err
		}
		hash.Write(data)
		out = inMemory{bytes.NewReader(data)}
	} else {
		temp, err := os.CreateTemp(c.TempDir, "winnow-shard-*.parquet")
		if err != nil {
			return nil, err
		}
		os.Remove(temp.Name()) // the file exists until it is closed, so a crash leaves no file
		to, out = io.MultiWriter(temp, hash), temp
		if _, err := io.CopyBuffer(to, in, make([]byte, 1<<20)); err != nil {
			temp.Close()
			return nil, err
		}
	}
	if sum := hex.EncodeToString(hash.Sum(nil)); sum != shard.SHA256 {
		out.Close()
		return nil, fmt.Errorf("%w: %s, reported %s", errChecksum, sum, shard.SHA256)
	}
	return out, nil
}

// Copy copies a shard to another name, if possible without moving its bytes through
// this machine.
func (c *Compactor) Copy(ctx context.Context, shard *schemas.Shard, name string) error {
	if err := c.checkSize(ctx, shard); err != nil {
		return err
	}
	return blob.Copy(ctx, c.Store, shard.Name, name)
}

// checkSize verifies that a shard has the reported size.
func (c *Compactor) checkSize(ctx context.Context, shard *schemas.Shard) error {
	info, err := c.Store.Stat(ctx, shard.Name)
	if err == nil && info.Size != shard.Bytes {
		err = fmt.Errorf("%w: %d bytes, reported %d", errChecksum, info.Size, shard.Bytes)
	}
	return err
}
