package html

// This file has the insertion modes inside a table (standard, 13.2.6.4.9 to
// 13.2.6.4.15). As elsewhere, a handler returns true if the token is to be
// treated again, in the mode that the handler set.

func (b *builder) tableStart(tag Tag) bool {
	switch tag {
	case TagCaption:
		b.clearTo(TagTable)
		if b.room(1) {
			b.addMarker()
			b.insert(tag)
			b.mode = modeInCaption
		}
		return false
	case TagColgroup:
		b.clearTo(TagTable)
		if b.insert(tag) {
			b.mode = modeInColumnGroup
		}
		return false
	case TagCol:
		b.clearTo(TagTable)
		if !b.room(1) {
			return false
		}
		b.insertImplied(TagColgroup)
		b.mode = modeInColumnGroup
		return true
	case TagTbody, TagTfoot, TagThead:
		b.clearTo(TagTable)
		if b.insert(tag) {
			b.mode = modeInTableBody
		}
		return false
	case TagTd, TagTh, TagTr:
		b.clearTo(TagTable)
		if !b.room(3) {
			return false
		}
		b.insertImplied(TagTbody)
		b.mode = modeInTableBody
		return true
	case TagTable:
		at := b.inTableScope(TagTable)
		if at == 0 {
			return false
		}
		b.popTo(at - 1)
		b.resetMode()
		return true
	case TagStyle, TagScript, TagTemplate:
		b.headStart(tag)
		return false
	case TagInput:
		if b.isHidden() {
			b.insertVoid(tag)
			return false
		}
	case TagForm:
		if b.form == 0 && !b.hasTemplate() {
			b.insertVoid(tag) // it has no content here
			b.form = b.hit
		}
		return false
	}
	b.foster = true
	b.bodyStart(tag)
	b.foster = false
	return false
}

func (b *builder) tableEnd(tag Tag) bool {
	switch tag {
	case TagTable:
		if at := b.inTableScope(TagTable); at > 0 {
			b.closeTo(at - 1)
			b.resetMode()
		}
		return false
	case TagBody, TagCaption, TagCol, TagColgroup, TagHtml, TagTbody, TagTd,
		TagTfoot, TagTh, TagThead, TagTr:
		return false
	case TagTemplate:
		b.templateEnd()
		return false
	}
	b.foster = true
	again := b.bodyEnd(tag)
	b.foster = false
	return again
}

func (b *builder) captionStart(tag Tag) bool {
	switch tag {
	case TagCaption, TagCol, TagColgroup, TagTbody, TagTd, TagTfoot, TagTh, TagThead, TagTr:
		return b.leaveCaption()
	}
	b.bodyStart(tag)
	return false
}

func (b *builder) captionEnd(tag Tag) bool {
	switch tag {
	case TagCaption:
		if at := b.inTableScope(TagCaption); at > 0 {
			b.closeTo(at - 1)
			b.clearActive()
			b.mode = modeInTable
		}
		return false
	case TagTable:
		return b.leaveCaption()
	case TagBody, TagCol, TagColgroup, TagHtml, TagTbody, TagTd, TagTfoot, TagTh, TagThead, TagTr:
		return false
	}
	return b.bodyEnd(tag)
}

// leaveCaption closes the caption before a token that belongs to the table.
func (b *builder) leaveCaption() bool {
	at := b.inTableScope(TagCaption)
	if at == 0 {
		return false
	}
	b.popTo(at - 1)
	b.clearActive()
	b.mode = modeInTable
	return true
}

func (b *builder) columnGroupStart(tag Tag) bool {
	switch tag {
	case TagHtml:
		b.bodyStart(tag)
		return false
	case TagCol:
		b.insertVoid(tag)
		return false
	case TagTemplate:
		b.headStart(tag)
		return false
	}
	return b.leaveColumnGroup()
}

func (b *builder) columnGroupEnd(tag Tag) bool {
	switch tag {
	case TagColgroup:
		if b.currentIs(TagColgroup) {
			b.closeTop()
			b.mode = modeInTable
		}
		return false
	case TagCol:
		return false
	case TagTemplate:
		b.templateEnd()
		return false
	}
	return b.leaveColumnGroup()
}

// leaveColumnGroup closes the column group before a token that does not belong
// to it; false if the current node is not one.
func (b *builder) leaveColumnGroup() bool {
	if !b.currentIs(TagColgroup) {
		return false
	}
	b.pop()
	b.mode = modeInTable
	return true
}

