package page

import (
	"bytes"

	"github.com/winnow/winnow/algorithms/html"
)

// AppendHTML appends s, a selection of p, to dst as an HTML fragment that holds
// only markup for reading: headings, paragraphs, lists, tables, links, images,
// emphasis and code, with their href, src, alt, title, colspan and rowspan, the
// numbers of list items (start, value), the language and direction of text (lang,
// dir), and of code the class that names its language. No scripts, styles, forms,
// embedded objects or addresses of other schemes than http, https, mailto, tel and
// ftp. Addresses stay as the page has them.
//
// If a selection has Rows, the chosen elements are written, and also those parents
// without which they have no meaning (a cell without its table). A selection of text
// alone is written inside all elements around it. Parsed again, the fragment has the
// text of s.
func (p *Page) AppendHTML(dst []byte, s *Selection) []byte {
	return p.AppendHTMLWith(dst, s, nil)
}

// AppendHTMLWith is AppendHTML with every address replaced by the result of resolve,
// such as an absolute address. A result that is not safe is left out.
func (p *Page) AppendHTMLWith(dst []byte, s *Selection, resolve func(address []byte) []byte) []byte {
	m := markup{p: p, b: p.Body(), dst: dst, resolve: resolve}
	if len(s.Rows) > 0 {
		m.rows(s.Rows)
	} else {
		m.spans(s.Spans)
	}
	m.closeTo(Row(m.b.Len()))
	return m.dst
}

// markup writes the fragment from front to back.
type markup struct {
	p       *Page
	b       *Body
	dst     []byte
	resolve func(address []byte) []byte // replaces addresses; nil leaves them as they are

	// open holds the elements around the next text, the innermost last, including those
	// that are not written themselves.
	open []written

	// These describe the gap between the last text written and the next one.
	end    int32 // end of the last text written, in Body.Text
	seen   int32 // the gap was examined up to here
	text   bool  // some text was written
	space  bool  // the gap has white space
	line   bool  // the gap has a line break
	broken bool  // a block boundary or br was written in it

	// Body.Text does not say on which side of an image white space stands.
	node    html.Node // last text or image written
	image   bool      // an image was written since the last text and block boundary
	blanked bool      // white space was written before one
}

// written is an open element.
type written struct {
	row  Row
	name string // name of the tag that was written; empty if none was
}

func (m *markup) rows(rows []Rows) {
	b := m.b
	for _, rs := range rows {
		for r := rs.Start; r < rs.End; {
			m.closeTo(r)
			switch {
			case b.Flags[r]&IsText != 0:
				if b.Flags[r]&Hidden == 0 {
					m.enterFrames(r)
					m.write(r, b.TextStart[r], b.TextEnd[r])
				}
				r++
			case m.void(r):
				r = b.End[r]
			default:
				m.enterFrames(r)
				m.enter(r)
				r++
			}
		}
	}
}

func (m *markup) spans(spans []Span) {
	b := m.b
	r := Row(0)
	for _, sp := range spans {
		for ; int(r) < b.Len() && b.TextStart[r] < sp.End; r++ {
			if b.Flags[r]&(IsText|Hidden) != IsText || b.TextEnd[r] <= sp.Start {
				continue
			}
			m.closeTo(r)
			m.enterAll(r, 0)
			m.write(r, max(sp.Start, b.TextStart[r]), min(sp.End, b.TextEnd[r]))
			if b.TextEnd[r] > sp.End {
				break // the next span may begin in this row
			}
		}
	}
}

// void reports whether the element r would show nothing: it is hidden, or it has neither
// text nor image and is no element that shows something by itself.
func (m *markup) void(r Row) bool {
	b := m.b
	if b.Flags[r]&Hidden != 0 {
		return true
	}
	if b.Sum(b.C, r) > 0 || b.Sum(b.IMG, r) > 0 {
		return false
	}
	switch b.Tag[r] {
	case html.TagBr, html.TagHr, html.TagWbr, html.TagTd, html.TagTh, html.TagCol, html.TagColgroup:
		return false
	}
	return true
}

