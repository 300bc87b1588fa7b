package worker

import (
	"context"
	"fmt"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/learn"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
	"net/url"
	"strings"
	"time"
)

// Pages of other sizes are not sampled (spec site-level, 2.3): bytes of HTML, as
// decoded.
const (
	sampleMin = 512
	sampleMax = 2 << 20
)

// unsampled counts records of the phase scan that were not looked into: their
// site has earlier pages enough.
const unsampled = "unsampled"

// scanner is what an attempt at an item of the phase scan keeps, besides its
// account of the records: candidates, and copies of records that cannot be read
// where they are.
type scanner struct {
	a      *attempt
	by     string // what a site is
	linked bool   // locations of all pages are kept

	shard  *learn.Shard
	file   lazyFile // of shard
	copies copies
	raw    rawRecord // of the page that waits, if it would have to be copied
}

// retainedBlock is the largest buffer of a rawRecord that is kept for the next one.
const retainedBlock = 4 << 20

// rawRecord is a record as it was read.
type rawRecord struct {
	needed           bool
	typ, contentType string
	block            []byte
}

func newScanner(ctx context.Context, a *attempt, prefix string) *scanner {
	s := &scanner{a: a, by: a.j.run.Recipe.SiteBy, linked: a.j.linked}
	s.file = lazyFile{ctx: ctx, store: a.j.store, name: prefix + string(schemas.TableCandidates)}
	s.copies.file = lazyFile{ctx: ctx, store: a.j.store, name: prefix + string(schemas.TableSamples) + ".warc.gz"}
	s.shard = learn.NewShard(&s.file)
	return s
}

// past says, of a record that was read and not decoded, that no page in it would
// be sampled, so that a site of a million pages costs what its sample costs.
func (s *scanner) past(rec *warc.Record) bool {
	url := rec.TargetURI
	if s.linked || s.by == schemas.ByPackage || isFile(url) || strings.HasPrefix(url, "urn:") {
		return false // every page is located, or gold says what it is called
	}
	c := learn.Candidate{Site: siteKey(s.by, "", url), Rank: website.RankOf(url), RecordID: rec.RecordID, Date: unix(rec.Date)}
	return c.Site == website.None || !s.shard.Wants(&c)
}

// take keeps what a copy of the record would need, as long as it is there.
func (s *scanner) take(rec *warc.Record, format warc.Format) {
	r := &s.raw
	if r.needed = !s.a.it.Split || !readable(rec, format); !r.needed {
		return
	}
	if cap(r.block) > retainedBlock {
		r.block = nil
	}
	r.typ, r.contentType = rec.Type, rec.ContentType
	r.block = append(r.block[:0], rec.Block...)
}

// readable says whether a record can be read where it is, at its own cost and
// with the same result.
func readable(rec *warc.Record, format warc.Format) bool {
	const doubtful = warc.FlagUnverified | warc.FlagAfterResync | warc.FlagTruncated | warc.FlagLength
	return format.Splittable() && rec.Ordinal == 0 && rec.Length > 0 && rec.Flags&doubtful == 0
}

// page judges a page whose gold, if any, is known: it may name the page, and is
// not looked at otherwise.
func (s *scanner) page(p *source.Page) error {
	who := s.a.identify(p)
	s.a.counts.Pages++
	s.a.counts.BytesHTML += int64(len(p.HTML))
	if who.site == website.None || who.site == "" || len(p.HTML) < sampleMin || len(p.HTML) > sampleMax || !sampled(p.Status) {
		return nil
	}
	c := &learn.Candidate{Site: who.site, Rank: website.RankOf(who.url), URL: who.url, RecordID: p.RecordID, Date: unix(p.Date),
		File: int32(s.a.it.File), Offset: p.Location.Offset, Ordinal: p.Location.Ordinal, Copy: -1}
	if s.linked {
		if err := s.copy(c); err != nil {
			return err
		}
		if err := s.shard.Locate(learn.Locations, c); err != nil {
			return err
		}
	}
	if !s.shard.Wants(c) {
		return nil
	}
	e := s.a.s.engine
	if !e.Parse(p.HTML, who.url) {
		return nil
	}
	var ok bool
	if c.TextHash, ok = e.Eligible(); !ok {
		return nil
	}
	if err := s.copy(c); err != nil {
		return err
	}
	return s.shard.Add(c)
}

