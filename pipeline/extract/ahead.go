package extract

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/pipeline/learn/template"
)

// maxAhead bounds the sites that one slot loads ahead at a time. Some of them are loaded
// for records that turn out not to be pages.
const maxAhead = 4

// ahead loads the templates of the next page's site while a page is worked on, so
// that a page of a new site need not wait for a slow store. The zero ahead is
// ready.
type ahead struct {
	all     sync.WaitGroup
	running atomic.Int32
}

// fetch begins to load a site unless it is loaded, or enough loads are in progress. It
// ignores errors, because the page will ask for the site again and meet them; Get turns
// panics into errors.
func (a *ahead) fetch(ctx context.Context, cache *template.Cache, name string) {
	if name == website.None || name == "" || a.running.Load() >= maxAhead || cache.Has(name) {
		return
	}
	a.running.Add(1)
	a.all.Go(func() {
		defer a.running.Add(-1)
		cache.Get(ctx, name)
	})
}

// wait returns when all loads have ended. A load is not canceled, because pages of other
// slots may be waiting for it.
func (a *ahead) wait() { a.all.Wait() }