// enterFrames opens the parents without which r has no meaning. These are the elements
// between r and the innermost open element, if that may only hold its own parts, and
// the elements that r is a part of.
func (m *markup) enterFrames(r Row) {
	b := m.b
	if n := len(m.open); n > 0 && b.Parent[r] != m.open[n-1].row && classesOf(b.Tag[m.open[n-1].row])&classFrame != 0 {
		m.enterAll(r, m.open[n-1].row)
		return
	}
	top := r
	for m.isPart(top) && !m.isOpen(b.Parent[top]) && classesOf(b.Tag[b.Parent[top]])&classFrame != 0 {
		top = b.Parent[top]
	}
	if top != r {
		m.enterAll(r, b.Parent[top])
	}
}

// isPart reports whether r is a part of a list or table.
func (m *markup) isPart(r Row) bool {
	switch m.b.Tag[r] {
	case html.TagLi, html.TagDt, html.TagDd, html.TagTd, html.TagTh, html.TagTr, html.TagTbody, html.TagThead, html.TagTfoot, html.TagCaption, html.TagCol, html.TagColgroup:
		return true
	}
	return false
}

// isOpen reports whether r is the innermost open element.
func (m *markup) isOpen(r Row) bool {
	return len(m.open) > 0 && m.open[len(m.open)-1].row == r
}

// enterAll opens the elements around r that lie inside above and are not open.
func (m *markup) enterAll(r, above Row) {
	first := len(m.open)
	for x := m.b.Parent[r]; x > above && !(first > 0 && m.open[first-1].row >= x); x = m.b.Parent[x] {
		m.open = append(m.open, written{row: x})
	}
	chain := m.open[first:]
	m.open = m.open[:first]
	for i, j := 0, len(chain)-1; i < j; i, j = i+1, j-1 {
		chain[i], chain[j] = chain[j], chain[i]
	}
	for _, w := range chain { // enter appends over chain, element by element
		m.enter(w.row)
	}
}

// enter opens the element r, or writes it if it has no content.
func (m *markup) enter(r Row) {
	b := m.b
	tag := b.Tag[r]
	cls := classesOf(tag)
	name := ""
	switch {
	case cls&classMarkup != 0:
		name = m.p.TagName(tag)
	case cls&classBlock != 0 && tag != html.TagBody:
		name = "div"
	}
	if name != "" {
		switch {
		case cls&(classBlock|classBr) != 0:
			m.broken, m.image = true, false
		case tag == html.TagImg:
			m.beforeImage(r)
		default:
			m.gap(r, b.TextStart[r])
		}
		m.dst = append(m.dst, '<')
		m.dst = append(m.dst, name...)
		m.attrs(b.Node[r])
		m.dst = append(m.dst, '>')
	}
	if cls&classVoid == 0 {
		m.open = append(m.open, written{r, name})
	}
}

// closeTo closes the elements that end before row r.
func (m *markup) closeTo(r Row) {
	for n := len(m.open); n > 0 && m.b.End[m.open[n-1].row] <= r; n-- {
		w := m.open[n-1]
		m.open = m.open[:n-1]
		if w.name == "" {
			continue
		}
		m.dst = append(m.dst, '<', '/')
		m.dst = append(m.dst, w.name...)
		m.dst = append(m.dst, '>')
		if m.b.Flags[w.row]&IsBlock != 0 {
			m.broken, m.image = true, false
		}
	}
}

// write writes a slice of the text row r.
func (m *markup) write(r Row, start, end int32) {
	m.gap(r, start)
	m.dst = appendEscaped(m.dst, m.b.Text[start:end])
	m.end, m.seen = end, end
	m.text, m.space, m.line, m.broken = true, false, false, false
	m.node, m.image, m.blanked = m.b.Node[r], false, false
}

// beforeImage writes the white space that stands before the image r.
func (m *markup) beforeImage(r Row) {
	n := m.b.Node[r]
	if (m.image || m.text && !m.broken) && m.blankBetween(m.node, n) {
		m.dst = append(m.dst, ' ')
		m.blanked = true
	}
	m.node, m.image = n, true
}

// blankBetween reports whether there is white space between two nodes that were written
// one after the other, at the end of from, before to, or at its start. Between them are
// elements' tags, and content that was not chosen. The ranges of different calls hardly
// overlap, so the calls are linear in the page.
func (m *markup) blankBetween(from, to html.Node) bool {
	t, b := &m.p.Tree, m.b
	text := func(n html.Node) []byte { return t.Text[t.Data[n].Start:t.Data[n].End] }
	if t.Kind[from] == html.KindText {
		if s := text(from); trimSpaceEnd(s) < len(s) {
			return true
		}
	}
	for n := from + 1; n < to; {
		switch t.Kind[n] {
		case html.KindText:
			if hasSpace(text(n)) {
				return true
			}
		case html.KindElement:
			if r, ok := b.Row(n); !ok || b.Flags[r]&Hidden != 0 || classesOf(t.Tag[n])&classChildless != 0 {
				n = t.End[n]
				continue
			}
		}
		n++
	}
	return t.Kind[to] == html.KindText && skipSpace(text(to), 0) > 0
}

