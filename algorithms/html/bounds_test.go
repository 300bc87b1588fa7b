package html

import "testing"

// TestTextBound checks that a document ends within the character at which its text
// exceeds the bound, as if the source ended before it. The text of scripts, styles and
// titles is not counted.
func TestTextBound(t *testing.T) {
	f := func(src string, bound int, read string, cut bool) {
		t.Helper()
		var p, want Document
		p.Parse([]byte(src), Bounds{MaxText: bound})
		want.Parse([]byte(read), Bounds{})
		if got := p.Cut&CutText != 0; got != cut {
			t.Errorf("%q with %d bytes of text: cut is %v, want %v", src, bound, got, cut)
		}
		if got, want := string(p.Tree.Text), string(want.Tree.Text); got != want {
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
