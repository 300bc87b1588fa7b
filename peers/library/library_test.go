package library

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const article = `<html><head><title>The sieve</title></head><body>
<nav><ul><li><a href=/a>Home</a><li><a href=/b>Archive</a><li><a href=/c>About us</a></ul></nav>
<article><h1>The sieve</h1>
<p>A sieve is older than the plough, and every village that grew corn kept one by the door of the barn, where the wind came in.</p>
<p>The smith made the rim, the <b>saddler</b> the net, and the farmer's children broke both before the harvest was in, which is why a second one hung from the beam.</p>
<p>What fell through was kept for the hens, what stayed was swept into sacks, and what flew off was nobody's, until somebody found that it burns rather well in a stove.</p>
</article><footer><p>Copyright <a href=/imprint>Imprint</a></p></footer></body></html>`

func TestArticle(t *testing.T) {
	for _, e := range All {
		text, err := e.Extract(article, "http://example.org/sieve")
		if err != nil {
			t.Errorf("%s: %v", e.Name, err)
			continue
		}
		for _, want := range []string{"older than the plough", "the saddler the net", "burns rather well"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in %q", e.Name, want, text)
			}
		}
		if strings.Contains(text, "Archive") || strings.Contains(text, "Imprint") {
			t.Errorf("%s kept the navigation: %q", e.Name, text)
		}
		if !strings.Contains(text, "\n") {
			t.Errorf("%s: paragraphs run together: %q", e.Name, text)
		}
	}
}

// The libraries may refuse a hostile page with an error, but not panic; empty pages are empty
// answers.
func TestPages(t *testing.T) {
	for _, page := range []string{
		"", " \n\t", "<html>", "<!-- a", "<p>x", "plain text", "<body><frameset>", "</p></div></body>x", "<table><tr><p>a<td>b",
		"<svg><path></svg><math><mi>x", "<script>var a = '<p>'", "<p>\x00\ufffd", strings.Repeat("<div>", 400) + "deep",
		"<a href='http://[::1'>x</a><img src='%zz'>", "<template><p>y</template>" + article,
	} {
		for _, e := range All {
			text, err := e.Extract(page, "::not a url")
			if err != nil {
				t.Errorf("%s on %q: %v", e.Name, page, err)
			}
			if strings.TrimSpace(page) == "" && text != "" {
				t.Errorf("%s found %q on a blank page", e.Name, text)
			}
		}
	}
}

func TestRender(t *testing.T) {
	for src, want := range map[string]string{
		"<p>one</p><p>two</p>":                          "one\ntwo",
		"<p>a<b>b</b> c<br>d</p>":                       "ab c\nd",
		"<div>x<div>y</div>z</div>":                     "x\ny\nz",
		"<ul><li>1<li>2</ul>after":                      "1\n2\nafter",
		"a<hr>b":                                        "a\nb",
		"<p>&nbsp;a \n\t b&nbsp;</p>":                   "a b",
		"<p>x<script>no</script><style>no</style>y</p>": "xy",
		"": "",
	} {
		doc, err := html.Parse(strings.NewReader(src))
		if err != nil {
			t.Fatal(err)
		}
		if got := render(doc); got != want {
			t.Errorf("%q renders as %q, want %q", src, got, want)
		}
	}
	if render(nil) != "" {
		t.Error("no node must render as nothing")
	}
}

// The libraries make elements without DataAtom and rename elements of which
// DataAtom keeps the old name; blocks are what Data says.
func TestRenderByName(t *testing.T) {
	element := func(name string, tag atom.Atom, text string) *html.Node {
		n := &html.Node{Type: html.ElementNode, Data: name, DataAtom: tag}
		n.AppendChild(&html.Node{Type: html.TextNode, Data: text})
		return n
	}
	body := &html.Node{Type: html.ElementNode, Data: "body"}
	body.AppendChild(element("h2", 0, "made heading"))
	body.AppendChild(element("p", 0, "made paragraph"))
	body.AppendChild(element("p", atom.Span, "renamed from span"))
	body.AppendChild(element("span", atom.Div, "renamed"))
	body.AppendChild(element("b", atom.Summary, "inline"))
	body.AppendChild(element("script", 0, "no text"))
	want := "made heading\nmade paragraph\nrenamed from span\nrenamedinline"
	if got := render(body); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// go-trafilatura moves nodes without telling them their new parent.
func TestRenderWithoutParents(t *testing.T) {
	doc, err := html.Parse(strings.NewReader("<div><p>one <b>two</b></p><p>three</p></div>four"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range slices.Collect(doc.Descendants()) {
		n.Parent = nil
	}
	if got, want := render(doc), "one two\nthree\nfour"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
