package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/html"
)

func TestBodyText(t *testing.T) {
	f := func(name, src, want string) {
		t.Helper()
		var p Page
		p.Parse([]byte(src), Options{})
		if got := string(p.Body().Text); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	f("the example of the package comment",
		"<html><body><p id=x>Grain <b>and</b> chaff</p><script>…</script></body></html>", "Grain and chaff")
	f("empty", "", "")
	f("one text node", "hello", "hello")
	f("blank", " \n\t ", "")
	f("white space folded", "a \n\t b\u00a0\u3000c", "a b c")
	f("over inline elements", "a <b> b </b> c<i>d</i>", "a b cd")
	f("block boundaries", "<div>a<p>b</p>c</div>d", "a\nb\nc\nd")
	f("br", "a<br>b<br><br>c", "a\nb\nc")
	f("blanks beside newlines", "<p>a </p> <p> b</p>", "a\nb")
	f("left out", "a<script>x</script><style>y</style><noscript><p>n</p></noscript><template>t</template><!--c-->b", "ab")
	f("without content", "a<iframe>x</iframe><object>x</object><svg><text>x</text></svg><math><mi>x</mi></math>"+
		"<select><option>x</select><datalist><option>x</datalist>b", "ab")
	f("foreign content with HTML inside", "<svg><foreignObject><p>x</p></foreignObject></svg>b", "b")
	f("pre", "<p>a</p><pre>\n\n  x\n    y  z\n\n</pre><p>b</p>", "a\n  x\n    y  z\nb")
	f("first in the page", "<pre>  x\n y</pre>", "  x\n y")
	f("pre with elements", "<pre><b>a</b>\n  <i>b</i> <br>  c</pre>", "a\n  b\n  c")
	f("textarea", "a <textarea>  b\n c </textarea>d", "a   b\n c d")
	f("frameset", "<frameset><frame></frameset>", "")
	f("character references", "&lt;a&gt; &amp; b&nbsp;c", "<a> & b c")
	f("NUL", "a\x00b", "ab")
	f("hidden", "<p>a<b hidden>b</b>c", "abc")
}

func TestCounts(t *testing.T) {
	f := func(src string, mode WordMode, chars, words int) {
		t.Helper()
		var p Page
		p.Parse([]byte(src), Options{Words: mode})
		b := p.Body()
		if c, w := b.Sum(b.Chars, 0), b.Sum(b.TextWords, 0); c != chars || w != words {
			t.Errorf("%q mode %d: %d characters and %d words, want %d and %d", src, mode, c, w, chars, words)
		}
		if n := len(b.Words().Span); n != words {
			t.Errorf("%q mode %d: Words has %d, want %d", src, mode, n, words)
		}
	}
	f(" grain  and\u00a0chaff ", WordsByScript, 15, 3)
	f("<p>gr<b>ain</b></p>", WordsByScript, 5, 2)
	f("東京 tower", WordsByScript, 8, 3)
	f("東京 tower", WordsBySpace, 8, 2)
	f("東京tower東", WordsByScript, 8, 4)
	f("か\u3099き", WordsByScript, 3, 2) // a mark belongs to the character before it
	f("か\u3099き", WordsBySpace, 3, 1)
	f("กำ", WordsByScript, 2, 2)
	f("한국어 말", WordsByScript, 5, 2)
	f("Žižek čte", WordsByScript, 9, 2)
	f("हिन्दी", WordsByScript, 6, 1)
	f("<pre> a\n  b </pre>", WordsByScript, 3, 2)
	f("a<b style='DISPLAY : None'>bb</b><i hidden>c c</i>", WordsByScript, 1, 1)
	f("<p style='visibility:\thidden'>a<b>b</b></p>c", WordsByScript, 1, 1)
	f("<p style='display:nope;visibility:visible'>a", WordsByScript, 1, 1)
}

func TestDeepAndLong(t *testing.T) {
	var p Page
	p.Parse([]byte(strings.Repeat("<div>", 100_000)+"deep"), Options{})
	if p.Cut&html.CutDepth == 0 || string(p.Body().Text) != "deep" {
		t.Errorf("100000 elements: cut %b, text %q", p.Cut, p.Body().Text)
	}
	long := strings.Repeat("word ", 200_000)
	p.Parse([]byte(long), Options{})
	b := p.Body()
	if b.Len() != 2 || b.Sum(b.TextWords, 0) != 200_000 || len(b.Text) != len(long)-1 {
		t.Errorf("1 MB text: %d rows, %d words, %d bytes", b.Len(), b.Sum(b.TextWords, 0), len(b.Text))
	}
	var attrs strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&attrs, " a%d=%d", i, i)
	}
	p.Parse([]byte("<p"+attrs.String()+">x"), Options{})
	if n := len(p.Attrs(p.Body().Node[1])); p.Cut != html.CutAttrs || n != 1000 {
		t.Errorf("2000 attributes: cut %b, %d kept", p.Cut, n)
	}
}
