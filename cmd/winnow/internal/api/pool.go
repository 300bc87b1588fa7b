package api

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/winnow/winnow"
	"github.com/winnow/winnow/pipeline/source/payload/charset"
)

// method is what a client chooses of an extractor.
type method struct {
	extractor string
	comments  winnow.Comments
	noLinks   bool
}

// worker extracts one page at a time.
type worker struct {
	method    method
	extractor *winnow.Extractor
	decoder   charset.Decoder
}

// pool keeps workers. To make one costs as much time as to extract several pages.
type pool struct {
	options Options
	turns   chan struct{} // one element for each worker that works

	mu   sync.Mutex
	idle []*worker // the last one was used last; at most options.Pages
}

func newPool(o Options) *pool { return &pool{options: o, turns: make(chan struct{}, o.Pages)} }

// take waits for a turn and returns a worker. It must be given back.
func (p *pool) take(ctx context.Context, m method) (*worker, error) {
	if err := p.wait(ctx); err != nil {
		return nil, err
	}
	if w := p.reuse(m); w != nil {
		return w, nil
	}
	// The page is decoded by the worker, so that one extractor serves all charsets.
	e, err := winnow.New(winnow.Options{
		Extractor: m.extractor, Comments: m.comments, NoLinks: m.noLinks, ContentType: "text/html; charset=utf-8",
		Limits: winnow.Limits{Bytes: int(4 * p.options.MaxPage), Time: p.options.Time}, // a decoded page may be longer
	})
	if err != nil {
		<-p.turns
		return nil, failed(http.StatusBadRequest, "%w", err)
	}
	return &worker{method: m, extractor: e}, nil
}

func (p *pool) wait(ctx context.Context) error {
	late := time.NewTimer(p.options.Time)
	defer late.Stop()
	select {
	case p.turns <- struct{}{}:
		return nil
	case <-late.C:
		return failed(http.StatusServiceUnavailable, "%d pages are being extracted, and none ended within %v", p.options.Pages, p.options.Time)
	case <-ctx.Done():
		return failed(statusGone, "waiting for a turn: %w", ctx.Err())
	}
}

// reuse returns the idle worker of a method that was used last, or nil.
func (p *pool) reuse(m method) *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := len(p.idle) - 1; i >= 0; i-- {
		if w := p.idle[i]; w.method == m {
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			return w
		}
	}
	return nil
}

// release takes a worker back. A worker that failed is not used again.
func (p *pool) release(w *worker, healthy bool) {
	if healthy {
		p.mu.Lock()
		if len(p.idle) == p.options.Pages {
			p.idle[0] = nil
			p.idle = p.idle[1:]
		}
		p.idle = append(p.idle, w)
		p.mu.Unlock()
	}
	<-p.turns
}
