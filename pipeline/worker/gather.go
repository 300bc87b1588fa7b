package worker

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/internal/cursor"
	"github.com/winnow/winnow/pipeline/learn"
	"github.com/winnow/winnow/pipeline/payload"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// openFiles is how many files a gatherer keeps open: the pages of a site lie in
// any of them.
const openFiles = 32

// gatherer reads single records of the input, and of copies of it, by their
// place. It belongs to one slot.
type gatherer struct {
	blobs *blob.Client
	admit func(ctx context.Context, public string) error // to a private file
	store blob.Store
	index *schemas.ScanIndex
	run   *schemas.Run

	// locate finds the captures of an address: in the buckets at hand, or on the
	// site at hand, after seek filled it.
	locate places
	seek   func(site string, ranks []uint64) (places, error)
	ctx    context.Context // of the present item

	recent list.List // of *opened, the last used in front
	files  map[fileKey]*list.Element
	in     source.WARC
}

// fileKey is a shard of the phase scan: its input, or its copies.
type fileKey struct {
	shard  int32
	copied bool
}

type opened struct {
	key    fileKey
	shard  string      // its name, if it is one
	object blob.Object // the input, if it is one
	file   interface {
		warc.Source
		io.Closer
	}
	format warc.Format
}

var _ learn.Crawl = (*gatherer)(nil)

// Seek implements learn.Crawl.
func (g *gatherer) Seek(site string, ranks []uint64) (err error) {
	if g.seek != nil {
		g.locate, err = g.seek(site, ranks)
	}
	return err
}

// Captures implements learn.Crawl.
func (g *gatherer) Captures(site string, rank uint64) []*learn.Candidate {
	return g.locate.captures(site, rank)
}

// Page implements learn.Crawl. What the phase scan could decode can be decoded
// again; a panic is one of damaged bytes, and costs the page.
func (g *gatherer) Page(c *learn.Candidate) (html []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			g.in = source.WARC{} // whatever state it was in
			html, err = nil, fmt.Errorf("%w: panic: %v", learn.ErrNoPage, v)
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
		return nil, fmt.Errorf("%w: offset %d of %d", learn.ErrNoPage, at, f.file.Size())
	}
	opt := source.OptionsOf(&g.run.Recipe, "")
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
		return nil, learn.ErrNoPage
	}
	doc, err := g.in.Decode()
	if err != nil {
		return nil, fmt.Errorf("%w: panic: %v", learn.ErrNoPage, err)
	}
	if doc.Outcome != payload.Page {
		return nil, learn.ErrNoPage
	}
	return doc.HTML, nil
}

// open returns the file that a candidate is in.
func (g *gatherer) open(c *learn.Candidate) (*opened, error) {
	key := fileKey{c.Shard, c.Copy >= 0}
	if e := g.files[key]; e != nil {
		g.recent.MoveToFront(e)
		return e.Value.(*opened), nil
	}
	f := &opened{key: key, format: warc.FormatGzip}
	item := &g.index.Items[c.Shard]
	var err error
	if key.copied {
		name := shardOf(item, schemas.TableSamples)
		if name == nil {
			return nil, fmt.Errorf("worker: scan item %s has no copies of records", item.ID)
		}
		f.shard = name.Name
		if f.file, err = g.store.Open(g.ctx, name.Name); err != nil {
			return nil, lostShard(name.Name, err)
		}
	} else {
		if item.Private {
			if err := g.admit(g.ctx, item.URL); err != nil {
				return nil, err
			}
		}
		f.object = source.Object(item.Stored())
		if f.file, err = g.blobs.Open(g.ctx, f.object); err != nil {
			return nil, g.gone(f.object, err)
		}
		if f.format, err = warc.Probe(f.file); err != nil {
			f.file.Close()
			return nil, g.gone(f.object, err)
		}
	}
	if g.files == nil {
		g.files = make(map[fileKey]*list.Element)
	}
	for g.recent.Len() >= openFiles {
		last := g.recent.Back()
		g.recent.Remove(last)
		old := last.Value.(*opened)
		delete(g.files, old.key)
		old.file.Close()
	}
	g.files[key] = g.recent.PushFront(f)
	return f, nil
}

// blame puts an error of reading down to the shard that was read, if it was one.
func (g *gatherer) blame(f *opened, err error) error {
	if f.shard == "" {
		return g.gone(f.object, err)
	}
	return lostShard(f.shard, err)
}

func (g *gatherer) close() {
	for e := g.recent.Front(); e != nil; e = e.Next() {
		e.Value.(*opened).file.Close()
	}
	g.recent.Init()
	clear(g.files)
}

// shardOf is an item's shard of a kind, nil if it has none.
func shardOf(item *schemas.ScanItem, table schemas.Table) *schemas.Shard {
	for i := range item.Shards {
		if item.Shards[i].Table == table {
			return &item.Shards[i]
		}
	}
	return nil
}

// gone leaves a page out whose file is no longer the one that was scanned: the
// last phase lists the file as lost, and the sites that had other pages in it are
// learned from those. A file that only this machine does not see is no such file.
func (g *gatherer) gone(o blob.Object, err error) error {
	missing := errors.Is(err, blob.ErrNotFound)
	if name, local := localPath(o.URL); missing && local {
		missing = !blind(g.ctx, g.blobs, name, o, neighbours(g.run, o.URL))
	}
	if missing || errors.Is(err, blob.ErrChanged) {
		return fmt.Errorf("%w: %w", learn.ErrNoPage, err)
	}
	return &inputError{o, err}
}

// missingShard says that what the phase scan left is gone or damaged: it must be
// made again.
type missingShard struct {
	name string
	err  error
}

func (e *missingShard) Error() string { return fmt.Sprintf("worker: scan shard %s: %v", e.name, e.err) }
func (e *missingShard) Unwrap() error { return e.err }

// lostShard tells a shard that is not there any more from one that is away.
func lostShard(name string, err error) error {
	if errors.Is(err, blob.ErrNotFound) || errors.Is(err, blob.ErrChanged) || errors.Is(err, cursor.ErrMalformed) {
		return &missingShard{name, err}
	}
	return ofOutput(err)
}
