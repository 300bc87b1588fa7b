package complexity

import (
	"testing"

	"github.com/winnow/winnow/algorithms/page"
)

func TestOf(t *testing.T) {
	f := func(html, gold string, want float64, known bool) {
		t.Helper()
		var p page.Page
		p.Parse([]byte(html), page.Options{})
		got, ok := Of(gold, &p)
		if got != want || ok != known {
			t.Errorf("%q, gold %q: %v %v, want %v %v", html, gold, got, ok, want, known)
		}
	}
	// Eight words, of which two are gold: 1 - 2/8.
	f("<title>not body</title><p>Home About</p><p>Grain falls.</p><table><tr><td>one</td><td>two</td></table><p>snake_case 42</p>", "Grain falls", 0.75, true)
	// Scripts and styles hold no words of the page; noscript and template do.
	f("<body><script>var a, b</script><style>p { x }</style><noscript>turn on</noscript><p>grain it", "grain it", 0.5, true)
	// Nothing but the content, or a gold that says more than the page.
	f("<p>grain falls", "grain falls", 0, true)
	f("<p>grain", "grain falls from above", 0, true)
	f("", "grain", 0, true)
	// No content at all, and nothing at all.
	f("<p>Home", "", 1, true)
	f("<body><script>x</script>", " - ", 0, false)
	// A word ends at every element: gra, in, falls, here.
	f("<p>gra<b>in</b> falls here", "grain", 0.75, true)
}
