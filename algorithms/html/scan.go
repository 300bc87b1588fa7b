package html

import (
	"bytes"
	"encoding/binary"
)

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokText
	tokStart
	tokEnd
	tokComment
	tokDoctype
)

// token is the token that the scanner found last.
type token struct {
	start, end  int      // its bytes in the source
	from, to    int      // the part of it that is text or comment data
	decode      decoding // how src[from:to] is decoded, except for NUL in ordinary text
	tag         Tag      // name of a tag, compared in lower case
	selfClosing bool
	attrs       uint32 // where the attributes of a start tag begin in Tree.Attrs
	attrText    int    // length of Tree.Text before them
	doctype     doctype
}

// hasOddBytes reports whether src has a carriage return or NUL. Few documents have one,
// and for all others texts need not be searched for them.
func hasOddBytes(src []byte) bool {
	return bytes.IndexByte(src, '\r') >= 0 || bytes.IndexByte(src, 0) >= 0
}

// next scans the next token into b.tok.
func (b *builder) next() tokenKind {
	if b.raw != 0 && b.rawText() {
		return tokText
	}
	src := b.src
	for {
		start := b.pos
		i := textEnd(src, start)
		if i > start {
			b.textToken(start, i, decodeRefs)
			return tokText
		}
		if i >= len(src) {
			return tokEOF
		}
		switch src[i+1] {
		case '!':
			return b.declaration(i)
		case '?':
			return b.bogusComment(i, i+1)
		case '/':
			switch c := src[i+2]; {
			case classOf[c]&chLetter != 0:
				return b.scanTag(i, i+2, tokEnd)
			case c == '>': // "</>" is nothing at all
				b.pos = i + 3
				continue
			}
			return b.bogusComment(i, i+2)
		default:
			return b.scanTag(i, i+1, tokStart)
		}
	}
}

// textEnd returns where the run of characters from i on ends: at a "<" that
// begins markup, or the end of the source.
func textEnd(src []byte, i int) int {
	for i < len(src) {
		if src[i] != '<' {
			k := bytes.IndexByte(src[i:], '<')
			if k < 0 {
				return len(src)
			}
			i += k
		}
		// "<" before anything else is text, and "</" at the end of the source.
		if i+1 < len(src) && classOf[src[i+1]]&chMarkup != 0 && (src[i+1] != '/' || i+2 < len(src)) {
			return i
		}
		i++
	}
	return i
}

func (b *builder) textToken(start, end int, d decoding) {
	b.tok.start, b.tok.end = start, end
	b.tok.from, b.tok.to = start, end
	b.tok.decode = d
	b.pos = end
}

// rawText scans the text of the element b.raw up to its end tag. It reports
// false if there is none.
func (b *builder) rawText() bool {
	start, end := b.pos, len(b.src)
	d := nulReplaced
	switch b.raw {
	case TagPlaintext:
	case TagScript:
		end = b.scriptEnd(start)
	case TagTextarea, TagTitle:
		d |= decodeRefs
		fallthrough
	default:
		end = b.nextEndTag(start, b.raw)
	}
	b.raw = 0
	if end == start {
		return false
	}
	b.textToken(start, end, d)
	return true
}

// nextEndTag returns where the first end tag of the listed name tag from i on begins, or the
// end of the source.
func (b *builder) nextEndTag(i int, tag Tag) int {
	for ; i < len(b.src); i++ {
		k := bytes.IndexByte(b.src[i:], '<')
		if k < 0 {
			break
		}
		if i += k; b.isEndTag(i, tag) {
			return i
		}
	}
	return len(b.src)
}

// neverClosed reports whether there is no end tag of the listed name tag from here on, and
// markup of text. Either is looked for once.
func (b *builder) neverClosed(tag Tag) bool {
	if !b.unclosed[tag] {
		if b.nextEndTag(b.pos, tag) < len(b.src) {
			return false
		}
		b.unclosed[tag] = true
	}
	if b.lastText < 0 {
		b.lastText = 0
		for _, open := range []string{"<p", "<P", "<td", "<div"} {
			b.lastText = max(b.lastText, bytes.LastIndex(b.src, []byte(open)))
		}
	}
	return b.pos <= b.lastText
}

// isEndTag reports whether src[i:] begins an end tag of the listed name tag.
func (b *builder) isEndTag(i int, tag Tag) bool {
	return i+1 < len(b.src) && b.src[i+1] == '/' && b.isName(i+2, tagNames[tag])
}

