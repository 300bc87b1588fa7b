package worker

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/site"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/learn"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

const (
	// templatesMax is the default of Options.TemplateBytes.
	templatesMax = 256 << 20
	// indexesMax bounds the memory of the indexes of parts that are open.
	indexesMax = 64 << 20
	// templateIndexMax is far above what a thousand ranges need.
	templateIndexMax = 64 << 20
)

// library is the templates of an output folder: of this run in the phase
// extract, of an earlier one in the phase learn. It may be used by many
// goroutines; nil is an empty one.
type library struct {
	store blob.Store
	index *schemas.TemplateIndex
	ctx   context.Context // of open parts: without end, they are closed

	// mu guards the parts that are open, and is held while one is opened.
	mu     sync.Mutex
	closed bool
	bytes  int64
	recent list.List // of *openPart, the last used in front
	parts  map[int64]*list.Element
}

// openPart is a part and its index. It stays open as long as someone reads it.
type openPart struct {
	start  int64 // of its range
	file   blob.File
	reader *learn.PartReader
	users  int
	gone   bool // from the list
}

// readTemplateIndex reads the index of the templates in an output folder, and
// its SHA-256.
func readTemplateIndex(ctx context.Context, store blob.Store) (*schemas.TemplateIndex, string, error) {
	data, err := blob.ReadAll(ctx, store, schemas.TemplateIndexFile, templateIndexMax)
	if err != nil {
		return nil, "", err
	}
	index, err := schemas.DecodeTemplateIndex(data)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", store.URL(), err)
	}
	sum := sha256.Sum256(data)
	return index, hex.EncodeToString(sum[:]), nil
}

// newLibrary opens an output folder's templates. When ctx ends it closes what
// nobody reads; what is read is finished.
func newLibrary(ctx context.Context, store blob.Store, index *schemas.TemplateIndex) *library {
	l := &library{store: store, index: index, ctx: context.WithoutCancel(ctx), parts: map[int64]*list.Element{}}
	context.AfterFunc(ctx, l.close)
	return l
}

func (l *library) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for l.recent.Len() > 0 {
		l.forget(l.recent.Back())
	}
}

// part borrows the part of a range; give it back.
func (l *library) part(r *schemas.BucketRange) (*openPart, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.parts[r.Start]; e != nil {
		l.recent.MoveToFront(e)
		p := e.Value.(*openPart)
		p.users++
		return p, nil
	}
	file, err := l.store.Open(l.ctx, r.File.Name)
	if err != nil {
		return nil, err
	}
	reader, err := learn.ReadPart(file, file.Size())
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", r.File.Name, err)
	}
	p := &openPart{start: r.Start, file: file, reader: reader, users: 1}
	if l.closed { // the last item of the phase is still being finished
		p.gone = true
		return p, nil
	}
	l.parts[r.Start] = l.recent.PushFront(p)
	l.bytes += reader.Size()
	for l.bytes > indexesMax && l.recent.Len() > 1 {
		l.forget(l.recent.Back())
	}
	return p, nil
}

// forget is called with mu held.
func (l *library) forget(e *list.Element) {
	p := e.Value.(*openPart)
	l.recent.Remove(e)
	delete(l.parts, p.start)
	l.bytes -= p.reader.Size()
	if p.gone = true; p.users == 0 {
		p.file.Close()
	}
}

func (l *library) back(p *openPart) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p.users--; p.users == 0 && p.gone {
		p.file.Close()
	}
}

// bundle returns what was learned about a site, and the size of it; nil if there
// is nothing, and why. near, if it is not nil, is asked first.
func (l *library) bundle(ctx context.Context, name string, near *queue.Templates) (*learn.Bundle, int, algorithms.Reason, error) {
	r := l.index.Range(learn.Bucket(name))
	switch {
	case r.Dead:
		return nil, 0, algorithms.ReasonLearnFailed, nil
	case r.File.Name == "":
		return nil, 0, algorithms.ReasonTooFewPages, nil
	}
	p, err := l.part(r)
	if err != nil {
		return nil, 0, "", err
	}
	defer l.back(p)
	if !p.reader.Has(name) {
		return nil, 0, algorithms.ReasonTooFewPages, nil
	}
	if near != nil {
		if data, err := near.Get(ctx, name); err == nil {
			// Any worker can write there; what the part does not name is not used.
			if b, err := learn.DecodeBundle(data); err == nil && b.Site == name && p.reader.Holds(name, data) {
				return b, len(data), "", nil
			}
		} else if queue.Transient(err) {
			return nil, 0, "", err
		}
	}
	data, err := p.reader.Bundle(name)
	if err != nil {
		return nil, 0, "", fmt.Errorf("%s: %w", r.File.Name, err)
	}
	if data == nil {
		return nil, 0, algorithms.ReasonTooFewPages, nil
	}
	b, err := learn.DecodeBundle(data)
	return b, len(data), "", err
}

// earlier are the templates of an earlier run that may be used again.
type earlier struct {
	*library
	maxAge time.Duration // 0: of any age
}

// templates returns what may be used again of a site, by method.
func (e *earlier) templates(ctx context.Context, name string, methods []learn.Method, now int64) (map[string]*learn.Template, error) {
	if e == nil {
		return nil, nil
	}
	b, _, _, err := e.bundle(ctx, name, nil)
	if errors.Is(err, learn.ErrMalformed) || errors.Is(err, blob.ErrNotFound) {
		return nil, nil // damaged or removed: learned anew
	}
	if err != nil || b == nil {
		return nil, err
	}
	out := map[string]*learn.Template{}
	for _, m := range methods {
		t := b.Find(m.Name)
		if t == nil || !t.Usable() || t.Version != m.Learner.Version || t.Learned > now ||
			e.maxAge > 0 && time.Duration(now-t.Learned)*time.Second > e.maxAge {
			continue
		}
		if _, err := learn.TryOpen(m.Learner, t.Body); err != nil {
			continue // it comes from outside
		}
		t.Mark(learn.FlagReused)
		out[m.Name] = t
	}
	return out, nil
}

