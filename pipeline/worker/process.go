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

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/payload"
	"github.com/winnow/winnow/pipeline/queue"
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
	s       *slot
	j       *job
	l       *queue.Lease
	it      *schemas.Item // of l
	c       *journal
	t       *tally
	file    string // the item's file as the tables name it
	shards  *shards
	counts  schemas.Counts
	reader  *warc.Reader
	rec     warc.Record
	pending bool     // s.page waits for its gold
	scan    *scanner // nil but in the phase scan
	ahead   ahead
	read    int64 // offset up to which the reading was told to the tally

	// Pages of this unit were written without FlagUnverified; -1 for none. late are
	// units of which that was found to be wrong.
	written int64
	late    []int64

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
	src, err := s.w.opt.Blobs.Open(ctx, blob.Object{URL: it.URL, Size: it.Size, Identity: it.Ident, Ranges: true})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	src.Expect(it.End)

	a := &attempt{s: s, j: j, l: l, it: it, c: c, t: t, file: it.URL, written: -1,
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
	lim := &j.run.Recipe.Limits
	s.decoder.Options = payload.Options{MaxPayload: int(lim.PayloadBytes), Statuses: j.run.Recipe.Statuses}
	a.reader, err = warc.Open(src, it.Start, it.End, it.First, warc.Options{
		Want: MayBePageOrGold, Name: it.URL, MaxBlock: lim.BlockBytes, MaxUnit: lim.UnitBytes,
	})
	if err != nil {
		return nil, err
	}
	if err := a.records(ctx); err != nil {
		return nil, err
	}
	sum := a.reader.Summary()
	if err := a.defects(ctx, &sum); err != nil {
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
	return a.report(&sum, shards), nil
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

// records reads the item to its end. A page is worked on when the record behind
// it is known, because that may be its gold.
func (a *attempt) records(ctx context.Context) error {
	for {
		err := a.reader.Next(&a.rec)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if a.rec.Type == warc.TypeMetadata {
			a.count(&a.counts.NotHTML, "gold")
			if a.rec.Seq == 0 && a.it.Start > 0 {
				continue // The attempt at the item before reads on to this record.
			}
			if err := a.gold(ctx); err != nil {
				return err
			}
			continue
		}
		if j := a.j; j.cache != nil && j.run.Recipe.SiteBy != ByPackage {
			// While the page before this one is worked on.
			a.ahead.fetch(ctx, j.cache, siteKey(j.run.Recipe.SiteBy, "", a.rec.TargetURI))
		}
		if err := a.flush(ctx); err != nil {
			return err
		}
		if err := a.candidate(ctx); err != nil {
			return err
		}
	}
	if a.pending || a.scan == nil && (a.it.Start == 0 || a.reader.Summary().Records > 0) {
		// The record behind the item's last may be the gold of its last page. It is
		// judged here also if it is not, because only here is known what is before it: so
		// the same rows say so, wherever the file is cut.
		found, err := a.reader.Follow(&a.rec)
		if err != nil {
			return err
		}
		if found && a.rec.Type == warc.TypeMetadata {
			if err := a.gold(ctx); err != nil {
				return err
			}
		}
	}
	if err := a.flush(ctx); err != nil {
		return err
	}
	a.unitBehind()
	return nil
}

// candidate decodes a record that may be a page, and keeps it if it is one.
func (a *attempt) candidate(ctx context.Context) error {
	a.advance()
	rec := &a.rec
	at := schemas.Place{Offset: rec.Offset, Ordinal: rec.Ordinal}
	if crash := a.c.givenUp(at); crash != nil {
		return a.bury(ctx, crash)
	}
	if a.scan != nil && a.scan.past(rec) {
		a.count(&a.counts.NotHTML, unsampled)
		return nil
	}
	return a.s.during(ctx, a.c, at, func() (bool, error) {
		doc, err := a.decode()
		if err != nil {
			return true, a.refuse(ctx, "payload", "panic", err.Error())
		}
		switch doc.Outcome {
		case payload.Page:
			a.s.page.keep(rec, &doc)
			a.pending = true
			if a.scan != nil {
				a.scan.take(rec, a.reader.Format())
			}
		case payload.NotPage:
			a.count(&a.counts.NotHTML, string(doc.Reason))
			if a.scan != nil {
				return true, a.scan.redirect(rec, doc.Location)
			}
		default:
			return true, a.refuse(ctx, "payload", string(doc.Reason), "")
		}
		return !a.pending, nil
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
func (a *attempt) bury(ctx context.Context, crash *schemas.Crash) error {
	const stage, reason, detail = "record", "crash", "the worker's process ended at this record"
	a.log.Error("record given up", "offset", a.rec.Offset, "ordinal", a.rec.Ordinal, "crashes", crash.Times, "alone", crash.Alone, "workers", crash.Workers)
	a.s.w.opt.Metrics.deadLetters.WithLabelValues(stage, reason).Inc()
	err := a.l.Bury(ctx, &schemas.Dead{
		Item: *a.it, Offset: a.rec.Offset, Length: a.rec.Length, Stage: stage, Reason: reason,
		Detail:   fmt.Sprintf("%s %d times, %d of them while it worked on nothing else, on %s", detail, crash.Times, crash.Alone, strings.Join(crash.Workers, ", ")),
		Attempts: a.c.p.Attempts, Time: time.Now().UTC(),
	})
	if err != nil {
		return &brokerError{err}
	}
	return a.refuse(ctx, stage, reason, detail)
}

// decode is the payload decoder with a net below it.
func (a *attempt) decode() (doc payload.Document, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%v\n%s", v, debug.Stack())
			opt := a.s.decoder.Options
			a.s.decoder = payload.Decoder{Options: opt}
		}
	}()
	return a.s.decoder.Decode(MessageOf(&a.rec)), nil
}

// errNoPage says that gold is about nothing. It does not say whether there was a page
// some records before, because that may have been in another item.
var errNoPage = errors.New("it does not directly follow a page")

// gold gives the record just read to the page before it, if it is about that.
// Gold that is about nothing is a defect of the packing, and costs only itself.
func (a *attempt) gold(ctx context.Context) error {
	p := &a.s.page
	err := errNoPage
	if a.pending {
		err = p.attach(&a.rec)
	}
	if err == nil {
		return nil
	}
	return a.fail(ctx, &schemas.Failure{
		Offset: a.rec.Offset, Length: a.rec.Length, Stage: "gold", Reason: "gold-bad", Severity: "damaged", Detail: err.Error(),
	})
}

// flush works on the page that waits, if there is one.
func (a *attempt) flush(ctx context.Context) error {
	if !a.pending {
		return nil
	}
	a.pending = false
	p := &a.s.page
	return a.s.during(ctx, a.c, p.at, func() (bool, error) { return true, a.work(ctx, p) })
}

// work runs the methods on a page.
func (a *attempt) work(ctx context.Context, p *pageRecord) error {
	a.s.w.opt.Before(a.file, p.at)
	// Known only now: the unit of the page has been read to its end.
	if sum := a.reader.Summary(); len(sum.Unverified) > 0 && contains(sum.Unverified, p.at.Offset) {
		p.flags |= warc.FlagUnverified
	}
	if p.at.Offset != a.written {
		a.unitBehind()
		a.written = -1
	}
	if p.flags&warc.FlagUnverified == 0 {
		a.written = p.at.Offset
	}
	if a.scan != nil {
		return a.scan.page(p)
	}
	return a.page(ctx, p)
}

// unitBehind notes whether the unit of the last pages, which has been read to its
// end, is damaged after all: it may hold many records, and its checksum stands
// behind them.
func (a *attempt) unitBehind() {
	if a.written >= 0 && len(a.late) < schemas.MaxUnverified && contains(a.reader.Summary().Unverified, a.written) {
		a.late = append(a.late, a.written)
	}
}

// contains looks from the end of an ascending list: that is where news are.
func contains(list []int64, v int64) bool {
	for i := len(list) - 1; i >= 0 && list[i] >= v; i-- {
		if list[i] == v {
			return true
		}
	}
	return false
}

// advance tells the tally how far the file is read.
func (a *attempt) advance() {
	if a.read == 0 {
		a.read = a.it.Start
	}
	if to := min(a.rec.Offset, a.it.End); to > a.read {
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
func (a *attempt) refuse(ctx context.Context, stage, reason, detail string) error {
	return a.refuseAt(ctx, schemas.Place{Offset: a.rec.Offset, Ordinal: a.rec.Ordinal}, a.rec.Length, stage, reason, detail)
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
func (a *attempt) defects(ctx context.Context, sum *warc.Summary) error {
	for i := range sum.Ledger {
		d := &sum.Ledger[i]
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
func (a *attempt) report(sum *warc.Summary, shards []schemas.Shard) *schemas.Done {
	n := &a.counts
	n.Records, n.ByType = sum.Records, sum.ByType
	for typ, count := range sum.Skipped {
		if n.NotHTML == nil {
			n.NotHTML = make(map[string]int64)
		}
		n.NotHTML[typ] += count
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
		First: sum.First, Next: sum.Next, Shards: shards, Counts: *n, Unverified: a.late,
	}
}
