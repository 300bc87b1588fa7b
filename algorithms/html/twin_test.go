package html

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/winnow/winnow/algorithms/internal/testpages"
)

// twin is golang.org/x/net/html, which builds the same trees in another way.
func twin(src []byte) (*html.Node, error) {
	return html.ParseWithOptions(bytes.NewReader(src), html.ParseOptionEnableScripting(false))
}

// compareTwin returns the first difference between the tree of p and that of the twin, or
// "" if there is none.
func compareTwin(p *Document, root *html.Node) string {
	t := &p.Tree
	n := Node(0)
	for m := root; m != nil; m = following(m) {
		if int(n) >= t.Len() {
			return fmt.Sprintf("node %d is missing: %s", n, describe(m))
		}
		if got, want := describeNode(p, n), describe(m); got != want {
			return fmt.Sprintf("node %d: %s, twin %s", n, got, want)
		}
		if got, want := depthOf(t, n), depthOfTwin(m); got != want {
			return fmt.Sprintf("node %d, %s: depth %d, twin %d", n, describe(m), got, want)
		}
		n++
	}
	if int(n) < t.Len() {
		return fmt.Sprintf("node %d is too many: %s", n, describeNode(p, n))
	}
	return ""
}

// following returns the node after n in preorder.
func following(n *html.Node) *html.Node {
	if n.FirstChild != nil {
		return n.FirstChild
	}
	for n != nil && n.NextSibling == nil {
		n = n.Parent
	}
	if n == nil {
		return nil
	}
	return n.NextSibling
}

func depthOf(t *Tree, n Node) (depth int) {
	for ; n != 0; n = t.Parent[n] {
		depth++
	}
	return depth
}

func depthOfTwin(n *html.Node) (depth int) {
	for ; n.Parent != nil; n = n.Parent {
		depth++
	}
	return depth
}

// describe formats a node of the twin without its children.
func describe(n *html.Node) string {
	switch n.Type {
	case html.DocumentNode:
		return "document"
	case html.TextNode:
		return fmt.Sprintf("text %q", n.Data)
	case html.CommentNode:
		return fmt.Sprintf("comment %q", n.Data)
	case html.DoctypeNode:
		return fmt.Sprintf("doctype %q %s", n.Data, describeAttrs(n.Attr))
	}
	return fmt.Sprintf("element %s:%s %s", n.Namespace, n.Data, describeAttrs(n.Attr))
}

