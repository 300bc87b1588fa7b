package library

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow/winnow/algorithms/algotest"
)

var libraries = Extractors()

const article = `<html><head><title>The sieve</title></head><body>
<nav><ul><li><a href=/a>Home</a><li><a href=/b>Archive</a><li><a href=/c>About us</a></ul></nav>
<article><h1>The sieve</h1>
<p>A sieve is older than the plough, and every village that grew corn kept one by the door of the barn, where the wind came in.</p>
<p>The smith made the rim, the <b>saddler</b> the net, and the farmer's children broke both before the harvest was in, which is why a second one hung from the beam.</p>
<p>What fell through was kept for the hens, what stayed was swept into sacks, and what flew off was nobody's, until somebody found that it burns rather well in a stove.</p>
</article><footer><p>Copyright <a href=/imprint>Imprint</a></p></footer></body></html>`

func TestArticle(t *testing.T) {
	for _, e := range libraries {
		text, err := e.Text([]byte(article), "http://example.org/sieve")
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

// The libraries that share a parsed page answer as if each had parsed it, and leave it
// as it was.
func TestSharedParse(t *testing.T) {
	for _, p := range append(algotest.Pages(), algotest.Page{Name: "article", HTML: article}) {
		if p.Name == "long-word" || p.Name == "long-text" || p.Name == "deep" || p.Name == "many-blocks" {
			continue // as in TestPages
		}
		parsed, err := parser.Parse([]byte(p.HTML))
		if err != nil {
			t.Fatal(err)
		}
		before := drawn(parsed.(*html.Node))
		for _, e := range libraries {
			want, err := e.Text([]byte(p.HTML), "http://example.org/sieve")
			if err != nil {
				t.Fatal(err)
			}
			if got, err := e.FromParsed(parsed, "http://example.org/sieve"); err != nil || got != want {
				t.Errorf("%s on %s: %q, %v; want %q", e.Name, p.Name, got, err, want)
			}
			if drawn(parsed.(*html.Node)) != before {
				t.Errorf("%s changed the parsed page %s", e.Name, p.Name)
			}
		}
	}
}

func TestCopy(t *testing.T) {
	for _, src := range []string{"", article, "<!doctype html><!--c--><svg viewbox=1><path d=2></svg><math><mi>x</math><template><p>y</template>" + strings.Repeat("<div>", 400) + "deep<p>a<p>b"} {
		doc, err := html.Parse(strings.NewReader(src))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := drawn(copyOf(doc)), drawn(doc); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// drawn writes every field of the nodes of a tree.
func drawn(n *html.Node) string {
	var b strings.Builder
	draw(&b, n)
	return b.String()
}

func draw(b *strings.Builder, n *html.Node) {
	fmt.Fprintf(b, "(%d %q %q %q %q", n.Type, n.DataAtom, n.Data, n.Namespace, n.Attr)
	for c := range n.ChildNodes() {
		if c.Parent != n || c.NextSibling == nil && n.LastChild != c {
			b.WriteString(" unlinked")
		}
		draw(b, c)
	}
	b.WriteString(")")
}

// The libraries may refuse a hostile page with an error, never with a panic
// that is theirs to prevent; empty pages are empty answers.
func TestPages(t *testing.T) {
	for _, e := range libraries {
		for _, p := range algotest.Pages() {
			if p.Name == "long-word" || p.Name == "long-text" || p.Name == "deep" || p.Name == "many-blocks" {
				continue // their cost is bounded by the driver's time limit, not here
			}
			text, err := e.Text([]byte(p.HTML), "::not a url")
			if err != nil {
				t.Errorf("%s on %s: %v", e.Name, p.Name, err)
			}
			if strings.TrimSpace(p.HTML) == "" && text != "" {
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
