package algorithms

import (
	"testing"

	"github.com/winnow/winnow/algorithms/page"
)

func TestFeatureOncePerPage(t *testing.T) {
	inner, outer, began, ended := 0, 0, 0, 0
	a := &Feature[int]{Name: "a", Compute: func(dst *int, p *Pass) { inner++; *dst = inner }}
	b := &Feature[[]int]{Name: "b", Compute: func(dst *[]int, p *Pass) { outer++; *dst = append((*dst)[:0], *a.Of(p)) }}
	var p Pass
	p.SetTimer(func(begin bool) {
		if begin {
			began++
		} else {
			ended++
		}
	})
	var pg page.Page
	for turn := 1; turn <= 3; turn++ {
		pg.Parse([]byte("<p>x"), page.Options{})
		p.Reset(&pg, "")
		for range 3 {
			if got := *b.Of(&p); len(got) != 1 || got[0] != turn {
				t.Fatalf("page %d: feature is %v", turn, got)
			}
			if got := *a.Of(&p); got != turn {
				t.Fatalf("page %d: inner feature is %d", turn, got)
			}
		}
	}
	if inner != 3 || outer != 3 {
		t.Errorf("computed %d and %d times for 3 pages", inner, outer)
	}
	if began != 3 || ended != 3 {
		t.Errorf("timer began %d, ended %d times; want 3: nested features are one", began, ended)
	}
}

func TestFeatureUncomputedAfterPanic(t *testing.T) {
	calls := 0
	f := &Feature[int]{Name: "f", Compute: func(dst *int, p *Pass) {
		if calls++; calls == 1 {
			panic("first")
		}
		*dst = 7
	}}
	var p Pass
	func() {
		defer func() { recover() }()
		f.Of(&p)
	}()
	if got := *f.Of(&p); got != 7 || calls != 2 {
		t.Errorf("after a panic the feature is %d, computed %d times", got, calls)
	}
}

func TestScratchIsKeptByType(t *testing.T) {
	type state struct{ n int }
	var p Pass
	Scratch[state](&p).n = 5
	if Scratch[state](&p).n != 5 {
		t.Error("scratch was not kept")
	}
	if n := testing.AllocsPerRun(10, func() { Scratch[state](&p).n++ }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
