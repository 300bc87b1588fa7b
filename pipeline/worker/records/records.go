package records

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/source/payload"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
)

// Reader reads the records of one item after the other. It is a source.WARC that keeps
// the crash journal of the attempt and the account of the item:
//
//	if err := r.Open(ctx, attempt); err != nil {
//		return nil, err
//	}
//	defer r.Close()
//	for {
//		step, err := r.Next(ctx) // io.EOF at the end
//		switch step {
//		case source.Candidate: // Decode r.Record(), or leave it out
//		case source.Ready:     // r.Page() is a page, with its gold if it has any; Refuse ends it
//		case source.Failed:    // r.Failure() is a refused record, or damage that cost bytes or records
//		}
//	}
//
// The zero Reader is ready for use. It belongs to one slot and keeps its buffers.
type Reader struct {
	*source.WARC // nil until the first item is opened
	// Named is source.Options.Named.
	Named func(*source.NamedRecord) error

	attempt  *worker.Attempt
	file     blob.Source
	refused  map[string]int64   // records, by reason
	read     int64              // offset last passed to Attempt.Advance
	last     bool               // the current step of the crash journal completes its record
	failures []*schemas.Failure // the failure of the step Failed, and those that follow
	failed   bool               // failures[0] is that of the current step
	ended    bool               // only failures follow
}

// Open begins to read the item of an attempt. The caller closes the reader.
func (r *Reader) Open(ctx context.Context, a *worker.Attempt) error {
	src, err := a.OpenFile(ctx)
	if err != nil {
		return err
	}
	if r.WARC == nil {
		r.WARC = new(source.WARC)
	}
	f := &a.Item.File
	opt := source.OptionsOf(&a.Job.Run.Recipe, f.URL)
	opt.Named = r.Named
	if err := r.Reset(src, source.Range{Start: f.Start, End: f.End, First: f.First}, opt); err != nil {
		src.Close()
		return err
	}
	*r = Reader{WARC: r.WARC, Named: r.Named, attempt: a, file: src, read: f.Start}
	return nil
}

// Close closes the item's file.
func (r *Reader) Close() { r.file.Close() }

// Next ends the work on the current record and moves to the next step, as source.Source
// does.
func (r *Reader) Next(ctx context.Context) (source.Step, error) {
	if err := r.attempt.End(ctx, r.last); err != nil {
		return 0, err
	}
	if r.failed {
		r.failures, r.failed = r.failures[1:], false
	}
	for len(r.failures) == 0 {
		if r.ended {
			return 0, r.end(ctx)
		}
		step, err := r.WARC.Next()
		switch {
		case err == io.EOF:
			r.ended = true
			r.defects(r.Account().Ledger)
		case err != nil:
			return 0, err
		case step == source.Candidate:
			rec := r.Record()
			r.advance(rec.Offset)
			crash := r.attempt.Crashed(schemas.AtLocation(locationOf(rec)))
			if crash == nil {
				return step, nil
			}
			if err := r.giveUp(ctx, rec, crash); err != nil {
				return 0, err
			}
		case step == source.Ready:
			r.last = true
			return step, r.attempt.Begin(ctx, schemas.AtLocation(r.Page().Location))
		case step == source.Failed:
			r.fail(r.WARC.Failure())
		}
	}
	r.failed = true
	return source.Failed, nil
}

// end returns io.EOF, or the error for which the item was not read to its end.
func (r *Reader) end(ctx context.Context) error {
	if err := r.file.Check(); err != nil {
		return err
	}
	r.attempt.Advance(worker.Progress{Bytes: r.attempt.Item.File.End - r.read})
	if err := r.attempt.InputRead(ctx); err != nil {
		return err
	}
	return io.EOF
}

// Decode decodes the record of the step Candidate. If the record should have been a page
// and is not, the outcome is payload.Refused, and the step Failed follows.
func (r *Reader) Decode(ctx context.Context) (payload.Document, error) {
	rec := r.Record()
	at := locationOf(rec)
	if err := r.attempt.Begin(ctx, schemas.AtLocation(at)); err != nil {
		return payload.Document{}, err
	}
	doc, err := r.WARC.Decode()
	if err != nil {
		doc = payload.Document{Outcome: payload.Refused, Reason: "panic"}
		r.refuse(at, rec.Length, "payload", "panic", err.Error())
	} else if doc.Outcome == payload.Refused {
		r.refuse(at, rec.Length, "payload", string(doc.Reason), "")
	}
	r.last = doc.Outcome != payload.Page
	return doc, nil
}

