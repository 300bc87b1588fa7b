package html

// formatting is an entry of the list of active formatting elements (standard,
// 13.2.4.3): elements such as b and a that are opened again where the markup
// closed them by accident. Node 0 is a marker.
type formatting struct {
	node Node
	tag  Tag
	hash uint32 // hash of the attributes, whatever their order; 0: not computed
}

// While an element is in the list, Tree.Data[n].Start, which elements have no
// other use for, is its index plus one.

// addMarker ends the range of the elements that are active now.
func (b *builder) addMarker() { b.active = append(b.active, formatting{}) }

// clearActive clears the list up to the last marker.
func (b *builder) clearActive() {
	for i := len(b.active) - 1; i >= 0; i-- {
		e := b.active[i]
		b.active = b.active[:i]
		if e.node == 0 {
			return
		}
		b.actives[e.tag]--
		b.tree.Data[e.node].Start = 0
	}
}

// insertActive makes e entry i of the list.
func (b *builder) insertActive(i int, e formatting) {
	b.actives[e.tag]++
	b.active = append(b.active, formatting{})
	copy(b.active[i+1:], b.active[i:])
	b.active[i] = e
	b.numberActive(i)
}

// removeActive takes entry i off the list.
func (b *builder) removeActive(i int) {
	e := b.active[i]
	b.actives[e.tag]--
	b.tree.Data[e.node].Start = 0
	b.active = append(b.active[:i], b.active[i+1:]...)
	b.numberActive(i)
}

// replaceActive replaces the element of entry i by its clone n.
func (b *builder) replaceActive(i int, n Node) {
	b.tree.Data[b.active[i].node].Start = 0
	b.active[i].node = n
	b.tree.Data[n].Start = uint32(i + 1)
}

// numberActive records the indices of the entries from i on.
func (b *builder) numberActive(i int) {
	for ; i < len(b.active); i++ {
		if n := b.active[i].node; n != 0 {
			b.tree.Data[n].Start = uint32(i + 1)
		}
	}
}

// activeIndex returns the entry of the element n, -1 if it has none.
func (b *builder) activeIndex(n Node) int { return int(b.tree.Data[n].Start) - 1 }

// findActive returns the last entry named tag after the last marker, -1 if
// there is none.
func (b *builder) findActive(tag Tag) int {
	if b.actives[tag] == 0 {
		return -1
	}
	for i := len(b.active) - 1; i >= 0 && b.active[i].node != 0; i-- {
		if b.active[i].tag == tag {
			return i
		}
	}
	return -1
}

// addFormatting adds the current node, which the current start tag made, to
// the list. There are at most three of a kind: of four, the earliest goes (the
// "Noah's Ark clause").
func (b *builder) addFormatting() {
	e := formatting{node: b.hit, tag: b.current().tag}
	if b.actives[e.tag] >= 3 {
		e.hash = b.attrsHash(e.node)
		alike := 0
		for i := len(b.active) - 1; i >= 0 && b.active[i].node != 0; i-- {
			o := &b.active[i]
			if o.tag != e.tag {
				continue
			}
			if o.hash == 0 {
				o.hash = b.attrsHash(o.node)
			}
			if o.hash == e.hash && b.sameAttrs(o.node, e.node) {
				if alike++; alike == 3 {
					b.removeActive(i)
					break
				}
			}
		}
	}
	b.active = append(b.active, e)
	b.actives[e.tag]++
	b.tree.Data[e.node].Start = uint32(len(b.active))
}

// attrsHash is a hash of the attributes of n that does not depend on their
// order; never 0.
func (b *builder) attrsHash(n Node) uint32 {
	h := uint32(1)
	for i := b.tree.AttrStart[n]; i < b.tree.AttrEnd[n]; i++ {
		a := &b.tree.Attrs[i]
		h += nameHash(b.attrName(a))*31 ^ nameHash(b.attrValue(a))
	}
	return max(h, 1)
}

// sameAttrs reports whether two elements have the same attributes.
func (b *builder) sameAttrs(m, n Node) bool {
	t := &b.tree
	if t.AttrEnd[m]-t.AttrStart[m] != t.AttrEnd[n]-t.AttrStart[n] {
		return false
	}
	if t.AttrStart[m] == t.AttrStart[n] {
		return true
	}
	b.seen.reset()
	for i := t.AttrStart[n]; i < t.AttrEnd[n]; i++ {
		b.seen.add(b, b.attrName(&t.Attrs[i]), i)
	}
	for i := t.AttrStart[m]; i < t.AttrEnd[m]; i++ {
		j := b.seen.find(b, b.attrName(&t.Attrs[i]))
		if j < 0 || string(b.attrValue(&t.Attrs[i])) != string(b.attrValue(&t.Attrs[j])) {
			return false
		}
	}
	return true
}

// reconstruct reconstructs the active formatting elements: those after the
// last marker and the last open one are opened again, as clones.
func (b *builder) reconstruct() {
	if n := len(b.active); n == 0 || b.active[n-1].node == 0 || b.isOpen(b.active[n-1].node) {
		return
	}
	b.reopenActive()
}

func (b *builder) reopenActive() {
	i := len(b.active) - 1
	for i > 0 && b.active[i-1].node != 0 && !b.isOpen(b.active[i-1].node) {
		i--
	}
	for ; i < len(b.active); i++ {
		if !b.room(1) {
			return
		}
		parent, before := b.place()
		n := b.newNodeAt(KindElement, parent, before)
		b.clone(n, b.active[i].node)
		tag := b.active[i].tag
		b.push(n, tag, tag, tag.props())
		b.replaceActive(i, n)
	}
}

// clone makes c a copy of the element n. The source does not contain c. Both share the
// attributes of n.
func (b *builder) clone(c, n Node) {
	t := &b.tree
	t.Tag[c] = t.Tag[n]
	t.AttrStart[c], t.AttrEnd[c] = t.AttrStart[n], t.AttrEnd[n]
}

// closeAnchor ends an a element that is still active before another begins.
func (b *builder) closeAnchor() {
	i := b.findActive(TagA)
	if i < 0 {
		return
	}
	n := b.active[i].node
	b.adopt(TagA, false)
	if i := b.activeIndex(n); i >= 0 {
		b.removeActive(i)
	}
	if b.isOpen(n) {
		b.remove(b.position(n))
	}
}
