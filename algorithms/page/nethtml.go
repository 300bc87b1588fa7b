package page

import (
	"bytes"
	"fmt"

	"golang.org/x/net/html"
)

// parser fills the tree and the lexical items of a page with golang.org/x/net/html.
type parser struct {
	text []byte // decoded text of the lexical items, until they are aligned
}

// retryDepth is the nesting that is left when the parser refuses a document,
// which it does above 512 open elements: enough below that for what the parser
// opens by itself.
const retryDepth = 400

func (z *parser) parse(p *Page) {
	src := p.Source
	if z.scan(p) {
		p.Cut |= CutAttrs
		src = rewrite(src, p.opt.MaxDepth+1<<20, p.opt.MaxAttrs)
	}
	root, err := parseNet(src)
	if err != nil || nesting(root) > p.opt.MaxDepth {
		p.Cut |= CutDepth
		limit := min(retryDepth, p.opt.MaxDepth)
		for {
			root, err = parseNet(rewrite(p.Source, limit, p.opt.MaxAttrs))
			if err == nil && nesting(root) <= max(p.opt.MaxDepth, 3) || limit == 0 {
				break
			}
			limit /= 2
		}
	}
	if err != nil { // cannot be: without start tags there is nothing to refuse
		panic(fmt.Sprintf("page: %v", err))
	}
	flatten(p, root)
	z.alignText(p)
	alignTags(p)
}

func parseNet(src []byte) (*html.Node, error) {
	return html.ParseWithOptions(bytes.NewReader(src), html.ParseOptionEnableScripting(false))
}

// next returns the node after n in preorder, nil at the end, and the number of
// levels that it lies deeper than n.
func next(n *html.Node) (*html.Node, int) {
	if n.FirstChild != nil {
		return n.FirstChild, 1
	}
	up := 0
	for n != nil && n.NextSibling == nil {
		n = n.Parent
		up--
	}
	if n == nil {
		return nil, up
	}
	return n.NextSibling, up
}

// nesting is the largest number of elements around and including an element.
func nesting(root *html.Node) int {
	deepest, depth := 0, 0
	for n, d := root, 0; n != nil; n, d = next(n) {
		depth += d
		if n.Type == html.ElementNode {
			deepest = max(deepest, depth)
		}
	}
	return deepest
}

// lexer cuts a document into tokens as the tree builder has its tokenizer do it.
type lexer struct {
	*html.Tokenizer
	foreign int // open svg and math elements
}

func newLexer(src []byte) *lexer {
	return &lexer{Tokenizer: html.NewTokenizer(bytes.NewReader(src))}
}

// scan returns the next token, its length in the source and, of tags, the name.
func (x *lexer) scan() (typ html.TokenType, length int, name []byte, attrs bool) {
	x.AllowCDATA(x.foreign > 0)
	typ = x.Next()
	length = len(x.Raw())
	if typ == html.StartTagToken || typ == html.EndTagToken || typ == html.SelfClosingTagToken {
		name, attrs = x.TagName()
		switch string(name) {
		case "noscript":
			x.NextIsNotRawText()
		case "svg", "math":
			if typ == html.StartTagToken {
				x.foreign++
			} else if typ == html.EndTagToken && x.foreign > 0 {
				x.foreign--
			}
		default:
			if x.foreign > 0 {
				x.NextIsNotRawText()
			}
		}
	}
	return typ, length, name, attrs
}

// scan fills p.Lex and says whether an element has too many attributes.
func (z *parser) scan(p *Page) (tooMany bool) {
	z.text = z.text[:0]
	l := &p.Lex
	pos := uint32(0)
	for x := newLexer(p.Source); ; {
		typ, length, name, attrs := x.scan()
		src := Range{pos, pos + uint32(length)}
		pos = src.End
		var kind LexKind
		var tag Tag
		var data Range
		switch typ {
		case html.ErrorToken:
			return tooMany
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			kind, tag = LexStart, p.intern(name)
			if typ == html.SelfClosingTagToken {
				kind = LexSelfClose
			} else if typ == html.EndTagToken {
				kind = LexEnd
			}
			for n := 0; attrs; n++ {
				_, _, attrs = x.TagAttr()
				tooMany = tooMany || n >= p.opt.MaxAttrs
			}
		case html.TextToken:
			kind = LexText
			data.Start = uint32(len(z.text))
			for _, c := range x.Text() {
				if c != 0 {
					z.text = append(z.text, c)
				}
			}
			data.End = uint32(len(z.text))
		case html.CommentToken:
			kind = LexComment
		case html.DoctypeToken:
			kind = LexDoctype
		}
		l.Kind = append(l.Kind, kind)
		l.Tag = append(l.Tag, tag)
		l.Src = append(l.Src, src)
		l.Node = append(l.Node, 0)
		l.Data = append(l.Data, data)
	}
}

