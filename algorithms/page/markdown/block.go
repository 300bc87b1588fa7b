package markdown

import (
	"bytes"
	"strconv"

	"golang.org/x/net/html/atom"
)

// push enters a list, an item or a quote. If there is no room left for its indentation,
// it is only counted.
func (w *writer) push(b box) {
	if w.over > 0 || w.indent+b.width > maxIndent || len(w.boxes) >= maxIndent {
		w.over++
		return
	}
	w.indent += b.width
	w.boxes = append(w.boxes, b)
}

// pop leaves the innermost box, which tag opened.
func (w *writer) pop(tag atom.Atom) {
	if w.over > 0 {
		w.over--
		return
	}
	n := len(w.boxes) - 1
	if n < 0 || w.boxes[n].tag != tag {
		return
	}
	w.indent -= w.boxes[n].width
	if (tag == atom.Li || tag == atom.Dd) && n > 0 && w.boxes[n].marker == "" { // the item was written
		w.boxes[n-1].later = !w.boxes[n].note
	}
	w.boxes = w.boxes[:n]
}

// item enters an item of the list around, or a definition in it.
func (w *writer) item(tag atom.Atom, a attrs) {
	marker := "- "
	if n := len(w.boxes) - 1; n >= 0 && w.over == 0 && w.boxes[n].tag == atom.Ol {
		list := &w.boxes[n]
		number := ordinal(a.value, list.number)
		marker = strconv.Itoa(number) + ". "
		list.number = ordinal(strconv.Itoa(number+1), number)
	}
	if w.notes[a.note] {
		w.push(box{tag: tag, marker: "[^" + a.note + "]: ", width: 4, note: true})
		return
	}
	w.push(box{tag: tag, marker: marker, width: len(marker)})
}

// begin begins a block: with the blank line that parts it from the block before, if
// one is needed, and with what the lists and quotes around put before its first line.
// It leaves in w.prefix what they put before the others.
func (w *writer) begin() {
	if len(w.out) > w.start && w.parted() {
		w.out = append(w.out, bytes.TrimRight(w.quotes(), " ")...)
		w.out = append(w.out, '\n')
	}
	w.prefix = w.prefix[:0]
	for i := range w.boxes {
		b := &w.boxes[i]
		b.begun = true
		switch {
		case b.width == 0: // a list
		case b.tag == atom.Blockquote:
			w.out = append(w.out, "> "...)
			w.prefix = append(w.prefix, "> "...)
		default:
			if b.marker != "" {
				w.out = append(w.out, b.marker...)
			} else {
				w.out = append(w.out, blanks[:b.width]...)
			}
			b.marker = ""
			w.prefix = append(w.prefix, blanks[:b.width]...)
		}
	}
	for n := len(w.boxes) - 1; n >= 0 && w.boxes[n].width == 0; n-- { // a paragraph between the items of the list
		w.boxes[n].later = false
	}
}

const blanks = "                                " // maxIndent of them

// quotes returns what precedes a blank line: the marks of the surrounding quotes
// that have begun.
func (w *writer) quotes() []byte {
	w.prefix = w.prefix[:0]
	for i := range w.boxes {
		switch b := &w.boxes[i]; {
		case b.width == 0:
		case !b.begun:
			return w.prefix
		case b.tag == atom.Blockquote:
			w.prefix = append(w.prefix, "> "...)
		default:
			w.prefix = append(w.prefix, blanks[:b.width]...)
		}
	}
	return w.prefix
}

// parted reports whether a blank line precedes the next block. The items of a list follow
// each other without one, and so does a list that begins inside an item.
func (w *writer) parted() bool {
	for i := range w.boxes {
		if w.boxes[i].marker == "" {
			continue
		}
		// This item is the outermost that begins here.
		switch {
		case i == 0 || w.boxes[i].note:
			return true
		case w.boxes[i-1].later:
			return false
		case w.boxes[i-1].tag == atom.Ol && w.boxes[i].marker != "1. ":
			return true // only a list that begins with 1 may follow a paragraph directly
		}
		return !(i >= 2 && w.boxes[i-2].tag == atom.Li && w.boxes[i-2].width > 0)
	}
	return true
}

