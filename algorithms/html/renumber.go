package html

// The numbers of the nodes are given in the order in which they are made,
// which is preorder as long as every new node goes to the end of the document:
// its parent is on the path from the document to the last node.
//
//	document ─ html ─ body ─ div ─ p ─ "last"      a child of any of these keeps
//	                                               the order, of any other not
//
// On most pages this is so (orderKept). A comment after the body and an element put
// back into the head may be followed by nodes elsewhere; until one follows, the order
// is still kept (orderStale). Foster parenting and the adoption agency move nodes, and
// a frameset removes the body: from then on children are kept as linked lists beside
// the columns (orderLinked), and one pass at the end numbers the nodes. Each page is
// linked once at most.
type order uint8

const (
	orderKept order = iota
	orderStale
	orderLinked
)

// link has the neighbours of a node; 0 means none.
type link struct{ first, last, next, prev Node }

// piece is a part of a text node's data that does not follow the rest of it in
// Tree.Text, because other text came between.
type piece struct {
	node Node
	data Range
}

// markStale records that nodes above n on the stack are no longer on the path to the
// last node, n.
func (b *builder) markStale(n Node) {
	if b.order == orderKept {
		b.order, b.stale = orderStale, n
	}
}

// attach puts the new node n, whose parent is set, at the end of its parent's
// children.
func (b *builder) attach(n, parent Node) {
	if b.order == orderStale {
		if n == 0 || b.onPath(parent, n-1) {
			return
		}
		b.n-- // n is not to be linked twice
		b.link()
		b.n++
	}
	b.appendChild(parent, n)
}

// onPath reports whether m is n or an ancestor of it.
func (b *builder) onPath(m, n Node) bool {
	for n > m {
		n = b.tree.Parent[n]
	}
	return n == m
}

// nodeBefore returns the node before the given location in its parent. If there is
// none, or it is certainly no text, nodeBefore returns some other node.
func (b *builder) nodeBefore(parent, before Node) Node {
	switch {
	case b.order == orderLinked && before != 0:
		return b.links[before].prev
	case b.order == orderLinked:
		return b.links[parent].last
	case b.onPath(parent, b.n-1):
		return b.n - 1
	}
	// Nothing was added to parent since the path was left. If its last child is a text,
	// it was the last node of the document.
	return b.stale - 1
}

// link builds the lists of children from the order so far.
func (b *builder) link() {
	if b.order == orderLinked {
		return
	}
	b.order = orderLinked
	b.moreLinks(0)
	for n := Node(1); n < b.n; n++ {
		b.appendChild(b.tree.Parent[n], n)
	}
}

// moreLinks clears the links from row from on, as far as the columns are clear.
func (b *builder) moreLinks(from int) {
	if int(b.clean) > len(b.links) {
		b.links = longer(b.links, len(b.tree.Kind))
	}
	clear(b.links[from:b.clean])
}

// newLoose makes a node that is not in the tree yet. It requires that the document is
// linked.
func (b *builder) newLoose(k Kind) Node {
	n := b.n
	if n == b.clean {
		b.moreNodes()
	}
	b.n = n + 1
	b.tree.Kind[n] = k
	return n
}

// appendChild makes n, which is not in the tree, the last child of parent.
func (b *builder) appendChild(parent, n Node) {
	b.tree.Parent[n] = parent
	last := b.links[parent].last
	b.links[n].prev, b.links[n].next = last, 0
	b.links[parent].last = n
	if last == 0 {
		b.links[parent].first = n
	} else {
		b.links[last].next = n
	}
}

// insertBefore puts n, which is not in the tree, before a child of parent.
func (b *builder) insertBefore(n, parent, before Node) {
	b.tree.Parent[n] = parent
	prev := b.links[before].prev
	b.links[n].prev, b.links[n].next = prev, before
	b.links[before].prev = n
	if prev == 0 {
		b.links[parent].first = n
	} else {
		b.links[prev].next = n
	}
}

// detach removes n and its subtree from the tree. It does nothing if n is not in the
// tree.
func (b *builder) detach(n Node) {
	parent, l := b.tree.Parent[n], b.links[n]
	switch {
	case l.prev != 0:
		b.links[l.prev].next = l.next
	case b.links[parent].first == n:
		b.links[parent].first = l.next
	}
	switch {
	case l.next != 0:
		b.links[l.next].prev = l.prev
	case b.links[parent].last == n:
		b.links[parent].last = l.prev
	}
	b.links[n].prev, b.links[n].next = 0, 0
}

// moveChildren gives all children of m to the childless n.
func (b *builder) moveChildren(m, n Node) {
	b.links[n].first, b.links[n].last = b.links[m].first, b.links[m].last
	b.links[m].first, b.links[m].last = 0, 0
	for c := b.links[n].first; c != 0; c = b.links[c].next {
		b.tree.Parent[c] = n
	}
}

// addPiece adds data to the text node n.
func (b *builder) addPiece(n Node, data Range) {
	b.pieces = append(b.pieces, piece{n, data})
}

// finish turns the built tree into the columns of the document.
func (b *builder) finish() {
	t := &b.tree
	for _, e := range b.active {
		if e.node != 0 {
			t.Data[e.node] = Range{}
		}
	}
	for i := range b.stack {
		t.End[b.stack[i].node] = 0
	}
	b.joinPieces()
	if b.order == orderLinked {
		b.renumber()
	}
	if int(b.n) > b.bounds.MaxNodes {
		b.cutNodes(b.bounds.MaxNodes)
	}
	b.findEnds()
	b.publish()
}