// Refuse ends the page of the step Ready as a record that should have been a page. The
// step Failed follows.
func (r *Reader) Refuse(reason, detail string) {
	p := r.Page()
	r.refuse(p.Location, p.Length, "page", reason, detail)
}

// Failure returns the failure of the step Failed.
func (r *Reader) Failure() *schemas.Failure { return r.failures[0] }

func locationOf(rec *warc.Record) schemas.Location {
	return schemas.Location{Offset: rec.Offset, Ordinal: rec.Ordinal}
}

// giveUp leaves out a record that ended the process too often. The workers are named
// in the log and in the dead letter only: a row must not depend on them.
func (r *Reader) giveUp(ctx context.Context, rec *warc.Record, crash *schemas.Crash) error {
	const stage, reason, detail = "record", "crash", "the worker's process ended at this record"
	r.attempt.Log.Error("record given up", "offset", rec.Offset, "ordinal", rec.Ordinal, "crashes", crash.Times, "alone", crash.Alone, "workers", crash.Workers)
	r.refuse(locationOf(rec), rec.Length, stage, reason, detail)
	return r.attempt.GiveUpRecord(ctx, rec.Offset, rec.Length, stage, reason,
		fmt.Sprintf("%s %d times, %d of them while it worked on nothing else, on %s", detail, crash.Times, crash.Alone, strings.Join(crash.Workers, ", ")))
}

// advance notes that the file is read up to an offset.
func (r *Reader) advance(offset int64) {
	if to := min(offset, r.attempt.Item.File.End); to > r.read {
		r.attempt.Advance(worker.Progress{Bytes: to - r.read})
		r.read = to
	}
}

// refuse ends a record that should have been a page.
func (r *Reader) refuse(at schemas.Location, length int64, stage, reason, detail string) {
	if r.refused == nil {
		r.refused = make(map[string]int64)
	}
	r.refused[reason]++
	r.attempt.Advance(worker.Progress{Failures: 1})
	if at.Ordinal > 0 {
		detail = fmt.Sprintf("record %d of its unit. %s", at.Ordinal, detail)
	}
	r.fail(&schemas.Failure{
		Offset: at.Offset, Length: length, Stage: stage, Reason: reason, Severity: "lost", Detail: detail,
	})
}

// maxDetail bounds the characters that one failure may write; stacks are long.
const maxDetail = 2000

// fail adds a failure to those that Next returns.
func (r *Reader) fail(f *schemas.Failure) {
	it := r.attempt.Item
	f.Run, f.File, f.Attempts = string(it.Run), it.File.URL, int32(r.attempt.Number)
	f.Detail = schemas.Shorten(f.Detail, maxDetail)
	r.failures = append(r.failures, f)
}

// defects adds the damage that cost bytes or records.
func (r *Reader) defects(ledger []warc.Defect) {
	for i := range ledger {
		d := &ledger[i]
		if d.Code.Severity() == warc.Note {
			continue // such a defect is only counted
		}
		r.fail(&schemas.Failure{
			Offset: d.Offset, Length: d.Length, Stage: "read", Reason: string(d.Code),
			Severity: d.Code.Severity().String(), Detail: d.Detail,
		})
	}
}

// Report returns the report of the attempt after the end of its item. n counts what the
// task has made of the records, to which the reader's counts are added. Records = Pages +
// NotHTML + Refused.
func (r *Reader) Report(n schemas.Counts, shards []schemas.Shard) *schemas.Done {
	sum := r.Account()
	n.Records, n.ByType, n.Refused = sum.Records, sum.ByType, r.refused
	for _, others := range [...]map[string]int64{sum.Skipped, sum.NotPages} {
		for kind, count := range others {
			if n.NotHTML == nil {
				n.NotHTML = make(map[string]int64)
			}
			n.NotHTML[kind] += count
		}
	}
	n.BytesUnits, n.BytesGaps, n.BytesEmpty = sum.BytesUnits, sum.BytesGaps, sum.BytesEmpty
	if sum.First >= 0 {
		n.Bytes = sum.Next - sum.First
	}
	if len(sum.Defects) > 0 {
		n.Defects = make(map[string]int64, len(sum.Defects))
		for code, count := range sum.Defects {
			n.Defects[string(code)] = count
		}
	}
	for _, s := range shards {
		if n.Rows == nil {
			n.Rows = make(map[schemas.Table]int64)
		}
		n.Rows[s.Table] = s.Rows
	}
	d := r.attempt.Report()
	d.First, d.Next, d.Shards, d.Counts, d.Unverified = sum.First, sum.Next, shards, n, sum.DamagedLate
	return d
}
