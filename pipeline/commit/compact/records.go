package compact

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
)

// records copies the archives of copied records, and their indexes, to names of the part.
func (c *Compactor) records(ctx context.Context, found *Damage, seq int, entries []*Entry) ([]schemas.Shard, error) {
	const table = schemas.TableRecords
	var out []schemas.Shard
	for _, e := range entries {
		if e.Done == nil || found.has(e) {
			continue
		}
		var rows int64
		archive := "" // name of the archive of copied records; its index follows it
		for i := range e.Done.Shards {
			shard := e.Done.Shards[i]
			if shard.Table != table {
				continue
			}
			name := fmt.Sprintf("%s-f%05d-i%05d%s", schemas.PartName(table, seq, c.Term), e.Item.File.Index, e.Item.Seq, shard.Ending())
			var err error
			switch index := shard.Ending() == schemas.IndexEnding; {
			case found.Any(): // nothing will be published, so only further damage is searched for
				err = c.checkSize(ctx, &shard)
			case index:
				err = c.copyIndex(ctx, &shard, name, path.Base(archive))
			default:
				err, archive = c.Copy(ctx, &shard, name), name
			}
			if shard.Ending() != schemas.IndexEnding {
				rows += shard.Rows
			}
			if err != nil {
				if !IsDamage(err) {
					return nil, err
				}
				found.Add(e, fmt.Errorf("shard %s: %w", shard.Name, err))
			}
			shard.Name = name
			out = append(out, shard)
		}
		if reported := e.Done.Counts.Rows[table]; rows != reported {
			found.Add(e, fmt.Errorf("%w: its shards have %d rows of %s, its report %d", account.ErrConservation, rows, table, reported))
		}
	}
	return out, nil
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