// afterImage writes the white space between an image and the text that begins
// in or below row r.
func (m *markup) afterImage(r Row) {
	b := m.b
	for int(r)+1 < b.Len() && b.Flags[r]&IsText == 0 {
		r++
	}
	if m.blankBetween(m.node, b.Node[r]) || m.space && m.text && !m.broken && !m.blanked {
		m.dst = append(m.dst, ' ')
	}
}

// gap writes the separator between the last text and the text at start, which is in or
// below row r.
func (m *markup) gap(r Row, start int32) {
	if start <= m.seen {
		return
	}
	gap := m.b.Text[m.seen:start]
	m.line = m.line || bytes.IndexByte(gap, '\n') >= 0
	m.space = m.space || hasSpace(gap)
	blank := skipSpace(gap, 0) == len(gap) && m.seen == m.end
	m.seen = start
	switch {
	case blank && m.b.Flags[r]&inPre != 0:
		if m.broken || !m.text {
			gap = gap[bytes.LastIndexByte(gap, '\n')+1:]
		}
		m.dst = append(m.dst, gap...)
	case m.line && m.text && !m.broken:
		m.dst = append(m.dst, "<br>"...)
		m.broken = true
	case m.image:
		m.afterImage(r)
	case !m.text || m.broken:
	case m.space:
		m.dst = append(m.dst, ' ')
	}
	m.space, m.line = false, false
}

// attrs writes those attributes of the element n that matter to a reader.
func (m *markup) attrs(n html.Node) {
	for _, a := range m.p.Attrs(n) {
		name := m.p.AttrName(a)
		value := m.p.AttrValue(a)
		switch string(name) {
		case "href", "src":
			if m.resolve != nil && safeAddress(value) {
				value = m.resolve(value)
			}
			if !safeAddress(value) {
				continue
			}
		case "alt", "title", "colspan", "rowspan", "lang", "dir":
		case "start", "value":
			if tag := m.p.Tree.Tag[n]; tag != html.TagOl && tag != html.TagLi {
				continue
			}
		case "class":
			if tag := m.p.Tree.Tag[n]; tag != html.TagCode && tag != html.TagPre {
				continue
			}
			if value = language(value); len(value) == 0 {
				continue
			}
		default:
			continue
		}
		m.dst = append(m.dst, ' ')
		m.dst = append(m.dst, name...)
		m.dst = append(m.dst, '=', '"')
		m.dst = appendEscaped(m.dst, value)
		m.dst = append(m.dst, '"')
	}
}

// language returns the word of a class attribute that names a programming language, as
// the HTML standard suggests for code, or an empty word if there is none.
func language(class []byte) []byte {
	for word := range bytes.FieldsSeq(class) {
		if name, ok := bytes.CutPrefix(word, []byte("language-")); ok && len(name) > 0 {
			return word
		}
	}
	return nil
}

// safeAddress reports whether u has no scheme, or one that AppendHTML keeps. White space and
// control characters are ignored, as browsers ignore them.
func safeAddress(u []byte) bool {
	var scheme [8]byte
	n := 0
	for _, c := range u {
		switch {
		case c <= ' ':
			continue
		case c == '/' || c == '?' || c == '#':
			return true // relative
		case c == ':':
			switch string(scheme[:n]) {
			case "http", "https", "mailto", "tel", "ftp":
				return true
			}
			return false
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		if n < len(scheme) {
			scheme[n] = c
			n++
		}
	}
	return true
}

// appendEscaped appends s as it is written in HTML, in text or between double
// quotes.
func appendEscaped(dst, s []byte) []byte {
	for {
		i := bytes.IndexAny(s, `&<>"`)
		if i < 0 {
			return append(dst, s...)
		}
		dst = append(dst, s[:i]...)
		switch s[i] {
		case '&':
			dst = append(dst, "&amp;"...)
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		default:
			dst = append(dst, "&quot;"...)
		}
		s = s[i+1:]
	}
}
