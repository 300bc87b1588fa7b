package main

import (
	"flag"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/eval/programs"
)

var update = flag.Bool("update", false, "rewrite testdata/page.md")

// recordedPage returns the page for a small recorded result: a few pages of three
// packages with five extractors.
func recordedPage(t *testing.T) string {
	t.Helper()
	r, err := readRecord("testdata/recorded")
	if err != nil {
		t.Fatal(err)
	}
	return r.page(price{CoreHour: .04})
}

func TestPage(t *testing.T) {
	have := recordedPage(t)
	if *update {
		if err := os.WriteFile("testdata/page.md", []byte(have), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/page.md")
	if err != nil {
		t.Fatal(err)
	}
	if have != string(want) {
		t.Errorf("the page of testdata/recorded is not testdata/page.md: look at it with go -C eval test ./quality -update\n%s", have)
	}
}

// TestPrice checks that costs depend on the price and on the size of pages.
func TestPrice(t *testing.T) {
	r := &record{speed: speedRecord{Pages: 10, Bytes: 2e6, Took: map[string]time.Duration{"x": 5 * time.Second}}}
	f := func(p price, hours, dollars float64) {
		t.Helper()
		c, ok := r.costOf("x", p)
		if !ok || math.Abs(c.hours-hours) > 1e-6*hours || math.Abs(c.dollars-dollars) > 1e-6*dollars {
			t.Errorf("%+v: %v hours, %v USD, want %v, %v", p, c.hours, c.dollars, hours, dollars)
		}
	}
	f(price{CoreHour: .04}, .5e9/3600, .02e9/3600)
	f(price{CoreHour: .08, PageBytes: 100e3}, .25e9/3600, .02e9/3600)
	if _, ok := r.costOf("y", price{}); ok {
		t.Error("an extractor that was not timed has a cost")
	}
}

// TestPurpose checks that every line about a purpose is about an extractor that exists.
func TestPurpose(t *testing.T) {
	for name := range purpose {
		if !slices.ContainsFunc(programs.Extractors(), func(e *algorithms.Extractor) bool { return e.Name == name && e.Scope() == algorithms.PageScope }) {
			t.Errorf("there is a purpose of %s, which does not exist", name)
		}
	}
}