// flush ends the current block and writes it, if there is anything in it.
func (w *writer) flush() {
	if w.code > 0 { // the element goes on in the next block
		w.codeSpan()
		w.raw = w.raw[:0]
	}
	for i := len(w.inline) - 1; i >= 0; i-- {
		m := &w.inline[i]
		once := m.written && m.form == link // the address may be long
		w.endMark(m)
		if once {
			w.inline = append(w.inline[:i], w.inline[i+1:]...)
		}
	}
	line := bytes.TrimRight(w.line, " \n")
	if len(line) == 0 {
		w.line, w.space, w.closed, w.codeEnd, w.noteEnd = w.line[:0], false, 0, 0, 0
		return
	}
	w.begin()
	if w.heading > 0 {
		w.out = append(w.out, "######"[:w.heading]...)
		w.out = append(w.out, ' ')
	}
	for first := true; len(line) > 0; first = false {
		if !first {
			w.out = append(w.out, w.prefix...)
		}
		var next []byte
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line, next = line[:i], line[i+1:]
		}
		if i := escapeStart(line); i >= 0 && w.heading == 0 {
			w.out = append(w.out, line[:i]...)
			w.out = append(w.out, '\\')
			line = line[i:]
		}
		if n := len(line); w.heading > 0 && line[n-1] == '#' { // else it ends the heading
			w.out = append(w.out, line[:n-1]...)
			w.out, line = append(w.out, '\\'), line[n-1:]
		}
		w.out = append(w.out, line...)
		w.out = append(w.out, '\n')
		line = next
	}
	w.line, w.space, w.closed, w.codeEnd, w.noteEnd = w.line[:0], false, 0, 0, 0
}

// fence writes the preformatted text that was collected between more backticks than
// it has in a row.
func (w *writer) fence() {
	code := bytes.TrimRight(bytes.TrimLeft(w.raw, "\n"), " \t\n")
	w.pre = 0
	if len(code) == 0 {
		return
	}
	w.begin()
	fence := bytes.Repeat([]byte{'`'}, max(3, longestRun(code)+1))
	w.out = append(w.out, fence...)
	w.out = append(w.out, w.lang...)
	w.out = append(w.out, '\n')
	for line := range bytes.SplitSeq(code, []byte{'\n'}) {
		if len(line) > 0 {
			w.out = append(w.out, w.prefix...)
			w.out = append(w.out, line...)
		} else {
			w.out = append(w.out, bytes.TrimRight(w.prefix, " ")...)
		}
		w.out = append(w.out, '\n')
	}
	w.out = append(w.out, w.prefix...)
	w.out = append(w.out, fence...)
	w.out = append(w.out, '\n')
	w.raw = w.raw[:0]
}

func (w *writer) openInTable(tag atom.Atom, a attrs) {
	t := w.table
	switch tag {
	case atom.Caption:
		t.caption = true
	case atom.Tr:
		w.endCell()
		t.beginRow()
	case atom.Td, atom.Th:
		w.endCell()
		t.pending = a
		t.open = true
	case atom.Li, atom.Dt, atom.Dd:
		if w.space = false; len(w.line) > 0 { // a cell is one line of Markdown
			w.line = append(w.line, "<br>"...)
		}
	default:
		w.space = true
	}
}

func (w *writer) closeInTable(tag atom.Atom) {
	t := w.table
	switch tag {
	case atom.Caption: // a paragraph before the table
		if t.caption {
			w.table = nil
			w.flush()
			w.table, t.caption = t, false
		}
	case atom.Td, atom.Th:
		w.endCell()
	case atom.Tr:
		w.endCell()
		t.endRow()
	case atom.Table:
		w.finishTable()
	default:
		w.space = true
	}
}

// endCell ends the cell that is open. Text between cells stays with the cell before
// it, as the start of the next one.
func (w *writer) endCell() {
	t := w.table
	if !t.open {
		return
	}
	for i := len(w.inline) - 1; i >= 0; i-- {
		w.endMark(&w.inline[i])
	}
	t.cell(bytes.TrimSpace(w.line))
	t.open = false
	w.line, w.space, w.closed, w.codeEnd, w.noteEnd = w.line[:0], false, 0, 0, 0
}

func (w *writer) finishTable() {
	w.endCell()
	t := w.table
	w.table = nil
	if n := len(w.tables); n > 0 {
		w.tables = w.tables[:n-1]
	}
	t.endRow()
	if len(t.widths) > 0 {
		w.begin()
		w.out = t.append(w.out, w.prefix)
	}
}