// openEarlier opens the folder that a recipe names.
func (j *job) openEarlier(ctx context.Context, w *worker) (*earlier, error) {
	r := j.run.Recipe.Learn
	if r == nil || r.Templates == "" {
		return nil, nil
	}
	store, err := w.opt.Blobs.Store(ctx, r.Templates)
	if err != nil {
		return nil, err
	}
	index, digest, err := readTemplateIndex(ctx, store)
	if err != nil {
		return nil, err
	}
	if digest != r.Digest {
		return nil, fmt.Errorf("templates in %s have changed since the run was planned", r.Templates)
	}
	return &earlier{newLibrary(j.ctx, store, index), r.MaxAge}, nil
}

// openTemplates makes the templates of the run ready for its last phase.
func (j *job) openTemplates(ctx context.Context, w *worker) error {
	index, _, err := readTemplateIndex(ctx, j.store)
	if err != nil {
		return err
	}
	near, err := w.opt.Queue.Templates(ctx, j.run.ID)
	if errors.Is(err, queue.ErrNotFound) {
		near, err = nil, nil // the broker is another one than before
	}
	if err != nil {
		return err
	}
	l := newLibrary(j.ctx, j.store, index)
	j.cache = learn.NewCache(w.opt.TemplateBytes, func(ctx context.Context, name string) (*learn.Opened, error) {
		b, size, reason, err := l.bundle(ctx, name, near)
		if err != nil {
			if queue.Transient(err) && !errors.Is(err, blob.ErrTransient) {
				return nil, &brokerError{err}
			}
			return nil, ofOutput(fmt.Errorf("worker: templates of site %.200s: %w", name, err))
		}
		if b == nil {
			return learn.Nothing(reason), nil
		}
		w.opt.Metrics.templateLoads.Inc()
		return learn.Open(b, size, j.methods), nil
	})
	return nil
}

// applying is the template side of the page at hand.
type applying struct {
	site *learn.Opened // nil without templates
	rank uint64
	pass algorithms.Template // lent to the driver, for one method at a time
}

// template finds what was learned about the site of a page. The function is for
// driver.Input; nil if the run has no templates.
func (s *slot) template(ctx context.Context, name, url string) (func(*algorithms.Extractor) (*algorithms.Template, algorithms.Reason), error) {
	s.apply.site = nil
	if s.job.cache == nil {
		return nil, nil
	}
	var err error
	if s.apply.site, err = s.job.cache.Get(ctx, name); err != nil {
		return nil, err
	}
	s.apply.rank = site.RankOf(url)
	return s.lend, nil
}

// lend returns a method's template for the page at hand.
func (s *slot) lend(e *algorithms.Extractor) (*algorithms.Template, algorithms.Reason) {
	a := &s.apply
	t := a.site.Method(learn.NameOf(e))
	if t.Reason != algorithms.NoReason {
		return nil, t.Reason
	}
	a.pass = algorithms.Template{Value: t.Value, Ranks: t.Ranks, Page: t.Place(a.rank)}
	return &a.pass, algorithms.NoReason
}

// applied fills in what the table of documents says of the template behind an
// extraction.
func (s *slot) applied(doc *schemas.Document, x *driver.Extraction, b *page.Body) {
	doc.TemplateID, doc.TemplatePages, doc.InSample, doc.Coverage, doc.Notes = "", 0, false, 0, ""
	doc.TemplateMethod, doc.TemplateStatus, doc.LOO, doc.Cluster = "", "", false, 0
	if x.Extractor.Learn == nil || s.apply.site == nil {
		return
	}
	doc.TemplateMethod = learn.NameOf(x.Extractor)
	t := s.apply.site.Method(doc.TemplateMethod)
	doc.TemplateStatus = t.Status
	if t.Reason != algorithms.NoReason {
		return
	}
	doc.TemplateID, doc.TemplatePages, doc.InSample = t.ID, int64(len(t.Ranks)), t.Place(s.apply.rank) >= 0
	doc.LOO = doc.InSample && x.Extractor.Learn.LeaveOneOut
	doc.Notes, doc.Cluster = strings.Join(x.Notes, ","), int64(x.Cluster)
	if x.Outcome == algorithms.OK || x.Outcome == algorithms.Empty {
		doc.Coverage = removed(b, &x.Selection)
	}
}

// removed is the share of a page's words that are not selected.
func removed(b *page.Body, s *page.Selection) float64 {
	words := b.Words().Span
	if len(words) == 0 {
		return 0
	}
	kept, at := 0, 0
	for _, w := range words {
		for at < len(s.Spans) && s.Spans[at].End <= w.Start {
			at++
		}
		if at < len(s.Spans) && s.Spans[at].Start < w.End {
			kept++
		}
	}
	return float64(len(words)-kept) / float64(len(words))
}

// ReadBundle returns what the run of an output folder learned about a site, as it
// is stored; nil and why if there is nothing.
func ReadBundle(ctx context.Context, store blob.Store, name string) ([]byte, algorithms.Reason, error) {
	index, _, err := readTemplateIndex(ctx, store)
	if err != nil {
		return nil, "", err
	}
	l := newLibrary(ctx, store, index)
	defer l.close()
	b, _, reason, err := l.bundle(ctx, name, nil)
	if err != nil || b == nil {
		return nil, reason, err
	}
	return b.Encode(), "", nil
}
