package extract_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/suite"
)

// FuzzExtract runs every method on any page: none fails, selections are valid,
// and on a reused page and pass the answer is the same.
func FuzzExtract(f *testing.F) {
	for _, p := range algotest.Pages() {
		if len(p.HTML) < 10_000 {
			f.Add(p.HTML)
		}
	}
	for seed := range uint64(3) {
		f.Add(algotest.Random(seed))
	}
	f.Add(algotest.Conformance())
	var methods []*algorithms.Extractor
	for _, e := range suite.Extractors() {
		if e.Run != nil && e.Members == nil && e.Scope() == algorithms.PageScope {
			methods = append(methods, e)
		}
	}
	f.Fuzz(func(t *testing.T, html string) {
		src := []byte(strings.ToValidUTF8(html, "\uFFFD"))
		var fresh, reused page.Page
		reused.Parse([]byte(algotest.Conformance()), page.Options{})
		reused.Body()
		var first, second algorithms.Pass
		second.Reset(&reused, "")
		for _, e := range methods {
			if err := e.Run(&second); err != nil {
				t.Fatal(err)
			}
			second.Out.Reset()
		}
		fresh.Parse(src, page.Options{})
		reused.Parse(src, page.Options{})
		first.Reset(&fresh, "")
		second.Reset(&reused, "")
		for _, e := range methods {
			for _, p := range []*algorithms.Pass{&first, &second} {
				p.Out.Reset()
				if err := e.Run(p); err != nil {
					t.Fatalf("%s: %v", e.Name, err)
				}
				if err := p.Out.Validate(p.Body); err != nil {
					t.Fatalf("%s: %v", e.Name, err)
				}
			}
			a, b := first.Out.AppendText(nil, first.Body), second.Out.AppendText(nil, second.Body)
			if !bytes.Equal(a, b) {
				t.Fatalf("%s: %q, and %q with used memory", e.Name, a, b)
			}
		}
	})
}