// describeAttrs formats attributes in the order of their names, because the twin sorts
// those of formatting elements.
func describeAttrs(attrs []html.Attribute) string {
	var list []string
	for _, a := range attrs {
		name := a.Key
		if a.Namespace != "" {
			name = a.Namespace + ":" + a.Key
		}
		list = append(list, fmt.Sprintf("%s=%q", name, a.Val))
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// describeNode does the same as describe for a node of Winnow's tree.
func describeNode(p *Document, n Node) string {
	t := &p.Tree
	data := string(t.Text[t.Data[n].Start:t.Data[n].End])
	switch t.Kind[n] {
	case KindDocument:
		return "document"
	case KindText:
		return fmt.Sprintf("text %q", data)
	case KindComment:
		// The twin decodes character references in comments, which the standard
		// does not.
		return fmt.Sprintf("comment %q", html.UnescapeString(data))
	}
	var attrs []html.Attribute
	for _, a := range p.Attrs(n) {
		attrs = append(attrs, html.Attribute{Key: string(p.AttrName(a)), Val: string(p.AttrValue(a))})
	}
	if t.Kind[n] == KindDoctype {
		return fmt.Sprintf("doctype %q %s", data, describeAttrs(attrs))
	}
	space := [...]string{"", "svg", "math"}[t.Space[n]]
	return fmt.Sprintf("element %s:%s %s", space, p.TagName(t.Tag[n]), describeAttrs(attrs))
}

// TestTwinOdd compares the trees of unusual pages.
func TestTwinOdd(t *testing.T) {
	var p Document
	for _, src := range testpages.Odd {
		root, err := twin([]byte(src))
		if err != nil {
			continue // the page is deeper than the twin allows
		}
		p.Parse([]byte(src), Bounds{})
		checkBuilt(t, &p)
		if diff := compareTwin(&p, root); diff != "" {
			t.Errorf("%q: %s", src, diff)
		}
	}
}

// divergences lists the documents for which the twin departs from the standard and Winnow
// does not. Trees are written as name(children), without html and head.
//
// Besides, the twin decodes character references in comments, sorts the
// attributes of formatting elements and refuses documents with more than 512
// open elements; compareTwin allows for the first two.
var divergences = []struct{ src, ours, twin, why string }{
	{"a</>b", `body("ab")`, `body("a" <!----> "b")`,
		"13.2.5.7: an end tag without a name is nothing, not a comment"},
	{"<table> </>x", `body(" x" table)`, `body("x" table(" " <!---->))`,
		"13.2.6.4.10: all text up to the next token is collected"},
	{"<!DOCTYPE HTML><p><table>", `body(p table)`, `body(p(table))`,
		"13.2.5.54: the name of a doctype is compared in lower case, so this is not quirks mode"},
	{`<!doctype html PUBLIC "a"><p><table>`, `body(p table)`, `body(p(table))`,
		"13.2.6.4.1: a missing system identifier does not make quirks mode by itself"},
	{"<!doctype h\x00tml>", `<!h\ufffdtml> body`, `<!h\x00tml> body`,
		"13.2.5.54: NUL in a doctype becomes U+FFFD"},
	{"<!doctype &gt;>", `<!&gt;> body`, `<!>> body`,
		"13.2.5.54: a doctype has no character references"},
	{"<b><i><u><s><em><p>a</b>b</p></em></s></u>d", `body(b(i(u(s(em)))) u(s(em(p(b("a") "b")))) "d")`,
		`body(b(i(u(s(em)) "d")) u(s(em(p(b("a") "b")))))`,
		"13.2.6.4.7, adoption agency, 13.6: the fourth element leaves the stack, too"},
	{"<pre>&#13;a", `body(pre("\ra"))`, `body(pre("a"))`,
		"13.2.6.4.7: only a line feed is dropped after pre"},
	{"<pre></x>\na", `body(pre("\na"))`, `body(pre("a"))`,
		"13.2.6.4.7: only the next token can be that line feed"},
	{"<script><!-- a < b <script></script> --></script>", `script("<!-- a < b <script></script> -->") body`,
		`script("<!-- a < b <script>") " " body("-->")`,
		"13.2.5.23: any other character after < stays in the escaped state"},
	{"<svg><![CDATA[&amp;]]></svg>", `body(svg:svg("&amp;"))`, `body(svg:svg("&"))`,
		"13.2.5.69: a CDATA section has no character references"},
	{"<svg><desc><![CDATA[\x00a]]>", `body(svg:svg(svg:desc("a")))`, `body(svg:svg(svg:desc("\ufffda")))`,
		"13.2.5.69: NUL is left to the tree builder, which drops it from HTML content"},
	{"<svg><feDropShadow/>", `body(svg:svg(svg:feDropShadow))`, `body(svg:svg(svg:fedropshadow))`,
		"13.2.6.5: the list of SVG names"},
	{"<svg><path a=1 a=/>x", `body(svg:svg(svg:path("x")))`, `body(svg:svg(svg:path "x"))`,
		"13.2.5.37: the slash of an unquoted value does not close the tag"},
	{"<template></template><b></b><frameset>", `template body(b)`, `template frameset`,
		"13.2.6.4.4: a template rules framesets out, and an implied body does not admit them again"},
	{"<table><caption>a<th>b", `body(table(caption("a") tbody(tr(th("b")))))`, `body(table(caption("ab")))`,
		"13.2.6.4.11: th is in the list of tags that end a caption"},
	{"<frameset><title><frame></title>", `frameset(frame)`, `frameset`,
		"13.2.6.4.20: a tag that is ignored does not change the state of the tokenizer"},
	{"<span><search></span>a", `body(span(search("a")))`, `body(span(search) "a")`,
		"13.2.4.2: search is a special element"},
	{"<svg><foreignObject><template><b>a</template>b", `body(svg:svg(svg:foreignObject(template(b("a")) "b")))`,
		`body(svg:svg(svg:foreignObject))`,
		"13.2.6.4.4: the twin stops at a template in foreign content"},
	{"<template><tr>a<table>b", `template(tr "ab") body`, `template(tr "a" "b") body`,
		"13.2.6.1: text joins the text before it in a template, too"},
	{"</body><!doctype><!--a-->", `body <!--a-->`, `body(<!--a-->)`,
		"13.2.6.4.19: a doctype after the body is ignored"},
	{"<noscript> a", `noscript(" ") body("a")`, `noscript " " body("a")`,
		"13.2.6.4.5: text is taken character by character"},
	{"<table> </", `body(" </" table)`, `body("</" table(" "))`,
		"13.2.5.7: a < that begins no tag is text like that before it"},
	{"<math><tbody><mi><table><table>", `body(math:math(math:tbody(math:mi(table table))))`,
		`body(math:math(math:tbody(math:mi(table))))`,
		"13.2.4.1: only HTML elements decide about the insertion mode"},
	{"<form><math><rt></form><math>", `body(form(math:math(math:rt(math:math))))`,
		`body(form(math:math(math:rt math:math)))`,
		"13.2.6.3: only HTML elements have implied end tags"},
	{"<p><math><annotation-xml></p>", `body(p(math:math(math:annotation-xml)))`, `body(p(math:math(math:annotation-xml)) p)`,
		"13.2.6.5: the end tags p and br leave foreign content before they look for what they end"},
	{"<template><col><noframes><!--a-->", `template(col <!--a-->) body`, `template(col) body`,
		"13.2.6.4.12: a tag that is ignored does not change the state of the tokenizer"},
}

// TestDivergences checks both columns of the list: Winnow's tree and that of the twin.
func TestDivergences(t *testing.T) {
	var p Document
	for _, d := range divergences {
		root, err := twin([]byte(d.src))
		if err != nil {
			t.Fatal(err)
		}
		p.Parse([]byte(d.src), Bounds{})
		checkBuilt(t, &p)
		if got := sketch(&p); got != d.ours {
			t.Errorf("%q: %s, want %s", d.src, got, d.ours)
		}
		if got := sketchTwin(root); got != d.twin {
			t.Errorf("%q: the twin has %s, listed is %s", d.src, got, d.twin)
		}
	}
}

// sketch formats the tree of p in one line.
func sketch(p *Document) string {
	t := &p.Tree
	var write func(n Node) string
	write = func(n Node) string {
		var parts []string
		for c := n + 1; c < t.End[n]; c = t.End[c] {
			parts = append(parts, write(c))
		}
		data := string(t.Text[t.Data[n].Start:t.Data[n].End])
		name := ""
		if t.Kind[n] == KindElement {
			name = [...]string{"", "svg:", "math:"}[t.Space[n]] + p.TagName(t.Tag[n])
		}
		return sketchNode(int(t.Kind[n]), name, data, parts)
	}
	return write(0)
}

// sketchTwin does the same for a tree of the twin.
func sketchTwin(n *html.Node) string {
	var parts []string
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		parts = append(parts, sketchTwin(c))
	}
	kind := map[html.NodeType]Kind{html.DocumentNode: KindDocument, html.ElementNode: KindElement,
		html.TextNode: KindText, html.CommentNode: KindComment, html.DoctypeNode: KindDoctype}[n.Type]
	name := n.Data
	if n.Namespace != "" {
		name = n.Namespace + ":" + name
	}
	return sketchNode(int(kind), name, n.Data, parts)
}

func sketchNode(kind int, name, data string, parts []string) string {
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	list := strings.Join(parts, " ")
	switch Kind(kind) {
	case KindText:
		return fmt.Sprintf("%+q", data)
	case KindComment:
		return "<!--" + data + "-->"
	case KindDoctype:
		if data == "html" || data == "HTML" {
			return ""
		}
		return "<!" + strings.Trim(fmt.Sprintf("%+q", data), `"`) + ">"
	case KindDocument:
		return list
	}
	switch {
	case name == "html" || name == "head":
		return list
	case list == "":
		return name
	}
	return name + "(" + list + ")"
}
