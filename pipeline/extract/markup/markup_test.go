package markup

import (
	"bytes"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gmtext "github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"github.com/winnow/winnow/algorithms/fact/pii"
	"github.com/winnow/winnow/algorithms/page"
)

// whole returns the selection of all rows of a page.
func whole(p *page.Page) *page.Selection {
	return &page.Selection{Rows: []page.Rows{{Start: 0, End: page.Row(p.Body().Len())}}}
}

const sample = `<body><base href="/d/"><h2>Grain</h2><p>See <a href="b">this</a>, <em>not</em> <a href="javascript:evil()">that</a>.</p>
<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table><pre><code class="language-go">x := 1</code></pre><script>evil()</script><p>so <math alttext="a_1&lt;b"></math> is.</p></body>`

// TestStructure checks that the structure of a page is kept and its scripts are not.
func TestStructure(t *testing.T) {
	var p page.Page
	p.Parse([]byte(sample), page.Options{})
	w := NewWriter()
	wantHTML := `<h2>Grain</h2><p>See <a href="https://h.example/d/b" rel="nofollow">this</a>, <em>not</em> that.</p><table><tbody><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></tbody></table><pre><code class="language-go">x := 1</code></pre><p>so <span class="math inline">\(a_1&lt;b\)</span> is.</p>`
	if got := w.HTML(&p, whole(&p), "https://h.example/x", Masking{}); string(got) != wantHTML {
		t.Errorf("HTML:\n%s\nwant\n%s", got, wantHTML)
	}
	wantMarkdown := "## Grain\n\nSee [this](https://h.example/d/b), *not* that.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```go\nx := 1\n```\n\nso $a_1< b$ is.\n"
	if got, all := w.Markdown(&p, whole(&p), "https://h.example/x", Masking{}); string(got) != wantMarkdown || !all {
		t.Errorf("Markdown:\n%s\nwant\n%s", got, wantMarkdown)
	}
}

// TestMasking hides addresses of persons wherever tags or hidden text divide them, and no
// part of a tag.
func TestMasking(t *testing.T) {
	const src = `<p>Ask jane<b>@<i>e.org</i></b> or <a href="mailto:jane@e.org" title="to jane@e.org">her</a>,
<a href="/u?m=jane%40e.org">a</a> <a href="/b">b</a>, joe<span hidden>x</span>@e.org, <img src="/i.png" alt="joe@e.org">
<math alttext="x"></math> <a href=mailto:x>m</a> end.</p><pre>joe@e.org
x</pre>`
	find, err := pii.Masker([]string{"email"})
	if err != nil {
		t.Fatal(err)
	}
	hide := Masking{Find: find, Schemes: []string{"mailto"}}
	var p page.Page
	p.Parse([]byte(src), page.Options{})
	rows := new(page.Selection)
	rows.AddRow(p.Body(), 0)
	text := &page.Selection{Spans: rows.Spans}
	for name, s := range map[string]*page.Selection{"rows": rows, "text": text} {
		got, _ := NewWriter().Markdown(&p, s, "https://h.example/x", hide)
		want := "Ask \\[EMAIL\\] or her, a [b](https://h.example/b), \\[EMAIL\\], ![\\[EMAIL\\]](https://h.example/i.png) $x$ m end.\n\n```\n[EMAIL]\nx\n```\n"
		if string(got) != want {
			t.Errorf("%s, Markdown:\n%s\nwant\n%s", name, got, want)
		}
		html := string(NewWriter().HTML(&p, s, "https://h.example/x", hide))
		if want := `<p>Ask [EMAIL] or <a title="to [EMAIL]">her</a>,`; !strings.HasPrefix(html, want) || strings.Contains(html, "e.org") || strings.Contains(html, "mailto") {
			t.Errorf("%s, HTML:\n%s\nwant\n%s ...", name, html, want)
		}
	}
}

// FuzzWriter checks that no page makes the writers panic, that nothing in the HTML can
// run, that it stays as it is if it is cleaned once more, and that a reader of Markdown
// who does not know formulas finds no HTML in it.
func FuzzWriter(f *testing.F) {
	f.Add([]byte(sample), "https://h.example/x", int32(0), int32(40))
	f.Add([]byte(`<ol start=7><li><svg onload=x()><p><b>a<td>b</ol><a href="jAvAsCrIpT:x()">c</a><img src=x onerror=y()>`), ":", int32(1), int32(3))
	f.Add([]byte("<p>\\(&lt;script> [a](b) `<script type=math/tex>\\text{&lt;b>$<\\/b>$} \\</script><math alttext='<i>' display=block>"), "", int32(0), int32(9))
	w := NewWriter()
	f.Fuzz(func(t *testing.T, source []byte, address string, from, to int32) {
		var p page.Page
		p.Parse(source, page.Options{})
		n := int32(len(p.Body().Text))
		selections := []*page.Selection{whole(&p)}
		if 0 <= from && from < to && to <= n {
			selections = append(selections, &page.Selection{Spans: []page.Span{{Start: from, End: to}}})
		}
		for _, s := range selections {
			text, _ := w.Markdown(&p, s, address, Masking{})
			noHTML(t, text)
			got := w.HTML(&p, s, address, Masking{})
			z := html.NewTokenizer(bytes.NewReader(got))
			for z.Next() != html.ErrorToken {
				token := z.Token()
				switch token.Data {
				case "script", "style", "iframe", "object", "form", "svg":
					if token.Type != html.TextToken {
						t.Fatalf("%q has the element %s", got, token.Data)
					}
				}
				for _, a := range token.Attr {
					if len(a.Key) > 2 && a.Key[:2] == "on" {
						t.Fatalf("%q has the attribute %s", got, a.Key)
					}
				}
			}
			if again := w.policy.SanitizeBytes(got); !bytes.Equal(again, got) {
				t.Fatalf("%q cleaned again is %q", got, again)
			}
		}
	})
}

// noHTML checks that Markdown has no HTML.
func noHTML(t *testing.T, text []byte) {
	t.Helper()
	tree := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(gmtext.NewReader(text))
	err := ast.Walk(tree, func(n ast.Node, _ bool) (ast.WalkStatus, error) {
		if k := n.Kind(); k == ast.KindRawHTML || k == ast.KindHTMLBlock {
			t.Fatalf("%q has HTML", text)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
