package page

import (
	"testing"

	"github.com/winnow/winnow/algorithms/html"
)

func TestAppendHTML(t *testing.T) {
	// f selects the elements that tags name; without tags it selects all words.
	f := func(name, src, want string, tags ...html.Tag) {
		t.Helper()
		var p Page
		p.Parse([]byte(src), Options{})
		b := p.Body()
		var s Selection
		for r := Row(0); int(r) < b.Len(); {
			pick := false
			for _, tag := range tags {
				pick = pick || b.Tag[r] == tag
			}
			if pick {
				s.AddRow(b, r)
				r = b.End[r]
			} else {
				r++
			}
		}
		if len(tags) == 0 {
			s.AddWords(b, 0, len(b.Words().Span))
		}
		if got := string(p.AppendHTML(nil, &s)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
	f("inline elements keep their blanks outside",
		"<p>one <b> two </b>three<i>!</i></p>", "<p>one <b>two</b> three<i>!</i></p>", html.TagBody)
	f("attributes for reading alone",
		`<p class=x onclick="y()"><a href="/a?b&amp;c" title='"t"' target=_top>z</a><img src=i.png alt="an i" onerror=e></p>`,
		`<p><a href="/a?b&amp;c" title="&quot;t&quot;">z</a><img src="i.png" alt="an i"></p>`, html.TagBody)
	f("addresses that run",
		"<a href=' java\tscript:x'>a</a><a href=JAVASCRIPT:x>b</a><a href=data:text/html,x>c</a><a href=a:b>d</a><a href='/a:b'>e</a><a href=HTTP://x>f</a>",
		`<a>a</a><a>b</a><a>c</a><a>d</a><a href="/a:b">e</a><a href="HTTP://x">f</a>`, html.TagBody)
	f("text is escaped", "<p>1 &lt; 2 &amp;amp; <code>&lt;script></code></p>",
		"<p>1 &lt; 2 &amp;amp; <code>&lt;script&gt;</code></p>", html.TagBody)
	f("other elements give way to their content",
		"<form><font>a</font><input><button>b</button><svg><text>c</text></svg><script>d</script><video>e</video></form>",
		"<div>abe</div>", html.TagBody)
	f("a cell brings its table", "<table><tr><td>a<td>b<tr><th>c</table>",
		"<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>", html.TagTd)
	f("an item brings its list", "<ol><li>a<li>b</ol><p>c</p>", "<ol><li>a</li><li>b</li></ol><p>c</p>", html.TagLi, html.TagP)
	f("words bring the elements around them", "<div><h2>a</h2><ul><li>b <a href=c>d</a></ul></div>",
		`<div><h2>a</h2><ul><li>b <a href="c">d</a></li></ul></div>`)
	f("block boundaries of elements that are not chosen", "<div><span>a</span></div><div><span>b</span> <span>c</span></div>",
		"a<br>b c", html.TagText)
	f("pre", "<pre>  a\n   <b>b</b>\n</pre><pre>\n\n c</pre>", "<pre>  a\n   <b>b</b></pre><pre> c</pre>", html.TagBody)
	f("hidden", "<p>a<b hidden>b</b></p><p hidden>c</p><p>d</p>", "<p>a</p><p>d</p>", html.TagBody)
	f("empty elements", "<div><p></p><p>a<br></p><hr><div><span></span></div></div>", "<div><p>a<br></p><hr></div>", html.TagBody)
	f("nothing", "<p>a</p>", "", html.TagTable)
	f("images keep the white space on their sides",
		"<p>a <img src=1>b<img src=2> c<b> <img src=3></b><i> d</i></p><p><img src=4> <img src=5><span> e</span>f<img src=6>g</p>",
		`<p>a <img src="1">b<img src="2"> c<b> <img src="3"></b> <i>d</i></p>`+
			`<p><img src="4"> <img src="5"> ef<img src="6">g</p>`, html.TagBody)
	f("white space that is left out stands nowhere",
		"<p>a<b hidden>x</b><script> </script><svg> </svg><img src=1><!-- -->b</p>",
		`<p>a<img src="1">b</p>`, html.TagBody)
	f("images beside blocks", "<div>a <div> <img src=1> </div> b <br> <img src=2> c</div>",
		`<div>a<div><img src="1"></div>b<br><img src="2"> c</div>`, html.TagBody)
	f("an image before the first text of its block", "<p><a href=x><img src=1> b</a></p><p><img src=2>c</p>",
		`<p><a href="x"><img src="1"> b</a></p><p><img src="2">c</p>`, html.TagBody)
	f("numbers, languages and directions",
		"<ol start=3 class=x><li value=5 lang=fa dir=rtl>a</ol><pre class='hl language-go lang-x'><code class=language->b</code></pre><p class=language-go value=1>c</p>",
		`<ol start="3"><li value="5" lang="fa" dir="rtl">a</li></ol><pre class="language-go"><code>b</code></pre><p>c</p>`, html.TagBody)
}

func TestAppendHTMLWith(t *testing.T) {
	var p Page
	p.Parse([]byte(`<a href=x>a</a><a href="javascript:y">b</a><a href=z>c</a><img src=i>`), Options{})
	var s Selection
	s.AddRow(p.Body(), 0)
	got := string(p.AppendHTMLWith(nil, &s, MarkupOptions{Resolve: func(address []byte) []byte {
		if string(address) == "z" {
			return []byte("javascript:z")
		}
		return append([]byte("http://a.example/?"), address...)
	}}))
	if want := `<a href="http://a.example/?x">a</a><a>b</a><a>c</a><img src="http://a.example/?i">`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestFormulas writes the sources of formulas, and the images, of selections of elements
// and of selections of text alone.
func TestFormulas(t *testing.T) {
	const (
		nav  = "<nav>Menu <img src=logo.png> <math alttext=q></math></nav>"
		math = `<math alttext="a&lt;b"><mi>a</mi></math>`
		tex  = `<span class="math inline">\(a&lt;b\)</span>`
	)
	for _, c := range []struct{ src, elements, text string }{
		{"<p>let " + math + " be</p>", "<p>let " + tex + " be</p>", ""},
		{"<p>let" + math + ", be</p>", "<p>let" + tex + ", be</p>", ""},
		{"<p>ends in " + math + "</p><p>next</p>", "<p>ends in " + tex + "</p><p>next</p>", ""},
		{"<p>one</p><p>" + math + "</p><p>two</p>", "<p>one</p><p>" + tex + "</p><p>two</p>", ""},
		{"<p><b>bold</b><script type=math/tex>x</script></p>", `<p><b>bold</b><span class="math inline">\(x\)</span></p>`, ""},
		{"<p>a <span class=katex>" + math + "<span>shown too</span></span> b</p>", "<p>a " + tex + " b</p>", ""},
		{"<p>a <b hidden>" + math + "</b>b</p>", "<p>a b</p>", ""},
		{"<p>a <math><mi>x</mi> <mo>&lt;</mo><annotation-xml>no</annotation-xml></math> b</p>", `<p>a <span class="math inline">\(x&lt;\)</span> b</p>`, ""},
		{"<p>a <img src=i.png> b</p><img src=j.png><p>c</p>", `<p>a <img src="i.png"> b</p><img src="j.png"><p>c</p>`, ""},
		{"<ul><li>" + math + "<li>b</ul>", "<ul><li>" + tex + "</li><li>b</li></ul>", "<ul><li>b</li></ul>"},
		{"<span class=MathJax>x2</span><script type='math/tex; mode=display'>x^2</script> b", `<span class="math display">\[x^2\]</span> b`, ""},
	} {
		if c.text == "" {
			c.text = c.elements
		}
		var p Page
		p.Parse([]byte(nav+"<main>"+c.src+"</main>"), Options{})
		b := p.Body()
		var elements, text Selection
		for r := Row(0); int(r) < b.Len(); r++ {
			if b.Tag[r] == html.TagMain {
				elements.AddRow(b, r)
				for _, s := range elements.Spans {
					text.AddSpan(b, s)
				}
			}
		}
		for _, s := range []struct {
			selection *Selection
			want      string
		}{{&elements, c.elements}, {&text, c.text}} {
			if got, want := string(p.AppendHTMLWith(nil, s.selection, MarkupOptions{Formulas: true})), "<main>"+s.want+"</main>"; got != want {
				t.Errorf("%s, rows %d:\n got %s\nwant %s", c.src, len(s.selection.Rows), got, want)
			}
		}
	}
}
