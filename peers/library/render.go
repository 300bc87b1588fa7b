package library

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// render is the text below n: white space folded as on a screen, a newline
// where a block-level element begins or ends and at br. The elements around the
// present node are kept here: recursion would let a hostile page choose the
// stack's depth, and in the libraries' trees a node's Parent may be missing.
func render(n *html.Node) string {
	if n == nil {
		return ""
	}
	var (
		w    textWriter
		open []*html.Node
	)
	leave := func(n *html.Node) {
		if isBlock(tagOf(n)) {
			w.newline()
		}
	}
	for at := n; ; {
		tag := tagOf(at)
		switch {
		case at.Type == html.TextNode:
			w.text(at.Data)
		case isBlock(tag) || tag == atom.Br:
			w.newline()
		}
		if at.FirstChild != nil && !isSilent(tag) {
			open = append(open, at)
			at = at.FirstChild
			continue
		}
		leave(at)
		for len(open) > 0 && at.NextSibling == nil {
			at, open = open[len(open)-1], open[:len(open)-1]
			leave(at)
		}
		if len(open) == 0 {
			return strings.TrimRight(w.String(), " \n")
		}
		at = at.NextSibling
	}
}

// tagOf is the element's name, or 0 for what is no HTML element. It reads Data:
// the libraries rename elements and make new ones without setting DataAtom,
// which then is 0 or says what the element was before.
func tagOf(n *html.Node) atom.Atom {
	if n.Type != html.ElementNode {
		return 0
	}
	return atom.Lookup([]byte(n.Data))
}

// isSilent reports whether the element's content is no text of the page.
func isSilent(tag atom.Atom) bool {
	return tag == atom.Script || tag == atom.Style || tag == atom.Noscript || tag == atom.Template
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
