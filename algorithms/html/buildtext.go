package html

import (
	"bytes"
	"unicode/utf8"
)

// takeText subtracts the length of the current text from what is left of
// Bounds.MaxText. If that is not enough, the document ends there.
func (b *builder) takeText() {
	if b.mode == modeText && isUnreadRaw(b.current().tag) {
		return
	}
	n := b.tok.to - b.tok.from
	if n <= b.textLeft {
		b.textLeft -= n
		return
	}
	b.doc.Cut |= CutText
	end := b.tok.from + b.textLeft
	for end > b.tok.from && !utf8.RuneStart(b.src[end]) {
		end--
	}
	b.src, b.pos, b.textLeft = b.src[:end], end, 0
	b.tok.to, b.tok.end = end, end
}

// isUnreadRaw reports whether t is an element of raw text whose text no reader sees:
// it is not counted against Bounds.MaxText.
func isUnreadRaw(t Tag) bool {
	switch t {
	case TagTitle, TagScript, TagStyle, TagIframe:
		return true
	}
	return false
}

// text handles the current text token: one run of characters, or a part of one
// where it has to be divided between two places of the tree.
func (b *builder) text() {
	from, to := b.tok.from, b.tok.to
	if b.mode == modeInBody && b.stack[len(b.stack)-1].props&propForeign == 0 && !b.fragment {
		b.bodyText(from, to)
		return
	}
	if len(b.stack) > 0 && b.foreignTextApplies() {
		b.foreignText(from, to)
		return
	}
	for from < to { // a CDATA section can be empty
		switch b.mode {
		case modeInBody, modeInCaption, modeInCell, modeInTemplate:
			b.bodyText(from, to)
			return
		case modeText:
			b.rawContent(from, to)
			return
		case modeInTable, modeInTableBody, modeInRow:
			b.tableText(from, to)
			return
		case modeInFrameset, modeAfterFrameset, modeAfterAfterFrameset:
			b.framesetText(from, to)
			return
		}
		// In all other modes the white space at the start is treated separately, and
		// the text after it, if any, changes the mode.
		i := b.inkAt(from, to, false)
		switch b.mode {
		case modeInitial:
			b.dropText(from, i)
			if i < to {
				b.quirks = true
				b.mode = modeBeforeHTML
			}
		case modeBeforeHTML:
			b.dropText(from, i)
			if i < to {
				b.impliedHTML()
			}
		case modeBeforeHead:
			b.dropText(from, i)
			if i < to {
				b.impliedHead()
			}
		case modeInHead:
			b.placeText(from, i)
			if i < to {
				b.pop()
				b.mode = modeAfterHead
			}
		case modeInHeadNoscript:
			b.placeText(from, i)
			if i < to {
				b.pop()
				b.mode = modeInHead
			}
		case modeAfterHead:
			b.placeText(from, i)
			if i < to {
				b.impliedBody()
			}
		case modeInColumnGroup:
			b.placeText(from, i)
			if i < to && !b.leaveColumnGroup() {
				b.dropText(i, to)
				return
			}
		case modeAfterBody, modeAfterAfterBody:
			if i < to { // the white space, too, goes where the text goes
				b.mode = modeInBody
				i = from
			} else {
				b.bodyText(from, to)
			}
		}
		from = i
	}
}

// inkAt returns where the first character of src[i:to] that is not white space begins,
// or to if there is none. If nul is true, NUL is skipped, too. A reference to white space
// counts as white space.
func (b *builder) inkAt(i, to int, nul bool) int {
	for i < to {
		c := b.src[i]
		if isSpace(c) || nul && c == 0 {
			i++
			continue
		}
		if c != '&' || b.tok.decode&decodeRefs == 0 {
			break
		}
		v, n := appendReference(b.name[:0], b.src[i:to], false)
		b.name = v
		if n == 0 || len(v) != 1 || !isSpace(v[0]) {
			break
		}
		i += n
	}
	return i
}

// appendData appends src[from:to] to Tree.Text, decoded.
func (b *builder) appendData(from, to int, d decoding) {
	s := b.src[from:to]
	if d&decodeRefs == 0 && !b.oddBytes || isPlain(s, b.oddBytes) {
		b.tree.Text = append(b.tree.Text, s...)
	} else {
		b.tree.Text = appendDecoded(b.tree.Text, s, d)
	}
}

// dropText records src[from:to] as text that has no effect on the tree.
func (b *builder) dropText(from, to int) {
	if from < to {
		b.addText(from, to, 0, Range{})
	}
}

// placeText inserts src[from:to] at the appropriate place as it is; NUL is
// dropped.
func (b *builder) placeText(from, to int) {
	at := len(b.tree.Text)
	b.appendData(from, to, b.tok.decode|nulDropped)
	if at == len(b.tree.Text) {
		b.dropText(from, to)
		return
	}
	b.insertText(at, from, to)
}

