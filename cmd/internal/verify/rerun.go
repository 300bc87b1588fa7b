package verify

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// shown is the number of rows of a table and item that the findings name.
const shown = 3

// rerun carries out the items of the sample again and compares their rows.
func (v *verifier) rerun(ctx context.Context) error {
	if v.Sample <= 0 {
		return nil
	}
	sample, err := v.sample(ctx)
	if err != nil || len(sample) == 0 {
		return err
	}
	solo, err := worker.NewSolo(ctx, v.Task, &v.manifest.Run, v.Blobs, v.scratch)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		v.find(Program, v.Build, "it cannot carry out the recipe of the run: %v", err)
		return nil
	}
	defer solo.Close()
	for _, s := range sample {
		if err := v.item(ctx, solo, s); err != nil {
			return err
		}
	}
	return nil
}

// item carries out one item and compares its rows with those of its part.
func (v *verifier) item(ctx context.Context, solo *worker.Solo, s sampled) error {
	it := v.manifest.Run.Item(s.item.File, s.item.Seq)
	if it.ID() != s.item.ID {
		it.File.First = s.item.First // it was carried out from the end of the item before
	}
	done, err := solo.Run(ctx, &it)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, blob.ErrChanged):
		v.find(Input, it.File.URL, "it was changed since the run: %v", err)
		return nil
	case errors.Is(err, blob.ErrNotFound):
		v.find(Input, it.File.URL, "it is gone: %v", err)
		return nil
	case err != nil:
		v.find(Input, it.File.URL, "item %s cannot be carried out again: %v", s.item.ID, err)
		return nil
	}
	v.result.Sample = append(v.result.Sample, s.item.ID)
	v.result.Pages += done.Counts.Pages
	if done.First != s.item.First || done.Next != s.item.Next {
		v.find(Rows, string(s.item.ID), "its records lie from %d to %d, and were committed from %d to %d", done.First, done.Next, s.item.First, s.item.Next)
	}
	c := comparison{v: v, s: s, done: done, file: it.File.URL, counted: it.File.Selection == (schemas.Selection{})}
	recipe := &v.manifest.Run.Recipe
	for _, compare := range []func() error{
		func() error {
			return compareRows(ctx, &c, columnar.PagesOf(recipe).Without("parse_ns", "facts_ns"), table(ctx, columnar.PagesOf(recipe)),
				func(r *schemas.Page) { r.Flags = verified(r.Flags) },
				func(r *schemas.Page) bool { return c.within(r.File, r.Offset) },
				func(r *schemas.Page) string { return "page " + r.DocID })
		},
		func() error {
			return compareRows(ctx, &c, columnar.DocumentsOf(recipe).Without("parse_ns", "feature_ns", "extract_ns"), table(ctx, columnar.DocumentsOf(recipe)), nil,
				func(r *schemas.Document) bool { return c.within(r.File, r.Offset) },
				func(r *schemas.Document) string { return "page " + r.DocID + ", extractor " + r.Extractor })
		},
		func() error {
			return compareRows(ctx, &c, columnar.Scores, table(ctx, columnar.Scores), nil, nil,
				func(r *schemas.ScoreRow) string {
					return "page " + r.DocID + ", extractor " + r.Extractor + ", scorer " + r.Scorer
				})
		},
		func() error {
			return compareRows(ctx, &c, columnar.Links, table(ctx, columnar.Links), nil, nil,
				func(r *schemas.LinkRow) string { return fmt.Sprintf("page %s, link %d", r.DocID, r.Position) })
		},
		func() error {
			return compareRows(ctx, &c, columnar.Texts, func(store blob.Store, name string) iter.Seq2[*schemas.Text, error] {
				return tables.Texts(ctx, store, name)
			}, nil, nil, func(r *schemas.Text) string { return "page " + r.DocID + ", extractor " + r.Extractor })
		},
		func() error {
			return compareRows(ctx, &c, columnar.Failures.Without("attempts"), table(ctx, columnar.Failures), nil, nil,
				func(r *schemas.Failure) string {
					return fmt.Sprintf("offset %d, stage %s, reason %s", r.Offset, r.Stage, r.Reason)
				})
		},
	} {
		if err := compare(); err != nil {
			return err
		}
	}
	for _, sh := range done.Shards {
		if err := v.scratch.Delete(ctx, sh.Name); err != nil {
			return err
		}
	}
	return nil
}

// verified returns flags without the one that is added when an item is accepted, and that
// says something of other items or of bytes that were read later.
func verified(flags string) string {
	names := slices.DeleteFunc(strings.Split(flags, ","), func(f string) bool { return f == "unverified" })
	return strings.Join(names, ",")
}

