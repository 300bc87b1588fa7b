package lines

import (
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// walk goes over the lexical items that lines are made of: tags and text of the body,
// without comments and without script, style and noscript. Those elements are left out
// from start tag to end tag as the source writes them, whatever tree the parser made of
// them, and up to the end if there is no end tag. An end tag without its start tag is a
// tag like any other. A noscript that begins in the head ends where the body begins.
type walk struct {
	lex           *html.Lex
	at            int
	head, headEnd html.Node
	out           html.Tag // element that is being left out; 0 if none
}

func newWalk(p *page.Page) walk {
	head, end := p.Head()
	return walk{lex: &p.Lex, at: p.BodyLex(), head: head, headEnd: end}
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

// kept reports whether item i, which follows the item of the last call, belongs to a
// line.
func (w *walk) kept(i int) bool {
	kind, tag, n := w.lex.Kind[i], w.lex.Tag[i], w.lex.Node[i]
	if w.head < n && n < w.headEnd {
		return false
	}
	if w.out != 0 {
		if kind == html.LexEnd && tag == w.out {
			w.out = 0
		}
		return false
	}
	switch kind {
	case html.LexComment, html.LexDoctype:
		return false
	case html.LexText:
		return true
	}
	switch tag {
	case html.TagScript, html.TagStyle, html.TagNoscript:
		if kind != html.LexEnd {
			w.out = tag
			return false
		}
	}
	return true
}
