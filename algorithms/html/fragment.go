package html

// parseFragment replaces what d holds by the fragment d.Source, parsed as the
// content of an element (standard, 13.4). The tree has the nodes below an html
// element of its own. Documents from a crawl are never fragments; the standard
// and its tests treat them as one algorithm with documents, and so does the
// builder.
func (b *builder) parseFragment(d *Document, space Space, name string) {
	b.begin(d)
	b.fragment = true
	if space == SpaceHTML {
		b.contextTag = d.intern([]byte(name))
	} else {
		b.contextTag = TagNone
		b.context = propForeign
		if space == SpaceSVG {
			b.context |= propSVG
		}
		b.context |= b.foreignProps(d.names.intern([]byte(name)), space)
	}
	b.insertImplied(TagHtml)
	switch b.contextTag {
	case TagTemplate:
		b.templates = append(b.templates, modeInTemplate)
	case TagForm:
		b.form = noNode
	}
	b.resetMode()
	switch b.contextTag {
	// No end tag can be that of an element outside the fragment, so all of it is text.
	case TagTitle, TagTextarea:
		b.textToken(0, len(b.src), decodeRefs|nulReplaced)
		b.text()
	case TagStyle, TagXmp, TagIframe, TagNoembed, TagNoframes, TagScript, TagPlaintext:
		b.textToken(0, len(b.src), nulReplaced)
		b.text()
	}
	b.run()
}

// noNode represents an element outside the fragment.
const noNode Node = -1

// contextMode returns the insertion mode for the context element.
func (b *builder) contextMode() mode {
	switch b.contextTag {
	case TagTr:
		return modeInRow
	case TagTbody, TagThead, TagTfoot:
		return modeInTableBody
	case TagCaption:
		return modeInCaption
	case TagColgroup:
		return modeInColumnGroup
	case TagTable:
		return modeInTable
	case TagTemplate:
		return b.templates[len(b.templates)-1]
	case TagFrameset:
		return modeInFrameset
	case TagHtml:
		if b.head == 0 {
			return modeBeforeHead
		}
		return modeAfterHead
	}
	return modeInBody
}