// table returns a function that reads files of a table.
func table[T any](ctx context.Context, t *columnar.Table[T]) func(blob.Store, string) iter.Seq2[*T, error] {
	return func(store blob.Store, name string) iter.Seq2[*T, error] { return tables.Rows(ctx, store, t, name) }
}

// comparison is an item that was carried out again.
type comparison struct {
	v       *verifier
	s       sampled
	done    *schemas.Done
	file    string
	counted bool // offsets in the tables are those of the item
}

// within reports whether the record at an offset belongs to the item.
func (c *comparison) within(file string, offset int64) bool {
	return file == c.file && offset >= c.s.item.First && offset < c.s.item.Next
}

// rows yields the rows that the item gave now, or that its part holds.
func rows[T any](store blob.Store, files []schemas.Shard, table schemas.Table, read func(blob.Store, string) iter.Seq2[*T, error], edit func(*T)) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for _, f := range files {
			if f.Table != table {
				continue
			}
			for row, err := range read(store, f.Name) {
				if err == nil && edit != nil {
					edit(row)
				}
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}

// compareRows looks for each row that the item gives now among the rows of its part. The
// columns are those of t. mine says whether a row of the part is the item's, if that can
// be said; then the part may have no others. name describes a row: rows of one page and
// method have one name.
func compareRows[T any](ctx context.Context, c *comparison, t *columnar.Table[T], read func(blob.Store, string) iter.Seq2[*T, error],
	edit func(*T), mine func(*T) bool, name func(*T) string) error {

	now := func() iter.Seq2[*T, error] { return rows(c.v.scratch.written, c.done.Shards, t.Name(), read, edit) }
	old := func() iter.Seq2[*T, error] { return rows(c.v.store, c.s.part.Files, t.Name(), read, edit) }
	var packed []byte
	digest := func(row *T) [16]byte {
		packed = t.Pack(packed[:0], row)
		sum := sha256.Sum256(packed)
		return [16]byte(sum[:16])
	}
	// The digests of rows take a few ten bytes each, whatever the rows hold.
	wanted := map[[16]byte]int{}
	var given, held int64
	for row, err := range now() {
		if err != nil {
			return err
		}
		wanted[digest(row)]++
		given++
	}
	c.v.result.Compared += given
	left := given
	for row, err := range old() {
		if err != nil {
			return err
		}
		if mine != nil && c.counted && mine(row) {
			held++
		}
		if d := digest(row); wanted[d] > 0 {
			wanted[d]--
			left--
		}
	}
	if mine != nil && c.counted && held > given {
		c.v.find(Rows, string(c.s.item.ID), "%s: %s in the parts, and the item gives %d now", t.Name(), account.Count(held, "row"), given)
	}
	if left == 0 {
		return nil
	}
	return c.explain(t.Name(), left, func(report func(name, detail string) bool) error {
		return differences(now, old, func(row *T) bool { return wanted[digest(row)] > 0 }, name, t, report)
	})
}

// explain adds findings about rows that differ: the first ones, and the number of others.
func (c *comparison) explain(table schemas.Table, left int64, find func(report func(name, detail string) bool) error) error {
	var n int64
	err := find(func(name, detail string) bool {
		c.v.find(Rows, string(c.s.item.ID), "%s: %s: %s", table, name, detail)
		n++
		return n < shown
	})
	if err == nil && left > n {
		c.v.find(Rows, string(c.s.item.ID), "%s: rows that differ besides: %d", table, left-n)
	}
	return err
}

// differences reports the first rows of now that are lost among those of old, each with
// the columns in which the row of its name in old differs.
func differences[T any](now, old func() iter.Seq2[*T, error], lost func(*T) bool, name func(*T) string, t *columnar.Table[T], report func(name, detail string) bool) error {
	var first []T
	for row, err := range now() {
		if err != nil {
			return err
		}
		if lost(row) {
			if first = append(first, *row); len(first) == shown {
				break
			}
		}
	}
	columns := make([][]string, len(first))
	for row, err := range old() {
		if err != nil {
			return err
		}
		for i := range first {
			if columns[i] == nil && name(&first[i]) == name(row) {
				columns[i] = t.Differing(&first[i], row)
			}
		}
	}
	for i := range first {
		detail := "the item gives a row that was not committed"
		if len(columns[i]) > 0 {
			detail = "the item gives other values now: " + strings.Join(columns[i], ", ")
		}
		if !report(name(&first[i]), detail) {
			break
		}
	}
	return nil
}
