package conversion

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"time"

	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// maxText is the length of the longest text that Read accepts. A longer one is an error.
const maxText = 1 << 30

// Read yields the texts of a file that a Writer wrote, in order. The caller may keep the
// rows. A file that is damaged or was not written by a Writer gives an error that names
// the offset.
func Read(src warc.Source) iter.Seq2[*schemas.Text, error] {
	return func(yield func(*schemas.Text, error) bool) {
		r, err := warc.Open(src, 0, src.Size(), 0, warc.Options{MaxBlock: maxText, MaxUnit: maxText + 1<<20})
		if err != nil {
			yield(nil, fmt.Errorf("conversion: %w", err))
			return
		}
		var rec warc.Record
		for {
			err := r.Next(&rec)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				yield(nil, fmt.Errorf("conversion: %w", err))
				return
			}
			if rec.Type == warc.TypeWarcinfo {
				continue
			}
			row, err := rowOf(&rec)
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(row, nil) {
				return
			}
		}
		for _, d := range r.Summary().Ledger {
			if d.Code.Severity() > warc.Note { // a page without a URL is only a note
				yield(nil, fmt.Errorf("conversion: at offset %d: %s", d.Offset, d.Code))
				return
			}
		}
	}
}

// rowOf returns the row from which a record was written.
func rowOf(rec *warc.Record) (*schemas.Text, error) {
	bad := func(what string) error {
		return fmt.Errorf("conversion: at offset %d: %s; this is not a file of texts, or it is damaged", rec.Offset, what)
	}
	if rec.Type != warc.TypeConversion {
		return nil, bad(fmt.Sprintf("a record of type %q", rec.Type))
	}
	if rec.Flags != 0 || int64(len(rec.Block)) != rec.BlockSize {
		return nil, bad(fmt.Sprintf("a record that is not whole (%v)", rec.Flags.Names()))
	}
	row := &schemas.Text{URL: rec.TargetURI, RecordID: rec.Field("warc-refers-to"), Text: string(rec.Block)}
	if !rec.Date.IsZero() {
		row.Date = rec.Date.Format(time.RFC3339)
	}
	for _, f := range []struct {
		name string
		to   *string
	}{{"winnow-run", &row.Run}, {"winnow-package", &row.Package}, {"winnow-document", &row.DocID}, {"winnow-extractor", &row.Extractor}} {
		s, err := url.PathUnescape(rec.Field(f.name))
		if err != nil {
			return nil, bad(err.Error())
		}
		*f.to = s
	}
	for form, mediaType := range mediaTypes {
		if rec.Field("content-type") == mediaType {
			row.Form = form
		}
	}
	if row.Form == "" {
		return nil, bad(fmt.Sprintf("a record of media type %.100q", rec.Field("content-type")))
	}
	if row.Extractor == "" {
		return nil, bad("a record without an extractor")
	}
	return row, nil
}
