package wrapped

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// render is the text below n: white space folded as on a screen, a newline
// where a block-level element begins or ends and at br. It walks the links of
// the tree; recursion would let a hostile page choose the stack's depth.
func render(n *html.Node) string {
	if n == nil {
		return ""
	}
	var w textWriter
	for at := n; ; {
		switch {
		case at.Type == html.TextNode:
			w.text(at.Data)
		case at.Type == html.ElementNode && (isBlock(at.DataAtom) || at.DataAtom == atom.Br):
			w.newline()
		}
		if at.FirstChild != nil && !silent(at) {
			at = at.FirstChild
			continue
		}
		for at != n && at.NextSibling == nil {
			at = at.Parent
			if at.Type == html.ElementNode && isBlock(at.DataAtom) {
				w.newline()
			}
		}
		if at == n {
			return strings.TrimRight(w.String(), " \n")
		}
		if at.Type == html.ElementNode && isBlock(at.DataAtom) {
			w.newline() // the element that just ended, childless ones too
		}
		at = at.NextSibling
	}
}

func silent(n *html.Node) bool {
	return n.Type == html.ElementNode &&
		(n.DataAtom == atom.Script || n.DataAtom == atom.Style || n.DataAtom == atom.Noscript || n.DataAtom == atom.Template)
}

// textWriter folds white space: one blank between words, one newline between blocks.
type textWriter struct {
	strings.Builder
	blank, line bool // wanted before the next word
}

func (w *textWriter) newline() { w.line = true }

func (w *textWriter) text(s string) {
	for len(s) > 0 {
		i := strings.IndexAny(s, " \t\n\r\f\u00a0")
		if i == 0 {
			w.blank = true
			_, size := firstRune(s)
			s = s[size:]
			continue
		}
		if i < 0 {
			i = len(s)
		}
		if w.Len() > 0 && w.line {
			w.WriteByte('\n')
		} else if w.Len() > 0 && w.blank {
			w.WriteByte(' ')
		}
		w.line, w.blank = false, false
		w.WriteString(s[:i])
		s = s[i:]
	}
}

func firstRune(s string) (rune, int) {
	for i, r := range s {
		if i > 0 {
			return r, i
		}
	}
	return 0, len(s)
}

func isBlock(a atom.Atom) bool {
	switch a {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Caption, atom.Center, atom.Dd,
		atom.Details, atom.Dialog, atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure,
		atom.Footer, atom.Form, atom.Frameset, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header,
		atom.Hgroup, atom.Hr, atom.Legend, atom.Li, atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.Option, atom.P,
		atom.Pre, atom.Section, atom.Summary, atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead,
		atom.Tr, atom.Ul:
		return true
	}
	return false
}