// cutNodes keeps only the first max nodes, which form a tree.
func (b *builder) cutNodes(max int) {
	b.doc.Cut |= CutNodes
	for i, n := range b.lex.Node[:b.nlex] {
		if int(n) >= max {
			b.lex.Node[i], b.lex.Data[i] = 0, Range{}
		}
	}
	b.n = Node(max)
}

// findEnds fills Tree.End, whose entries are all zero: a node ends where its last child
// ends.
func (b *builder) findEnds() {
	n := int(b.n)
	end, parent := b.tree.End[:n], b.tree.Parent[:n]
	for i := n - 1; i > 0; i-- {
		if end[i] == 0 {
			end[i] = Node(i + 1)
		}
		if p := parent[i]; end[p] == 0 {
			end[p] = end[i]
		}
	}
	if end[0] == 0 {
		end[0] = 1
	}
}

// joinPieces writes the data of text nodes that came in pieces once more, in
// one piece. Tree.Close has no meaning for texts; meanwhile its Start is the
// number of bytes to come and then a position in the new data, and its End is
// 1 for the texts in question.
func (b *builder) joinPieces() {
	if len(b.pieces) == 0 {
		return
	}
	t := &b.tree
	for _, p := range b.pieces {
		t.Close[p.node].Start += uint32(p.data.Len())
	}
	for _, p := range b.pieces {
		d, c := &t.Data[p.node], &t.Close[p.node]
		if c.End == 0 {
			start := uint32(len(t.Text))
			t.Text = append(t.Text, t.Text[d.Start:d.End]...)
			end := uint32(len(t.Text))
			t.Text = extend(t.Text, int(c.Start))
			*d, *c = Range{start, end}, Range{start, 1}
		}
		d.End += uint32(copy(t.Text[d.End:], t.Text[p.data.Start:p.data.End]))
	}
	for i := range b.nlex {
		n := b.lex.Node[i]
		if t.Close[n].End != 1 || t.Kind[n] != KindText {
			continue
		}
		size := uint32(b.lex.Data[i].Len())
		from := t.Close[n].Start
		b.lex.Data[i] = Range{from, from + size}
		t.Close[n].Start = from + size
	}
	for _, p := range b.pieces {
		t.Close[p.node] = Range{}
	}
}

// extend makes s longer by n bytes.
func extend(s []byte, n int) []byte {
	if len(s)+n <= cap(s) {
		return s[:len(s)+n]
	}
	return append(s, make([]byte, n)...)
}

// renumber numbers the nodes in the order of the linked lists and leaves out
// those that are not in the tree any more.
func (b *builder) renumber() {
	n := int(b.n)
	b.rank = longer(b.rank, n)
	b.sequence = longer(b.sequence, n)
	rank, sequence := b.rank[:n], b.sequence[:n] // new number by old number, old number by new number
	for i := range rank {
		rank[i] = -1
	}
	kept, moved := 0, n // number of nodes in the tree; the first node whose number changes
	for at := Node(0); ; {
		rank[at], sequence[kept] = Node(kept), at
		if int(at) != kept && kept < moved {
			moved = kept
		}
		kept++
		if first := b.links[at].first; first != 0 {
			at = first
			continue
		}
		for at != 0 && b.links[at].next == 0 {
			at = b.tree.Parent[at]
		}
		if at == 0 {
			break
		}
		at = b.links[at].next
	}
	moved = min(moved, kept)

	t, s := &b.tree, &b.spare
	sequence = sequence[moved:kept]
	s.kind = permute(t.Kind, s.kind, sequence, moved, n)
	s.space = permute(t.Space, s.space, sequence, moved, n)
	s.tag = permute(t.Tag, s.tag, sequence, moved, n)
	s.node = permute(t.Parent, s.node, sequence, moved, n)
	s.bytes = permute(t.Data, s.bytes, sequence, moved, n)
	s.number = permute(t.AttrStart, s.number, sequence, moved, n)
	s.number = permute(t.AttrEnd, s.number, sequence, moved, n)
	s.bytes = permute(t.Open, s.bytes, sequence, moved, n)
	s.bytes = permute(t.Close, s.bytes, sequence, moved, n)
	for i := moved; i < kept; i++ {
		t.Parent[i] = rank[t.Parent[i]]
	}
	for i, m := range b.lex.Node[:b.nlex] {
		if int(m) < moved {
			continue
		}
		if rank[m] < 0 {
			b.lex.Node[i], b.lex.Data[i] = 0, Range{}
		} else {
			b.lex.Node[i] = rank[m]
		}
	}
	b.n = Node(kept)
}

// permute reorders the rows moved to n of a column: they become the rows of sequence,
// given by their old numbers. It returns spare, which it may have made longer.
func permute[T any](column, spare []T, sequence []Node, moved, n int) []T {
	spare = longer(spare, n-moved)
	copy(spare, column[moved:n])
	column = column[moved:]
	for i, old := range sequence {
		column[i] = spare[int(old)-moved]
	}
	return spare
}

// spareColumns is one column of each type that a Tree has.
type spareColumns struct {
	kind   []Kind
	space  []Space
	tag    []Tag
	node   []Node
	bytes  []Range
	number []uint32
}
