package compact

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/winnow/winnow/schemas"
)

// records copies the archives of copied records, and their indexes, to names of the part.
func (c *Compactor) records(ctx context.Context, found *Damage, seq int, entries []*Entry) ([]schemas.Shard, error) {
	const table = schemas.TableRecords
	var out []schemas.Shard
	archive := "" // name of the archive that was copied last; its index follows it
	_, err := eachShard(found, table, entries, func(e *Entry, of *schemas.Shard) (rows int64, err error) {
		shard := *of
		name := fmt.Sprintf("%s-f%05d-i%05d%s", schemas.PartName(table, seq, c.Term), e.Item.File.Index, e.Item.Seq, shard.Ending())
		index := shard.Ending() == schemas.IndexEnding
		switch {
		case found.Any(): // nothing will be published, so only further damage is searched for
			err = c.checkSize(ctx, &shard)
		case index:
			err = c.copyIndex(ctx, &shard, name, path.Base(archive))
		default:
			err, archive = c.Copy(ctx, &shard, name), name
		}
		if !index {
			rows = shard.Rows
		}
		shard.Name = name
		out = append(out, shard)
		return rows, err
	})
	return out, err
}

// copyIndex copies the index of an archive of copied records to another name, and writes the
// name of the archive into every line. It sets the shard's size and digest to those of the copy.
func (c *Compactor) copyIndex(ctx context.Context, shard *schemas.Shard, name, archive string) error {
	checked, err := c.open(ctx, shard)
	if err != nil {
		return err
	}
	defer checked.Close()
	w, err := c.Store.Create(ctx, name)
	if err != nil {
		return err
	}
	defer w.Close()
	in, out := bufio.NewReader(io.NewSectionReader(checked, 0, shard.Bytes)), bufio.NewWriter(w)
	for err == nil {
		var line string
		line, err = in.ReadString('\n')
		if head, ok := strings.CutSuffix(line, "\"\"}\n"); ok {
			fmt.Fprintf(out, "%s%q}\n", head, archive) // Flush returns the error, if there is one
		}
	}
	if err != io.EOF {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	written, err := w.Commit()
	shard.Bytes, shard.SHA256 = written.Bytes, written.SHA256
	return err
}
