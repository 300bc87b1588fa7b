package source

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// Object returns the object from which an input file of a run is read. It is read by
// range requests. If a server ignores them, reading a range costs all bytes before it.
func Object(s schemas.Stored) blob.Object {
	return blob.Object{URL: s.URL, Size: s.Size, Identity: s.Identity, Ranges: true, Within: blob.Within(s.Within)}
}

// Open opens an input file of a run, or the records of it that an index chose. WARC.Reset
// accepts either. The table of the chosen records is in the output folder store.
func Open(ctx context.Context, blobs *blob.Client, store blob.Store, in schemas.Stored, sel schemas.Selection) (blob.Source, error) {
	if sel == (schemas.Selection{}) {
		return blobs.Open(ctx, Object(in))
	}
	s, err := loadSelection(ctx, store, sel)
	if err != nil {
		return nil, &TableError{fmt.Errorf("read which records of %s are chosen: %w", in.URL, err)}
	}
	src, err := blobs.Open(ctx, Object(in))
	if err != nil {
		return nil, err
	}
	return &selected{Source: src, sel: s, format: warc.ParseFormat(sel.Format)}, nil
}

// TableError is the error of Open if the table of the chosen records cannot be read. It
// concerns the output folder, not the input.
type TableError struct{ Err error }

func (e *TableError) Error() string { return e.Err.Error() }

func (e *TableError) Unwrap() error { return e.Err }

// loadSelection reads a part of the table of selected records.
func loadSelection(ctx context.Context, store blob.Store, sel schemas.Selection) (*selection, error) {
	file, err := store.Open(ctx, sel.Table)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if sel.Bytes > file.Size()-sel.Offset {
		return nil, errTable
	}
	data := make([]byte, sel.Bytes)
	if n, err := file.ReadAt(data, sel.Offset); n < len(data) && !errors.Is(err, io.EOF) {
		return nil, err
	} else if n < len(data) {
		return nil, errTable
	}
	return decodeSelection(data, sel.Whole)
}
