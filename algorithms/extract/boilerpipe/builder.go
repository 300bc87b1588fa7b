package boilerpipe

import (
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// built is what the variants share: the blocks of a page before any filter, their
// texts, and the text rows they consist of.
type built struct {
	blocks []block
	text   []byte     // texts of all blocks, each trimmed
	rows   []page.Row // text rows in document order; a block has a range of them

	state builder
}

var builtBlocks = &algorithms.Feature[built]{
	Name:    "boilerpipe-blocks",
	Doc:     "text blocks with word counts, link and text density, level and labels",
	Compute: func(dst *built, p *algorithms.Pass) { dst.build(p) },
}

// class says how the start and end of an element affect the current block.
type class uint8

const (
	classOther      class = iota // flush, one level deeper
	classIgnorable               // flush, and no text inside
	classAnchor                  // no flush, a blank around, words inside are linked
	classInline                  // nothing
	classInlineWide              // a blank around
	classBody
)

func classOf(tag html.Tag) class {
	switch tag {
	case html.TagStyle, html.TagScript, html.TagOption, html.TagObject, html.TagEmbed, html.TagApplet, html.TagLink, html.TagNoscript:
		return classIgnorable
	case html.TagA:
		return classAnchor
	case html.TagStrike, html.TagU, html.TagB, html.TagI, html.TagEm, html.TagStrong, html.TagSpan, html.TagSup,
		html.TagSub, html.TagCode, html.TagTt, html.TagVar, html.TagFont:
		return classInline
	case html.TagAbbr, html.TagAcronym:
		return classInlineWide
	case html.TagBody:
		return classBody
	}
	return classOther
}

func labelsOf(tag html.Tag) label {
	switch tag {
	case html.TagLi:
		return labelLI
	case html.TagH1, html.TagH2, html.TagH3:
		return labelHeading
	}
	return 0
}

// builder is the state of the walk: the running block and the open elements.
type builder struct {
	out  *built
	open []openElement

	textStart int   // where the current block begins in out.text
	anchors   []int // byte offsets in out.text where linked text begins and ends, in turn
	rowsStart int
	inAnchor  int
	ignore    int
	level     int32
	blkLevel  int32 // -1: not fixed yet
	flush     bool  // a start tag asked for it; the next text does it
	spaced    bool  // the buffer ends in a blank
	labels    label // labels of all open elements
	index     int32 // index of the next block
}

type openElement struct {
	end    html.Node
	class  class
	labels label // the labels in force before it was opened
}

// build walks the tree below body. Elements end where their range does, so an
// explicit stack of ends replaces recursion.
func (t *built) build(p *algorithms.Pass) {
	t.blocks, t.text, t.rows = t.blocks[:0], t.text[:0], t.rows[:0]
	body := p.Body
	if body.Len() == 0 {
		return
	}
	s := &t.state
	*s = builder{out: t, open: s.open[:0], anchors: s.anchors[:0], blkLevel: -1}
	tree := &p.Page.Tree
	root := body.Node[0]
	for n := root; n < tree.End[root]; n++ {
		for len(s.open) > 0 && s.open[len(s.open)-1].end <= n {
			s.endElement()
		}
		switch tree.Kind[n] {
		case html.KindElement:
			if tree.Space[n] == html.SpaceHTML {
				s.startElement(tree.Tag[n], tree.End[n])
			} else {
				s.startElement(html.TagNone, tree.End[n])
			}
		case html.KindText:
			data := tree.Text[tree.Data[n].Start:tree.Data[n].End]
			if row, ok := body.Row(n); ok {
				if body.Flags[row]&page.Hidden == 0 {
					s.characters(data, row)
				}
			} else if blankText(data) || spaceText(data) && showsText(p.Page, n) {
				s.characters(data, 0)
			}
		}
	}
	for len(s.open) > 0 {
		s.endElement()
	}
}

func (s *builder) startElement(tag html.Tag, end html.Node) {
	c := classOf(tag)
	s.open = append(s.open, openElement{end: end, class: c, labels: s.labels})
	switch c {
	case classOther:
		s.level++
		s.flush = true
		s.labels |= labelsOf(tag)
	case classIgnorable:
		s.level++
		s.flush = true
		s.ignore++
	case classAnchor:
		s.level++
		s.blank()
		if s.inAnchor == 0 && s.ignore == 0 {
			s.anchors = append(s.anchors, len(s.out.text))
		}
		s.inAnchor++
	case classInlineWide:
		s.blank()
	case classBody:
		s.emit()
		s.level++
	}
}

func (s *builder) endElement() {
	e := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	switch e.class {
	case classOther:
		s.level--
		s.emit()
		s.flush = false
	case classIgnorable:
		s.level--
		s.emit()
		s.flush = false
		s.ignore--
	case classAnchor:
		s.level--
		if s.inAnchor--; s.inAnchor == 0 && len(s.anchors)%2 == 1 {
			s.anchors = append(s.anchors, len(s.out.text))
		}
		s.blank()
	case classInlineWide:
		s.blank()
	case classBody:
		s.emit()
		s.level--
	}
	s.labels = e.labels // after emitting: a block keeps the labels it was written under
}

// blank makes the buffer end in one blank.
func (s *builder) blank() {
	if s.ignore == 0 && !s.spaced {
		s.out.text = append(s.out.text, ' ')
		s.spaced = true
	}
}

// characters handles a text event. White space becomes blanks. Inner runs of blanks are
// kept, and at either end at most one blank remains. row is the text's row in the page,
// or 0 if it has none.
func (s *builder) characters(data []byte, row page.Row) {
	if s.flush {
		s.emit()
		s.flush = false
	}
	if s.ignore > 0 || len(data) == 0 {
		return
	}
	start, end := 0, len(data)
	for start < end {
		r, size := utf8.DecodeRune(data[start:])
		if !isSpace(r) {
			break
		}
		start += size
	}
	if start == end {
		s.blank()
		return
	}
	for end > start {
		r, size := utf8.DecodeLastRune(data[start:end])
		if !isSpace(r) {
			break
		}
		end -= size
	}
	if start > 0 {
		s.blank()
	}
	if s.blkLevel < 0 {
		s.blkLevel = s.level
	}
	text := appendBlanked(s.out.text, data[start:end])
	s.spaced = false
	if end < len(data) {
		text = append(text, ' ')
		s.spaced = true
	}
	s.out.text = text
	if row > 0 {
		s.out.rows = append(s.out.rows, row)
	}
}

// appendBlanked appends data with every white space character as a blank.
func appendBlanked(dst, data []byte) []byte {
	for i := 0; i < len(data); {
		c := data[i]
		if c < utf8.RuneSelf {
			if asciiClass[c] == isBlank {
				c = ' '
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if isSpace(r) {
			dst = append(dst, ' ')
		} else {
			dst = append(dst, data[i:i+size]...)
		}
		i += size
	}
	return dst
}

// emit closes the current block. A buffer without any token is kept, and its blanks
// begin the next block.
func (s *builder) emit() {
	t := s.out
	if s.textStart == len(t.text) {
		return
	}
	var b block
	tokens := count(t.text[s.textStart:], s.textStart, s.anchors, &b)
	if tokens == 0 {
		return
	}
	from, to := s.textStart, len(t.text)
	for from < to && t.text[from] == ' ' {
		from++
	}
	for to > from && t.text[to-1] == ' ' {
		to--
	}
	b.textStart, b.textEnd = int32(from), int32(to)
	b.rowsStart, b.rowsEnd = int32(s.rowsStart), int32(len(t.rows))
	b.level = max(s.blkLevel, 0)
	b.labels = s.labels
	b.first, b.last = s.index, s.index
	b.density()
	t.blocks = append(t.blocks, b)
	s.index++
	s.textStart, s.rowsStart, s.blkLevel, s.spaced = len(t.text), len(t.rows), -1, false
	s.anchors = s.anchors[:0]
	if s.inAnchor > 0 {
		s.anchors = append(s.anchors, len(t.text)) // the anchor goes on in the next block
	}
}

// isSpace is Character.isWhitespace of Java, which excludes no-break spaces.
func isSpace(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiClass[r] == isBlank
	}
	return r != '\u00a0' && r != '\u2007' && r != '\u202f' && r != '\u0085' && unicode.IsSpace(r)
}

// showsText reports whether the parent of the text node n is an element whose text
// is page text: not in script, svg, math, select and the like, and not hidden.
func showsText(p *page.Page, n html.Node) bool {
	parent := p.Tree.Parent[n]
	row, ok := p.Body().Row(parent)
	if !ok || p.Tree.Space[parent] != html.SpaceHTML || p.Body().Flags[row]&page.Hidden != 0 {
		return false
	}
	switch p.Tree.Tag[parent] {
	case html.TagSelect, html.TagDatalist, html.TagIframe:
		return false
	}
	return true
}

// spaceText reports whether data is white space to the page, which leaves it out of its
// text, but not to the library, for which a no-break space is a token.
func spaceText(data []byte) bool {
	for _, r := range string(data) {
		if !unicode.IsSpace(r) && !isSpace(r) {
			return false
		}
	}
	return true
}

// blankText reports whether data is white space to the library.
func blankText(data []byte) bool {
	for _, r := range string(data) {
		if !isSpace(r) {
			return false
		}
	}
	return true
}
