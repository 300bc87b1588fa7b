package html

import "bytes"

// scanAttrs scans the attributes of a start tag from i, after its name, into
// Tree.Attrs and returns the position after its ">", -1 if the source ends
// before (standard, 13.2.5.32 to 13.2.5.40).
func (b *builder) scanAttrs(i int) int {
	src := b.src
	bloom := uint64(0) // Bloom filter of the names in this tag
	for {
		for i < len(src) && classOf[src[i]]&chSpace != 0 {
			i++
		}
		if i >= len(src) {
			return -1
		}
		if c := src[i]; c == '>' {
			return i + 1
		} else if c == '/' {
			i++
			if i < len(src) && src[i] == '>' {
				b.tok.selfClosing = true
				return i + 1
			}
			continue
		}
		// The first byte always belongs to the name, even if it is "=".
		from := i
		fold := classOf[src[i]]
		for i++; i < len(src); i++ {
			c := classOf[src[i]]
			if c&chNameEnd != 0 {
				break
			}
			fold |= c
		}
		to := i
		valueFrom, valueTo, next := attrValue(src, i)
		if next < 0 {
			return -1
		}
		i = next

		name := src[from:to]
		a := Attr{Name: Range{uint32(from), uint32(to)}}
		if fold&chFold != 0 {
			b.name = appendName(b.name[:0], name)
			name = b.name
		}
		bit := nameBit(name)
		if bloom&bit != 0 && b.isRepeated(name) {
			continue
		}
		bloom |= bit
		t := &b.tree
		if count := len(t.Attrs) - int(b.tok.attrs); count >= b.bounds.MaxAttrs {
			b.doc.Cut |= CutAttrs
			continue
		} else if count >= manyAttrs {
			b.rememberName(name, count)
		}
		a.Flags = attrFlagOf(name)
		t.AttrNames |= a.Flags
		if fold&chFold != 0 {
			a.Flags |= AttrNameInText
			a.Name.Start = uint32(len(t.Text))
			t.Text = append(t.Text, name...)
			a.Name.End = uint32(len(t.Text))
		}
		if value := src[valueFrom:valueTo]; len(value) == 0 || isPlain(value, b.oddBytes) {
			a.Value = Range{uint32(valueFrom), uint32(valueTo)}
		} else {
			a.Flags |= AttrValueInText
			a.Value.Start = uint32(len(t.Text))
			t.Text = appendDecoded(t.Text, value, decodeRefs|decodeAttr|nulReplaced)
			a.Value.End = uint32(len(t.Text))
		}
		t.Attrs = append(t.Attrs, a)
	}
}

// skipAttrs is scanAttrs for an end tag, whose attributes mean nothing.
func (b *builder) skipAttrs(i int) int {
	src := b.src
	for i < len(src) {
		switch c := src[i]; {
		case c == '>':
			return i + 1
		case c == '/' || classOf[c]&chSpace != 0:
			i++
		default:
			for i++; i < len(src) && classOf[src[i]]&chNameEnd == 0; {
				i++
			}
			if _, _, i = attrValue(src, i); i < 0 {
				return -1
			}
		}
	}
	return -1
}

// attrValue finds the value of the attribute whose name ends at i: its range,
// empty if there is none, and the position to go on from, -1 if the source
// ends before the tag does.
func attrValue(src []byte, i int) (from, to, next int) {
	for i < len(src) && classOf[src[i]]&chSpace != 0 {
		i++
	}
	if i >= len(src) {
		return 0, 0, -1
	}
	if src[i] != '=' {
		return i, i, i
	}
	for i++; i < len(src) && classOf[src[i]]&chSpace != 0; {
		i++
	}
	if i >= len(src) {
		return 0, 0, -1
	}
	switch c := src[i]; c {
	case '"', '\'':
		i++
		k := bytes.IndexByte(src[i:], c)
		if k < 0 {
			return 0, 0, -1
		}
		return i, i + k, i + k + 1
	case '>':
		return i, i, i
	}
	from = i
	for i < len(src) && src[i] != '>' && classOf[src[i]]&chSpace == 0 {
		i++
	}
	if i >= len(src) {
		return 0, 0, -1
	}
	return from, i, i
}

