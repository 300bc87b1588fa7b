package page

import (
	"bytes"
	"slices"
	"sort"
	"strconv"

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
	return p.AppendHTMLWith(dst, s, MarkupOptions{})
}

// MarkupOptions are options of AppendHTMLWith.
type MarkupOptions struct {
	// Resolve replaces every address, such as by an absolute one. A result that is nil or
	// not safe is left out. Nil leaves the addresses as they are.
	Resolve func(address []byte) []byte
	// Masks are ranges of Body.All.Text in ascending order that are replaced, wherever elements
	// divide them.
	Masks []Mask
	// Value replaces the value of every other attribute, and the sources of formulas. Nil
	// leaves them as they are.
	Value func(value []byte) []byte
	// Formulas writes the TeX source of mathematics, which is not text of the Body, as
	// <span class="math inline">\(x\)</span>, or display and \[x\] for a formula on lines of
	// its own. What KaTeX and MathJax show beside the source is left out. MathML
	// without a source is written as TeX too.
	Formulas bool
	// Footnotes writes the attribute data-note="1", with the number of the footnote, for its
	// mark and its item in a list of notes, and data-note="-1" for its links back.
	Footnotes bool
}

// Mask is a range of Body.All.Text and what is written in its place, at its start.
type Mask struct {
	Span Span
	Text string
}

// AppendHTMLWith is AppendHTML with options.
func (p *Page) AppendHTMLWith(dst []byte, s *Selection, opt MarkupOptions) []byte {
	b := p.Body()
	size := 0
	for _, sp := range s.Spans {
		size += int(sp.End - sp.Start)
	}
	m := markup{p: p, b: b, t: &b.All, dst: slices.Grow(dst, size+size/2), resolve: opt.Resolve, masks: opt.Masks, value: opt.Value, all: len(s.Rows) == 0, code: p.findCode()}
	m.choose(s, opt.Formulas)
	if opt.Footnotes {
		m.notes = p.findNotes()
	}
	if m.all {
		m.spans(s.Spans)
	} else {
		m.rows(s.Rows)
	}
	m.points(html.Node(p.Tree.Len()))
	m.closeTo(Row(m.t.Len()))
	return m.dst
}

// markup writes the fragment from front to back.
type markup struct {
	p       *Page
	b       *Body
	t       *Table // with the rows of noscript
	dst     []byte
	resolve func(address []byte) []byte // replaces addresses; nil leaves them as they are

	value  func(value []byte) []byte // replaces other attributes and formulas; nil leaves them
	masks  []Mask                    // ranges that are not written yet, or not to their end
	masked bool                      // the first of them has begun

	all      bool      // the selection has no rows: all elements around its text are written
	images   []Row     // chosen images that are not written yet, if all is set
	formulas []formula // chosen formulas that are not written yet
	skip     html.Node // rows of nodes before it belong to the formula written last

	notes notes // footnotes of the page

	code code       // code areas of the page
	area *codeArea  // the one that is being written; nil outside of code
	line codeWriter // where its writing is

	// open holds the elements around the next text, the innermost last, including those
	// that are not written themselves.
	open []written

	// These describe the gap between the last text written and the next one.
	end     int32 // end of the last text written, in Body.All.Text
	seen    int32 // the gap was examined up to here
	text    bool  // some text was written
	space   bool  // the gap has white space
	newline bool  // the gap has a line break
	broken  bool  // a block boundary or br was written in it

	// Body.Text does not say on which side of an image white space is.
	node    html.Node // last text, image or formula written
	past    html.Node // end of its subtree
	image   bool      // an image was written since the last text and block boundary
	blanked bool      // white space was written before one
	parted  bool      // the white space after the last image was looked for
}

// written is an open element.
type written struct {
	row      Row
	name     string // name of the tag that was written; empty if none was
	from, to int    // where that tag is in markup.dst
	pre      bool   // the tag is followed by that of pre, or is pre
}

