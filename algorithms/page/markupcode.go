package page

import (
	"bytes"
	"unicode"

	"github.com/winnow/winnow/algorithms/html"
)

// codeWriter is where the writing of a codeArea is.
type codeWriter struct {
	at      html.Node // what begins before it was written or passed over
	last    html.Node // the last node before it
	start   bool      // nothing was written yet
	tail    []byte    // white space that follows the last text
	indent  []byte    // white space since the last line break
	added   bool      // the last line break is that of a block, which the source may repeat
	newline bool      // nothing follows the last line break
	breaks  int       // line breaks that are due before the next text
}

// enterCode opens the element r, which shows code, as pre. An element that its parent needs
// stays around it.
func (m *markup) enterCode(r Row, a *codeArea) {
	name := ""
	if m.isPart(r) && m.t.Tag[r] != html.TagTbody {
		name = m.p.TagName(m.t.Tag[r])
		m.dst = append(append(append(m.dst, '<'), name...), '>')
	}
	m.dst = append(m.dst, "<pre"...)
	if a.language != nil && !(a.pre && m.p.Tree.Tag[a.node+1] == html.TagCode && m.p.ownLanguage(a.node+1, true) != nil) {
		m.dst = append(append(append(m.dst, ` class="`...), a.language...), '"')
	}
	m.dst = append(m.dst, '>')
	m.open = append(m.open, written{row: r, name: name, to: len(m.dst), pre: true})
	m.area = a
	m.line = codeWriter{at: a.node + 1, last: a.node, start: true, tail: m.line.tail[:0], indent: m.line.indent[:0]}
	m.broken, m.image = true, false
}

// closeCode closes the pre element.
func (m *markup) closeCode() {
	m.dst = append(m.dst, "</pre>"...)
	m.area, m.broken, m.image = nil, true, false
}

// enterInCode opens the element r of code. Only what marks a part of a line is written.
func (m *markup) enterInCode(r Row) {
	b := m.t
	cls := classesOf(b.Tag[r])
	if cls&classVoid != 0 {
		return
	}
	w := written{row: r}
	if cls&(classBlock|classMarkup) == classMarkup && (m.area.pre || b.Tag[r] != html.TagCode) && !m.code.inNumbers(&m.p.Tree, b.Node[r]) && b.TextStart[r] < b.TextEnd[r] {
		m.passTo(b.Node[r])
		m.due()
		w.name, w.from = m.p.TagName(b.Tag[r]), len(m.dst)
		m.dst = append(append(m.dst, '<'), w.name...)
		m.attrs(b.Node[r])
		m.dst = append(m.dst, '>')
		w.to = len(m.dst)
	}
	m.open = append(m.open, w)
}

// writeCode writes a slice of the text row r of code.
func (m *markup) writeCode(r Row, start, end int32) {
	t, b := &m.p.Tree, m.t
	n := b.Node[r]
	source := t.Text[t.Data[n].Start:t.Data[n].End]
	m.passTo(n)
	if m.line.at == n {
		m.blanks(source[:skipSpace(source, 0)])
		m.line.at, m.line.last = n+1, n
	}
	m.due()
	source = source[skipSpace(source, 0):trimSpaceEnd(source)]
	if start == b.TextStart[r] && end == b.TextEnd[r] && len(m.masks) == 0 {
		m.lines(source)
	} else {
		m.escape(start, end)
	}
	m.line.start, m.line.newline, m.line.added = false, false, false
	m.line.tail = append(m.line.tail[:0], t.Text[t.Data[n].Start:t.Data[n].End][trimSpaceEnd(t.Text[t.Data[n].Start:t.Data[n].End]):]...)
}

// lines writes the text of a node. White space in it is that of HTML unless the area keeps it.
func (m *markup) lines(text []byte) {
	if m.area.spaced {
		m.dst = appendEscaped(m.dst, text)
		return
	}
	for len(text) > 0 {
		i := bytes.IndexFunc(text, unicode.IsSpace)
		if i < 0 {
			i = len(text)
		}
		m.dst = appendEscaped(m.dst, text[:i])
		j := skipSpace(text, i)
		m.line.indent = m.line.indent[:0]
		m.blanks(text[i:j])
		m.dst = append(m.dst, m.line.indent...)
		text = text[j:]
	}
	m.line.indent = m.line.indent[:0]
}

