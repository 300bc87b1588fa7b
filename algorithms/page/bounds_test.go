package page

import (
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/page/worst"
)

// A document ends within the character at which its text is over the bound, as if the
// source ended before it. Text that no method sees is not counted.
func TestTextBound(t *testing.T) {
	f := func(src string, bound int, read string, cut bool) {
		t.Helper()
		var p, want Page
		p.Parse([]byte(src), Options{MaxText: bound})
		want.Parse([]byte(read), Options{})
		if got := p.Cut&CutText != 0; got != cut {
			t.Errorf("%q with %d bytes of text: cut is %v, want %v", src, bound, got, cut)
		}
		if got, want := string(p.Body().Text), string(want.Body().Text); got != want {
			t.Errorf("%q with %d bytes of text: text %q, want %q", src, bound, got, want)
		}
		if got, want := p.Lex.Len(), want.Lex.Len(); got != want {
			t.Errorf("%q with %d bytes of text: %d items, want %d", src, bound, got, want)
		}
		checkBuilt(t, &p)
	}
	f("<p>grain<b>chaff", 10, "<p>grain<b>chaff", false)
	f("<p>grain<b>chaff<p>wind", 7, "<p>grain<b>ch", true)
	f("<p>häh", 2, "<p>h", true)
	f("<p>&amp;&amp;", 5, "<p>&amp;", true)
	f("<p>a<script>var long = 'text'</script><style>more of it</style><title>x</title>b", 2, "<p>a<script>var long = 'text'</script><style>more of it</style><title>x</title>b", false)
	f("<textarea>typed</textarea>a", 5, "<textarea>typed</textarea>", true)
	f("<table>a</>b</>cd</>e", 3, "<table>a</>b</>c", true)
	f("<table> </> </> <td>x", 2, "<table> </> </>", true)
}

// Whatever a page is made of, each of its columns has a bound.
func TestColumnsAreBounded(t *testing.T) {
	const nodes, text = 1000, 2000
	var p Page
	for _, w := range worst.Pages {
		src := []byte(w.Make(60_000))
		p.Parse(src, Options{MaxNodes: nodes, MaxText: text})
		t.Run(w.Name, func(t *testing.T) { checkBuilt(t, &p) })
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

// No real page that was seen meets the bounds of nodes and text, but for the one that
// is a bomb.
func TestRealPagesAreWhole(t *testing.T) {
	var p Page
	var nodes, items, text, attrs int
	check := func(id string, src []byte) {
		if strings.HasPrefix(id, "cdxw-giant_html") {
			return
		}
		p.Parse(src, Options{})
		if p.Cut&(CutNodes|CutText) != 0 {
			t.Errorf("%s: of %d bytes, is cut", id, len(src))
		}
		nodes, items = max(nodes, p.Tree.Len()), max(items, p.Lex.Len())
		text, attrs = max(text, len(p.Body().Text)), max(attrs, len(p.Tree.Attrs))
	}
	for _, name := range packageNames {
		eachPackagePage(t, name, func(id string, src []byte) bool {
			check(id, src)
			return true
		})
	}
	eachCrawlPage(t, check)
	t.Logf("at most %d nodes, %d items, %d attributes, %d bytes of text in the body", nodes, items, attrs, text)
}
