package learn

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/internal/cursor"
	"github.com/winnow/winnow/pipeline/internal/lru"
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
	job   *worker.Job
	index *schemas.ScanIndex
	ctx   context.Context // of the attempt

	// locations finds the captures of an address in the present buckets, or on the
	// present site after seek filled it.
	locations locations
	seek      func(site string, ranks []uint64) (locations, error)

	files *lru.Cache[fileKey, *opened]
	in    source.Reader // nil until it is needed, and after a panic
}

func newGatherer(ctx context.Context, j *worker.Job, index *schemas.ScanIndex) *gatherer {
	return &gatherer{job: j, index: index, ctx: ctx, files: lru.New[fileKey](openFiles, func(f *opened) { f.file.Close() })}
}

// fileKey identifies a file with pages: the input of an item of the phase scan, or its
// copies of records.
type fileKey struct {
	item   int32 // of the scan index
	copied bool
}

type opened struct {
	shard  string      // name of the shard, if the file holds copies
	object blob.Object // the input, if the file does not hold copies
	file   interface {
		warc.Source
		io.Closer
	}
	format warc.Format
}

var _ Crawl = (*gatherer)(nil)

// Seek implements Crawl.
func (g *gatherer) Seek(site string, ranks []uint64) (err error) {
	if g.seek != nil {
		g.locations, err = g.seek(site, ranks)
	}
	return err
}

// Captures implements Crawl.
func (g *gatherer) Captures(site string, rank uint64) []*Candidate {
	return g.locations.captures(site, rank)
}

// Page implements Crawl. A record that the phase scan decoded can be decoded again,
// unless its bytes were damaged meanwhile. If decoding panics, the page is left out.
func (g *gatherer) Page(c *Candidate) (html []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			g.in = nil // its state is unknown after a panic
			html, err = nil, fmt.Errorf("%w: panic: %v", ErrNoPage, v)
		}
	}()
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
		g.in = source.NewReader()
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
	doc, err := g.in.Decode()
	if err != nil {
		return nil, fmt.Errorf("%w: panic: %v", ErrNoPage, err)
	}
	if doc.Outcome != payload.Page {
		return nil, ErrNoPage
	}
	return doc.HTML, nil
}

// open returns the file that holds a candidate.
func (g *gatherer) open(c *Candidate) (*opened, error) {
	key := fileKey{c.Shard, c.Copy >= 0}
	if f, ok := g.files.Get(key); ok {
		return f, nil
	}
	f := &opened{format: warc.FormatGzip}
	item := &g.index.Items[c.Shard]
	var err error
	if key.copied {
		name := findShard(item, schemas.TableSamples)
		if name == nil {
			return nil, fmt.Errorf("learn: scan item %s has no copies of records", item.ID)
		}
		f.shard = name.Name
		if f.file, err = g.job.Store.Open(g.ctx, name.Name); err != nil {
			return nil, lostShard(name.Name, err)
		}
	} else {
		if item.Private {
			if err := g.job.Admit(g.ctx, item.URL); err != nil {
				return nil, err
			}
		}
		f.object = source.Object(item.Stored)
		if f.file, err = g.job.Blobs.Open(g.ctx, f.object); err != nil {
			return nil, g.gone(f.object, err)
		}
		if f.format, err = warc.Probe(f.file); err != nil {
			f.file.Close()
			return nil, g.gone(f.object, err)
		}
	}
	g.files.Add(key, f, 1)
	return f, nil
}

// blame attributes a read error to the shard that was read, if it was a shard.
func (g *gatherer) blame(f *opened, err error) error {
	if f.shard == "" {
		return g.gone(f.object, err)
	}
	return lostShard(f.shard, err)
}

// findShard returns an item's shard of a kind, or nil if it has none.
func findShard(item *schemas.ScanItem, table schemas.Table) *schemas.Shard {
	for i := range item.Shards {
		if item.Shards[i].Table == table {
			return &item.Shards[i]
		}
	}
	return nil
}

// gone returns ErrNoPage, which leaves a page out, if its file was removed or changed
// after the scan. The phase extract lists that file as lost, and a site with pages in
// other files is learned from those. A file that only this machine cannot see is an
// InputError instead.
func (g *gatherer) gone(o blob.Object, err error) error {
	if g.job.Gone(g.ctx, o, err) {
		return fmt.Errorf("%w: %w", ErrNoPage, err)
	}
	return worker.InputError(o, err)
}

// missingShard says that a shard of the phase scan is gone or damaged, so that its item
// must be scanned again.
type missingShard struct {
	name string
	err  error
}

func (e *missingShard) Error() string { return fmt.Sprintf("learn: scan shard %s: %v", e.name, e.err) }
func (e *missingShard) Unwrap() error { return e.err }

// lostShard returns a *missingShard if a shard is gone or damaged. It returns an
// OutputError if the shard only cannot be reached.
func lostShard(name string, err error) error {
	if errors.Is(err, blob.ErrNotFound) || errors.Is(err, blob.ErrChanged) || errors.Is(err, cursor.ErrMalformed) {
		return &missingShard{name, err}
	}
	return worker.OutputError(err)
}
