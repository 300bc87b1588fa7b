package template

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/internal/cursor"
	"github.com/winnow/winnow/pipeline/internal/lru"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

const (
	// openIndexesMax bounds the memory of the indexes of parts that are open.
	openIndexesMax = 64 << 20
	// indexFileMax is far above what a thousand ranges need.
	indexFileMax = 64 << 20
)

// Bucket returns the bucket of a site, 0 to schemas.SiteBuckets-1. Sites are spread
// over them by the hash of their name.
func Bucket(site string) int64 { return int64(xxhash.Sum64String(site) % schemas.SiteBuckets) }

// Library finds the templates of an output folder: those of the present run in the
// phase extract, those of an earlier run in the phase learn. It is safe for
// concurrent use.
type Library struct {
	store blob.Store
	index *schemas.TemplateIndex
	ctx   context.Context // of open parts, which are closed and not canceled

	// mu guards the parts that are open. It is held while a part is opened.
	mu     sync.Mutex
	closed bool
	parts  *lru.Cache[int64, *openPart] // by the start of their range
}

// openPart is a part and its index. It stays open as long as someone reads it.
type openPart struct {
	file    blob.File
	reader  *PartReader
	readers int
	dropped bool // it is no longer in Library.parts
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
		return nil, "", fmt.Errorf("%s: %w", store.URL(), err)
	}
	sum := sha256.Sum256(data)
	return index, hex.EncodeToString(sum[:]), nil
}

// NewLibrary returns the Library of an output folder. When ctx ends it closes every
// part that nobody reads, and the others when they have been read.
func NewLibrary(ctx context.Context, store blob.Store, index *schemas.TemplateIndex) *Library {
	l := &Library{store: store, index: index, ctx: context.WithoutCancel(ctx)}
	l.parts = lru.New[int64](openIndexesMax, func(p *openPart) {
		if p.dropped = true; p.readers == 0 {
			p.file.Close()
		}
	})
	context.AfterFunc(ctx, l.close)
	return l
}

func (l *Library) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.parts.Clear()
}

// open returns the part of a range. The caller gives it back with release.
func (l *Library) open(r *schemas.BucketRange) (*openPart, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p, ok := l.parts.Get(r.Start); ok {
		p.readers++
		return p, nil
	}
	file, err := l.store.Open(l.ctx, r.File.Name)
	if err != nil {
		return nil, err
	}
	reader, err := ReadPart(file, file.Size())
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", r.File.Name, err)
	}
	p := &openPart{file: file, reader: reader, readers: 1}
	if l.closed { // the last item of the phase is still being finished
		p.dropped = true
		return p, nil
	}
	l.parts.Add(r.Start, p, reader.Size())
	return p, nil
}

func (l *Library) release(p *openPart) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p.readers--; p.readers == 0 && p.dropped {
		p.file.Close()
	}
}

// Bundle returns what was learned about a site and its encoded size. Without a bundle
// it returns nil and the reason. The broker's copy is used if near is not nil and has
// it.
func (l *Library) Bundle(ctx context.Context, site string, near *queue.Templates) (*Bundle, int, algorithms.Reason, error) {
	r := l.index.Range(Bucket(site))
	switch {
	case r.Dead:
		return nil, 0, algorithms.ReasonLearnFailed, nil
	case r.File.Name == "":
		return nil, 0, algorithms.ReasonTooFewPages, nil
	}
	p, err := l.open(r)
	if err != nil {
		return nil, 0, "", err
	}
	defer l.release(p)
	if !p.reader.Has(site) {
		return nil, 0, algorithms.ReasonTooFewPages, nil
	}
	if near != nil {
		if data, err := near.Get(ctx, site); err == nil {
			// Any worker can write to the broker, so a copy counts only if the part
			// has its digest.
			if b, err := DecodeBundle(data); err == nil && b.Site == site && p.reader.Holds(site, data) {
				return b, len(data), "", nil
			}
		} else if queue.Transient(err) {
			return nil, 0, "", err
		}
	}
	data, err := p.reader.Bundle(site)
	if err != nil {
		return nil, 0, "", fmt.Errorf("%s: %w", r.File.Name, err)
	}
	if data == nil {
		return nil, 0, algorithms.ReasonTooFewPages, nil
	}
	b, err := DecodeBundle(data)
	return b, len(data), "", err
}

// ReadBundle returns what the run of an output folder learned about a site, encoded.
// Without a bundle it returns nil and the reason.
func ReadBundle(ctx context.Context, store blob.Store, site string) ([]byte, algorithms.Reason, error) {
	index, _, err := ReadIndex(ctx, store)
	if err != nil {
		return nil, "", err
	}
	l := NewLibrary(ctx, store, index)
	defer l.close()
	b, _, reason, err := l.Bundle(ctx, site, nil)
	if err != nil || b == nil {
		return nil, reason, err
	}
	return b.Encode(), "", nil
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
	return &Earlier{NewLibrary(ctx, store, index), r.MaxAge}, nil
}

// Templates returns the templates of a site that may be used again at the time now, by
// the name of their method.
func (e *Earlier) Templates(ctx context.Context, site string, methods []Method, now int64) (map[string]*Template, error) {
	if e == nil {
		return nil, nil
	}
	b, _, _, err := e.library.Bundle(ctx, site, nil)
	if errors.Is(err, cursor.ErrMalformed) || errors.Is(err, blob.ErrNotFound) {
		return nil, nil // damaged or removed: the site is learned again
	}
	if err != nil || b == nil {
		return nil, err
	}
	out := map[string]*Template{}
	for _, m := range methods {
		t := b.Find(m.Name)
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
