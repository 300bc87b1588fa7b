package records

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/source/payload"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
)

// Visitor is the part of a task that processes an item's records.
type Visitor interface {
	// Skip returns "" if a record that may be a page is to be decoded, else the name
	// under which it is counted with those that are no pages.
	Skip(rec *warc.Record) string
	// Decoded is called with the content of a record that was not refused.
	Decoded(rec *warc.Record, doc *payload.Document) error
	// Page works on a page, with its gold if it has any. refuse ends it as a record
	// that should have been a page.
	Page(ctx context.Context, p *source.Page, refuse func(reason, detail string) error) error
	// Failure is called for each refused record and for each damage that cost bytes or
	// records.
	Failure(ctx context.Context, f *schemas.Failure) error
}

// Reader reads the records of one item after the other. The zero Reader is ready for
// use; it belongs to one slot and keeps its buffers.
type Reader struct {
	in      source.Reader // nil until the first item is read
	attempt *worker.Attempt
	visitor Visitor
	counts  *schemas.Counts
	read    int64 // offset up to which Advance was told of the reading
}

// Read reads the item of an attempt to its end. It counts in counts everything that it
// passes to the visitor, except for pages, which the visitor counts.
func (r *Reader) Read(ctx context.Context, a *worker.Attempt, counts *schemas.Counts, v Visitor) (*source.Account, error) {
	r.attempt, r.visitor, r.counts, r.read = a, v, counts, a.Item.File.Start
	src, err := a.OpenFile(ctx)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	if r.in == nil {
		r.in = source.NewReader()
	}
	f := &a.Item.File
	if err := r.in.Reset(src, source.Range{Start: f.Start, End: f.End, First: f.First}, source.OptionsOf(&a.Job.Run.Recipe, f.URL)); err != nil {
		return nil, err
	}
	if err := r.steps(ctx); err != nil {
		return nil, err
	}
	account := r.in.Account()
	if err := r.defects(ctx, account.Ledger); err != nil {
		return nil, err
	}
	if err := src.Check(); err != nil {
		return nil, err
	}
	a.Advance(worker.Progress{Bytes: f.End - r.read})
	return &account, a.InputRead(ctx)
}

// Addressable reports whether the record of Visitor.Decoded can be read again by its
// address alone: at its own cost, and with the same result.
func (r *Reader) Addressable() bool { return r.in.Addressable() }

// Next returns the address of the page that follows the present one, "" if it is not
// known.
func (r *Reader) Next() string { return r.in.Ahead() }

func (r *Reader) steps(ctx context.Context) error {
	for {
		step, err := r.in.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch step {
		case source.Candidate:
			err = r.candidate(ctx)
		case source.Ready:
			err = r.page(ctx)
		case source.Failed:
			err = r.fail(ctx, r.in.Failure())
		}
		if err != nil {
			return err
		}
	}
}

// candidate decodes a record that may be a page, unless it is left out.
func (r *Reader) candidate(ctx context.Context) error {
	rec := r.in.Record()
	r.advance(rec.Offset)
	at := schemas.Location{Offset: rec.Offset, Ordinal: rec.Ordinal}
	step := schemas.AtLocation(at)
	if crash := r.attempt.Crashed(step); crash != nil {
		return r.giveUp(ctx, rec, at, crash)
	}
	if kind := r.visitor.Skip(rec); kind != "" {
		count(&r.counts.NotHTML, kind)
		return nil
	}
	return r.attempt.Step(ctx, step, func() (last bool, err error) {
		doc, err := r.in.Decode()
		switch {
		case err != nil:
			return true, r.refuse(ctx, at, rec.Length, "payload", "panic", err.Error())
		case doc.Outcome == payload.Refused:
			return true, r.refuse(ctx, at, rec.Length, "payload", string(doc.Reason), "")
		}
		return doc.Outcome != payload.Page, r.visitor.Decoded(rec, &doc)
	})
}

func (r *Reader) page(ctx context.Context) error {
	p := r.in.Page()
	return r.attempt.Step(ctx, schemas.AtLocation(p.Location), func() (bool, error) {
		return true, r.visitor.Page(ctx, p, func(reason, detail string) error {
			return r.refuse(ctx, p.Location, p.Length, "page", reason, detail)
		})
	})
}

// giveUp leaves out a record that ended the process too often. The workers are named
// in the log and in the dead letter only: a row must not depend on them.
func (r *Reader) giveUp(ctx context.Context, rec *warc.Record, at schemas.Location, crash *schemas.Crash) error {
	const stage, reason, detail = "record", "crash", "the worker's process ended at this record"
	r.attempt.Log.Error("record given up", "offset", at.Offset, "ordinal", at.Ordinal, "crashes", crash.Times, "alone", crash.Alone, "workers", crash.Workers)
	err := r.attempt.GiveUpRecord(ctx, rec.Offset, rec.Length, stage, reason,
		fmt.Sprintf("%s %d times, %d of them while it worked on nothing else, on %s", detail, crash.Times, crash.Alone, strings.Join(crash.Workers, ", ")))
	if err != nil {
		return err
	}
	return r.refuse(ctx, at, rec.Length, stage, reason, detail)
}

// advance notes that the file is read up to an offset.
func (r *Reader) advance(offset int64) {
	if to := min(offset, r.attempt.Item.File.End); to > r.read {
		r.attempt.Advance(worker.Progress{Bytes: to - r.read})
		r.read = to
	}
}

func count(m *map[string]int64, key string) {
	if *m == nil {
		*m = make(map[string]int64)
	}
	(*m)[key]++
}

// refuse ends a record that should have been a page.
func (r *Reader) refuse(ctx context.Context, at schemas.Location, length int64, stage, reason, detail string) error {
	count(&r.counts.Refused, reason)
	r.attempt.Advance(worker.Progress{Failures: 1})
	if at.Ordinal > 0 {
		detail = fmt.Sprintf("record %d of its unit. %s", at.Ordinal, detail)
	}
	return r.fail(ctx, &schemas.Failure{
		Offset: at.Offset, Length: length, Stage: stage, Reason: reason, Severity: "lost", Detail: detail,
	})
}

// maxDetail bounds the characters that one failure may write; stacks are long.
const maxDetail = 2000

func (r *Reader) fail(ctx context.Context, f *schemas.Failure) error {
	it := r.attempt.Item
	f.Run, f.File, f.Attempts = string(it.Run), it.File.URL, int32(r.attempt.Number)
	f.Detail = schemas.Shorten(f.Detail, maxDetail)
	return r.visitor.Failure(ctx, f)
}

// defects reports the damage that cost bytes or records.
func (r *Reader) defects(ctx context.Context, ledger []warc.Defect) error {
	for i := range ledger {
		d := &ledger[i]
		if d.Code.Severity() == warc.Note {
			continue // such a defect is only counted
		}
		err := r.fail(ctx, &schemas.Failure{
			Offset: d.Offset, Length: d.Length, Stage: "read", Reason: string(d.Code),
			Severity: d.Code.Severity().String(), Detail: d.Detail,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Report returns the report of an attempt whose item was read: its account is sum, and
// counts, to which the reader's counts are added. Records = Pages + NotHTML + Refused.
func Report(a *worker.Attempt, sum *source.Account, counts *schemas.Counts, shards []schemas.Shard) *schemas.Done {
	n := counts
	n.Records, n.ByType = sum.Records, sum.ByType
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
	d := a.Report()
	d.First, d.Next, d.Shards, d.Counts, d.Unverified = sum.First, sum.Next, shards, *n, sum.DamagedLate
	return d
}
