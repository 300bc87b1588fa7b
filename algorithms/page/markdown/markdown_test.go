package markdown

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/winnow/winnow/algorithms/page"
)

var update = flag.Bool("update", false, "write what comes out into the cases")

// all selects the whole page.
func all(t testing.TB, src string) (*page.Page, *page.Selection) {
	t.Helper()
	p := new(page.Page)
	p.Parse([]byte(src), page.Options{})
	b := p.Body()
	var s page.Selection
	s.AddRows(b, page.Rows{Start: 0, End: page.Row(b.Len())})
	return p, &s
}

func of(t testing.TB, src string) string {
	t.Helper()
	p, s := all(t, src)
	text, whole := Append(nil, p, s, Options{Markup: page.MarkupOptions{Formulas: true}})
	if !whole {
		t.Error("the output was cut")
	}
	return string(text)
}

// Each case is an archive of a sentence, a page and its Markdown.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := of(t, string(a.Files[0].Data))
			if *update {
				a.Files[1].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(a), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if want := string(a.Files[1].Data); got != want {
				t.Errorf("%s\ngot:\n%s\nwant:\n%s", a.Comment, got, want)
			}
		})
	}
}

// TestEmphasisIsRead reads the output with a reader of CommonMark: delimiters that it
// does not take for emphasis would be text.
func TestEmphasisIsRead(t *testing.T) {
	for src, want := range map[string]string{
		"<b>Note:</b>this":                           "<strong>Note</strong>:this",
		"<b>標題：</b>正文":                               "<strong>標題</strong>：正文",
		"<em><b>both!</b></em>so":                    "<em><strong>both</strong></em>!so",
		"word<b>(in)</b>":                            "word(in)",
		"word<b>in</b>word":                          "word<strong>in</strong>word",
		`5<b><a href="https://e.org">a</a></b>`:      `5<a href="https://e.org">a</a>`,
		"<b>a) </b>b":                                "<strong>a)</strong> b",
		"<b>a</b><b>b</b>":                           "<strong>ab</strong>",
		"<b><i>a</i></b><i>.</i> b":                  "<em><strong>a</strong></em>. b",
		"<b>a <img src=i></b>b":                      `a <img src="i" alt="">b`,
		"<b>a, <i><a href=b>b</a></i><i>,</i></b> c": `<strong>a, <em><a href="b">b</a>,</em></strong> c`,
		"<code>a</code><code>b</code>":               "<code>ab</code>",
		"<code>a</code><code>`b </code>c":            "<code>a</code>`b c",
		"http://e.org/<a href=b>b</a>":               "http://e.org/b",
	} {
		var out bytes.Buffer
		if err := goldmark.Convert([]byte(of(t, "<p>"+src+"</p>")), &out); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); got != "<p>"+want+"</p>\n" {
			t.Errorf("%s: %s", src, got)
		}
	}
}

// TestTextIsRead reads text whose lines must stay apart with a reader of CommonMark.
func TestTextIsRead(t *testing.T) {
	for src, want := range map[string]string{
		"<ol><li>a</li>or<li>b</li></ol>":                      "<ol>\n<li>a</li>\n</ol>\n<p>or</p>\n<ol start=\"2\">\n<li>b</li>\n</ol>\n",
		"<ul><li><hr><h2>a</h2></ul>":                          "<ul>\n<li>\n<hr>\n<h2>a</h2>\n</li>\n</ul>\n",
		"<pre><div>a</div><div>b</div></pre>":                  "<pre><code>a\nb\n</code></pre>\n",
		"<pre><code><p>a</p>b<ul><li>c</ul></code>d</pre><p>e": "<pre><code>a\nb\nc\nd\n</code></pre>\n<p>e</p>\n",
	} {
		var out bytes.Buffer
		if err := goldmark.Convert([]byte(of(t, src)), &out); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); got != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
}

// TestFootnotesAreRead reads footnotes with a reader that knows them.
func TestFootnotesAreRead(t *testing.T) {
	const src = `<p>a<a id=r1 href=#n1>1</a>(b)</p><ol><li id=n1><p>note</p><p>more <a href=#r1>back</a></p></li><li>c</li></ol>`
	var out bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.Footnote)).Convert([]byte(of(t, src)), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"class=\"footnote-ref\"", "</sup>(b)</p>\n<ol start=\"2\">\n<li>c</li>", "<li id=\"fn:1\">\n<p>note</p>\n<p>more"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in %s", want, out.String())
		}
	}
}

