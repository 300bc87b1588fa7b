package html

// This file has the insertion modes up to the body (standard, 13.2.6.4.1 to
// 13.2.6.4.6) and the template mode. A handler returns true if the token is to
// be treated again, in the mode that the handler set.

func (b *builder) impliedHTML() {
	b.insertImplied(TagHtml)
	b.mode = modeBeforeHead
}

func (b *builder) impliedHead() {
	b.insertImplied(TagHead)
	b.head = b.current().node
	b.mode = modeInHead
}

func (b *builder) impliedBody() {
	b.insertImplied(TagBody)
	b.mode = modeInBody
}

func (b *builder) beforeHTMLStart(tag Tag) bool {
	if tag != TagHtml {
		b.impliedHTML()
		return true
	}
	n := b.newNode(KindElement, 0)
	b.describe(n, tag, SpaceHTML)
	b.push(n, tag, tag, tag.props())
	b.mode = modeBeforeHead
	return false
}

func (b *builder) beforeHTMLEnd(tag Tag) bool {
	switch tag {
	case TagHead, TagBody, TagHtml, TagBr:
		b.impliedHTML()
		return true
	}
	return false
}

func (b *builder) beforeHeadStart(tag Tag) bool {
	switch tag {
	case TagHtml:
		b.bodyStart(tag)
		return false
	case TagHead:
		b.insert(tag)
		b.head = b.hit
		b.mode = modeInHead
		return false
	}
	b.impliedHead()
	return true
}

func (b *builder) beforeHeadEnd(tag Tag) bool {
	switch tag {
	case TagHead, TagBody, TagHtml, TagBr:
		b.impliedHead()
		return true
	}
	return false
}

func (b *builder) headStart(tag Tag) bool {
	switch tag {
	case TagHtml:
		b.bodyStart(tag)
	case TagBase, TagBasefont, TagBgsound, TagLink, TagMeta:
		b.tree.HasBase = b.tree.HasBase || tag == TagBase
		b.insertVoid(tag)
	case TagTitle, TagNoframes, TagStyle, TagScript:
		b.insertRaw(tag)
	case TagNoscript:
		if b.insert(tag) {
			b.mode = modeInHeadNoscript
		}
	case TagTemplate:
		if b.insert(tag) {
			b.addMarker()
			b.framesOK = false
			b.mode = modeInTemplate
			b.templates = append(b.templates, modeInTemplate)
		}
	case TagHead:
	default:
		b.pop()
		b.mode = modeAfterHead
		return true
	}
	return false
}

func (b *builder) headEnd(tag Tag) bool {
	switch tag {
	case TagHead:
		b.closeTop()
		b.mode = modeAfterHead
	case TagBody, TagHtml, TagBr:
		b.pop()
		b.mode = modeAfterHead
		return true
	case TagTemplate:
		b.templateEnd()
	}
	return false
}

// templateEnd handles the end tag of template, which is the same in all modes.
func (b *builder) templateEnd() {
	at := b.topmost(TagTemplate)
	if at == 0 {
		return
	}
	b.closeTo(at - 1) // generating all implied end tags first makes no difference
	b.clearActive()
	b.templates = b.templates[:len(b.templates)-1]
	b.resetMode()
}

func (b *builder) headNoscriptStart(tag Tag) bool {
	switch tag {
	case TagHtml:
		b.bodyStart(tag)
	case TagBasefont, TagBgsound, TagLink, TagMeta, TagNoframes, TagStyle:
		b.headStart(tag)
	case TagHead, TagNoscript:
	default:
		b.pop()
		b.mode = modeInHead
		return true
	}
	return false
}

func (b *builder) headNoscriptEnd(tag Tag) bool {
	switch tag {
	case TagNoscript:
		b.closeTop()
		b.mode = modeInHead
	case TagBr:
		b.pop()
		b.mode = modeInHead
		return true
	}
	return false
}

func (b *builder) afterHeadStart(tag Tag) bool {
	switch tag {
	case TagHtml:
		b.bodyStart(tag)
	case TagBody:
		b.insert(tag)
		b.framesOK = false
		b.mode = modeInBody
	case TagFrameset:
		b.insert(tag)
		b.mode = modeInFrameset
	case TagBase, TagBasefont, TagBgsound, TagLink, TagMeta, TagNoframes,
		TagScript, TagStyle, TagTemplate, TagTitle:
		b.reopenHead(tag)
	case TagHead:
	default:
		b.impliedBody()
		return true
	}
	return false
}

// reopenHead puts an element that comes after the head into it.
func (b *builder) reopenHead(tag Tag) {
	kept := b.order == orderKept
	if kept {
		// Nodes may have followed the head; attach finds out.
		b.order, b.stale = orderStale, b.n
	}
	b.push(b.head, TagHead, TagHead, TagHead.props())
	b.headStart(tag)
	b.remove(b.position(b.head))
	if kept && b.order == orderStale {
		b.order = orderKept // all that is open lies on the last path again
	}
}

func (b *builder) afterHeadEnd(tag Tag) bool {
	switch tag {
	case TagTemplate:
		b.templateEnd()
	case TagBody, TagHtml, TagBr:
		b.impliedBody()
		return true
	}
	return false
}

func (b *builder) templateStart(tag Tag) bool {
	switch tag {
	case TagBase, TagBasefont, TagBgsound, TagLink, TagMeta, TagNoframes,
		TagScript, TagStyle, TagTemplate, TagTitle:
		return b.headStart(tag)
	case TagCaption, TagColgroup, TagTbody, TagTfoot, TagThead:
		b.mode = modeInTable
	case TagCol:
		b.mode = modeInColumnGroup
	case TagTr:
		b.mode = modeInTableBody
	case TagTd, TagTh:
		b.mode = modeInRow
	default:
		b.mode = modeInBody
	}
	b.templates[len(b.templates)-1] = b.mode
	return true
}