// rewrite copies src without the start tags that are nested deeper than depth
// and without the attributes beyond the first attrs of an element.
func rewrite(src []byte, depth, attrs int) []byte {
	var out []byte
	open := make(map[string]int)
	var stack []string
	for x := newLexer(src); ; {
		typ, length, name, more := x.scan()
		raw := src[:length]
		src = src[length:]
		switch typ {
		case html.ErrorToken:
			return out
		case html.EndTagToken:
			if key := string(name); open[key] > 0 {
				for top := ""; top != key; stack = stack[:len(stack)-1] {
					top = stack[len(stack)-1]
					open[top]--
				}
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			if len(stack) >= depth {
				continue
			}
			if key := string(name); !listed(name).IsVoid() {
				open[key]++
				stack = append(stack, key)
			}
			if limited, cut := limitAttrs(x, string(name), attrs, more); cut {
				raw = limited
			}
		}
		out = append(out, raw...)
	}
}

// limitAttrs writes a start tag with its first limit attributes; cut is false
// if it has no more than that.
func limitAttrs(x *lexer, name string, limit int, more bool) (tag []byte, cut bool) {
	tok := html.Token{Type: html.StartTagToken, Data: name}
	for n := 0; more; n++ {
		var key, val []byte
		key, val, more = x.TagAttr()
		if n < limit {
			tok.Attr = append(tok.Attr, html.Attribute{Key: string(key), Val: string(val)})
		} else {
			cut = true
		}
	}
	if cut {
		tag = []byte(tok.String())
	}
	return tag, cut
}

// flatten writes the tree below root into the columns of p.Tree.
func flatten(p *Page, root *html.Node) {
	t := &p.Tree
	var open Node // innermost node that is not closed; its Parent is the stack
	for n, d := root, 1; n != nil; n, d = next(n) {
		if t.Len() >= p.opt.MaxNodes {
			p.Cut |= CutNodes
			break
		}
		for ; d < 1; d++ {
			t.End[open] = Node(t.Len())
			open = t.Parent[open]
		}
		id := Node(t.Len())
		t.push(p, n, open)
		open = id
	}
	for n := Node(t.Len()) - 1; n >= 0; n-- {
		if t.End[n] == 0 {
			t.End[n] = Node(t.Len())
		}
	}
}

// push appends the node n without its subtree.
func (t *Tree) push(p *Page, n *html.Node, parent Node) {
	kind := KindDocument
	switch n.Type {
	case html.ElementNode:
		kind = KindElement
	case html.TextNode:
		kind = KindText
	case html.CommentNode:
		kind = KindComment
	case html.DoctypeNode:
		kind = KindDoctype
	}
	space := SpaceHTML
	switch n.Namespace {
	case "svg":
		space = SpaceSVG
	case "math":
		space = SpaceMathML
	}
	tag, data := TagNone, Range{}
	if kind == KindElement {
		tag = p.intern([]byte(n.Data))
	} else {
		data = t.write(n.Data)
	}
	t.Kind = append(t.Kind, kind)
	t.Space = append(t.Space, space)
	t.Tag = append(t.Tag, tag)
	t.Parent = append(t.Parent, parent)
	t.End = append(t.End, 0)
	t.Data = append(t.Data, data)
	t.AttrStart = append(t.AttrStart, uint32(len(t.Attrs)))
	if kind == KindElement {
		for _, a := range n.Attr {
			name := a.Key
			if a.Namespace != "" {
				name = a.Namespace + ":" + a.Key
			}
			t.Attrs = append(t.Attrs, Attr{t.write(name), t.write(a.Val), AttrNameInText | AttrValueInText})
		}
	}
	t.AttrEnd = append(t.AttrEnd, uint32(len(t.Attrs)))
	t.Open = append(t.Open, Range{})
	t.Close = append(t.Close, Range{})
}

// write appends s to t.Text and returns its range.
func (t *Tree) write(s string) Range {
	start := len(t.Text)
	t.Text = append(t.Text, s...)
	return Range{uint32(start), uint32(len(t.Text))}
}
