package learn

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/pipeline/learn/robots"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/source/payload"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/pipeline/worker/records"
	"github.com/winnow/winnow/pipeline/worker/shard"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// Bounds on the size of a page that may be sampled, in bytes of decoded HTML.
const (
	sampleMin = 512
	maxSample = 2 << 20
)

// maxBottom bounds the candidates that an item holds in memory, some 300 bytes each.
const maxBottom = 1 << 17

// unsampled is the kind under which the phase scan counts records that it did not
// decode, because their site has enough pages of smaller rank.
const unsampled = "unsampled"

// scanRunner implements worker.Runner. It holds what one slot needs for the items of
// the phase scan.
type scanRunner struct {
	*run
	namer  records.Namer
	engine *Engine
	reader records.Reader
	raw    rawRecord // the record of the current page, if it may have to be copied
}

// Close implements worker.Runner.
func (r *scanRunner) Close() {}

// scanner is one attempt to scan an item. It keeps candidates, and copies of records that
// cannot be read by their location.
type scanner struct {
	*scanRunner
	attempt   *worker.Attempt
	by        string // what a site is
	counts    schemas.Counts
	unsampled int64 // records

	bottom BottomK
	rows   *shard.Table[schemas.Candidate]
	copies copies
}

// Run implements worker.Runner.
func (r *scanRunner) Run(ctx context.Context, a *worker.Attempt) (*schemas.Done, error) {
	s := &scanner{scanRunner: r, attempt: a, by: a.Job.Run.Recipe.SiteBy}
	s.rows = shard.NewParquet(ctx, a, columnar.Candidates)
	s.copies.file = shard.NewFile(ctx, a.Job.Store, a.ShardPrefix()+string(schemas.TableSamples)+".warc.gz")
	defer s.rows.Discard()
	defer s.copies.file.Discard()
	if err := s.read(ctx); err != nil {
		return nil, err
	}
	published, err := s.publish()
	if err != nil {
		return nil, err
	}
	if s.unsampled > 0 {
		s.counts.NotHTML = map[string]int64{unsampled: s.unsampled}
	}
	return r.reader.Report(s.counts, published), nil
}

// read reads the item to its end.
func (s *scanner) read(ctx context.Context) error {
	in := &s.reader
	if err := in.Open(ctx, s.attempt); err != nil {
		return err
	}
	defer in.Close()
	for {
		step, err := in.Next(ctx)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
		case step == source.Candidate && s.pastSample(in.Record()):
			s.unsampled++
		case step == source.Candidate:
			err = s.decode(ctx, in.Record())
		case step == source.Ready:
			err = s.page(in.Page())
		case step == source.Failed:
			// The phase extract reads every record that the phase scan reads, so it
			// alone writes the failures.
		}
		if err != nil {
			return err
		}
	}
}

// decode decodes a record that may be a page, and keeps what is needed of it.
func (s *scanner) decode(ctx context.Context, rec *warc.Record) error {
	doc, err := s.reader.Decode(ctx)
	if err == nil {
		err = s.file(rec, doc.Status)
	}
	switch {
	case err != nil:
		return err
	case doc.Outcome == payload.Page:
		s.take(rec)
	case doc.Outcome != payload.Refused:
		return s.redirect(rec, doc.Location)
	}
	return nil
}

// file keeps a record that is a file of its host, if the run reads such files.
func (s *scanner) file(rec *warc.Record, status int) error {
	if len(s.agents) == 0 || !robots.Says(status) {
		return nil
	}
	origin, _, ok := robots.Origin(rec.TargetURI)
	if !ok {
		return nil
	}
	s.take(rec)
	c := &schemas.Candidate{Site: origin, Kind: schemas.KindFile, Rank: website.RankOf(rec.TargetURI), URL: rec.TargetURI, RecordID: rec.RecordID,
		Date: unix(rec.Date), Offset: rec.Offset, Ordinal: rec.Ordinal, Copy: -1}
	if err := s.copy(c); err != nil {
		return err
	}
	return s.rows.Append(c)
}

// retainedBlock is the largest buffer of a rawRecord that is kept for the next one.
const retainedBlock = 4 << 20

// rawRecord is a record as it was read.
type rawRecord struct {
	needed           bool
	typ, contentType string
	block            []byte
}

// pastSample reports whether the address of a record shows that it would not be sampled.
// It is then not decoded, so that a site of a million pages costs little more than its
// sample.
func (s *scanner) pastSample(rec *warc.Record) bool {
	url := rec.TargetURI
	if len(s.agents) > 0 {
		if _, _, file := robots.Origin(url); file {
			return false
		}
	}
	if len(s.methods) == 0 {
		return true
	}
	if s.linked || s.by == schemas.ByPackage || records.IsFile(url) || strings.HasPrefix(url, "urn:") {
		return false // every page must be decoded: for its location, or because gold may name it
	}
	c := schemas.Candidate{Site: records.Site(s.by, "", url), Kind: schemas.KindPage, Rank: website.RankOf(url), RecordID: rec.RecordID, Date: unix(rec.Date)}
	return c.Site == website.None || !s.bottom.Wants(&c)
}

