package page

import (
	"testing"

	"github.com/winnow/winnow/algorithms/html/worst"
	"github.com/winnow/winnow/algorithms/internal/testpages"

	"github.com/winnow/winnow/algorithms/html"
)

// TestColumnsAreBounded checks that each column of a page has a bound, whatever the
// page is made of.
func TestColumnsAreBounded(t *testing.T) {
	const nodes, text = 1000, 2000
	var p Page
	for _, w := range worst.Pages {
		src := []byte(w.Make(60_000))
		p.Parse(src, Options{Bounds: html.Bounds{MaxNodes: nodes, MaxText: text}})
		const beside = 1010 // attributes of the last element, items of the last token
		if n := p.Tree.Len(); n > nodes {
			t.Errorf("%s: %d nodes, want at most %d", w.Name, n, nodes)
		}
		if n := p.Lex.Len(); n > 2*nodes+beside {
			t.Errorf("%s: %d items, want at most %d", w.Name, n, 2*nodes+beside)
		}
		if n := len(p.Tree.Attrs); n > 2*nodes+beside {
			t.Errorf("%s: %d attributes, want at most %d", w.Name, n, 2*nodes+beside)
		}
		// A character of the source can be three bytes of text: NUL, and references.
		if n := len(p.Body().Text); n > 3*text {
			t.Errorf("%s: %d bytes of text, want at most %d", w.Name, n, 3*text)
		}
		if n := p.Tokens().Len(); n > 2*nodes+beside+text {
			t.Errorf("%s: %d tokens, want at most %d", w.Name, n, 2*nodes+beside+text)
		}
	}
}

// TestRealPagesAreWhole checks that no known real page exceeds the bounds of nodes and
// text.
func TestRealPagesAreWhole(t *testing.T) {
	var p Page
	var nodes, items, text, attrs int
	check := func(id string, src []byte) {
		p.Parse(src, Options{})
		if p.Cut&(html.CutNodes|html.CutText) != 0 {
			t.Errorf("%s: of %d bytes, is cut", id, len(src))
		}
		nodes, items = max(nodes, p.Tree.Len()), max(items, p.Lex.Len())
		text, attrs = max(text, len(p.Body().Text)), max(attrs, len(p.Tree.Attrs))
	}
	testpages.EachOfPackages(t, check)
	testpages.EachOfCrawls(t, check)
	t.Logf("at most %d nodes, %d items, %d attributes, %d bytes of text in the body", nodes, items, attrs, text)
}