// sampled says whether pages of an HTTP status may be sampled: those that say what
// was asked for, whatever else the run takes for pages (spec site-level, 2.3).
func sampled(status int) bool { return status == 200 || status == 0 }

// redirect notes where a record leads that is a redirect within its site: a link
// to it is one to its target (spec site-level, 2.7).
func (s *scanner) redirect(rec *warc.Record, location string) error {
	from := rec.TargetURI
	if !s.linked || s.by == schemas.ByPackage || location == "" || len(location) > source.MaxURL {
		return nil
	}
	base, err := url.Parse(from)
	if err != nil {
		return nil
	}
	target, err := base.Parse(location)
	if err != nil {
		return nil
	}
	to := target.String()
	c := &learn.Candidate{Site: siteKey(s.by, "", from), Rank: website.RankOf(from), TextHash: website.RankOf(to), URL: from, RecordID: rec.RecordID,
		Date: unix(rec.Date), File: int32(s.a.it.File), Offset: rec.Offset, Ordinal: rec.Ordinal, Copy: -1}
	if c.Site == website.None || c.Site == "" || c.Site != siteKey(s.by, "", to) || c.Rank == c.TextHash {
		return nil
	}
	return s.shard.Locate(learn.Redirects, c)
}

// copy copies the record of the page at hand, once, if that is needed.
func (s *scanner) copy(c *learn.Candidate) (err error) {
	if s.raw.needed && c.Copy < 0 {
		c.Copy, err = s.copies.add(&s.raw)
	}
	return err
}

// publish makes what was kept appear.
func (s *scanner) publish() ([]schemas.Shard, error) {
	if s.shard.Empty() {
		return nil, nil
	}
	if err := s.shard.Close(); err != nil {
		return nil, err
	}
	var out []schemas.Shard
	for _, f := range []struct {
		file  *lazyFile
		table schemas.Table
		rows  int64
	}{{&s.copies.file, schemas.TableSamples, s.copies.n}, {&s.file, schemas.TableCandidates, s.shard.Rows()}} {
		if f.file.w == nil {
			continue
		}
		w, err := f.file.w.Commit()
		if err != nil {
			return nil, ofOutput(err)
		}
		out = append(out, schemas.Shard{Table: f.table, Name: w.Name, Rows: f.rows, Bytes: w.Bytes, SHA256: w.SHA256})
	}
	return out, nil
}

// discard forgets what was not published.
func (s *scanner) discard() {
	s.file.discard()
	s.copies.file.discard()
}

// copies are records in a file of their own, each in a gzip member of its own.
type copies struct {
	file lazyFile
	w    *write.Writer
	n    int64
}

// add writes a record and returns its offset. What names it in the crawl is kept
// elsewhere; only what decides how its block is read is kept here.
func (c *copies) add(r *rawRecord) (int64, error) {
	if c.w == nil {
		c.w = write.NewWriter(&c.file)
	}
	c.n++
	at := c.w.Offset()
	err := c.w.Write(&write.Record{Type: r.typ, ID: write.ID(fmt.Sprint(c.n)), Date: time.Unix(0, 0),
		ContentType: plainField(r.contentType), Block: r.block})
	return at, err
}

// plainField is the value of a field as a writer takes it; those of a crawl may
// hold anything.
func plainField(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s))
}

// lazyFile is a file that is begun by the first byte.
type lazyFile struct {
	ctx   context.Context // of the attempt
	store blob.Store
	name  string
	w     *blob.Writer
}

// Write implements io.Writer.
func (f *lazyFile) Write(b []byte) (n int, err error) {
	if f.w == nil {
		if f.w, err = f.store.Create(f.ctx, f.name); err != nil {
			return 0, ofOutput(err)
		}
	}
	n, err = f.w.Write(b)
	return n, ofOutput(err)
}

func (f *lazyFile) discard() {
	if f.w != nil {
		f.w.Close()
	}
}

// unix is a date in seconds, 0 if there is none.
func unix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}
