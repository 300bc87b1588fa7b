package html

import "bytes"

// bodyStart treats a start tag by the rules of "in body" (standard,
// 13.2.6.4.7). tag is its name, or img for an image.
func (b *builder) bodyStart(tag Tag) {
	switch startRule(tag) {
	case ruleOther:
		b.reconstruct()
		b.insert(tag)
	case ruleBlock:
		b.closeParagraph()
		b.insert(tag)
	case ruleAnchor:
		b.closeAnchor()
		b.reconstruct()
		if b.insert(tag) {
			b.addFormatting()
		}
	case ruleFormat:
		b.reconstruct()
		if b.insert(tag) {
			b.addFormatting()
		}
	case ruleVoid:
		b.reconstruct()
		b.insertVoid(tag)
		b.framesOK = false
	case ruleItem:
		b.framesOK = false
		b.closeItem(b.topmost(TagLi))
		b.closeParagraph()
		b.insert(tag)
	case ruleTerm:
		b.framesOK = false
		b.closeItem(max(b.topmost(TagDd), b.topmost(TagDt)))
		b.closeParagraph()
		b.insert(tag)
	case ruleHead:
		b.headStart(tag)
	case ruleHeading:
		b.closeParagraph()
		if b.current().props&propHeading != 0 {
			b.pop()
		}
		b.insert(tag)
	case rulePre:
		b.closeParagraph()
		b.skipLine = b.insert(tag)
		b.framesOK = false
	case ruleForm:
		if b.form != 0 && !b.hasTemplate() {
			return
		}
		b.closeParagraph()
		if b.insert(tag) && !b.hasTemplate() {
			b.form = b.hit
		}
	case rulePlain:
		b.closeParagraph()
		b.insert(tag)
		b.raw = tag
	case ruleButton:
		if at := b.inScope(TagButton); at > 0 {
			b.popTo(at - 1)
		}
		b.reconstruct()
		b.insert(tag)
		b.framesOK = false
	case ruleNobr:
		b.reconstruct()
		if b.inScope(TagNobr) > 0 {
			b.adopt(TagNobr, false)
			b.reconstruct()
		}
		if b.insert(tag) {
			b.addFormatting()
		}
	case ruleObject:
		b.reconstruct()
		if b.insert(tag) {
			b.addMarker()
		}
		b.framesOK = false
	case ruleTable:
		if !b.quirks {
			b.closeParagraph()
		}
		if b.insert(tag) {
			b.mode = modeInTable
		}
		b.framesOK = false
	case ruleInput:
		b.inputStart(tag)
	case ruleParam:
		b.insertVoid(tag)
	case ruleHr:
		b.closeParagraph()
		if b.inScope(TagSelect) > 0 {
			b.implyEndTags(TagNone)
		}
		b.insertVoid(tag)
		b.framesOK = false
	case ruleImage:
		b.bodyStart(TagImg)
	case ruleTextarea:
		b.framesOK = false
		b.insertRaw(tag)
		b.skipLine = true
	case ruleXmp:
		b.closeParagraph()
		b.reconstruct()
		b.framesOK = false
		b.insertRaw(tag)
	case ruleIframe:
		b.framesOK = false
		b.insertRaw(tag)
	case ruleNoembed:
		b.insertRaw(tag)
	case ruleSelect:
		b.selectStart(tag)
	case ruleOption, ruleOptgroup:
		b.optionStart(tag)
	case ruleRuby:
		if b.inScope(TagRuby) > 0 {
			b.implyEndTags(TagNone)
		}
		b.insert(tag)
	case ruleRubyText:
		if b.inScope(TagRuby) > 0 {
			b.implyEndTags(TagRtc)
		}
		b.insert(tag)
	case ruleForeign:
		b.reconstruct()
		b.insertForeign(tag, foreignSpace(tag))
	case ruleHtml:
		if !b.hasTemplate() {
			b.mergeAttrs(b.stack[0].node, &b.htmlAttrs)
		}
	case ruleBody:
		if len(b.stack) > 1 && b.stack[1].tag == TagBody && !b.hasTemplate() {
			b.framesOK = false
			b.mergeAttrs(b.stack[1].node, &b.bodyAttrs)
		}
	case ruleFrameset:
		if b.framesOK && len(b.stack) > 1 && b.stack[1].tag == TagBody {
			b.replaceBody()
		}
	case ruleIgnored:
	}
}

// bodyEnd treats an end tag by the rules of "in body". It reports whether the
// tag is to be treated again, in another mode.
func (b *builder) bodyEnd(tag Tag) (again bool) {
	switch endRule(tag) {
	case ruleOther:
		b.otherEnd(tag, true)
	case ruleBlock:
		if at := b.inScope(tag); at > 0 {
			b.closeTo(at - 1)
		}
	case ruleFormat:
		b.adopt(tag, true)
	case ruleParagraph:
		at := b.inButtonScope(TagP)
		if at == 0 {
			if !b.room(1) {
				return false
			}
			b.insertImplied(TagP)
			at = len(b.stack)
		}
		b.closeTo(at - 1)
	case ruleItem:
		if at := b.inListScope(tag); at > 0 {
			b.closeTo(at - 1)
		}
	case ruleTerm, ruleObject:
		if at := b.inScope(tag); at > 0 {
			b.closeTo(at - 1)
			if tag.props()&propScope != 0 {
				b.clearActive()
			}
		}
	case ruleHeading:
		if at := b.headingInScope(); at > 0 {
			b.closeTo(at - 1)
		}
	case ruleForm:
		b.formEnd()
	case ruleBr: // treated as a start tag without attributes
		b.reconstruct()
		parent, before := b.place()
		n := b.newNodeAt(KindElement, parent, before)
		b.tree.Tag[n] = TagBr
		b.markClosed(n)
		b.framesOK = false
	case ruleTemplate:
		b.templateEnd()
	case ruleBody, ruleHtml:
		at := b.inScope(TagBody)
		if at == 0 {
			return false
		}
		b.mode = modeAfterBody
		if tag == TagHtml {
			return true
		}
		b.markClosed(b.stack[at-1].node)
	}
	return false
}

