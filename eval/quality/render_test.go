package main

import (
	"flag"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/suite/linked"
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

var digits = regexp.MustCompile(`[0-9]+`)

// TestCommittedPage checks that eval/quality.md has the headings, tables and extractors
// that the generator writes today. It does not check figures, because these need the
// packages.
func TestCommittedPage(t *testing.T) {
	file, err := os.ReadFile("../quality.md")
	if err != nil {
		t.Fatal(err)
	}
	committed := string(file)
	lines := make(map[string]bool)
	for _, line := range strings.Split(committed, "\n") {
		lines[digits.ReplaceAllString(line, "0")] = true
	}
	generated := strings.Split(recordedPage(t), "\n")
	for i, line := range generated {
		heading := strings.HasPrefix(line, "#")
		head := strings.HasPrefix(line, "|") && i+1 < len(generated) && strings.HasPrefix(generated[i+1], "|---")
		if (heading || head && !strings.Contains(line, "| wcxb-dev |") && !strings.Contains(line, "article (")) && !lines[digits.ReplaceAllString(line, "0")] {
			t.Errorf("eval/quality.md lacks the line %q: make it again with go -C eval run ./quality", line)
		}
	}
	for _, e := range linked.Extractors() {
		if row := "\n| `" + e.Name + "` |"; e.Scope() == algorithms.PageScope && strings.Count(committed, row) < 4 {
			t.Errorf("eval/quality.md lacks %s in a table: make it again with go -C eval run ./quality", e.Name)
		}
	}
	for name := range measures {
		if !strings.Contains(committed, "\n| "+name+" |") {
			t.Errorf("eval/quality.md lacks the package %s", name)
		}
	}
	for _, p := range advice {
		title := p[:strings.Index(p[2:], "**")+4]
		if !strings.Contains(committed, "\n"+title) {
			t.Errorf("eval/quality.md lacks the paragraph %q", title)
		}
	}
	if i := strings.IndexAny(committed, "{}"); i >= 0 {
		t.Errorf("eval/quality.md has a name that stands for no figure: %.80s", committed[i:])
	}
}

// TestPurpose checks that every extractor has a line about its purpose.
func TestPurpose(t *testing.T) {
	known := make(map[string]bool)
	for _, e := range linked.Extractors() {
		if e.Scope() != algorithms.PageScope {
			continue
		}
		known[e.Name] = true
		if purpose[e.Name] == "" {
			t.Errorf("%s lacks a purpose", e.Name)
		}
	}
	for name := range purpose {
		if !known[name] {
			t.Errorf("there is a purpose of %s, which does not exist", name)
		}
	}
}
