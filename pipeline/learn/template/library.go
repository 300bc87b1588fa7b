package template

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

const (
	// heldBytes bounds the memory of the parts that are open: their row groups that were
	// read, and the metadata of all, of which each takes some groupBytes.
	heldBytes  = 64 << 20
	groupBytes = 12 << 10
	// indexFileMax is far above what a thousand ranges need.
	indexFileMax = 64 << 20
)

// Library finds the templates of an output folder: those of the current run in the
// phase extract, those of an earlier run in the phase learn. It is safe for
// concurrent use.
type Library struct {
	store blob.Store
	index *schemas.TemplateIndex
	parts []part // one for each range of the index

	mu     sync.Mutex // guards what follows
	open   []*part    // the longest open first
	held   int64      // bytes of open
	closed bool
}

// part is a file of the table of templates. It is open while it is in Library.open.
type part struct {
	mu     sync.Mutex // guards what follows; held while the part is read: a file has one connection
	file   blob.File  // nil unless it is open
	reader *columnar.Reader[schemas.TemplateRow]
	groups []group
	rows   map[string][]schemas.TemplateRow // by site, of the groups that were read
	held   int64                            // bytes of groups and rows
}

// group is a row group of a part.
type group struct {
	sites columnar.Bounds
	read  bool
}

// ReadIndex reads the index of the templates in an output folder, and returns it
// with the SHA-256 of its bytes.
func ReadIndex(ctx context.Context, store blob.Store) (*schemas.TemplateIndex, string, error) {
	data, err := blob.ReadAll(ctx, store, schemas.TemplateIndexFile, indexFileMax)
	if err != nil {
		return nil, "", err
	}
	index, err := schemas.DecodeTemplateIndex(data)
	if err != nil {
		return nil, "", fmt.Errorf("%s/%s: %w", store.URL(), schemas.TemplateIndexFile, err)
	}
	sum := sha256.Sum256(data)
	return index, hex.EncodeToString(sum[:]), nil
}

// NewLibrary returns the Library of an output folder. The caller closes it.
func NewLibrary(store blob.Store, index *schemas.TemplateIndex) *Library {
	return &Library{store: store, index: index, parts: make([]part, len(index.Ranges))}
}

// Close closes the parts that are open. A part that is read later, because the last item
// of a phase is still being finished, is open for that time only.
func (l *Library) Close() {
	l.mu.Lock()
	open := l.open
	l.open, l.held, l.closed = nil, 0, true
	l.mu.Unlock()
	for _, p := range open {
		p.mu.Lock()
		p.close()
		p.mu.Unlock()
	}
}

func (p *part) close() {
	if p.file != nil {
		p.file.Close()
	}
	p.file, p.reader, p.groups, p.rows, p.held = nil, nil, nil, nil, 0
}

// enter opens a part unless it is open. The caller holds its lock.
func (l *Library) enter(ctx context.Context, i int) (err error) {
	p, f := &l.parts[i], &l.index.Ranges[i].File
	if p.file != nil {
		return nil
	}
	// The file is used after the page or site for which it is opened.
	file, err := l.store.Open(context.WithoutCancel(ctx), f.Name)
	if err != nil {
		return err
	}
	if file.Size() != f.Bytes {
		err = fmt.Errorf("%w: %d bytes, and its index says %d", columnar.ErrMalformed, file.Size(), f.Bytes)
	}
	if err == nil {
		p.reader, err = columnar.NewReader(columnar.Learned, file, file.Size())
	}
	var sites []columnar.Bounds
	if err == nil {
		sites, err = p.reader.Bounds("site")
	}
	if err != nil {
		file.Close()
		return err
	}
	p.file, p.rows = file, map[string][]schemas.TemplateRow{}
	for _, b := range sites {
		p.groups = append(p.groups, group{sites: b})
	}
	l.mu.Lock()
	l.open = append(l.open, p)
	l.mu.Unlock()
	l.hold(p, groupBytes*int64(len(sites)))
	return nil
}

// hold notes that an open part takes more memory, and closes others if that is too much.
// The caller holds the part's lock.
func (l *Library) hold(p *part, bytes int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p.held += bytes
	l.held += bytes
	for l.held > heldBytes && len(l.open) > 0 && l.open[0] != p { // none is open once the library was closed
		old := l.open[0]
		if !old.mu.TryLock() { // it is being read
			return
		}
		l.held -= old.held
		old.close()
		old.mu.Unlock()
		l.open = l.open[1:]
	}
	if l.held > heldBytes { // the part is first: its rows are read again when they are needed
		for i := range p.groups {
			p.groups[i].read = false
		}
		clear(p.rows)
		l.held -= p.held
		p.held = groupBytes * int64(len(p.groups))
		l.held += p.held
	}
}

// Site returns what was learned about a site, by method. Without a template it may
// return nothing and the reason. An error names the file.
func (l *Library) Site(ctx context.Context, site string) ([]Template, algorithms.Reason, error) {
	i := l.index.Range(site)
	if i < 0 {
		return nil, algorithms.ReasonTooFewPages, nil
	}
	if l.index.Ranges[i].File.Name == "" { // its item was given up
		return nil, algorithms.ReasonLearnFailed, nil
	}
	out, err := l.read(ctx, i, site)
	if err != nil {
		return nil, "", fmt.Errorf("%s/%s: %w", l.store.URL(), l.index.Ranges[i].File.Name, err)
	}
	if len(out) == 0 {
		return nil, algorithms.ReasonTooFewPages, nil
	}
	return out, "", nil
}

