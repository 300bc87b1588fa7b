package tables

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/tables/conversion"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// Texts yields the texts in a file of an output folder, which may be a table, JSON lines,
// their bulk form or an archive. A row is valid until the next one. An error is the last value.
func Texts(ctx context.Context, store blob.Store, name string) iter.Seq2[*schemas.Text, error] {
	switch {
	case strings.HasSuffix(name, columnar.JSONLinesSuffix):
		return from(ctx, store, name, func(file blob.File) iter.Seq2[*schemas.Text, error] { return lines(file, false) })
	case strings.HasSuffix(name, columnar.BulkSuffix):
		return from(ctx, store, name, func(file blob.File) iter.Seq2[*schemas.Text, error] { return lines(file, true) })
	case strings.HasSuffix(name, conversion.Suffix):
		return from(ctx, store, name, records)
	}
	return Rows(ctx, store, columnar.Texts, name)
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
				yield(nil, fmt.Errorf("%s: %w", name, err))
				return
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// lines yields the texts in a file of JSON lines. In the bulk form, each follows an action.
func lines(file blob.File, bulk bool) iter.Seq2[*schemas.Text, error] {
	return func(yield func(*schemas.Text, error) bool) {
		z, err := zstd.NewReader(io.NewSectionReader(file, 0, file.Size()), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20))
		if err != nil {
			yield(nil, err)
			return
		}
		defer z.Close()
		in := json.NewDecoder(z)
		for {
			row := new(schemas.Text)
			var err error
			if bulk {
				err = in.Decode(new(json.RawMessage))
			}
			if err == nil {
				err = in.Decode(row)
			}
			if err == nil && row.DocID == "" {
				err = errors.New("a text does not name its page: was the run made with --bulk fields=...? Add package, doc_id, url, extractor and text to them")
			}
			if err == io.EOF || !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// records yields the texts in an archive.
func records(file blob.File) iter.Seq2[*schemas.Text, error] { return conversion.Read(file) }
