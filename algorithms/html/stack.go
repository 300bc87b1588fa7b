package html

// open is an entry of the stack of open elements. Its last fields turn the standard's
// walks down the stack into single look-ups: below links the open elements of one name,
// and walls holds the nearest entries that bound each kind of walk. So on a page nested
// to the limit, a tag costs no more than on a flat page.
type open struct {
	node  Node
	props props
	tag   Tag    // as in Tree
	name  Tag    // as in the end tag: in lower case
	below uint16 // position plus one of the next lower entry with this key
	level uint16 // depth in the tree: at least the position plus one
	walls walls
}

// walls holds positions on the stack. Each is that of the topmost entry, this one
// included, that bounds the scope or is of the kind.
type walls struct {
	scope, button, list, table uint16
	special                    uint16
	stop                       uint16 // special but not address, div or p
	html                       uint16 // an HTML element
}

// key numbers the names of open elements for builder.top. HTML elements have other keys
// than elements of SVG and MathML.
func key(t Tag) int        { return int(t) << 1 }
func foreignKey(t Tag) int { return int(t)<<1 | 1 }
func topKeys(t Tag) int    { return int(t) << 1 }

func (e *open) key() int {
	if e.props&propForeign != 0 {
		return foreignKey(e.name)
	}
	return key(e.name)
}

// push opens the element n.
func (b *builder) push(n Node, tag, name Tag, pr props) {
	d := len(b.stack)
	e := open{node: n, props: pr, tag: tag, name: name}
	e.level = 1
	if d > 0 {
		below := &b.stack[d-1]
		e.walls, e.level = below.walls, below.level+1
	}
	at := uint16(d)
	if pr&propForeign == 0 {
		e.walls.html = at
	}
	if pr&propWalls != 0 {
		w := &e.walls
		if pr&propSpecial != 0 {
			w.special = at
			if pr&propInline == 0 {
				w.stop = at
			}
		}
		if pr&(propScope|propButton|propList|propTable) != 0 {
			if pr&propScope != 0 {
				w.scope, w.button, w.list = at, at, at
			}
			if pr&propButton != 0 {
				w.button = at
			}
			if pr&propList != 0 {
				w.list = at
			}
			if pr&propTable != 0 {
				w.table = at
			}
		}
	}
	k := e.key()
	for k >= len(b.top) { // a name seen for the first time
		b.top = append(b.top, 0, 0)
	}
	e.below = b.top[k]
	b.top[k] = at + 1
	b.stack = append(b.stack, e)
	b.tree.End[n] = Node(d + 1)
}

// pop takes the current node off the stack.
func (b *builder) pop() {
	d := len(b.stack) - 1
	e := &b.stack[d]
	b.top[e.key()] = e.below
	b.tree.End[e.node] = 0
	b.stack = b.stack[:d]
}

// popTo removes the entry at position i and all entries above it.
func (b *builder) popTo(i int) {
	for len(b.stack) > i {
		b.pop()
	}
}

// closeTo does the same as popTo and records that the current end tag closes the entry
// at position i.
func (b *builder) closeTo(i int) {
	n := b.stack[i].node
	b.markClosed(n)
	b.popTo(i)
}

// leave does the same as closeTo if the current token is the end tag (written),
// and otherwise as popTo.
func (b *builder) leave(i int, written bool) {
	if written {
		b.markClosed(b.stack[i].node)
	}
	b.popTo(i)
}

// closeTop closes the current node with the current end tag.
func (b *builder) closeTop() { b.closeTo(len(b.stack) - 1) }

// markClosed records that the current end tag closes n.
func (b *builder) markClosed(n Node) {
	b.tree.Close[n] = Range{uint32(b.tok.start), uint32(b.tok.end)}
	b.hit = n
}

// isOpen reports whether n is on the stack.
func (b *builder) isOpen(n Node) bool { return b.tree.End[n] != 0 }

// position returns the position of the open element n on the stack.
func (b *builder) position(n Node) int { return int(b.tree.End[n]) - 1 }

// remove removes the entry at position i from the stack and leaves the entries above
// it. Its cost grows with the number of entries above.
func (b *builder) remove(i int) {
	b.unstack(i)
	for _, e := range b.rest[1:] {
		b.push(e.node, e.tag, e.name, e.props)
		b.current().level = e.level // the position in the tree stays the same
	}
}

