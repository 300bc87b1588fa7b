package algotest

import (
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// Pass returns a pass over html, for tests of an extractor's parts.
func Pass(html string) *algorithms.Pass {
	var b bench
	b.page.Parse([]byte(html), page.Options{})
	b.pass.Reset(&b.page, "http://example.org/")
	return &b.pass
}

// Edges checks the answers of e on those of Pages that want names.
func Edges(t *testing.T, e *algorithms.Extractor, want map[string]string) {
	t.Helper()
	seen := 0
	for _, p := range Pages() {
		text, ok := want[p.Name]
		if !ok {
			continue
		}
		seen++
		if got := Text(t, e, p.HTML); got != text {
			t.Errorf("%s on %s: %s", e.Name, p.Name, diff([]byte(got), []byte(text)))
		}
	}
	if seen != len(want) {
		t.Errorf("%s: %d of %d edges are pages that exist", e.Name, seen, len(want))
	}
}

// Twin compares e with a slow, literal transcription of its source on random
// pages: twin returns what e must select on the pass, whose Out is empty.
func Twin(t *testing.T, e *algorithms.Extractor, pages int, twin func(p *algorithms.Pass) page.Selection) {
	t.Helper()
	for seed := range uint64(pages) {
		html := Random(seed)
		if !SameAsTwin(t, e, html, twin) {
			t.Fatalf("%s: differs from its twin on random page %d:\n%s", e.Name, seed, html)
		}
	}
}

// SameAsTwin reports whether e selects on html the same as twin, for fuzz tests. Bytes
// that are not UTF-8 are replaced first.
func SameAsTwin(t *testing.T, e *algorithms.Extractor, html string, twin func(p *algorithms.Pass) page.Selection) bool {
	t.Helper()
	p := Pass(strings.ToValidUTF8(html, "\uFFFD"))
	Answers(t, p, e)
	want := twin(p)
	p.Out.Reset()
	if err := e.Run(p); err != nil {
		t.Fatalf("%s: %v", e.Name, err)
	}
	if err := p.Out.Validate(p.Body); err != nil {
		t.Fatalf("%s: %v", e.Name, err)
	}
	got, text := p.Out.AppendText(nil, p.Body), want.AppendText(nil, p.Body)
	if len(p.Out.Spans) == len(want.Spans) && string(got) == string(text) {
		return true
	}
	t.Errorf("%s: %s", e.Name, diff(got, text))
	return false
}
