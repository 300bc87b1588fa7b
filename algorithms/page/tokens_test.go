package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/internal/testpages"
)

// streamOf formats the token stream: tags as in the source, words with a "+" before them
// if white space precedes them, and with a "?" after them if they cannot be selected.
func streamOf(p *Page) string {
	var out []string
	k := p.Tokens()
	for i, kind := range k.Kind {
		src := string(p.Source[k.Src[i].Start:k.Src[i].End])
		if kind == TokenWord {
			if k.Lead[i] {
				src = "+" + src
			}
			if k.Text[i].Len() == 0 {
				src += "?"
			}
		}
		out = append(out, src)
	}
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	f := func(name, src, want string) {
		t.Helper()
		var p Page
		p.Parse([]byte(src), Options{})
		if got := streamOf(&p); got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
		checkTokens(t, &p)
	}
	f("empty", "", "")
	f("from the body tag on", "<html><head><title>t</title></head> <body class=x>a<p>b</p></body></html>", "a <p> b </p>")
	f("no body tag", "<!doctype html><title>t</title><meta charset=utf-8><p>a", "<p> a")
	f("body tag after text that made the body", "<text id=1><html><head><title>t</title></head><body><p>a</p></body></html></text>", "<p> a </p> </text>")
	f("blanks", "<body> a b<i>c</i> d", "+a +b <i> c </i> +d")
	f("comments split segments", "<body>a<!-- x -->b <!y>c", "a b c")
	f("content that is left out", "<body><script>x y</script><style>z</style><select><option>o</select><svg><text>s</text></svg>"+
		"<noscript><p>n</p></noscript><object><b>q</b></object><iframe>i</iframe><title>t</title>a",
		"<script> </script> <style> </style> <select> </select> <svg> </svg> <noscript> </noscript> <object> </object> <iframe> </iframe> <title> </title> a")
	f("hidden text", "<body><p hidden>a<b>b</b></p>c", "<p hidden> <b> </b> </p> c")
	f("written with a slash", "<body>a<br/>b", "a <br/> b")
	f("end tags of nothing", "<body>a</x>b</p>c", "a </x> b </p> c")
	f("character references", "<body>a&amp;b &lt;c&gt;&nbsp;d &copy2", "a&amp;b +&lt;c&gt; +d +&copy2")
	f("line ends", "<body>a\r\nb\rc", "a +b +c")
	f("unspaced scripts", "<body>東京 tower", "東 京 +tower")
}

func TestTokenSegments(t *testing.T) {
	var p Page
	p.Parse([]byte("<body>a b<i> </i>c<!-- -->d<p>e"), Options{})
	if got, want := fmt.Sprint(p.Tokens().Segment), "[0 0 -1 -1 1 2 -1 3]"; got != want {
		t.Errorf("segments %s, want %s", got, want)
	}
}

// TestTokensFollowTheText checks that the words of the stream are those of the text, on
// pages where the parser moves nothing.
func TestTokensFollowTheText(t *testing.T) {
	for name, src := range testpages.Made() {
		var p Page
		p.Parse(src, Options{})
		words := p.Body().Words().Span
		k := p.Tokens()
		n := 0
		for i, kind := range k.Kind {
			if kind != TokenWord {
				continue
			}
			if n == len(words) || k.Text[i] != words[n] {
				t.Fatalf("%s: token %d is %v, not word %d of %d", name, i, k.Text[i], n, len(words))
			}
			n++
		}
		if n != len(words) {
			t.Errorf("%s: %d words in the stream, %d in the text", name, n, len(words))
		}
	}
}