// unstack moves the entries from position i on to b.rest, in the order of the stack.
func (b *builder) unstack(i int) {
	b.rest = append(b.rest[:0], b.stack[i:]...)
	b.popTo(i)
}

// current returns the entry of the current node.
func (b *builder) current() *open { return &b.stack[len(b.stack)-1] }

// currentIs reports whether the current node is the HTML element named tag.
func (b *builder) currentIs(tag Tag) bool {
	e := b.current()
	return e.tag == tag && e.props&propForeign == 0
}

// topmost returns the position plus one of the topmost open HTML element named
// tag, 0 if there is none.
func (b *builder) topmost(tag Tag) int {
	if k := key(tag); k < len(b.top) {
		return int(b.top[k])
	}
	return 0
}

// These functions are the standard's "has an element in … scope" for one name. They
// return the position of the element plus one if it is in scope, else 0.

func (b *builder) inScope(tag Tag) int {
	return b.openWithin(tag, int(b.current().walls.scope))
}

func (b *builder) inButtonScope(tag Tag) int {
	return b.openWithin(tag, int(b.current().walls.button))
}

func (b *builder) inListScope(tag Tag) int {
	return b.openWithin(tag, int(b.current().walls.list))
}

func (b *builder) inTableScope(tag Tag) int {
	return b.openWithin(tag, int(b.current().walls.table))
}

func (b *builder) openWithin(tag Tag, wall int) int {
	if at := b.topmost(tag); at > wall {
		return at
	}
	return 0
}

// headingInScope is inScope for the topmost of h1 to h6.
func (b *builder) headingInScope() int {
	at := 0
	for t := TagH1; t <= TagH6; t++ {
		at = max(at, int(b.top[key(t)]))
	}
	if at > int(b.current().walls.scope) {
		return at
	}
	return 0
}

// cellInTableScope and sectionInTableScope are inTableScope for the topmost of
// td and th, and of tbody, thead and tfoot.
func (b *builder) cellInTableScope() int {
	return max(b.inTableScope(TagTd), b.inTableScope(TagTh))
}

func (b *builder) sectionInTableScope() int {
	return max(b.inTableScope(TagTbody), b.inTableScope(TagThead), b.inTableScope(TagTfoot))
}

// hasTemplate reports whether a template element is open.
func (b *builder) hasTemplate() bool { return b.top[key(TagTemplate)] != 0 }

// implyEndTags generates implied end tags, except for elements named except.
func (b *builder) implyEndTags(except Tag) {
	for {
		e := b.current()
		if e.props&propImplied == 0 || e.tag == except {
			return
		}
		b.pop()
	}
}

// clearTo pops until the current node is of one of the listed HTML elements,
// html or template ("clear the stack back to a … context").
func (b *builder) clearTo(tags ...Tag) {
	at := max(b.topmost(TagHtml), b.topmost(TagTemplate))
	for _, t := range tags {
		at = max(at, b.topmost(t))
	}
	b.popTo(at)
}

// resetModes lists the insertion mode that each element selects if it is the topmost of
// these elements ("reset the insertion mode appropriately").
var resetModes = [...]struct {
	tag  Tag
	mode mode
}{
	{TagTd, modeInCell}, {TagTh, modeInCell}, {TagTr, modeInRow},
	{TagTbody, modeInTableBody}, {TagThead, modeInTableBody}, {TagTfoot, modeInTableBody},
	{TagCaption, modeInCaption}, {TagColgroup, modeInColumnGroup}, {TagTable, modeInTable},
	{TagTemplate, modeInTemplate}, {TagHead, modeInHead}, {TagBody, modeInBody},
	{TagFrameset, modeInFrameset},
}

// resetMode resets the insertion mode appropriately (standard, 13.2.4.1).
func (b *builder) resetMode() {
	at := uint16(0)
	for _, r := range resetModes {
		if p := b.top[key(r.tag)]; p > at {
			at, b.mode = p, r.mode
		}
	}
	switch {
	case at == 0 && b.fragment:
		b.mode = b.contextMode()
	case at == 0 && b.head == 0:
		b.mode = modeBeforeHead
	case at == 0:
		b.mode = modeAfterHead
	case b.mode == modeInTemplate:
		b.mode = b.templates[len(b.templates)-1]
	}
}