func (b *builder) tableBodyStart(tag Tag) bool {
	switch tag {
	case TagTr:
		b.clearTo(TagTbody, TagTfoot, TagThead)
		if b.insert(tag) {
			b.mode = modeInRow
		}
		return false
	case TagTd, TagTh:
		b.clearTo(TagTbody, TagTfoot, TagThead)
		if !b.room(2) {
			return false
		}
		b.insertImplied(TagTr)
		b.mode = modeInRow
		return true
	case TagCaption, TagCol, TagColgroup, TagTbody, TagTfoot, TagThead:
		return b.leaveTableBody()
	}
	return b.tableStart(tag)
}

func (b *builder) tableBodyEnd(tag Tag) bool {
	switch tag {
	case TagTbody, TagTfoot, TagThead:
		if b.inTableScope(tag) > 0 {
			b.clearTo(TagTbody, TagTfoot, TagThead)
			b.closeTop()
			b.mode = modeInTable
		}
		return false
	case TagTable:
		return b.leaveTableBody()
	case TagBody, TagCaption, TagCol, TagColgroup, TagHtml, TagTd, TagTh, TagTr:
		return false
	}
	return b.tableEnd(tag)
}

// leaveTableBody closes the row group before a token that belongs to the table.
func (b *builder) leaveTableBody() bool {
	if b.sectionInTableScope() == 0 {
		return false
	}
	b.clearTo(TagTbody, TagTfoot, TagThead)
	b.pop()
	b.mode = modeInTable
	return true
}

func (b *builder) rowStart(tag Tag) bool {
	switch tag {
	case TagTd, TagTh:
		b.clearTo(TagTr)
		if b.insert(tag) {
			b.mode = modeInCell
			b.addMarker()
		}
		return false
	case TagCaption, TagCol, TagColgroup, TagTbody, TagTfoot, TagThead, TagTr:
		return b.leaveRow()
	}
	return b.tableStart(tag)
}

func (b *builder) rowEnd(tag Tag) bool {
	switch tag {
	case TagTr:
		if b.inTableScope(TagTr) > 0 {
			b.clearTo(TagTr)
			b.closeTop()
			b.mode = modeInTableBody
		}
		return false
	case TagTable:
		return b.leaveRow()
	case TagTbody, TagTfoot, TagThead:
		return b.inTableScope(tag) > 0 && b.leaveRow()
	case TagBody, TagCaption, TagCol, TagColgroup, TagHtml, TagTd, TagTh:
		return false
	}
	return b.tableEnd(tag)
}

// leaveRow closes the row before a token that belongs to the row group.
func (b *builder) leaveRow() bool {
	if b.inTableScope(TagTr) == 0 {
		return false
	}
	b.clearTo(TagTr)
	b.pop()
	b.mode = modeInTableBody
	return true
}

func (b *builder) cellStart(tag Tag) bool {
	switch tag {
	case TagCaption, TagCol, TagColgroup, TagTbody, TagTd, TagTfoot, TagTh, TagThead, TagTr:
		return b.leaveCell()
	}
	b.bodyStart(tag)
	return false
}

func (b *builder) cellEnd(tag Tag) bool {
	switch tag {
	case TagTd, TagTh:
		if at := b.inTableScope(tag); at > 0 {
			b.closeTo(at - 1)
			b.clearActive()
			b.mode = modeInRow
		}
		return false
	case TagBody, TagCaption, TagCol, TagColgroup, TagHtml:
		return false
	case TagTable, TagTbody, TagTfoot, TagThead, TagTr:
		return b.inTableScope(tag) > 0 && b.leaveCell()
	}
	return b.bodyEnd(tag)
}

// leaveCell closes the cell before a token that belongs to the row.
func (b *builder) leaveCell() bool {
	at := b.cellInTableScope()
	if at == 0 {
		return false
	}
	b.popTo(at - 1)
	b.clearActive()
	b.mode = modeInRow
	return true
}

// fosterPlace returns the place for a child that a table, row group or row cannot have:
// before the table, or at the end of a template inside it. In both cases the current
// node is then no longer the last thing in the document.
func (b *builder) fosterPlace() (parent, before Node) {
	b.link()
	table, template := b.topmost(TagTable), b.topmost(TagTemplate)
	switch {
	case template > table:
		return b.stack[template-1].node, 0
	case table == 0: // a fragment
		return b.stack[0].node, 0
	}
	n := b.stack[table-1].node
	return b.tree.Parent[n], n
}