// isName reports whether src[i:] begins with name, in any case, and what ends
// a name.
func (b *builder) isName(i int, name string) bool {
	if i+len(name) >= len(b.src) {
		return false
	}
	for k := 0; k < len(name); k++ {
		if b.src[i+k]|0x20 != name[k] {
			return false
		}
	}
	return classOf[b.src[i+len(name)]]&chTagEnd != 0
}

// scriptEnd returns where the script text from i on ends. Within "<!--" and
// "-->" a "<script" hides the "</script" that follows it (standard, 13.2.5.15
// to 13.2.5.31).
func (b *builder) scriptEnd(i int) int {
	src := b.src
	for {
		k := bytes.IndexByte(src[i:], '<')
		if k < 0 {
			return len(src)
		}
		i += k
		if b.isEndTag(i, TagScript) {
			return i
		}
		if !bytes.HasPrefix(src[i:], escapeOpen) {
			i++
			continue
		}
		// The dashes of "<!--" may be those of "-->".
		escaped, hidden := b.nextArrow(i+2), false
		for i += len(escapeOpen); ; i++ {
			k := bytes.IndexByte(src[min(i, escaped):escaped], '<')
			if k < 0 {
				break
			}
			i += k
			switch {
			case !hidden && b.isEndTag(i, TagScript):
				return i
			case hidden && b.isEndTag(i, TagScript):
				hidden = false
			case !hidden && b.isName(i+1, "script"):
				hidden = true
			}
		}
		if escaped == len(src) {
			return escaped
		}
		i = escaped + len(escapeClose)
	}
}

var (
	escapeOpen  = []byte("<!--")
	escapeClose = []byte("-->")
)

// nextArrow returns where the first "-->" at or after i begins, the length of
// the source if there is none. Calls with growing i cost one pass altogether.
func (b *builder) nextArrow(i int) int {
	if b.arrow < i {
		b.arrow = len(b.src)
		if k := bytes.Index(b.src[i:], escapeClose); k >= 0 {
			b.arrow = i + k
		}
	}
	return b.arrow
}

// scanTag scans the tag at start whose name begins at i.
func (b *builder) scanTag(start, i int, kind tokenKind) tokenKind {
	src := b.src
	from := i
	fold := uint8(0)
	for i < len(src) {
		c := classOf[src[i]]
		if c&chTagEnd != 0 {
			break
		}
		fold |= c
		i++
	}
	b.tok.start = start
	b.tok.tag = b.tagOf(from, i, fold&chFold != 0)
	b.tok.selfClosing = false
	b.tok.attrs, b.tok.attrText = uint32(len(b.tree.Attrs)), len(b.tree.Text)
	if i < len(src) && src[i] == '>' {
		i++
	} else if kind == tokStart {
		i = b.scanAttrs(i)
	} else {
		i = b.skipAttrs(i)
	}
	if i < 0 { // the source ends within the tag: it is dropped
		b.dropAttrs()
		b.pos = len(src)
		return tokEOF
	}
	b.tok.end = i
	b.pos = i
	return kind
}

// tagOf returns the number of the name src[i:j]; fold is true if it has bytes
// to rewrite.
func (b *builder) tagOf(i, j int, fold bool) Tag {
	n := j - i
	short := n <= 8 && i+8 <= len(b.src)
	if short {
		word := binary.LittleEndian.Uint64(b.src[i:]) & (1<<(8*n) - 1)
		if fold {
			word = lowerWord(word)
		}
		// The last byte distinguishes a name from the same name followed by NUL.
		if t := tagSlots[word*tagMultiplier>>tagShift]; tagKeys[t] == word && b.src[j-1] != 0 {
			return Tag(t)
		}
	}
	name := b.src[i:j]
	if fold {
		b.name = appendName(b.name[:0], name)
		name = b.name
	}
	if short {
		return b.doc.names.intern(name) // the names of this length that HTML defines were found above
	}
	return b.doc.intern(name)
}

// lowerWord turns the upper-case letters among eight bytes into lower case.
func lowerWord(w uint64) uint64 {
	const ones = 0x0101010101010101
	low := w &^ (0x80 * ones)
	atLeastA := low + (0x80-'A')*ones
	aboveZ := low + (0x80-'Z'-1)*ones
	upper := atLeastA &^ aboveZ &^ w & (0x80 * ones)
	return w | upper>>2
}

// appendName appends s in lower case, NUL replaced.
func appendName(dst, s []byte) []byte {
	for _, c := range s {
		switch {
		case 'A' <= c && c <= 'Z':
			dst = append(dst, c|0x20)
		case c == 0:
			dst = append(dst, replacement...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
