package results

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/conversion"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// writeTexts writes the texts, whose parts may be tables, JSON lines or archives.
func writeTexts(ctx context.Context, out *sheet, store blob.Store, m *schemas.Manifest, o Options) error {
	files := m.FilesOf(schemas.TableTexts)
	if m.Run.Recipe.Texts == "" {
		return fmt.Errorf("results: run %s kept no texts: it was made without --texts", m.Run.ID)
	}
	wanted := func(r *schemas.Text) bool { return o.wants(r.Package, r.Extractor) }
	return writeFrom(out, columnar.Texts, files, wanted, func(file string) iter.Seq2[*schemas.Text, error] {
		switch {
		case strings.HasSuffix(file, ".jsonl"):
			return from(ctx, store, file, lines)
		case strings.HasSuffix(file, conversion.Suffix):
			return from(ctx, store, file, records)
		}
		return tables.Rows(ctx, store, columnar.Texts, file)
	})
}

// from yields the texts that read finds in a file.
func from(ctx context.Context, store blob.Store, name string, read func(blob.File) iter.Seq2[*schemas.Text, error]) iter.Seq2[*schemas.Text, error] {
	return func(yield func(*schemas.Text, error) bool) {
		file, err := store.Open(ctx, name)
		if err != nil {
			yield(nil, err)
			return
		}
		defer file.Close()
		for row, err := range read(file) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(nil, fmt.Errorf("results: %s: %w", name, err))
				return
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// lines yields the texts in a file of JSON lines.
func lines(file blob.File) iter.Seq2[*schemas.Text, error] {
	return func(yield func(*schemas.Text, error) bool) {
		in := json.NewDecoder(io.NewSectionReader(file, 0, file.Size()))
		for {
			row := new(schemas.Text)
			err := in.Decode(row)
			if err == io.EOF || !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// records yields the texts in an archive.
func records(file blob.File) iter.Seq2[*schemas.Text, error] { return conversion.Read(file) }
