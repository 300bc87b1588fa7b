package tables

import (
	"bufio"
	"bytes"
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
// their bulk form or an archive. With wanted, it yields those rows for which that returns
// true by the package, page and extractor; the texts of other rows are not decoded if they
// are in JSON lines. A row is valid until the next one. An error is the last value.
func Texts(ctx context.Context, store blob.Store, name string, wanted func(*schemas.Text) bool) iter.Seq2[*schemas.Text, error] {
	rows := Rows(ctx, store, columnar.Texts, name)
	switch {
	case strings.HasSuffix(name, columnar.JSONLinesSuffix):
		rows = from(ctx, store, name, func(file blob.File) iter.Seq2[*schemas.Text, error] { return lines(file, false, wanted) })
	case strings.HasSuffix(name, columnar.BulkSuffix):
		rows = from(ctx, store, name, func(file blob.File) iter.Seq2[*schemas.Text, error] { return lines(file, true, wanted) })
	case strings.HasSuffix(name, conversion.Suffix):
		rows = from(ctx, store, name, func(file blob.File) iter.Seq2[*schemas.Text, error] { return conversion.Read(file) })
	}
	if wanted == nil {
		return rows
	}
	return func(yield func(*schemas.Text, error) bool) {
		for row, err := range rows {
			if (err != nil || wanted(row)) && !yield(row, err) {
				return
			}
		}
	}
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

// textKey precedes the text, which is the last value of a line. No earlier value contains it,
// because quotation marks within a value are escaped by a backslash.
var textKey = []byte(`,"text":`)

// lines yields the rows of a file of JSON lines, those that are not wanted without their
// texts. In the bulk form, each follows an action.
func lines(file blob.File, bulk bool, wanted func(*schemas.Text) bool) iter.Seq2[*schemas.Text, error] {
	return func(yield func(*schemas.Text, error) bool) {
		z, err := zstd.NewReader(io.NewSectionReader(file, 0, file.Size()), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20))
		if err != nil {
			yield(nil, err)
			return
		}
		defer z.Close()
		in := bufio.NewReaderSize(z, 64<<10)
		for {
			var line []byte
			if bulk {
				_, err = next(in)
			}
			if err == nil {
				line, err = next(in)
			}
			row, whole := new(schemas.Text), true
			if at := bytes.Index(line, textKey); err == nil && wanted != nil && at >= 0 {
				err = json.Unmarshal(append(line[:at:at], '}'), row)
				whole = wanted(row)
			}
			if err == nil && whole {
				err = json.Unmarshal(line, row)
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

// next reads a line. The error is io.EOF at the end of the file alone.
func next(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadBytes('\n')
	if err == io.EOF && len(line) > 0 {
		err = io.ErrUnexpectedEOF
	}
	return line, err
}