// bodyText treats src[from:to] by the rules of "in body".
func (b *builder) bodyText(from, to int) {
	d := b.tok.decode
	if d&nulReplaced == 0 {
		d |= nulDropped
	}
	at := len(b.tree.Text)
	b.appendData(from, to, d)
	if b.skipLine {
		at = b.skipFirstLine(at)
	}
	if at == len(b.tree.Text) {
		b.dropText(from, to)
		return
	}
	b.reconstruct()
	if b.framesOK && !isBlank(b.tree.Text[at:]) {
		b.framesOK = false
	}
	b.insertText(at, from, to)
}

// rawContent handles the text of elements such as script, title and textarea.
func (b *builder) rawContent(from, to int) {
	at := len(b.tree.Text)
	b.appendData(from, to, b.tok.decode)
	if b.skipLine {
		at = b.skipFirstLine(at)
	}
	if at == len(b.tree.Text) {
		b.dropText(from, to)
		return
	}
	b.insertText(at, from, to)
}

// skipFirstLine skips a line feed at the start of the data at at.
func (b *builder) skipFirstLine(at int) int {
	b.skipLine = false
	if at < len(b.tree.Text) && b.tree.Text[at] == '\n' {
		return at + 1
	}
	return at
}

// foreignText handles text in SVG or MathML.
func (b *builder) foreignText(from, to int) {
	if from == to {
		return
	}
	if b.framesOK && b.inkAt(from, to, true) < to {
		b.framesOK = false
	}
	at := len(b.tree.Text)
	b.appendData(from, to, b.tok.decode|nulReplaced)
	b.insertText(at, from, to)
}

// tableText handles text where a table allows only white space. It is collected first,
// and if it contains anything else, all of it goes before the table.
func (b *builder) tableText(from, to int) {
	if b.current().props&propTableText == 0 {
		b.foster = true
		b.bodyText(from, to)
		b.foster = false
		return
	}
	b.runs = append(b.runs[:0], Range{uint32(from), uint32(to)})
	for bytes.HasPrefix(b.src[b.pos:], emptyEndTag) && b.nlex+len(b.runs) < 2*b.bounds.MaxNodes { // an empty end tag does not end the text
		b.pos += len(emptyEndTag)
		end := textEnd(b.src, b.pos)
		if end-b.pos > b.textLeft {
			break // the document ends in it
		}
		if end > b.pos {
			b.runs = append(b.runs, Range{uint32(b.pos), uint32(end)})
			b.textLeft -= end - b.pos
			b.pos = end
		}
	}
	blank := true
	for _, r := range b.runs {
		blank = blank && b.inkAt(int(r.Start), int(r.End), true) == int(r.End)
	}
	b.foster = !blank
	for _, r := range b.runs {
		if blank {
			b.placeText(int(r.Start), int(r.End))
		} else {
			b.bodyText(int(r.Start), int(r.End))
		}
	}
	b.foster = false
}

var emptyEndTag = []byte("</>")

// framesetText handles text where only frames are allowed: its white space is kept.
func (b *builder) framesetText(from, to int) {
	at := len(b.tree.Text)
	b.appendData(from, to, b.tok.decode|nulDropped)
	kept := b.tree.Text[:at]
	for _, c := range b.tree.Text[at:] {
		if isSpace(c) {
			kept = append(kept, c) // never overtakes the reading position
		}
	}
	b.tree.Text = kept
	if at == len(kept) {
		b.dropText(from, to)
		return
	}
	b.insertText(at, from, to)
}

func isBlank(s []byte) bool {
	for _, c := range s {
		if !isSpace(c) {
			return false
		}
	}
	return true
}

// insertText puts the character data Tree.Text[at:], which comes from src[from:to], at
// the appropriate place: into the text node that is already there or a new one.
func (b *builder) insertText(at, from, to int) {
	t := &b.tree
	data := Range{uint32(at), uint32(len(t.Text))}
	parent, before := b.stack[len(b.stack)-1].node, Node(0)
	if b.foster {
		parent, before = b.place()
	}
	n := b.textBefore(parent, before)
	switch {
	case n == 0:
		n = b.newNodeAt(KindText, parent, before)
		t.Data[n] = data
		t.Open[n] = Range{uint32(from), uint32(to)}
	case t.Data[n].End == data.Start:
		t.Data[n].End = data.End
	default:
		b.addPiece(n, data)
	}
	b.addText(from, to, n, data)
}

// textBefore returns the text node just before the given location, or 0 if there is
// none.
func (b *builder) textBefore(parent, before Node) Node {
	n := b.n - 1
	if b.order != orderKept {
		n = b.nodeBefore(parent, before)
	}
	if b.tree.Kind[n] == KindText && b.tree.Parent[n] == parent {
		return n
	}
	return 0
}
