package algotest

import (
	"strings"
	"testing"
	"unicode"

	nethtml "golang.org/x/net/html"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
)

// Plain is a node of a page's body as golang.org/x/net/html builds it. An
// independent twin of an extractor, written from the extractor's source alone, reads
// this tree, so that it shares with the extractor neither a parser nor a column.
//
// It holds what package page calls the body: comments, script, style, noscript,
// template and title are left out with their content; iframe, object, embed, svg, math,
// select and datalist are childless; blank texts are not nodes.
type Plain struct {
	Tag    string // "" for a text
	Text   string // the text as written
	Attr   map[string]string
	Parent *Plain // nil for body
	Kids   []*Plain
	Hidden bool // it or an ancestor is hidden

	// Blank means that white space precedes this text in its parent, after the preceding
	// text, and that something that is left out lies between the two.
	Blank bool
}

// PlainBody returns the body of a document, or nil if it has none or is nested too
// deeply.
func PlainBody(src string) *Plain {
	root, err := nethtml.ParseWithOptions(strings.NewReader(src), nethtml.ParseOptionEnableScripting(false))
	if err != nil {
		return nil // nested too deeply
	}
	for n := range root.Descendants() {
		if n.Type == nethtml.ElementNode && n.Data == "body" && n.Namespace == "" {
			return plain(n, nil)
		}
	}
	return nil
}

func plain(n *nethtml.Node, parent *Plain) *Plain {
	p := &Plain{Tag: n.Data, Parent: parent, Attr: map[string]string{}}
	for _, a := range n.Attr {
		p.Attr[a.Key] = a.Val
	}
	style := strings.ToLower(strings.Join(strings.FieldsFunc(p.Attr["style"], IsBlank), ""))
	_, hidden := p.Attr["hidden"]
	p.Hidden = hidden || strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") ||
		parent != nil && parent.Hidden
	switch n.Data {
	case "iframe", "object", "embed", "svg", "math", "select", "datalist":
		return p
	}
	blank := false
	for c := range n.ChildNodes() {
		switch {
		case c.Type == nethtml.TextNode && Fold(c.Data) == "":
			blank = true
		case c.Type == nethtml.TextNode:
			p.Kids = append(p.Kids, &Plain{Text: c.Data, Parent: p, Hidden: p.Hidden, Blank: blank})
			blank = false
		case c.Type == nethtml.ElementNode:
			switch c.Data {
			case "script", "style", "noscript", "template", "title":
				continue
			}
			p.Kids = append(p.Kids, plain(c, p))
			blank = false
		}
	}
	return p
}

// IsBlank reports whether r is white space: by Unicode, or one of the four separators
// U+001C to U+001F.
func IsBlank(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

// Fold replaces runs of white space by one blank and trims.
func Fold(s string) string { return strings.Join(strings.FieldsFunc(s, IsBlank), " ") }

// IsText reports whether n is a text node.
func (n *Plain) IsText() bool { return n.Tag == "" }

// All returns the nodes of the subtree of n in document order, n first.
func (n *Plain) All() []*Plain {
	all := []*Plain{n}
	for _, k := range n.Kids {
		all = append(all, k.All()...)
	}
	return all
}

// Texts returns the texts in the subtree of n in document order.
func (n *Plain) Texts() []*Plain {
	var texts []*Plain
	for _, m := range n.All() {
		if m.IsText() {
			texts = append(texts, m)
		}
	}
	return texts
}

// Elements returns the element children of n.
func (n *Plain) Elements() []*Plain {
	var e []*Plain
	for _, k := range n.Kids {
		if !k.IsText() {
			e = append(e, k)
		}
	}
	return e
}

// Chars returns the number of characters of the visible text in n, with the white space
// of each text folded.
func (n *Plain) Chars() int {
	sum := 0
	for _, t := range n.Texts() {
		if !t.Hidden {
			sum += len([]rune(Fold(t.Text)))
		}
	}
	return sum
}

// Within reports whether n is m or is inside m.
func (n *Plain) Within(m *Plain) bool {
	for ; n != nil; n = n.Parent {
		if n == m {
			return true
		}
	}
	return false
}

// Independent compares e, an extractor that selects whole texts, with a twin that
// returns the texts that it selects of a document's body. It returns false if there is
// nothing to compare: the document has no body or exceeds a bound.
func Independent(t *testing.T, e *algorithms.Extractor, p Page, twin func(body *Plain) []*Plain) bool {
	t.Helper()
	pass := Pass(p.HTML)
	body := PlainBody(p.HTML)
	if body == nil || pass.Page.Cut != 0 {
		return false
	}
	if err := e.Run(pass); err != nil {
		t.Fatalf("%s on %s: %v", e.Name, p.Name, err)
	}
	selected := map[*Plain]bool{}
	for _, n := range twin(body) {
		selected[n] = true
	}
	texts, i := body.Texts(), 0
	for r, tag := range pass.Body.Tag {
		if tag != html.TagText {
			continue
		}
		from, to := pass.Body.TextStart[r], pass.Body.TextEnd[r]
		if i == len(texts) || Fold(string(pass.Body.Text[from:to])) != Fold(texts[i].Text) {
			t.Fatalf("%s: text %d of the page differs from golang.org/x/net/html: %q", p.Name, i, pass.Body.Text[from:to])
		}
		got, partly := false, false
		for _, s := range pass.Out.Spans {
			if s.Start <= from && to <= s.End {
				got = true
			} else if s.Start < to && from < s.End {
				partly = true
			}
		}
		if want := selected[texts[i]] && !texts[i].Hidden; got != want || partly {
			t.Errorf("%s on %s: text %d in %s: selected %v (partly %v), twin says %v: %.60q", e.Name, p.Name, i, texts[i].path(), got, partly, want, Fold(texts[i].Text))
			return true
		}
		i++
	}
	if i != len(texts) {
		t.Fatalf("%s: %d texts, golang.org/x/net/html has %d", p.Name, i, len(texts))
	}
	return true
}

// path returns the names from body down to n.
func (n *Plain) path() string {
	if n.Parent == nil {
		return n.Tag
	}
	if n.IsText() {
		return n.Parent.path()
	}
	return n.Parent.path() + " " + n.Tag
}
