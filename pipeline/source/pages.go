package source

import (
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/winnow/winnow/pipeline/source/payload"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// Pages yields the pages of src, which errors call name. It yields a *Failure for every
// record that should have been a page but cannot be read, for gold that cannot be
// attached, and for bytes that were lost. Any other error ends the sequence. A page is
// valid until the next one is read.
func Pages(ctx context.Context, name string, src Source) iter.Seq2[*Page, error] {
	return func(yield func(*Page, error) bool) {
		for {
			step, err := src.Next()
			if ended := ctx.Err(); ended != nil {
				err = ended
			}
			if err == io.EOF {
				lost(name, src.Account().Ledger, yield)
				return
			}
			if err != nil {
				yield(nil, fmt.Errorf("%s: %w", name, err))
				return
			}
			more := true
			switch step {
			case Candidate:
				if f := Refusal(src); f != nil {
					more = yield(nil, failureAt(name, src.Record().Address, f))
				}
			case Ready:
				more = yield(src.Page(), nil)
			case Failed:
				f := src.Failure()
				more = yield(nil, failureAt(name, warc.Address{Offset: f.Offset}, f))
			}
			if !more {
				return
			}
		}
	}
}

// Refusal decodes the record of a Candidate. If the record should be a page but cannot be
// read, it returns the failure, and otherwise nil.
func Refusal(src Source) *schemas.Failure {
	rec := src.Record()
	f := &schemas.Failure{Offset: rec.Offset, Length: rec.Length, Stage: "payload", Severity: warc.Lost.String()}
	doc, err := src.Decode()
	switch {
	case err != nil:
		f.Reason, f.Detail = "panic", err.Error()
	case doc.Outcome == payload.Refused:
		f.Reason = string(doc.Reason)
	default:
		return nil
	}
	return f
}

// failureAt returns a Failure at a location in a file, or in a file that has no offsets.
func failureAt(name string, at warc.Address, f *schemas.Failure) *Failure {
	if at.Offset < 0 {
		return &Failure{name, *f}
	}
	return &Failure{fmt.Sprintf("%s at %s", name, at), *f}
}

// lost yields a *Failure for each part of the file that the reader could not read.
func lost(name string, ledger []warc.Defect, yield func(*Page, error) bool) {
	for _, d := range ledger {
		if !d.Code.Loses() {
			continue
		}
		f := schemas.Failure{Offset: d.Offset, Length: d.Length, Stage: "read", Reason: string(d.Code), Severity: d.Code.Severity().String()}
		if !yield(nil, failureAt(name, warc.Address{Offset: d.Offset}, &f)) {
			return
		}
	}
}
