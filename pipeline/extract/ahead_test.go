package extract

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/pipeline/learn/template"
)

// TestAhead: sites are loaded before they are asked for, a few at a time, and none
// twice; a load that fails is tried again by who needs it.
func TestAhead(t *testing.T) {
	var (
		mu      sync.Mutex
		loads   = map[string]int{}
		begun   = make(chan string, 100)
		release = make(chan struct{})
	)
	cache := template.NewCache(1<<20, func(_ context.Context, name string) (*template.Opened, error) {
		mu.Lock()
		loads[name]++
		n := loads[name]
		mu.Unlock()
		begun <- name
		<-release
		switch {
		case name == "panics" && n == 1:
			panic("load")
		case name == "fails" && n == 1:
			return nil, errors.New("the store is away")
		}
		return template.Nothing(algorithms.ReasonTooFewPages), nil
	})
	var a ahead
	ctx := t.Context()
	names := []string{"a", "fails", "panics", "d"}
	if len(names) != maxAhead {
		t.Fatalf("%d sites at a time", maxAhead)
	}
	a.fetch(ctx, cache, website.None)
	for _, name := range names {
		a.fetch(ctx, cache, name)
		<-begun // and has not ended: nothing was released
		a.fetch(ctx, cache, name)
	}
	a.fetch(ctx, cache, "one too many")
	close(release)
	a.wait()
	for _, name := range names {
		if _, err := cache.Get(ctx, name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		a.fetch(ctx, cache, name)
	}
	a.wait()
	if got, want := fmt.Sprint(loads), "map[a:1 d:1 fails:2 panics:2]"; got != want {
		t.Errorf("loads: %s, want %s", got, want)
	}
}
