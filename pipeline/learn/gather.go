package learn

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/winnow/winnow/pipeline/learn/robots"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/source/payload"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
)

// openFiles is the number of files that a gatherer keeps open. The pages of a site may
// be in any file of the input.
const openFiles = 32

// gatherer reads single records of the input, or their copies, by their location. It
// belongs to one attempt.
type gatherer struct {
	*siteStream
	job *worker.Job
	ctx context.Context // context of the attempt

	files []*opened    // the longest open first
	in    *source.WARC // nil until it is needed, and after a panic
	file  payload.Decoder
}

// opened is a file with pages: an input, or the copies of the records of an item.
type opened struct {
	copies string // name of the file, if it holds copies
	stored schemas.Stored
	file   interface {
		warc.Source
		io.Closer
	}
	format warc.Format
}

func (f *opened) of(c *schemas.Candidate) bool { return f.copies == c.Copies && f.stored == c.Stored }

func (g *gatherer) close() {
	g.siteStream.close()
	for _, f := range g.files {
		f.file.Close()
	}
}

var _ Crawl = (*gatherer)(nil)

// Page implements Crawl. A record that the phase scan decoded can be decoded again,
// unless its bytes were damaged meanwhile. If decoding panics, the page is left out.
func (g *gatherer) Page(c *schemas.Candidate) (html []byte, err error) {
	defer g.catch(&err)
	if _, err := g.record(c); err != nil {
		return nil, err
	}
	doc, err := g.in.Decode()
	if err != nil {
		return nil, fmt.Errorf("%w: panic: %v", ErrNoPage, err)
	}
	if doc.Outcome != payload.Page {
		return nil, ErrNoPage
	}
	return doc.HTML, nil
}

// File returns the payload and the HTTP status of a file of a host, under the same conditions.
// The payload is valid until the next call.
func (g *gatherer) File(c *schemas.Candidate) (body []byte, status int, err error) {
	defer g.catch(&err)
	rec, err := g.record(c)
	if err != nil {
		return nil, 0, err
	}
	m := payload.Message{Kind: payload.Response, Block: rec.Block}
	if rec.Type == warc.TypeResource {
		m.Kind = payload.Resource
	}
	g.file.Options.MaxPayload = robots.MaxFile
	if body, status, err = g.file.File(m); err != nil {
		return nil, 0, fmt.Errorf("%w: %w", ErrNoPage, err)
	}
	return body, status, nil
}

// catch turns a panic while a record is read into an error that leaves it out.
func (g *gatherer) catch(err *error) {
	if v := recover(); v != nil {
		g.in, g.file = nil, payload.Decoder{} // their state is unknown after a panic
		*err = fmt.Errorf("%w: panic: %v", ErrNoPage, v)
	}
}

// record reads the record of a candidate.
func (g *gatherer) record(c *schemas.Candidate) (*warc.Record, error) {
	f, err := g.open(c)
	if err != nil {
		return nil, err
	}
	at := c.Offset
	if c.Copy >= 0 {
		at = c.Copy
	}
	if at >= f.file.Size() {
		return nil, fmt.Errorf("%w: offset %d of %d", ErrNoPage, at, f.file.Size())
	}
	if g.in == nil {
		g.in = new(source.WARC)
	}
	opt := source.OptionsOf(&g.job.Run.Recipe, "")
	opt.Format = f.format
	if err = g.in.Reset(f.file, source.Range{Start: at, End: at + 1, First: at}, opt); err != nil {
		return nil, g.blame(f, err)
	}
	step, err := g.in.Next()
	if err != nil && err != io.EOF {
		return nil, g.blame(f, err)
	}
	rec := g.in.Record()
	if step != source.Candidate || rec.Offset != at || rec.Ordinal != 0 || c.Copy < 0 && rec.RecordID != c.RecordID {
		return nil, ErrNoPage
	}
	return rec, nil
}

// open returns the file that holds a candidate.
func (g *gatherer) open(c *schemas.Candidate) (*opened, error) {
	if i := slices.IndexFunc(g.files, func(f *opened) bool { return f.of(c) }); i >= 0 {
		return g.files[i], nil
	}
	f := &opened{copies: c.Copies, stored: c.Stored, format: warc.FormatGzip}
	var err error
	if f.copies != "" {
		if f.file, err = g.job.Store.Open(g.ctx, f.copies); err != nil {
			return nil, g.blame(f, err)
		}
	} else {
		if c.Private {
			if err := g.job.Admit(g.ctx, f.stored.URL); err != nil {
				return nil, err
			}
		}
		if f.file, err = g.job.Blobs.Open(g.ctx, source.Object(f.stored)); err != nil {
			return nil, g.blame(f, err)
		}
		if f.format, err = warc.Probe(f.file); err != nil {
			f.file.Close()
			return nil, g.blame(f, err)
		}
	}
	if len(g.files) == openFiles {
		g.files[0].file.Close()
		g.files = slices.Delete(g.files, 0, 1)
	}
	g.files = append(g.files, f)
	return f, nil
}

// blame attributes a read error to the file that was read. It returns ErrNoPage, which
// leaves a page out, if an input was removed or changed after the scan. The phase extract
// lists that file as lost, and a site with pages in other files is learned from those. An
// input that only this machine cannot see is an InputError instead.
func (g *gatherer) blame(f *opened, err error) error {
	if f.copies != "" {
		return worker.OutputError(fmt.Errorf("%s: %w", f.copies, err))
	}
	o := source.Object(f.stored)
	if g.job.Gone(g.ctx, o, err) {
		return fmt.Errorf("%w: %w", ErrNoPage, err)
	}
	return worker.InputError(o, err)
}
