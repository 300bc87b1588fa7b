package push

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/klauspost/compress/zstd"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// maxLine is the longest line of the bulk form that is read.
const maxLine = 1 << 30

// actions yields the actions of a push without the first skip, each as one or two lines.
// They are valid until the next one. Deletions come first: a page that has a text in the
// run, and another time none, is in the index in the end.
func actions(ctx context.Context, store blob.Store, m *schemas.Manifest, o *Options, skip int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		give := func(lines []byte, err error) bool {
			if skip > 0 && err == nil {
				skip--
				return true
			}
			return yield(lines, err) && err == nil
		}
		if o.Delete {
			for row, err := range withoutText(ctx, store, m) {
				var lines []byte
				if err == nil {
					lines = columnar.BulkAction("delete", o.Form, row.PageID, row.Extractor, row.URL)
				}
				if !give(lines, err) {
					return
				}
			}
		}
		for i := range m.Parts {
			for _, f := range m.Parts[i].Files {
				if f.Table != schemas.TableTexts {
					continue
				}
				if skip >= f.Rows {
					skip -= f.Rows
					continue
				}
				for lines, err := range textActions(ctx, store, m, o.Form, f.Name) {
					if !give(lines, err) {
						return
					}
				}
			}
		}
	}
}

// withoutText yields the documents of which the run has no text.
func withoutText(ctx context.Context, store blob.Store, m *schemas.Manifest) iter.Seq2[*schemas.Document, error] {
	table := columnar.DocumentColumns(nil, "page_id", "url", "extractor", "outcome", "kept")
	return func(yield func(*schemas.Document, error) bool) {
		for row, err := range tables.TableRows(ctx, store, table, m) {
			if err == nil && row.Outcome == string(algorithms.OK) && row.Kept != schemas.No {
				continue
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// textActions yields the actions of a file of texts: its lines if it has the bulk form, and
// what is made of its rows if it is a table.
func textActions(ctx context.Context, store blob.Store, m *schemas.Manifest, form *schemas.Bulk, name string) iter.Seq2[[]byte, error] {
	if m.Run.Recipe.Texts == schemas.TextsBulk {
		return bulkFile(ctx, store, name)
	}
	return func(yield func([]byte, error) bool) {
		var b bytes.Buffer
		lines := columnar.NewLines(&b, &m.Run.Recipe, form)
		for row, err := range tables.Rows(ctx, store, columnar.TextsOf(&m.Run.Recipe), name) {
			b.Reset()
			if err == nil {
				err = lines.Append(row)
			}
			if !yield(b.Bytes(), err) || err != nil {
				return
			}
		}
	}
}

// bulkFile yields each two lines of a file that has the bulk form.
func bulkFile(ctx context.Context, store blob.Store, name string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		fail := func(err error) { yield(nil, fmt.Errorf("push: %s: %w", name, err)) }
		file, err := store.Open(ctx, name)
		if err != nil {
			fail(err)
			return
		}
		defer file.Close()
		z, err := zstd.NewReader(io.NewSectionReader(file, 0, file.Size()), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20))
		if err != nil {
			fail(err)
			return
		}
		defer z.Close()
		in := bufio.NewScanner(z)
		in.Buffer(make([]byte, 64<<10), maxLine)
		var action []byte
		for n := 0; in.Scan(); n++ {
			action = append(append(action, in.Bytes()...), '\n')
			if n%2 == 1 {
				if !yield(action, ctx.Err()) || ctx.Err() != nil {
					return
				}
				action = action[:0]
			}
		}
		switch {
		case in.Err() != nil:
			fail(in.Err())
		case len(action) > 0:
			fail(io.ErrUnexpectedEOF)
		}
	}
}
