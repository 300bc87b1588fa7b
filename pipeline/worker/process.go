package worker

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	"github.com/winnow/winnow/pipeline/payload"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// bugError is a defect of ours that ended an attempt: trying again would meet
// it again.
type bugError struct {
	value any
	stack []byte
}

func (e *bugError) Error() string { return fmt.Sprintf("worker: panic: %v\n%s", e.value, e.stack) }

// attempt is one try to process one item.
type attempt struct {
	s      *slot
	j      *job
	l      *queue.Lease
	it     *schemas.Item // of l
	c      *journal
	t      *tally
	file   string // the item's file as the tables name it
	shards *shards
	counts schemas.Counts
	in     *source.WARC // of s
	scan   *scanner     // nil but in the phase scan
	ahead  ahead
	read   int64 // offset up to which the reading was told to the tally

	log *slog.Logger // names run, item, attempt and file
}

// process reads the item and publishes its shards. It returns the report to be
// published, or an error that says what to do with the item.
func (s *slot) process(ctx context.Context, j *job, l *queue.Lease, c *journal, t *tally) (d *schemas.Done, err error) {
	defer func() {
		if v := recover(); v != nil {
			// Not in a page, those have a net of their own: in the reading.
			err = &bugError{v, debug.Stack()}
			s.drop() // whatever state it was in
			s.in = source.WARC{}
		}
	}()
	if err := s.use(j); err != nil {
		return nil, err
	}
	it := &l.Item
	if it.Private {
		if err := admit(ctx, s.w.opt.Queue, s.w.opt.Blobs, it.Run, it.URL); err != nil {
			return nil, err
		}
	}
	src, err := source.Open(ctx, s.w.opt.Blobs, j.store, it.Stored(), it.Selection)
	if err != nil {
		if table := (*source.TableError)(nil); errors.As(err, &table) {
			return nil, ofOutput(err)
		}
		return nil, err
	}
	defer src.Close()
	src.Expect(it.End)

	a := &attempt{s: s, j: j, l: l, it: it, c: c, t: t, file: it.URL, in: &s.in,
		log: s.w.opt.Log.With("run", it.Run, "item", it.ID(), "attempt", c.p.Attempts, "file", it.URL)}
	if s.consensus != nil {
		clear(s.consensus.sums) // of an attempt that did not end
	}
	defer a.ahead.wait()
	a.shards = newShards(j.store, j.run, it, attemptName())
	defer a.shards.discard()
	if it.Phase == schemas.PhaseScan {
		a.scan = newScanner(ctx, a, a.shards.prefix)
		defer a.scan.discard()
	}
	r := source.Range{Start: it.Start, End: it.End, First: it.First}
	if err := a.in.Reset(src, r, source.OptionsOf(&j.run.Recipe, it.URL)); err != nil {
		return nil, err
	}
	if err := a.records(ctx); err != nil {
		return nil, err
	}
	account := a.in.Account()
	if err := a.defects(ctx, account.Ledger); err != nil {
		return nil, err
	}
	if err := src.Check(); err != nil {
		return nil, err
	}
	if err := c.read(ctx); err != nil {
		return nil, err
	}
	shards, err := a.publish(ctx)
	if err != nil {
		return nil, err
	}
	return a.report(&account, shards), nil
}

// publish makes the attempt's shards appear.
func (a *attempt) publish(ctx context.Context) ([]schemas.Shard, error) {
	if a.scan != nil {
		return a.scan.publish()
	}
	if err := a.agreed(ctx); err != nil {
		return nil, err
	}
	return a.shards.publish()
}