// passTo collects the white space and the line breaks of the nodes before n.
func (m *markup) passTo(n html.Node) {
	t := &m.p.Tree
	w := &m.line
	m.blanks(w.tail)
	w.tail = w.tail[:0]
	for w.at < n {
		c := w.at
		m.closeBefore(c)
		w.last = c
		w.at++
		switch t.Kind[c] {
		case html.KindText:
			text := t.Text[t.Data[c].Start:t.Data[c].End]
			if skipSpace(text, 0) == len(text) {
				m.blanks(text)
			} else if !w.start && bytes.IndexByte(text, '\n') >= 0 { // it was not chosen
				m.breakLine()
			}
		case html.KindElement:
			tag := t.Tag[c]
			switch {
			case tag == html.TagBr:
				m.blankLine()
			case m.code.inNumbers(t, c), classesOf(tag)&(classLeftOut|classChildless) != 0 && tag != html.TagNoscript:
				w.at = t.End[c]
			case IsBlockTag(tag):
				m.breakLine()
				if t.End[c] <= n && m.isEmptyLine(c) {
					m.blankLine()
					w.at = t.End[c]
				}
			case m.p.codeClassOfNode(c) == codeLine:
				m.breakLine()
			}
		}
	}
	m.closeBefore(n)
}

// closeBefore breaks the line if a block ends between the last node and n.
func (m *markup) closeBefore(n html.Node) {
	t := &m.p.Tree
	for x := m.line.last; x > m.area.node && t.End[x] <= n; x = t.Parent[x] {
		if t.Kind[x] == html.KindElement && IsBlockTag(t.Tag[x]) {
			m.breakLine()
		}
		m.line.last = t.Parent[x]
	}
}

// isEmptyLine reports whether a block has neither text nor blocks.
func (m *markup) isEmptyLine(n html.Node) bool {
	t := &m.p.Tree
	for c := n + 1; c < t.End[n]; c++ {
		switch {
		case t.Kind[c] == html.KindText && skipSpace(t.Text[t.Data[c].Start:t.Data[c].End], 0) < t.Data[c].Len():
			return false
		case t.Kind[c] == html.KindElement && IsBlockTag(t.Tag[c]):
			return false
		}
	}
	return true
}

// blanks adds white space of the source.
func (m *markup) blanks(s []byte) {
	w := &m.line
	if !m.area.spaced {
		if bytes.IndexByte(s, '\n') >= 0 { // it parts tags, and not words of the code
			if len(w.indent) == 0 && !w.newline && !w.start {
				w.indent = append(w.indent, ' ')
			}
			return
		}
		w.indent = append(w.indent, bytes.ReplaceAll(s, []byte("\u00a0"), []byte{' '})...)
		return
	}
	for line := range bytes.Lines(s) {
		if line[len(line)-1] != '\n' {
			w.indent = append(w.indent, line...)
			return
		}
		if w.added {
			w.added = false
			w.indent = w.indent[:0]
			continue
		}
		m.blankLine()
	}
}

// breakLine ends the line if there is anything in it.
func (m *markup) breakLine() {
	if w := &m.line; !w.start && !w.newline {
		m.blankLine()
		w.added = true
	} else {
		w.indent = w.indent[:0]
	}
}

// blankLine ends the line.
func (m *markup) blankLine() {
	w := &m.line
	w.indent = w.indent[:0]
	if !w.start {
		w.breaks++
		w.newline, w.added = true, false
	}
}

// due writes the white space that precedes text.
func (m *markup) due() {
	w := &m.line
	for ; w.breaks > 0; w.breaks-- {
		m.dst = append(m.dst, '\n')
	}
	m.dst = append(m.dst, w.indent...)
	w.indent = w.indent[:0]
	w.newline, w.added = false, false
}
