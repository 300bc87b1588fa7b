package template

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/winnow/winnow/algorithms"
)

func TestCacheKeepsWhatWasUsedLast(t *testing.T) {
	loads := map[string]int{}
	c := NewCache(3*(2*openedBase+openedFactor*100), func(_ context.Context, site string) (*Opened, error) {
		loads[site]++
		return Open([]Template{{Method: "m", Body: make([]byte, 100)}}, "host", site, []Method{{"m", &algorithms.Learner{}}}), nil
	})
	for _, s := range []string{"a", "b", "c", "a", "d", "a", "b"} { // d drops b, b drops c
		if _, err := c.Get(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if fmt.Sprint(loads) != "map[a:1 b:2 c:1 d:1]" {
		t.Errorf("loads %v", loads)
	}
	// A site that is larger than everything is held as long as it is the last.
	n := 0
	one := NewCache(1, func(context.Context, string) (*Opened, error) {
		n++
		return Nothing(algorithms.ReasonTooFewPages), nil
	})
	for range 3 {
		one.Get(t.Context(), "a")
	}
	if n != 1 {
		t.Errorf("%d loads", n)
	}
}

func TestCacheLoadsASiteOnceAtATime(t *testing.T) {
	var loads atomic.Int32
	release := make(chan struct{})
	c := NewCache(1<<20, func(context.Context, string) (*Opened, error) {
		loads.Add(1)
		<-release
		return Nothing(algorithms.ReasonTooFewPages), nil
	})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if o, err := c.Get(context.Background(), "a"); err != nil || o.Method("x").Reason != algorithms.ReasonTooFewPages {
				t.Error(o, err)
			}
		})
	}
	close(release)
	wg.Wait()
	if n := loads.Load(); n != 1 {
		t.Errorf("%d loads", n)
	}
}

var errAway = errors.New("away")

func TestCacheForgetsErrors(t *testing.T) {
	n := 0
	c := NewCache(1<<20, func(context.Context, string) (*Opened, error) {
		if n++; n == 1 {
			return nil, errAway
		}
		return Nothing(algorithms.ReasonLearnFailed), nil
	})
	if _, err := c.Get(t.Context(), "a"); !errors.Is(err, errAway) {
		t.Error(err)
	}
	if o, err := c.Get(t.Context(), "a"); err != nil || o == nil {
		t.Error(o, err)
	}
}

func TestOpenedTemplatesSayWhyTheyCannotBeApplied(t *testing.T) {
	learner := func(version int) *algorithms.Learner {
		return &algorithms.Learner{Version: version, Open: func(b []byte) (any, error) {
			if string(b) == "bad" {
				return nil, errors.New("bad")
			}
			if string(b) == "worse" {
				panic("worse")
			}
			return string(b), nil
		}}
	}
	learned := []Template{
		{Method: "bad", Version: 1, Status: StatusOK, Body: []byte("bad")},
		{Method: "empty", Version: 1, Status: StatusEmpty, Body: []byte("e"), Ranks: []uint64{2, 4}},
		{Method: "few", Version: 1, Status: StatusTooFewPages},
		{Method: "good", Version: 1, Status: StatusOK, Body: []byte("g"), Ranks: []uint64{2, 4}},
		{Method: "large", Version: 1, Status: StatusOversize},
		{Method: "stale", Version: 1, Status: StatusOK, Body: []byte("s")},
		{Method: "worse", Version: 1, Status: StatusOK, Body: []byte("worse")},
	}
	var methods []Method
	for _, name := range []string{"bad", "empty", "few", "good", "large", "stale", "worse", "absent"} {
		v := 1
		if name == "stale" {
			v = 2
		}
		methods = append(methods, Method{name, learner(v)})
	}
	o := Open(learned, "host", "a", methods)
	for name, want := range map[string]algorithms.Reason{"bad": algorithms.ReasonLearnFailed, "empty": "", "few": algorithms.ReasonTooFewPages, "good": "",
		"large": algorithms.ReasonOversize, "stale": algorithms.ReasonStaleVersion, "worse": algorithms.ReasonLearnFailed, "absent": algorithms.ReasonNoTemplate} {
		got := o.Method(name)
		if got.Reason != want || (got.ID != "") != (want == "") {
			t.Errorf("%s: reason %q, id %q; want %q", name, got.Reason, got.ID, want)
		}
	}
	if g := o.Method("good"); g.SampleIndex(2) != 0 || g.SampleIndex(4) != 1 || g.SampleIndex(3) != -1 || g.Value != "g" {
		t.Errorf("good: %+v", g)
	}
}