func (m *markup) rows(rows []Rows) {
	b := m.b
	for _, rs := range rows {
		for r := rs.Start; r < rs.End; {
			m.points(b.Node[r] + 1)
			m.closeTo(r)
			switch {
			case b.Node[r] < m.skip:
				r = b.End[r]
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
	b := m.t
	r := Row(0)
	for _, sp := range spans {
		for ; int(r) < b.Len() && b.TextStart[r] < sp.End; r++ {
			if int(r) == m.b.Len() { // the nodes of noscript lie before those of earlier rows
				m.points(html.Node(m.p.Tree.Len()))
				m.skip = 0
			}
			if b.Flags[r]&IsText == 0 || b.TextEnd[r] <= sp.Start {
				continue
			}
			if m.points(b.Node[r]); b.Node[r] < m.skip {
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
// text nor image and is not an element that shows something by itself.
func (m *markup) void(r Row) bool {
	b := m.b
	if b.Flags[r]&Hidden != 0 {
		return true
	}
	if b.Sum(b.Chars, r) > 0 || b.Sum(b.Images, r) > 0 {
		return false
	}
	if len(m.formulas) > 0 && m.formulas[0].node < m.p.Tree.End[b.Node[r]] {
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
	switch m.t.Tag[r] {
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
func (m *markup) enterAll(r, above Row) { m.enterAllIn(m.t.Parent[r], above) }

// enterAllIn opens the element r and the elements around it that lie inside above and are
// not open.
func (m *markup) enterAllIn(r, above Row) {
	first := len(m.open)
	for x := r; x > above && !(first > 0 && m.open[first-1].row >= x); x = m.t.Parent[x] {
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

// choose finds the formulas of a selection, and the images if it is one of text alone.
func (m *markup) choose(s *Selection, formulas bool) {
	b := m.b
	if formulas {
		m.formulas = m.p.formulas()
	}
	if m.all && b.Len() > 0 && b.Sum(b.Images, 0) > 0 {
		for r := range b.Tag {
			if b.Tag[r] == html.TagImg && b.Flags[r]&Hidden == 0 {
				m.images = append(m.images, Row(r))
			}
		}
	}
	if len(m.images)+len(m.formulas) == 0 {
		return
	}
	c := chooser{b: b, spans: s.Spans}
	texts := make([]Row, 0, b.Len()) // visible text rows
	for r := range b.Tag {
		if b.Flags[r]&(IsText|Hidden) == IsText {
			texts = append(texts, Row(r))
		}
	}
	// around returns the last character before a subtree and the first one after it, and
	// the texts inside.
	around := func(n, end html.Node) (before, after int32, inside []Row) {
		i := sort.Search(len(texts), func(i int) bool { return b.Node[texts[i]] >= n })
		j := i + sort.Search(len(texts)-i, func(k int) bool { return b.Node[texts[i+k]] >= end })
		before, after = -1, -1
		if i > 0 {
			before = b.TextEnd[texts[i-1]] - 1
		}
		if j < len(texts) {
			after = b.TextStart[texts[j]]
		}
		return before, after, texts[i:j]
	}
	m.images = slices.DeleteFunc(m.images, func(r Row) bool {
		before, after, _ := around(b.Node[r], b.Node[r]+1)
		return !c.chosen(b.Parent[r], before, after)
	})
	m.formulas = slices.DeleteFunc(m.formulas, func(f formula) bool {
		i := sort.Search(len(s.Rows), func(i int) bool { return s.Rows[i].End > f.parent })
		if i < len(s.Rows) && s.Rows[i].Start <= f.parent {
			return false // the element around it was chosen
		}
		before, after, inside := around(f.node, f.end)
		for _, r := range inside {
			if c.covers(b.TextStart[r]) || c.covers(b.TextEnd[r]-1) {
				return false
			}
		}
		return !c.chosen(f.parent, before, after)
	})
}

// points writes the chosen images and formulas that begin before the node to.
func (m *markup) points(to html.Node) {
	for {
		image := len(m.images) > 0 && m.b.Node[m.images[0]] < to
		formula := len(m.formulas) > 0 && m.formulas[0].node < to
		switch {
		case formula && !(image && m.b.Node[m.images[0]] < m.formulas[0].node):
			f := m.formulas[0]
			m.formulas = m.formulas[1:]
			m.formula(&f)
		case image:
			r := m.images[0]
			m.images = m.images[1:]
			if m.b.Node[r] >= m.skip {
				m.closeTo(r)
				m.enterAll(r, 0)
				m.enter(r)
			}
		default:
			return
		}
	}
}

// formula writes a formula. What the page shows of it is not written.
func (m *markup) formula(f *formula) {
	m.skip = f.end
	b := m.b
	end := int32(0)
	if r, ok := b.Row(f.node); ok {
		end = b.TextEnd[r]
	}
	if f.tex == nil {
		return
	}
	for n := len(m.open); n > 0 && !(m.open[n-1].row <= f.parent && f.parent < b.End[m.open[n-1].row]); n-- {
		m.closeLast()
	}
	if m.all {
		m.enterAllIn(f.parent, 0)
	}
	m.beforePoint(f.node, f.end)
	if m.value != nil {
		f.tex = m.value(f.tex)
	}
	if f.display {
		m.dst = append(appendEscaped(append(m.dst, `<span class="math display">\[`...), f.tex), `\]</span>`...)
	} else {
		m.dst = append(appendEscaped(append(m.dst, `<span class="math inline">\(`...), f.tex), `\)</span>`...)
	}
	if end > m.seen {
		m.end, m.seen, m.space, m.newline = end, end, false, false
	}
}

// enter opens the element r, or writes it if it has no content.
func (m *markup) enter(r Row) {
	b := m.t
	tag := b.Tag[r]
	cls := classesOf(tag)
	name, from := "", 0
	if m.area != nil {
		m.enterInCode(r)
		return
	}
	if a := m.code.area(b.Node[r]); a != nil {
		m.enterCode(r, a)
		return
	}
	switch {
	case cls&classMarkup != 0:
		name = m.p.TagName(tag)
	case cls&classBlock != 0 && tag != html.TagBody:
		name = "div"
	}
	if role := m.roleOf(b.Node[r], tag); role != "" {
		name = role
	}
	if name != "" {
		switch {
		case cls&(classBlock|classBr) != 0:
			m.broken, m.image = true, false
		case tag == html.TagImg:
			m.beforePoint(b.Node[r], b.Node[r]+1)
		default:
			m.gap(r, b.TextStart[r])
		}
		from = len(m.dst)
		m.dst = append(m.dst, '<')
		m.dst = append(m.dst, name...)
		m.attrs(b.Node[r])
		m.dst = append(m.dst, '>')
	}
	if cls&classVoid == 0 {
		m.open = append(m.open, written{row: r, name: name, from: from, to: len(m.dst)})
	}
}

// roleOf returns the name of the element that has the meaning which attributes give to a
// block: a heading, or a quote for a note that is set off from the text. It is empty for others.
func (m *markup) roleOf(n html.Node, tag html.Tag) string {
	switch tag {
	case html.TagDiv, html.TagP, html.TagAside, html.TagSection, html.TagDetails:
	default:
		return ""
	}
	level, role := byte('2'), ""
	for _, a := range m.p.Attrs(n) {
		value := m.p.AttrValue(a)
		switch string(m.p.AttrName(a)) {
		case "role":
			if string(value) == "heading" {
				role = "heading"
			}
		case "aria-level":
			if len(value) == 1 && '1' <= value[0] && value[0] <= '6' {
				level = value[0]
			}
		case "class":
			for word := range bytes.FieldsSeq(value) {
				switch string(word) {
				case "admonition", "callout", "markdown-alert", "theme-admonition", "admonitionblock", "custom-block", "alert-info", "alert-warning",
					"alert-danger", "alert-success", "alert-note", "alert-tip", "notecard", "wp-block-callout", "hint-box", "message-box":
					if tag != html.TagP {
						role = "blockquote"
					}
				}
			}
		}
	}
	if role == "heading" {
		return "h" + string(level)
	}
	return role
}

// closeTo closes the elements that end before row r.
func (m *markup) closeTo(r Row) {
	for n := len(m.open); n > 0 && m.t.End[m.open[n-1].row] <= r; n-- {
		m.closeLast()
	}
}

// closeLast closes the innermost open element.
func (m *markup) closeLast() {
	n := len(m.open) - 1
	w := m.open[n]
	m.open = m.open[:n]
	if w.pre {
		m.closeCode()
	}
	if w.name == "" {
		return
	}
	if m.masked && len(m.dst) == w.to && m.t.Flags[w.row]&IsBlock == 0 && m.t.TextStart[w.row] < m.t.TextEnd[w.row] {
		m.dst = m.dst[:w.from] // its text belongs to a mask that was written before it
		return
	}
	m.dst = append(m.dst, '<', '/')
	m.dst = append(m.dst, w.name...)
	m.dst = append(m.dst, '>')
	if m.t.Flags[w.row]&IsBlock != 0 {
		m.broken, m.image = true, false
	}
}

// write writes a slice of the text row r.
func (m *markup) write(r Row, start, end int32) {
	switch {
	case m.code.inNumbers(&m.p.Tree, m.t.Node[r]):
		return
	case m.area != nil:
		m.writeCode(r, start, end)
	default:
		m.gap(r, start)
		m.escape(start, end)
	}
	m.end, m.seen = end, end
	m.text, m.space, m.newline, m.broken = true, false, false, false
	m.node, m.past, m.image, m.blanked = m.t.Node[r], m.t.Node[r]+1, false, false
}

// escape writes a range of the text, with masks in the places of what they hide.
func (m *markup) escape(start, end int32) {
	for start < end {
		for len(m.masks) > 0 && m.masks[0].Span.End <= start {
			m.masks, m.masked = m.masks[1:], false
		}
		if len(m.masks) == 0 || m.masks[0].Span.Start >= end {
			m.dst = appendEscaped(m.dst, m.t.Text[start:end])
			return
		}
		mask := &m.masks[0]
		if start < mask.Span.Start {
			m.dst = appendEscaped(m.dst, m.t.Text[start:mask.Span.Start])
		}
		if !m.masked {
			m.dst = appendEscaped(m.dst, []byte(mask.Text))
			m.masked = true
		}
		start = min(mask.Span.End, end)
	}
}

// beforePoint writes the white space that precedes an image or formula, whose
// subtree is [n, end).
func (m *markup) beforePoint(n, end html.Node) {
	if (m.image || m.text && !m.broken) && m.blankBetween(m.node, n) {
		m.dst = append(m.dst, ' ')
		m.blanked = true
	}
	m.node, m.past, m.image, m.parted = n, end, true, false
}

// blankBetween reports whether there is white space between from, the last node written,
// and the node to, which is written next: at the end of from, before to, or at its start. Between them are
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
	for n := m.past; n < to; {
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
	b := m.t
	m.parted = true
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
		if m.image && !m.parted && m.t.Flags[r]&IsText != 0 {
			m.afterImage(r)
		}
		return
	}
	gap := m.t.Text[m.seen:start]
	m.newline = m.newline || bytes.IndexByte(gap, '\n') >= 0
	m.space = m.space || hasSpace(gap)
	m.seen = start
	switch {
	case m.newline && m.text && !m.broken:
		m.dst = append(m.dst, "<br>"...)
		m.broken = true
	case m.image:
		m.afterImage(r)
	case !m.text || m.broken:
	case m.space:
		m.dst = append(m.dst, ' ')
	}
	m.space, m.newline = false, false
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
			if value == nil || !safeAddress(value) {
				continue
			}
		case "alt", "title", "colspan", "rowspan", "lang", "dir":
		case "start", "value":
			if tag := m.p.Tree.Tag[n]; tag != html.TagOl && tag != html.TagLi {
				continue
			}
		case "class":
			if m.p.Tree.Tag[n] != html.TagCode {
				continue
			}
			if value = m.p.ownLanguage(n, true); value == nil {
				continue
			}
		default:
			continue
		}
		if m.value != nil && string(name) != "href" && string(name) != "src" {
			value = m.value(value)
		}
		m.dst = append(m.dst, ' ')
		m.dst = append(m.dst, name...)
		m.dst = append(m.dst, '=', '"')
		m.dst = appendEscaped(m.dst, value)
		m.dst = append(m.dst, '"')
	}
	if number := m.notes[n]; number != 0 {
		m.dst = append(m.dst, ` data-note="`...)
		m.dst = strconv.AppendInt(m.dst, int64(number), 10)
		m.dst = append(m.dst, '"')
	}
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