func (b *builder) inputStart(tag Tag) {
	if b.fragment && b.contextTag == TagSelect {
		return
	}
	if at := b.inScope(TagSelect); at > 0 {
		b.popTo(at - 1)
	}
	b.reconstruct()
	if !b.isHidden() {
		b.framesOK = false
	}
	b.insertVoid(tag)
}

func (b *builder) selectStart(tag Tag) {
	if b.fragment && b.contextTag == TagSelect {
		return
	}
	if at := b.inScope(TagSelect); at > 0 { // a select in a select ends it
		b.popTo(at - 1)
		return
	}
	b.reconstruct()
	b.insert(tag)
	b.framesOK = false
}

func (b *builder) optionStart(tag Tag) {
	switch {
	case b.inScope(TagSelect) > 0 && tag == TagOption:
		b.implyEndTags(TagOptgroup)
	case b.inScope(TagSelect) > 0:
		b.implyEndTags(TagNone)
	case b.currentIs(TagOption):
		b.pop()
	}
	b.reconstruct()
	b.insert(tag)
}

// closeParagraph closes a p element in button scope.
func (b *builder) closeParagraph() {
	if at := b.inButtonScope(TagP); at > 0 {
		b.popTo(at - 1)
	}
}

// closeItem closes the open li, dd or dt at position at-1, unless an element
// in between stops the search for it.
func (b *builder) closeItem(at int) {
	if at > int(b.current().walls.stop) {
		b.popTo(at - 1)
	}
}

// otherEnd is the rule for any other end tag: it closes the topmost element of
// its name unless a special element is above. The current token is that tag if
// written is true.
func (b *builder) otherEnd(tag Tag, written bool) {
	if at := b.topmost(tag); at > int(b.current().walls.special) {
		b.leave(at-1, written)
	}
}

// formEnd handles the end tag of form.
func (b *builder) formEnd() {
	if b.hasTemplate() {
		if at := b.inScope(TagForm); at > 0 {
			b.closeTo(at - 1)
		}
		return
	}
	n := b.form
	b.form = 0
	if n <= 0 || !b.isOpen(n) || b.position(n) < int(b.current().walls.scope) {
		return
	}
	b.implyEndTags(TagNone)
	b.markClosed(n)
	b.remove(b.position(n))
}

// isHidden reports whether the current start tag has type=hidden.
func (b *builder) isHidden() bool {
	for i := int(b.tok.attrs); i < len(b.tree.Attrs); i++ {
		a := &b.tree.Attrs[i]
		if string(b.attrName(a)) == "type" {
			return bytes.EqualFold(b.attrValue(a), []byte("hidden"))
		}
	}
	return false
}

// mergeAttrs gives n those attributes of the current tag whose names it does not have.
// set holds the names of n once it has been needed.
func (b *builder) mergeAttrs(n Node, set *attrSet) {
	t := &b.tree
	from, to := int(b.tok.attrs), len(t.Attrs)
	if from == to {
		return
	}
	if set.count == 0 {
		for i := t.AttrStart[n]; i < t.AttrEnd[n]; i++ {
			set.add(b, b.attrName(&t.Attrs[i]), i)
		}
	}
	added := 0
	for i := from; i < to; i++ {
		a := t.Attrs[i]
		if set.find(b, b.attrName(&a)) >= 0 {
			continue
		}
		if int(t.AttrEnd[n]-t.AttrStart[n])+added >= b.bounds.MaxAttrs {
			b.doc.Cut |= CutAttrs
			break
		}
		t.Attrs[from+added] = a // never ahead of i
		set.add(b, b.attrName(&a), uint32(from+added))
		added++
	}
	if added == 0 {
		return
	}
	// The attributes of one element are contiguous. If the old ones do not end where
	// the new ones begin, both are copied. The set may still read them at their old
	// indexes.
	t.Attrs = t.Attrs[:from+added]
	if int(t.AttrEnd[n]) != from {
		start := uint32(len(t.Attrs))
		t.Attrs = append(t.Attrs, t.Attrs[t.AttrStart[n]:t.AttrEnd[n]]...)
		t.Attrs = append(t.Attrs, t.Attrs[from:from+added]...)
		t.AttrStart[n] = start
	}
	t.AttrEnd[n] = uint32(len(t.Attrs))
	b.tok.attrs = uint32(len(t.Attrs))
}

// replaceBody puts a frameset in the place of the body.
func (b *builder) replaceBody() {
	b.link()
	b.detach(b.stack[1].node)
	b.popTo(1)
	b.insert(TagFrameset)
	b.mode = modeInFrameset
}