// read returns the templates that part i has of a site.
func (l *Library) read(ctx context.Context, i int, site string) ([]Template, error) {
	p := &l.parts[i]
	p.mu.Lock()
	defer p.mu.Unlock()
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.closed {
			p.close()
		}
	}()
	if err := l.enter(ctx, i); err != nil {
		return nil, err
	}
	var bytes int64
	for i := range p.groups {
		g := &p.groups[i]
		if g.read || !g.sites.May(site) {
			continue
		}
		var rows []schemas.TemplateRow
		for row, err := range p.reader.Groups(ctx, []int{i}) {
			if err != nil {
				return nil, err
			}
			rows = append(rows, *row)
		}
		for j := range rows {
			p.rows[rows[j].Site] = append(p.rows[rows[j].Site], rows[j])
			bytes += rowBytes + int64(columnar.Learned.Weight(&rows[j]))
		}
		g.read = true
	}
	var out []Template
	for _, row := range p.rows[site] {
		t, err := ofRow(&row)
		if err != nil {
			return nil, fmt.Errorf("%w: method %.100q of site %.200q: %w", columnar.ErrMalformed, row.Method, site, err)
		}
		out = append(out, t)
	}
	l.hold(p, bytes)
	return out, nil
}

// rowBytes is the size of a row in memory, without its strings.
const rowBytes = 300

// ReadSite returns what the run of an output folder learned about a site, and the index of
// its templates. Without a template it may return nothing and the reason.
func ReadSite(ctx context.Context, store blob.Store, site string) ([]Template, *schemas.TemplateIndex, algorithms.Reason, error) {
	index, _, err := ReadIndex(ctx, store)
	if err != nil {
		return nil, nil, "", err
	}
	l := NewLibrary(store, index)
	defer l.Close()
	out, reason, err := l.Site(ctx, site)
	return out, index, reason, err
}

// Reuse has the run of a recipe use the templates in the output folder of an earlier
// run at url, as far as they are not older than maxAge (0: of any age).
func Reuse(ctx context.Context, blobs *blob.Client, r *schemas.Recipe, url string, maxAge time.Duration) error {
	store, err := blobs.Store(ctx, url)
	if err != nil {
		return err
	}
	index, digest, err := ReadIndex(ctx, store)
	if errors.Is(err, blob.ErrNotFound) {
		return fmt.Errorf("%s has no templates: %w", url, err)
	}
	if err != nil {
		return err
	}
	if index.SiteBy != r.SiteBy || index.Sites != r.Learn.Sites {
		return fmt.Errorf("the templates in %s were learned for sites by %s (%s), but this run has sites by %s (%s)", url, index.SiteBy, index.Sites, r.SiteBy, r.Learn.Sites)
	}
	if index.Reading != r.Reading {
		return fmt.Errorf("the templates in %s were learned from pages that were read with other settings: see --hidden and --words", url)
	}
	l := NewLibrary(store, index)
	defer l.Close()
	for _, p := range index.Ranges {
		if _, _, err := l.Site(ctx, p.From); err != nil {
			return err
		}
	}
	r.Learn.Templates, r.Learn.Digest, r.Learn.MaxAge = store.URL(), digest, maxAge
	return nil
}

// Earlier finds the templates of an earlier run that may be used again. A nil Earlier
// has none.
type Earlier struct {
	library *Library
	maxAge  time.Duration // 0: of any age
}

// OpenEarlier opens the templates that a recipe names, nil if it names none. They are
// closed when ctx ends.
func OpenEarlier(ctx context.Context, blobs *blob.Client, r *schemas.Learn) (*Earlier, error) {
	if r.Templates == "" {
		return nil, nil
	}
	store, err := blobs.Store(ctx, r.Templates)
	if err != nil {
		return nil, err
	}
	index, digest, err := ReadIndex(ctx, store)
	if err != nil {
		return nil, err
	}
	if digest != r.Digest {
		return nil, fmt.Errorf("templates in %s have changed since the run was planned", r.Templates)
	}
	l := NewLibrary(store, index)
	context.AfterFunc(ctx, l.Close)
	return &Earlier{l, r.MaxAge}, nil
}

// Templates returns the templates of a site that may be used again at the time now, by
// the name of their method.
func (e *Earlier) Templates(ctx context.Context, site string, methods []Method, now int64) (map[string]*Template, error) {
	if e == nil {
		return nil, nil
	}
	learned, _, err := e.library.Site(ctx, site)
	if err != nil {
		return nil, err
	}
	out := map[string]*Template{}
	for _, m := range methods {
		t := find(learned, m.Name)
		if t == nil || !t.Usable() || t.Version != m.Learner.Version || t.Learned > now ||
			e.maxAge > 0 && time.Duration(now-t.Learned)*time.Second > e.maxAge {
			continue
		}
		if _, err := TryOpen(m.Learner, t.Body); err != nil {
			continue // the folder may have been written by anyone
		}
		t.Mark(FlagReused)
		out[m.Name] = t
	}
	return out, nil
}

// find returns the template of a method, nil if there is none.
func find(learned []Template, method string) *Template {
	for i := range learned {
		if learned[i].Method == method {
			return &learned[i]
		}
	}
	return nil
}
