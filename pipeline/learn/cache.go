package learn

import (
	"container/list"
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/winnow/winnow/algorithms"
)

// Opened is what was learned about a site, ready for its pages.
type Opened struct {
	methods map[string]*OpenedTemplate
	reason  algorithms.Reason // of methods that it has nothing of
	bytes   int64
}

// OpenedTemplate is one method's part of it.
type OpenedTemplate struct {
	ID     string
	Status string            // TemplateRow.Status
	Reason algorithms.Reason // why pages are skipped; "" if Value can be applied
	Detail string
	Value  any
	Ranks  []uint64
}

// Method returns what a method learned. It is never nil.
func (o *Opened) Method(name string) *OpenedTemplate {
	if t := o.methods[name]; t != nil {
		return t
	}
	return &OpenedTemplate{Status: statusOf(o.reason), Reason: o.reason}
}

// statusOf is the status of templates that a site has no bundle for.
func statusOf(r algorithms.Reason) string {
	if r == algorithms.ReasonLearnFailed {
		return StatusLearnFailed
	}
	return StatusTooFewPages
}

// Place is the place in the sample of the page of a rank, -1 if it is not in it.
func (t *OpenedTemplate) Place(rank uint64) int {
	if i, ok := slices.BinarySearch(t.Ranks, rank); ok {
		return i
	}
	return -1
}

// What opened values take beyond the bytes they are made of is not known; they
// are tables of the same entries, and twice is generous.
const (
	openedFactor = 3
	openedBase   = 1 << 10
)

// Open makes a site's bundle ready. Methods are those of the run; a template of
// another version than theirs is stale.
func Open(b *Bundle, size int, methods []Method) *Opened {
	o := &Opened{methods: make(map[string]*OpenedTemplate, len(methods)), reason: algorithms.ReasonNoTemplate,
		bytes: openedBase + openedFactor*int64(size)}
	for _, m := range methods {
		t := b.Find(m.Name)
		if t == nil {
			continue
		}
		out := &OpenedTemplate{ID: b.TemplateID(t), Status: t.Status, Reason: t.Reason(), Ranks: t.Ranks}
		if out.Reason == algorithms.NoReason && t.Version != m.Learner.Version {
			out.Reason = algorithms.ReasonStaleVersion
		}
		if out.Reason == algorithms.NoReason {
			var err error
			if out.Value, err = TryOpen(m.Learner, t.Body); err != nil {
				out.Reason, out.Detail = algorithms.ReasonLearnFailed, err.Error()
			}
		}
		if out.Reason != algorithms.NoReason {
			out.ID, out.Ranks = "", nil
		}
		o.methods[m.Name] = out
	}
	return o
}

// TryOpen is Learner.Open with a net below it: templates come from files.
func TryOpen(l *algorithms.Learner, body []byte) (v any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("open: panic: %v\n%s", p, debug.Stack())
		}
	}()
	return l.Open(body)
}

// Nothing stands for a site of which nothing is known, for that reason.
func Nothing(reason algorithms.Reason) *Opened {
	return &Opened{reason: reason, bytes: openedBase}
}

// Cache holds the opened templates of the sites that were asked for last, for
// all slots of a worker.
type Cache struct {
	limit int64
	load  func(ctx context.Context, site string) (*Opened, error)

	// mu guards all below; it is not held while something is loaded.
	mu      sync.Mutex
	bytes   int64
	recent  list.List                // of *cached, the last used in front
	sites   map[string]*list.Element // in recent
	loading map[string]*loading

	hits, misses int64
}

type cached struct {
	site string
	o    *Opened
}

// loading is a site that someone loads; others wait for it.
type loading struct {
	done chan struct{}
	o    *Opened
	err  error
}

// NewCache returns a Cache that holds some limit bytes, and one site at least.
func NewCache(limit int64, load func(ctx context.Context, site string) (*Opened, error)) *Cache {
	return &Cache{limit: limit, load: load, sites: map[string]*list.Element{}, loading: map[string]*loading{}}
}

// Get returns what was learned about a site. Errors are those of load, and are
// not remembered.
func (c *Cache) Get(ctx context.Context, site string) (*Opened, error) {
	c.mu.Lock()
	if e := c.sites[site]; e != nil {
		c.recent.MoveToFront(e)
		c.hits++
		c.mu.Unlock()
		return e.Value.(*cached).o, nil
	}
	if l := c.loading[site]; l != nil {
		c.hits++
		c.mu.Unlock()
		select {
		case <-l.done:
			return l.o, l.err
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	l := &loading{done: make(chan struct{})}
	c.loading[site] = l
	c.misses++
	c.mu.Unlock()

	defer func() {
		if l.o == nil && l.err == nil { // load panicked
			l.err = fmt.Errorf("learn: templates of %s: the load panicked", site)
		}
		c.mu.Lock()
		delete(c.loading, site)
		if l.err == nil {
			c.keep(site, l.o)
		}
		c.mu.Unlock()
		close(l.done)
	}()
	l.o, l.err = c.load(ctx, site)
	return l.o, l.err
}

// Has says whether a site is there, or someone loads it.
func (c *Cache) Has(site string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sites[site] != nil || c.loading[site] != nil
}

// keep is called with mu held.
func (c *Cache) keep(site string, o *Opened) {
	c.sites[site] = c.recent.PushFront(&cached{site, o})
	c.bytes += o.bytes + int64(len(site))
	for c.bytes > c.limit && c.recent.Len() > 1 {
		last := c.recent.Back()
		old := last.Value.(*cached)
		c.recent.Remove(last)
		delete(c.sites, old.site)
		c.bytes -= old.o.bytes + int64(len(old.site))
	}
}

// Counts are how often a site was there, and how often it was loaded.
func (c *Cache) Counts() (hits, misses int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hits, c.misses
}
