package compact

import (
	"cmp"
	"context"
	"fmt"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/tables/conversion"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// texts merges the shards of texts into files of the format that the recipe asks for, each
// with texts of one group and of a bounded size. Within a group, texts are in the order of
// the items, and in that of their pages. It returns nil if shards are damaged.
func (c *Compactor) texts(ctx context.Context, found *Damage, seq int, entries []*Entry) ([]schemas.Shard, error) {
	recipe := &c.Run.Recipe
	table, groups := columnar.TextsOf(recipe), recipe.TextGroups()
	files := &textFiles{ctx: ctx, c: c, seq: seq, table: table, groups: groups}
	defer files.discard()
	s := newSorter(c, table, groups.Compare)
	defer s.Close()
	_, err := readShards(ctx, c, found, table, entries, func(_ *Entry, row *schemas.Text) error {
		switch {
		case found.Any():
			return nil
		case len(recipe.TextsBy) == 0: // all are of one group
			return files.add(row)
		}
		return s.Add(row)
	})
	if err != nil || found.Any() {
		return nil, err
	}
	for row, err := range s.Sorted(ctx) {
		if err == nil {
			err = files.add(row)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := files.end(); err != nil {
		return nil, err
	}
	return files.done, nil
}

// textFiles writes the texts of a part, one file after the other. Texts of a group follow
// each other.
type textFiles struct {
	ctx    context.Context
	c      *Compactor
	seq    int
	table  *columnar.Table[schemas.Text]
	groups schemas.TextGroups
	done   []schemas.Shard

	// The file that is being written; nil at first.
	file   *blob.Writer
	name   string
	rows   textRows
	folder string
	size   int64 // bytes of the texts in the file
}

// textRows writes texts in some format.
type textRows interface {
	Append(*schemas.Text) error
	Close() error
	Rows() int64
}

// add writes a text to the current file, or to a new one if it is of another group or if
// the file would be too large.
func (f *textFiles) add(row *schemas.Text) error {
	size, bound := int64(len(row.Text)), f.c.Run.Recipe.Limits.TextsFile
	folder := f.groups.Folder(row)
	if f.file == nil || folder != f.folder || bound > 0 && f.size+size > bound {
		if err := f.end(); err != nil {
			return err
		}
		if err := f.begin(folder); err != nil {
			return err
		}
	}
	f.size += size
	return f.rows.Append(row)
}

// endings has the endings of the names of files that are not tables.
var endings = map[string]string{
	schemas.TextsJSONLines: columnar.JSONLinesSuffix,
	schemas.TextsBulk:      columnar.BulkSuffix,
	schemas.TextsWARC:      conversion.Suffix,
}

func (f *textFiles) begin(folder string) (err error) {
	run := f.c.Run
	f.folder, f.size = folder, 0
	f.name = schemas.TextsName(folder, f.seq, f.c.Term, len(f.done)) + cmp.Or(endings[run.Recipe.Texts], ".parquet")
	if f.file, err = f.c.Store.Create(f.ctx, f.name); err != nil {
		return err
	}
	switch run.Recipe.Texts {
	case schemas.TextsJSONLines, schemas.TextsBulk:
		f.rows, err = columnar.NewJSONLines(f.file, &run.Recipe)
	case schemas.TextsWARC:
		f.rows, err = conversion.NewWriter(f.file, conversion.Info{Name: f.name, Build: run.Recipe.Build, Run: run.ID, Hash: run.Hash, Created: run.Created, Recipe: &run.Recipe})
	default:
		f.rows, err = columnar.NewWriter(f.table, f.file, run.ID, run.Hash, f.c.Size)
	}
	return err
}

// end makes the current file appear, if there is one.
func (f *textFiles) end() error {
	if f.file == nil {
		return nil
	}
	if err := f.rows.Close(); err != nil {
		return fmt.Errorf("compact: %s: %w", f.name, err)
	}
	written, err := f.file.Commit()
	if err != nil {
		return err
	}
	f.done = append(f.done, schemas.Shard{Table: schemas.TableTexts, Name: f.name, Rows: f.rows.Rows(), Bytes: written.Bytes, SHA256: written.SHA256})
	f.file, f.rows = nil, nil
	return nil
}

// discard removes the file that did not appear.
func (f *textFiles) discard() {
	if f.rows != nil {
		_ = f.rows.Close() // ends its goroutines; the file does not appear
	}
	if f.file != nil {
		f.file.Close()
	}
}
