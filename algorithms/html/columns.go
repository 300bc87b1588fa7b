package html

// The columns of a Tree and a Lex grow together and are cleared a stretch
// ahead, so that a new row costs one comparison and only the writes that
// matter.
const (
	stretch = 256 // rows cleared at a time

	// A page keeps its memory for the next one up to these sizes, about 50 MB
	// altogether. Memory beyond that is released when the next page is parsed.
	keepNodes = 1 << 18
	keepLex   = 1 << 19
	keepText  = 8 << 20
	keepAttrs = 1 << 18
	keepOther = 1 << 16
)

// startColumns empties the columns.
func (b *builder) startColumns() {
	if cap(b.tree.Kind) > keepNodes {
		b.tree = Tree{Text: b.tree.Text, Attrs: b.tree.Attrs}
		b.links, b.rank, b.sequence, b.spare = nil, nil, nil, spareColumns{}
	}
	if cap(b.lex.Kind) > keepLex {
		b.lex = Lex{}
	}
	if cap(b.tree.Text) > keepText {
		b.tree.Text = nil
	}
	if cap(b.tree.Attrs) > keepAttrs {
		b.tree.Attrs = nil
	}
	if cap(b.pieces) > keepOther {
		b.pieces = nil
	}
	if cap(b.active) > keepOther {
		b.active = nil
	}
	if cap(b.top) > 4*keepOther {
		b.top = nil
	}
	for _, s := range []*attrSet{&b.seen, &b.htmlAttrs, &b.bodyAttrs} {
		if len(s.slots) > keepOther {
			s.slots = nil
		}
	}
	if cap(b.name) > keepOther {
		b.name = nil
	}
	b.tree.Text, b.tree.Attrs = b.tree.Text[:0], b.tree.Attrs[:0]
	b.tree.AttrNames, b.tree.HasBase = 0, false
	b.n, b.clean, b.nlex, b.cleanLex = 0, 0, 0, 0
	if cap(b.tree.Text) == 0 {
		b.tree.Text = make([]byte, 0, len(b.src)/2+64)
	}
}

// newNode makes a node as the last child of parent.
func (b *builder) newNode(k Kind, parent Node) Node {
	n := b.n
	if n == b.clean {
		b.moreNodes()
	}
	b.n = n + 1
	b.tree.Kind[n] = k
	b.tree.Parent[n] = parent
	if b.order != orderKept {
		b.attach(n, parent)
	}
	return n
}

// newNodeAt makes a node as the child of parent before one of its children, or
// as the last one if before is 0.
func (b *builder) newNodeAt(k Kind, parent, before Node) Node {
	if before == 0 {
		return b.newNode(k, parent)
	}
	n := b.n
	if n == b.clean {
		b.moreNodes()
	}
	b.n = n + 1
	b.tree.Kind[n] = k
	b.insertBefore(n, parent, before)
	return n
}

// moreNodes clears the next rows of the tree.
func (b *builder) moreNodes() {
	t := &b.tree
	from := int(b.clean)
	to := from + stretch
	if to > len(t.Kind) {
		// The first guess is a node for every 24 bytes of source.
		size := max(min(max(2*len(t.Kind), len(b.src)/24+stretch), b.bounds.MaxNodes+stretch), to)
		t.Kind = longer(t.Kind, size)
		t.Space = longer(t.Space, size)
		t.Tag = longer(t.Tag, size)
		t.Parent = longer(t.Parent, size)
		t.End = longer(t.End, size)
		t.Data = longer(t.Data, size)
		t.AttrStart = longer(t.AttrStart, size)
		t.AttrEnd = longer(t.AttrEnd, size)
		t.Open = longer(t.Open, size)
		t.Close = longer(t.Close, size)
	}
	clear(t.Kind[from:to])
	clear(t.Space[from:to])
	clear(t.Tag[from:to])
	clear(t.Parent[from:to])
	clear(t.End[from:to])
	clear(t.Data[from:to])
	clear(t.AttrStart[from:to])
	clear(t.AttrEnd[from:to])
	clear(t.Open[from:to])
	clear(t.Close[from:to])
	b.clean = Node(to)
	if b.order == orderLinked {
		b.moreLinks(from)
	}
}

// moreLex clears the next rows of the lexical items.
func (b *builder) moreLex() {
	l := &b.lex
	from := b.cleanLex
	to := from + stretch
	if to > len(l.Kind) {
		size := max(min(max(2*len(l.Kind), len(b.src)/16+stretch), 2*b.bounds.MaxNodes+stretch), to)
		l.Kind = longer(l.Kind, size)
		l.Tag = longer(l.Tag, size)
		l.Src = longer(l.Src, size)
		l.Node = longer(l.Node, size)
		l.Data = longer(l.Data, size)
	}
	clear(l.Kind[from:to])
	clear(l.Tag[from:to])
	clear(l.Src[from:to])
	clear(l.Node[from:to])
	clear(l.Data[from:to])
	b.cleanLex = to
}

// longer returns s with length n; elements beyond its former length are undefined.
func longer[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	grown := make([]T, n)
	copy(grown, s)
	return grown
}

// addLex records the current token as an item of the Lex.
func (b *builder) addLex(k LexKind, tag Tag, n Node) {
	i := b.nlex
	if i == b.cleanLex {
		b.moreLex()
	}
	b.nlex = i + 1
	l := &b.lex
	l.Kind[i] = k
	l.Tag[i] = tag
	l.Src[i] = Range{uint32(b.tok.start), uint32(b.tok.end)}
	l.Node[i] = n
}

// addText records the run of characters src[from:to] as an item of the Lex. data is its
// part of Tree.Text, if it was added to the node n.
func (b *builder) addText(from, to int, n Node, data Range) {
	i := b.nlex
	if i == b.cleanLex {
		b.moreLex()
	}
	b.nlex = i + 1
	l := &b.lex
	l.Kind[i] = LexText
	l.Src[i] = Range{uint32(from), uint32(to)}
	l.Node[i] = n
	l.Data[i] = data
}

// publish makes the current columns those of the document.
func (b *builder) publish() {
	n, l := int(b.n), b.nlex
	t := &b.tree
	b.doc.Tree = Tree{
		Kind: t.Kind[:n], Space: t.Space[:n], Tag: t.Tag[:n], Parent: t.Parent[:n], End: t.End[:n],
		Data: t.Data[:n], Text: t.Text, AttrStart: t.AttrStart[:n], AttrEnd: t.AttrEnd[:n], Attrs: t.Attrs, AttrNames: t.AttrNames, HasBase: t.HasBase,
		Open: t.Open[:n], Close: t.Close[:n],
	}
	b.doc.Lex = Lex{
		Kind: b.lex.Kind[:l], Tag: b.lex.Tag[:l], Src: b.lex.Src[:l],
		Node: b.lex.Node[:l], Data: b.lex.Data[:l],
	}
}