// take saves the parts of the record from which copy makes a copy, because the reader
// reuses its buffers.
func (s *scanner) take(rec *warc.Record) {
	r := &s.raw
	if r.needed = !s.attempt.Item.File.Split || !s.reader.Addressable(); !r.needed {
		return
	}
	if cap(r.block) > retainedBlock {
		r.block = nil
	}
	r.typ, r.contentType = rec.Type, rec.ContentType
	r.block = append(r.block[:0], rec.Block...)
}

// page keeps a page as a candidate. Of its gold it uses only the names.
func (s *scanner) page(p *source.Page) error {
	who := s.namer.Identify(&s.attempt.Item.File, p)
	s.attempt.Advance(worker.Progress{Pages: 1})
	s.counts.Pages++
	s.counts.BytesHTML += int64(len(p.HTML))
	if len(s.methods) == 0 || who.Site == website.None || who.Site == "" || len(p.HTML) < sampleMin || len(p.HTML) > maxSample || !sampled(p.Status) {
		return nil
	}
	c := &schemas.Candidate{Site: who.Site, Kind: schemas.KindTarget, Rank: website.RankOf(who.URL), URL: who.URL, RecordID: p.RecordID, Date: unix(p.Date),
		Offset: p.Location.Offset, Ordinal: p.Location.Ordinal, Copy: -1}
	if s.linked {
		if err := s.copy(c); err != nil {
			return err
		}
		if err := s.rows.Append(c); err != nil {
			return err
		}
	}
	c.Kind = schemas.KindPage
	if !s.bottom.Wants(c) {
		return nil
	}
	if !s.engine.Parse(p.HTML, who.URL) {
		return nil
	}
	var ok bool
	if c.TextHash, ok = s.engine.Eligible(); !ok {
		return nil
	}
	if err := s.copy(c); err != nil {
		return err
	}
	s.bottom.Add(c)
	if s.bottom.Len() < maxBottom {
		return nil
	}
	return s.bottom.Flush(s.rows.Append)
}

// sampled reports whether pages with an HTTP status may be sampled: only 200, or none,
// even if the run extracts pages with other statuses.
func sampled(status int) bool { return status == 200 || status == 0 }

// redirect keeps the target of a record that is a redirect within its site. A link to
// the redirect counts as a link to its target.
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
	c := &schemas.Candidate{Site: records.Site(s.by, "", from), Kind: schemas.KindRedirect, Rank: website.RankOf(from), Target: website.RankOf(to), URL: from,
		RecordID: rec.RecordID, Date: unix(rec.Date), Offset: rec.Offset, Ordinal: rec.Ordinal, Copy: -1}
	if c.Site == website.None || c.Site == "" || c.Site != records.Site(s.by, "", to) || c.Rank == c.Target {
		return nil
	}
	return s.rows.Append(c)
}

// copy copies the record of the current page, if that is needed and was not done yet.
func (s *scanner) copy(c *schemas.Candidate) (err error) {
	if s.raw.needed && c.Copy < 0 {
		c.Copy, err = s.copies.add(&s.raw)
	}
	return err
}

// publish makes the files of the attempt visible in the output folder.
func (s *scanner) publish() (out []schemas.Shard, err error) {
	if err := s.bottom.Flush(s.rows.Append); err != nil {
		return nil, err
	}
	if s.copies.n > 0 {
		sh, err := s.copies.file.Publish(schemas.TableSamples, s.copies.n)
		if err != nil {
			return nil, err
		}
		out = append(out, sh)
	}
	err = s.rows.Publish(&out)
	return out, err
}

// copies writes records to one file, each in a gzip member of its own.
type copies struct {
	file *shard.File
	w    *write.Writer
	n    int64
}

// add writes a record and returns its offset. It keeps only the fields that decide how
// the block is read. The candidate has the record's names.
func (c *copies) add(r *rawRecord) (int64, error) {
	if c.w == nil {
		c.w = write.NewWriter(c.file)
	}
	c.n++
	at := c.w.Offset()
	err := c.w.Write(&write.Record{Type: r.typ, ID: write.ID(fmt.Sprint(c.n)), Date: time.Unix(0, 0),
		ContentType: plainField(r.contentType), Block: r.block})
	return at, err
}

// plainField returns a field's value in a form that a writer accepts. The values in a
// crawl may contain any characters.
func plainField(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s))
}

// unix returns a date in seconds since 1970, or 0 if there is none.
func unix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}
