package html

// adopt runs the adoption agency algorithm (standard, 13.2.6.4.7) for a
// formatting element named tag: an end tag such as </b> whose element is open
// beyond a block. The part of the element that lies within the block becomes a
// clone of its own. written is true if the current token is the end tag, and not a
// start tag that implies it.
//
//	<b>1<p>2</b>3   becomes   <b>1</b><p><b>2</b>3
func (b *builder) adopt(tag Tag, written bool) {
	if b.currentIs(tag) {
		i := b.activeIndex(b.current().node)
		if i < 0 || i == len(b.active)-1 { // the usual end tag, or step 2 of the algorithm
			b.leave(len(b.stack)-1, written)
			if i >= 0 {
				b.removeActive(i)
			}
			return
		}
	}
	for range 8 {
		i := b.findActive(tag)
		if i < 0 {
			b.otherEnd(tag, written)
			return
		}
		element := b.active[i].node
		if !b.isOpen(element) {
			b.removeActive(i)
			return
		}
		at, walls := b.position(element), b.current().walls
		if at < int(walls.scope) {
			return
		}
		if int(walls.special) < at { // no block in between
			b.leave(at, written)
			b.removeActive(i)
			return
		}
		if written {
			b.markClosed(element)
			written = false // later rounds are about its clones
		}
		b.adoptBlock(i, at)
	}
}

// adoptBlock is one round of the algorithm: the formatting element is entry i
// of the list and entry at of the stack, and there is a special element above.
func (b *builder) adoptBlock(i, at int) {
	b.link()
	block := at + 1
	for b.stack[block].props&propSpecial == 0 {
		block++
	}
	element, tag := b.stack[at].node, b.stack[at].tag
	ancestor := b.stack[at-1]

	// An element between the two on the stack is cloned if it is active, for at most
	// three of them, and is otherwise removed from the stack (step 13).
	bookmark, last, count := i, b.stack[block].node, 0
	for k := block - 1; k > at; k-- {
		e := &b.stack[k]
		b.tree.End[e.node] = 0
		count++
		ai := b.activeIndex(e.node)
		if e.props&propFormatting == 0 {
			ai = -1
		}
		if ai >= 0 && count > 3 {
			b.removeActive(ai)
			if ai < bookmark {
				bookmark--
			}
			ai, b.forgot = -1, true
		}
		if ai < 0 {
			e.node = 0
			continue
		}
		c := b.newLoose(KindElement)
		b.clone(c, e.node)
		b.replaceActive(ai, c)
		e.node = c
		if last == b.stack[block].node {
			bookmark = ai + 1
		}
		b.detach(last)
		b.appendChild(c, last)
		last = c
	}
	b.detach(last)
	parent, before := ancestor.node, Node(0)
	if b.foster && ancestor.props&propFostering != 0 {
		parent, before = b.fosterPlace()
	}
	if before != 0 {
		b.insertBefore(last, parent, before)
	} else {
		b.appendChild(parent, last)
	}

	c := b.newLoose(KindElement)
	b.clone(c, element)
	b.moveChildren(b.stack[block].node, c)
	b.appendChild(b.stack[block].node, c)

	ai := b.activeIndex(element)
	if ai < bookmark {
		bookmark--
	}
	b.removeActive(ai)
	b.insertActive(bookmark, formatting{node: c, tag: tag})

	b.unstack(at)
	for k, e := range b.rest[1:] {
		if e.node == 0 {
			continue
		}
		b.push(e.node, e.tag, e.name, e.props)
		if k == block-at-1 {
			b.push(c, tag, tag, tag.props())
		}
	}
}
