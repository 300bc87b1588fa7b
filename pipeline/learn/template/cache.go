package template

import (
	"container/list"
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/winnow/winnow/algorithms"
	"golang.org/x/sync/singleflight"
)

// Opened holds the templates of a site, ready to be applied to its pages.
type Opened struct {
	methods map[string]*OpenedTemplate
	reason  algorithms.Reason // for methods that have no entry
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

// statusOf returns the status of the templates of a site that has none.
func statusOf(r algorithms.Reason) string {
	if r == algorithms.ReasonLearnFailed {
		return StatusLearnFailed
	}
	return StatusTooFewPages
}

// SampleIndex returns the index in the sample of the page of a rank, -1 if it is not
// in the sample.
func (t *OpenedTemplate) SampleIndex(rank uint64) int {
	if i, ok := slices.BinarySearch(t.Ranks, rank); ok {
		return i
	}
	return -1
}

// For returns a function that finds the template of an extractor for the page of a rank,
// or the reason why there is nothing to apply. A template is valid until the next call.
func (o *Opened) For(rank uint64) func(*algorithms.Extractor) (*algorithms.Template, algorithms.Reason) {
	lent := new(algorithms.Template)
	return func(e *algorithms.Extractor) (*algorithms.Template, algorithms.Reason) {
		t := o.Method(NameOf(e))
		if t.Reason != algorithms.NoReason {
			return nil, t.Reason
		}
		*lent = algorithms.Template{Value: t.Value, Ranks: t.Ranks, Page: t.SampleIndex(rank)}
		return lent, algorithms.NoReason
	}
}

// The size of an opened template in memory is not known. It is a table of the entries of
// the encoded template, so that twice the encoded size is a generous estimate.
const (
	openedFactor = 3
	openedBase   = 1 << 10
)

// Open makes ready what was learned about a site. Methods are those of the run; a
// template of another version than theirs is stale.
func Open(learned []Template, siteBy, site string, methods []Method) *Opened {
	o := &Opened{methods: make(map[string]*OpenedTemplate, len(methods)), reason: algorithms.ReasonNoTemplate, bytes: openedBase}
	for _, m := range methods {
		t := find(learned, m.Name)
		if t == nil {
			continue
		}
		o.bytes += openedBase + openedFactor*int64(len(t.Body)+8*len(t.Ranks))
		out := &OpenedTemplate{ID: t.ID(siteBy, site), Status: t.Status, Reason: t.Reason(), Ranks: t.Ranks}
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

// TryOpen runs Learner.Open and turns a panic into an error, because templates come from
// files that may be damaged.
func TryOpen(l *algorithms.Learner, body []byte) (v any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("open: panic: %v\n%s", p, debug.Stack())
		}
	}()
	return l.Open(body)
}

// Nothing returns the Opened of a site without templates, with the reason why there are
// none.
func Nothing(reason algorithms.Reason) *Opened {
	return &Opened{reason: reason, bytes: openedBase}
}

// Cache holds the opened templates of the sites that were asked for last, for
// all slots of a worker.
type Cache struct {
	load  func(ctx context.Context, site string) (*Opened, error)
	loads singleflight.Group

	mu           sync.Mutex // guards what follows; it is not held while a site is loaded
	limit, bytes int64
	recent       list.List // elements of type *held, the last used in front
	sites        map[string]*list.Element
	loading      map[string]bool // what loads is working on
}

// held is a site in the cache.
type held struct {
	site   string
	opened *Opened
}

// NewCache returns a Cache that holds about limit bytes, and one site at least.
func NewCache(limit int64, load func(ctx context.Context, site string) (*Opened, error)) *Cache {
	return &Cache{load: load, limit: limit, sites: map[string]*list.Element{}, loading: map[string]bool{}}
}

// Get returns the templates of a site. Callers that ask for a site while it is being
// loaded wait for it. Errors are those of load, and are not cached.
func (c *Cache) Get(ctx context.Context, site string) (*Opened, error) {
	if o := c.held(site); o != nil {
		return o, nil
	}
	v, err, _ := c.loads.Do(site, func() (_ any, err error) {
		if o := c.held(site); o != nil { // another load has just ended
			return o, nil
		}
		c.mu.Lock()
		c.loading[site] = true
		c.mu.Unlock()
		defer func() {
			c.mu.Lock()
			delete(c.loading, site)
			c.mu.Unlock()
			if v := recover(); v != nil {
				err = fmt.Errorf("template: load templates of %s: panic: %v\n%s", site, v, debug.Stack())
			}
		}()
		o, err := c.load(ctx, site)
		if err != nil {
			return nil, err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.sites[site] = c.recent.PushFront(&held{site, o})
		for c.bytes += o.bytes; c.bytes > c.limit && c.recent.Len() > 1; {
			old := c.recent.Remove(c.recent.Back()).(*held)
			delete(c.sites, old.site)
			c.bytes -= old.opened.bytes
		}
		return o, nil
	})
	if err != nil {
		return nil, err
	}
	return v.(*Opened), nil
}

func (c *Cache) held(site string) *Opened {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.sites[site]
	if e == nil {
		return nil
	}
	c.recent.MoveToFront(e)
	return e.Value.(*held).opened
}

// Has reports whether a site is held, or is being loaded.
func (c *Cache) Has(site string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sites[site] != nil || c.loading[site]
}