// dropAttrs forgets the attributes of the current tag if no element took them.
func (b *builder) dropAttrs() {
	if int(b.tok.attrs) < len(b.tree.Attrs) {
		b.tree.Attrs = b.tree.Attrs[:b.tok.attrs]
		b.tree.Text = b.tree.Text[:b.tok.attrText]
	}
}

// manyAttrs is how many attributes of a tag are compared one by one. Few tags
// have more; their names go to a hash table.
const manyAttrs = 16

// nameBit is one bit of 64 for a name: if it is new among the names of a tag,
// so is the name.
func nameBit(name []byte) uint64 {
	n := len(name)
	return 1 << ((uint(name[0]) + uint(name[n-1])*7 + uint(n)*13) & 63)
}

// isRepeated reports whether the current tag has an attribute of that name.
func (b *builder) isRepeated(name []byte) bool {
	attrs := b.tree.Attrs[b.tok.attrs:]
	if len(attrs) > manyAttrs {
		return b.seen.find(b, name) >= 0
	}
	for i := range attrs {
		if string(b.attrName(&attrs[i])) == string(name) {
			return true
		}
	}
	return false
}

// rememberName adds the name of attribute number count of the current tag to
// the hash table, and on the first call the names before it.
func (b *builder) rememberName(name []byte, count int) {
	if count == manyAttrs {
		b.seen.reset()
		for i := range count {
			a := b.tok.attrs + uint32(i)
			b.seen.add(b, b.attrName(&b.tree.Attrs[a]), a)
		}
	}
	b.seen.add(b, name, b.tok.attrs+uint32(count))
}

// attrName is Document.AttrName while the document is being built.
func (b *builder) attrName(a *Attr) []byte {
	if a.Flags&AttrNameInText != 0 {
		return b.tree.Text[a.Name.Start:a.Name.End]
	}
	return b.src[a.Name.Start:a.Name.End]
}

// attrText is Document.AttrValue while the document is being built.
func (b *builder) attrValue(a *Attr) []byte {
	if a.Flags&AttrValueInText != 0 {
		return b.tree.Text[a.Value.Start:a.Value.End]
	}
	return b.src[a.Value.Start:a.Value.End]
}

// attrSet is a hash table of attribute numbers by name. Resetting it costs
// nothing: slots of an earlier turn count as free.
type attrSet struct {
	slots []attrSlot // length is a power of two
	count int
	turn  uint32
}

type attrSlot struct {
	turn uint32
	hash uint32
	attr uint32 // number in Tree.Attrs
}

func (s *attrSet) reset() {
	s.count = 0
	s.turn++
	if s.turn == 0 { // wrapped: old slots might look new
		clear(s.slots)
		s.turn = 1
	}
}

// find returns the number of the attribute called name, -1 if there is none.
func (s *attrSet) find(b *builder, name []byte) int {
	if s.count == 0 {
		return -1
	}
	h := nameHash(name)
	mask := uint32(len(s.slots) - 1)
	for i := h & mask; s.slots[i].turn == s.turn; i = (i + 1) & mask {
		if s.slots[i].hash == h && string(b.attrName(&b.tree.Attrs[s.slots[i].attr])) == string(name) {
			return int(s.slots[i].attr)
		}
	}
	return -1
}

// add enters an attribute that is not in s.
func (s *attrSet) add(b *builder, name []byte, attr uint32) {
	if 2*(s.count+1) > len(s.slots) {
		old := s.slots
		s.slots = make([]attrSlot, max(64, 2*len(old)))
		for _, e := range old {
			if e.turn == s.turn {
				s.enter(e)
			}
		}
	}
	s.enter(attrSlot{s.turn, nameHash(name), attr})
	s.count++
}

func (s *attrSet) enter(e attrSlot) {
	mask := uint32(len(s.slots) - 1)
	i := e.hash & mask
	for s.slots[i].turn == s.turn {
		i = (i + 1) & mask
	}
	s.slots[i] = e
}
