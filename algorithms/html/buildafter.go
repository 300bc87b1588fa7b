package html

// This file has the insertion modes after the body and those of framesets
// (standard, 13.2.6.4.19 to 13.2.6.4.23).

func (b *builder) afterBodyEnd(tag Tag) bool {
	if tag != TagHtml {
		b.mode = modeInBody
		return true
	}
	if !b.fragment {
		b.markClosed(b.stack[0].node)
		b.mode = modeAfterAfterBody
	}
	return false
}

// framesetStart treats a start tag in and after a frameset.
func (b *builder) framesetStart(tag Tag) {
	inside := b.mode == modeInFrameset
	switch {
	case tag == TagHtml:
		b.bodyStart(tag)
	case tag == TagNoframes:
		b.headStart(tag)
	case tag == TagFrameset && inside:
		b.insert(tag)
	case tag == TagFrame && inside:
		b.insertVoid(tag)
	}
}

// framesetEnd treats an end tag in and after a frameset.
func (b *builder) framesetEnd(tag Tag) {
	switch {
	case b.mode == modeAfterFrameset && tag == TagHtml:
		b.markClosed(b.stack[0].node)
		b.mode = modeAfterAfterFrameset
	case b.mode == modeInFrameset && tag == TagFrameset && len(b.stack) > 1:
		b.closeTop()
		if !b.fragment && !b.currentIs(TagFrameset) {
			b.mode = modeAfterFrameset
		}
	}
}
