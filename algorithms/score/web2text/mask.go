package web2text

import (
	"bytes"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// gap replaces each unit of the source that is not text, as in the program.
const gap uint16 = 0x25A1

// appendUnits appends the UTF-16 units of s.
func appendUnits(dst []uint16, s []byte) []uint16 {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			dst = append(dst, uint16(c))
			i++
			continue
		}
		r, n := utf8.DecodeRune(s[i:])
		dst = utf16.AppendRune(dst, r)
		i += n
	}
	return dst
}

// masker finds the markup of a source from its front to its back.
type masker struct {
	src []byte
	// hopeless holds the positions from which no head, script, style or comment ends.
	hopeless [4]int
	// unclosed is the position from which no markup ends.
	unclosed int
}

// elements are masked together with their content. The names are prefixes, as in the
// program, which takes header for head.
var elements = [...]struct{ start, end []byte }{
	{[]byte("<head"), []byte("</head")},
	{[]byte("<script"), []byte("</script")},
	{[]byte("<style"), []byte("</style")},
}

func newMasker(src []byte) masker {
	m := masker{src: src, unclosed: bytes.LastIndexByte(src, '>')}
	for i := range m.hopeless {
		m.hopeless[i] = len(src) + 1
	}
	return m
}

// end returns the end of the markup that begins at i, or i if none does.
func (m *masker) end(i int) int {
	switch m.src[i] {
	case '&':
		return m.reference(i)
	case '<':
		if i > m.unclosed {
			return i
		}
		if end := m.element(i); end > i {
			return end
		}
		return m.tag(i)
	}
	return i
}

// element returns the end of a head, script, style or comment.
func (m *masker) element(i int) int {
	for k, e := range elements {
		if !hasPrefixFold(m.src[i:], e.start) {
			continue
		}
		open := bytes.IndexByte(m.src[i:], '>')
		if i+open >= m.hopeless[k] {
			return i
		}
		at := i + open + 1
		for {
			close := bytes.Index(m.src[at:], []byte("</"))
			if close < 0 {
				break
			}
			at += close
			if hasPrefixFold(m.src[at:], e.end) {
				if last := bytes.IndexByte(m.src[at:], '>'); last >= 0 {
					return at + last + 1
				}
				break
			}
			at += len("</")
		}
		m.hopeless[k] = i + open
		return i
	}
	if at := i + len("<!--"); bytes.HasPrefix(m.src[i:], []byte("<!--")) && at < m.hopeless[3] {
		if end := bytes.Index(m.src[at:], []byte("-->")); end >= 0 {
			return at + end + len("-->")
		}
		m.hopeless[3] = at
	}
	return i
}

// tag returns the end of a start or end tag.
func (m *masker) tag(i int) int {
	at := i + 1
	if at < len(m.src) && m.src[at] == '/' {
		at++
	}
	if at >= len(m.src) || !isLetter(m.src[at]) {
		return i
	}
	if n := bytes.IndexAny(m.src[at:], "<>"); n >= 0 && m.src[at+n] == '>' {
		return at + n + 1
	}
	return i
}

// reference returns the end of a named character reference without digits.
func (m *masker) reference(i int) int {
	at := i + 1
	for at < len(m.src) && isLetter(m.src[at]) {
		at++
	}
	if at > i+1 && at < len(m.src) && m.src[at] == ';' {
		return at + 1
	}
	return i
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// hasPrefixFold reports whether s begins with the ASCII prefix, in any case.
func hasPrefixFold(s, prefix []byte) bool {
	return len(s) >= len(prefix) && bytes.EqualFold(s[:len(prefix)], prefix)
}

// isWhite is Java's Character.isWhitespace, which excludes no-break spaces.
func isWhite(u uint16) bool {
	switch {
	case u < 0x80:
		return u == ' ' || '\t' <= u && u <= '\r' || 0x1c <= u && u <= 0x1f
	case u == 0xa0 || u == 0x2007 || u == 0x202f:
		return false
	}
	return unicode.In(rune(u), unicode.Z)
}

// isAlphanumeric is Java's Character.isLetterOrDigit.
func isAlphanumeric(u uint16) bool {
	if u < 0x80 {
		return isLetter(byte(u)) || '0' <= u && u <= '9'
	}
	return unicode.IsLetter(rune(u)) || unicode.IsDigit(rune(u))
}

// fold returns the same value for units that may be matched: one value for all white
// space, and the upper case of other units.
func fold(u uint16) uint16 {
	switch {
	case isWhite(u):
		return ' '
	case u < 0x80:
		if 'a' <= u && u <= 'z' {
			u -= 'a' - 'A'
		}
		return u
	}
	if up := unicode.ToUpper(rune(u)); up <= 0xffff {
		return uint16(up)
	}
	return u
}
