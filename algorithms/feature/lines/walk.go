package lines

import "github.com/winnow/winnow/algorithms/page"

// walk goes over the lexical items that lines are made of: tags and text of
// the body, without comments and without script, style and noscript.
type walk struct {
	lex           *page.Lex
	tree          *page.Tree
	at            int
	head, headEnd page.Node

	// The element that is being left out; its node if it has one.
	out     page.Tag
	outNode page.Node
}

func newWalk(p *page.Page) walk {
	head, end := p.Head()
	return walk{lex: &p.Lex, tree: &p.Tree, at: p.BodyLex(), head: head, headEnd: end}
}

// next returns the number of the next item; ok is false at the end.
func (w *walk) next() (item int, ok bool) {
	for ; w.at < w.lex.Len(); w.at++ {
		if w.kept(w.at) {
			w.at++
			return w.at - 1, true
		}
	}
	return 0, false
}

// kept reports whether item i, the one after the last asked for, is of a line.
func (w *walk) kept(i int) bool {
	kind, tag, n := w.lex.Kind[i], w.lex.Tag[i], w.lex.Node[i]
	if w.head < n && n < w.headEnd {
		return false
	}
	if w.out != 0 {
		switch {
		case kind == page.LexEnd && tag == w.out:
			w.out = 0
			return false
		case n == 0 || w.outNode == 0 || w.outNode <= n && n < w.tree.End[w.outNode]:
			return false
		}
		w.out = 0 // its end is not written down
	}
	switch kind {
	case page.LexComment, page.LexDoctype:
		return false
	case page.LexText:
		return true
	}
	switch tag {
	case page.TagScript, page.TagStyle, page.TagNoscript:
		if kind != page.LexEnd && w.content(n) {
			w.out, w.outNode = tag, n
		}
		return false
	}
	return true
}

// content reports whether anything stands inside the element n; a start tag
// that made no element is taken to have content up to its end tag.
func (w *walk) content(n page.Node) bool { return n == 0 || w.tree.End[n] > n+1 }