// attemptName tells this attempt's shards from those of any other.
func attemptName() string {
	var b [6]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// records reads the item to its end.
func (a *attempt) records(ctx context.Context) error {
	for {
		step, err := a.in.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch step {
		case source.Candidate:
			err = a.candidate(ctx)
		case source.Ready:
			err = a.ready(ctx)
		case source.Failed:
			err = a.fail(ctx, a.in.Failure())
		}
		if err != nil {
			return err
		}
	}
}

// candidate decodes a record that may be a page, unless it is left out.
func (a *attempt) candidate(ctx context.Context) error {
	rec := a.in.Record()
	a.advance(rec.Offset)
	at := schemas.Place{Offset: rec.Offset, Ordinal: rec.Ordinal}
	if crash := a.c.givenUp(at); crash != nil {
		return a.bury(ctx, rec, crash)
	}
	if a.scan != nil && a.scan.past(rec) {
		a.count(&a.counts.NotHTML, unsampled)
		return nil
	}
	return a.s.during(ctx, a.c, at, func() (done bool, err error) {
		doc, err := a.in.Decode()
		switch {
		case err != nil:
			return true, a.refuse(ctx, rec, "payload", "panic", err.Error())
		case doc.Outcome == payload.Refused:
			return true, a.refuse(ctx, rec, "payload", string(doc.Reason), "")
		case a.scan == nil:
		case doc.Outcome == payload.Page:
			a.scan.take(rec, a.in.Format())
		default:
			return true, a.scan.redirect(rec, doc.Location)
		}
		return doc.Outcome != payload.Page, nil
	})
}

// during carries out f, which is work on the record at p and reports whether it was the
// last, and notes in the crash journal that it does. If the process ended at the record before, f runs alone and
// after a rest, so that what ends the process now is f or comes from outside, and what
// comes from outside is likely to be seen in the rest.
func (s *slot) during(ctx context.Context, c *journal, p schemas.Place, f func() (done bool, err error)) error {
	alone := !c.alone && c.suspect(p)
	switch {
	case alone:
		s.w.alone.Lock()
		defer s.w.alone.Unlock()
		if err := c.rest(ctx, schemas.Mark{Location: p}, s.w.opt.Rest); err != nil {
			return err
		}
	case !c.alone:
		s.w.alone.RLock()
		defer s.w.alone.RUnlock()
	}
	if err := c.enter(ctx, p, alone); err != nil {
		return err
	}
	done, err := f()
	if err != nil {
		return err
	}
	return c.leave(ctx, p, done)
}

// bury gives the record up: it ended the process too often. Which workers that was is
// for the log: a row must not depend on them.
func (a *attempt) bury(ctx context.Context, rec *warc.Record, crash *schemas.Crash) error {
	const stage, reason, detail = "record", "crash", "the worker's process ended at this record"
	a.log.Error("record given up", "offset", rec.Offset, "ordinal", rec.Ordinal, "crashes", crash.Times, "alone", crash.Alone, "workers", crash.Workers)
	a.s.w.opt.Metrics.deadLetters.WithLabelValues(stage, reason).Inc()
	err := a.l.Bury(ctx, &schemas.Dead{
		Item: *a.it, Offset: rec.Offset, Length: rec.Length, Stage: stage, Reason: reason,
		Detail:   fmt.Sprintf("%s %d times, %d of them while it worked on nothing else, on %s", detail, crash.Times, crash.Alone, strings.Join(crash.Workers, ", ")),
		Attempts: a.c.p.Attempts, Time: time.Now().UTC(),
	})
	if err != nil {
		return &brokerError{err}
	}
	return a.refuse(ctx, rec, stage, reason, detail)
}

// ready works on a page, and meanwhile loads the templates of the site of the next one.
func (a *attempt) ready(ctx context.Context) error {
	j, p := a.j, a.in.Page()
	if next := a.in.Ahead(); next != "" && j.cache != nil && j.run.Recipe.SiteBy != schemas.ByPackage {
		a.ahead.fetch(ctx, j.cache, siteKey(j.run.Recipe.SiteBy, "", next))
	}
	return a.s.during(ctx, a.c, p.Location, func() (bool, error) {
		a.s.w.opt.Before(a.file, p.Location)
		if a.scan != nil {
			return true, a.scan.page(p)
		}
		return true, a.page(ctx, p)
	})
}

// advance tells the tally that the file is read up to an offset.
func (a *attempt) advance(offset int64) {
	if a.read == 0 {
		a.read = a.it.Start
	}
	if to := min(offset, a.it.End); to > a.read {
		a.t.add(to-a.read, 0, 0)
		a.s.w.opt.Metrics.inputBytes.WithLabelValues("compressed").Add(float64(to - a.read))
		a.read = to
	}
}

func (a *attempt) count(m *map[string]int64, key string) {
	if *m == nil {
		*m = make(map[string]int64)
	}
	(*m)[key]++
}

// refuse ends a record that should have been a page.
func (a *attempt) refuse(ctx context.Context, rec *warc.Record, stage, reason, detail string) error {
	return a.refuseAt(ctx, schemas.Place{Offset: rec.Offset, Ordinal: rec.Ordinal}, rec.Length, stage, reason, detail)
}

func (a *attempt) refuseAt(ctx context.Context, at schemas.Place, length int64, stage, reason, detail string) error {
	a.count(&a.counts.Refused, reason)
	a.t.add(0, 0, 1)
	if a.scan == nil { // or they would be counted in two phases
		a.s.w.opt.Metrics.records.WithLabelValues("refused", reason).Inc()
	}
	if at.Ordinal > 0 {
		detail = fmt.Sprintf("record %d of its unit. %s", at.Ordinal, detail)
	}
	return a.fail(ctx, &schemas.Failure{
		Offset: at.Offset, Length: length, Stage: stage, Reason: reason, Severity: "lost", Detail: detail,
	})
}

// maxDetail bounds what one failure may write; stacks are long.
const maxDetail = 2000

// fail writes a row of the failures table. The phase extract reads every record
// that the phase scan reads, so it alone writes them.
func (a *attempt) fail(ctx context.Context, f *schemas.Failure) error {
	if a.scan != nil {
		return nil
	}
	f.Run, f.File, f.Attempts = string(a.it.Run), a.file, int32(a.c.p.Attempts)
	if len(f.Detail) > maxDetail {
		f.Detail = f.Detail[:maxDetail]
	}
	return a.shards.failure(ctx, f)
}

// defects writes down what the reader met that cost something.
func (a *attempt) defects(ctx context.Context, ledger []warc.Defect) error {
	for i := range ledger {
		d := &ledger[i]
		if d.Code.Severity() == warc.Note {
			continue // counted, and no more
		}
		err := a.fail(ctx, &schemas.Failure{
			Offset: d.Offset, Length: d.Length, Stage: "read", Reason: string(d.Code),
			Severity: d.Code.Severity().String(), Detail: d.Detail,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// report is the account of the item. Records = Pages + NotHTML + Refused.
func (a *attempt) report(sum *source.Account, shards []schemas.Shard) *schemas.Done {
	n := &a.counts
	n.Records, n.ByType = sum.Records, sum.ByType
	for _, others := range [...]map[string]int64{sum.Skipped, sum.NotPages} {
		for kind, count := range others {
			if n.NotHTML == nil {
				n.NotHTML = make(map[string]int64)
			}
			n.NotHTML[kind] += count
		}
	}
	n.BytesUnits, n.BytesGaps = sum.BytesUnits, sum.BytesGaps
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
		a.s.w.opt.Metrics.outputBytes.WithLabelValues(string(s.Table)).Add(float64(s.Bytes))
	}
	if a.scan == nil {
		for reason, count := range n.NotHTML {
			a.s.w.opt.Metrics.records.WithLabelValues("not_html", reason).Add(float64(count))
		}
		a.s.w.opt.Metrics.records.WithLabelValues("page", "").Add(float64(n.Pages))
	}
	a.t.add(a.it.End-max(a.read, a.it.Start), 0, 0)
	return &schemas.Done{
		Version: schemas.Version, Item: *a.it, ID: a.it.ID(), Worker: a.s.w.opt.Name,
		First: sum.First, Next: sum.Next, Shards: shards, Counts: *n, Unverified: sum.DamagedLate,
	}
}