// TestHostilePages converts pages that were once converted in quadratic time, or to
// many times their size. The output must stay within a constant factor of the page, and
// the work within a constant number of allocated bytes for each byte of the page.
func TestHostilePages(t *testing.T) {
	rows := strings.Repeat("<tr><td rowspan=65000 colspan=1000>x<td>y", 500)
	for name, src := range map[string]string{
		"spans of one row":  "<table><tr><td rowspan=65000 colspan=1000>a<td>b</table>",
		"spans":             "<table>" + rows + "</table>",
		"brackets":          strings.Repeat("[", 100_000),
		"lists":             strings.Repeat("<ul><li>", 50_000/8),
		"lists with text":   strings.Repeat("<ul><li>x", 50_000/9),
		"ordered lists":     strings.Repeat("<ol start=999999999><li>x", 4_000),
		"quotes":            strings.Repeat("<blockquote>x", 8_000),
		"lines in lists":    strings.Repeat("<ol start=99999><li>", 300) + "<pre>" + strings.Repeat("x\n", 50_000),
		"one link":          "<a href='/" + strings.Repeat("u", 50_000) + "'>" + strings.Repeat("<div>x</div>", 5_000),
		"emphasis":          strings.Repeat("<b><i><s>x<p>", 8_000),
		"unclosed emphasis": strings.Repeat("<b><i>", 20_000) + "x",
		"backticks":         strings.Repeat("<code>`</code>", 8_000) + "<code>" + strings.Repeat("`", 50_000) + "</code>",
		"nested tables":     strings.Repeat("<table><tr><td>x<td>", 5_000),
		"a wide row":        "<table><tr>" + strings.Repeat("<td>", 50_000) + strings.Repeat("<tr><td>x", 5_000) + "</table>",
		"empty cells":       "<table>" + strings.Repeat("<tr><td colspan=1000>", 20_000) + "</table>",
		"line breaks":       strings.Repeat("x<br>", 20_000),
		"underscores":       strings.Repeat("_", 100_000),
		"formulas":          strings.Repeat(`\(x\) \[y{\] $$`, 10_000),
		"open formulas":     strings.Repeat(`\( \[x\] `, 10_000),
		"formula elements":  strings.Repeat("<span class=katex><math alttext=x>", 5_000) + strings.Repeat("<script type=math/tex>x</script>y", 5_000),
		"code and text":     "<div>" + strings.Repeat("<code>x</code><p><code>y</code></p>", 3_000) + "text</div>",
		"line numbers":      "<table><tr>" + strings.Repeat("<td class=gutter>1</td>", 5_000) + strings.Repeat("<div class=ln>1", 3_000) + "<pre>x",
		"lines of code":     "<pre>" + strings.Repeat("<div class=line><span class=ln>1 </span><b>", 3_000) + "x",
		"MathML":            "<math>" + strings.Repeat("<munder><mi>x</mi>", 3_000) + "</math><math>" + strings.Repeat("<msup><mi>x</mi><mi>y</mi></msup>", 3_000),
		"footnotes":         strings.Repeat("<a name=r href=#n>1</a>", 3_000) + "<ol>" + strings.Repeat("<li id=n>x<a href=#r>1</a>", 3_000) + "</ol>",
		"dollars":           strings.Repeat("$x$y $a ", 10_000) + strings.Repeat(`\begin{align}`, 5_000),
		"ampersands":        strings.Repeat("&amp;", 20_000) + "<a href='" + strings.Repeat("&amp;a", 20_000) + "'>x</a>",
	} {
		t.Run(name, func(t *testing.T) {
			p, s := all(t, src)
			_ = p.Body()
			fragment := p.AppendHTMLWith(nil, s, page.MarkupOptions{Formulas: true})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			text, whole := convert(nil, fragment, DefaultMaxBytes)
			runtime.ReadMemStats(&after)
			if size := len(src) + 1000; !whole || len(text) > 20*size {
				t.Errorf("%d bytes became %d, whole: %v", len(src), len(text), whole)
			}
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > uint64(300*(len(fragment)+10_000)) {
				t.Errorf("%d bytes of markup: %d bytes were allocated", len(fragment), allocated)
			}
			if bytes.Contains(text, []byte("\x00")) {
				t.Error("a zero byte")
			}
		})
	}
}

// TestOutputIsBounded checks that the output ends at the bound and that Append reports
// it.
func TestOutputIsBounded(t *testing.T) {
	p, s := all(t, strings.Repeat("<p>ten bytes.", 1000))
	text, whole := Append([]byte("kept"), p, s, Options{MaxBytes: 500})
	if whole || len(text) > 600 || !bytes.HasPrefix(text, []byte("kept")) {
		t.Errorf("%d bytes, whole: %v", len(text), whole)
	}
}
