package charset

import "bytes"

// prescanned is how many bytes of a document are searched for a declaration.
const prescanned = 1024

// prescan returns the charset that a document declares in a meta element or an XML
// declaration, or "" if it declares none or only unknown ones (WHATWG HTML, 13.2.3.2,
// "prescan a byte stream to determine its encoding"). unknown is true if the document
// declares a label of no charset.
func prescan(b []byte) (name string, unknown bool) {
	s := scanner{b: b[:min(len(b), prescanned)]}
	for s.i < len(s.b) {
		rest := s.b[s.i:]
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			end := bytes.Index(rest[2:], []byte("-->"))
			if end < 0 {
				s.i = len(s.b)
				continue
			}
			s.i += 2 + end + 3
		case len(rest) > 5 && HasPrefixFold(rest, "<meta") && (isSpace(rest[5]) || rest[5] == '/'):
			s.i += 6
			label := s.meta()
			if label == "" {
				continue
			}
			if name = charsetName(label); name == "" {
				unknown = true
				continue
			}
			return asciiCompatible(name), unknown
		case len(rest) > 1 && rest[0] == '<' && isLetter(rest[1]),
			len(rest) > 2 && rest[0] == '<' && rest[1] == '/' && isLetter(rest[2]):
			s.skipTag()
		case len(rest) > 1 && rest[0] == '<' && (rest[1] == '!' || rest[1] == '/' || rest[1] == '?'):
			end := bytes.IndexByte(rest, '>')
			if end < 0 {
				s.i = len(s.b)
				continue
			}
			s.i += end + 1
		default:
			next := bytes.IndexByte(rest[1:], '<')
			if next < 0 {
				s.i = len(s.b)
				continue
			}
			s.i += 1 + next
		}
	}
	if label := xmlEncoding(b); label != "" {
		if name = charsetName(label); name != "" {
			return asciiCompatible(name), unknown
		}
		unknown = true
	}
	return "", unknown
}

// asciiCompatible corrects declarations of charsets that cannot be right, because the
// declaration itself was read as ASCII.
func asciiCompatible(name string) string {
	switch name {
	case "utf-16be", "utf-16le":
		return "utf-8"
	case "x-user-defined":
		return "windows-1252"
	}
	return name
}

// scanner is a position in the prescanned bytes.
type scanner struct {
	b []byte
	i int
}

// meta reads the attributes of a meta element and returns the label it declares.
func (s *scanner) meta() string {
	var seen [3]bool // http-equiv, content, charset
	pragma, label, needPragma := false, "", false
	for {
		name, value, ok := s.attribute()
		if !ok {
			break
		}
		which := -1
		for i, known := range [...]string{"http-equiv", "content", "charset"} {
			if EqualFold(name, known) {
				which = i
			}
		}
		if which < 0 || seen[which] {
			continue
		}
		seen[which] = true
		switch which {
		case 0:
			pragma = EqualFold(value, "content-type")
		case 1:
			if l := charsetInContent(value); l != "" && label == "" {
				label, needPragma = l, true
			}
		case 2:
			label, needPragma = string(value), false
		}
	}
	if needPragma && !pragma {
		return ""
	}
	return label
}

// skipTag skips a tag with its attributes.
func (s *scanner) skipTag() {
	for s.i < len(s.b) && !isSpace(s.b[s.i]) && s.b[s.i] != '>' {
		s.i++
	}
	for {
		if _, _, ok := s.attribute(); !ok {
			return
		}
	}
}

// attribute reads the next attribute of a tag ("get an attribute"). It returns false at
// the end of the tag.
func (s *scanner) attribute() (name, value []byte, ok bool) {
	for s.i < len(s.b) && (isSpace(s.b[s.i]) || s.b[s.i] == '/') {
		s.i++
	}
	if s.i >= len(s.b) || s.b[s.i] == '>' {
		return nil, nil, false
	}
	start := s.i
	for s.i < len(s.b) && !isSpace(s.b[s.i]) && s.b[s.i] != '/' && s.b[s.i] != '>' &&
		(s.b[s.i] != '=' || s.i == start) {
		s.i++
	}
	name = s.b[start:s.i]
	s.space()
	if s.i >= len(s.b) || s.b[s.i] != '=' {
		return name, nil, true
	}
	s.i++
	s.space()
	if s.i >= len(s.b) {
		return name, nil, false
	}
	if q := s.b[s.i]; q == '"' || q == '\'' {
		s.i++
		end := bytes.IndexByte(s.b[s.i:], q)
		if end < 0 {
			s.i = len(s.b)
			return nil, nil, false
		}
		value = s.b[s.i : s.i+end]
		s.i += end + 1
		return name, value, true
	}
	start = s.i
	for s.i < len(s.b) && !isSpace(s.b[s.i]) && s.b[s.i] != '>' {
		s.i++
	}
	return name, s.b[start:s.i], true
}

func (s *scanner) space() {
	for s.i < len(s.b) && isSpace(s.b[s.i]) {
		s.i++
	}
}

// charsetInContent returns the label in a value such as "text/html; charset=utf-8"
// ("extract a character encoding from a meta element").
func charsetInContent(b []byte) string {
	for {
		i := indexFold(b, "charset")
		if i < 0 {
			return ""
		}
		b = bytes.TrimLeft(b[i+len("charset"):], "\t\n\f\r ")
		if len(b) == 0 || b[0] != '=' {
			continue
		}
		b = bytes.TrimLeft(b[1:], "\t\n\f\r ")
		if len(b) == 0 {
			return ""
		}
		if b[0] == '"' || b[0] == '\'' {
			end := bytes.IndexByte(b[1:], b[0])
			if end < 0 {
				return ""
			}
			return string(b[1 : 1+end])
		}
		if end := bytes.IndexAny(b, "\t\n\f\r ;"); end >= 0 {
			b = b[:end]
		}
		return string(b)
	}
}

// xmlEncoding reads the label of an XML declaration at the very beginning ("get
// an XML encoding").
func xmlEncoding(b []byte) string {
	if !bytes.HasPrefix(b, []byte("<?xml")) {
		return ""
	}
	end := bytes.IndexByte(b[:min(len(b), prescanned)], '>')
	if end < 0 {
		return ""
	}
	_, after, ok := bytes.Cut(b[:end], []byte("encoding"))
	if !ok {
		return ""
	}
	after = bytes.TrimLeft(after, "\x00\t\n\f\r ")
	if len(after) == 0 || after[0] != '=' {
		return ""
	}
	after = bytes.TrimLeft(after[1:], "\x00\t\n\f\r ")
	if len(after) == 0 || after[0] != '"' && after[0] != '\'' {
		return ""
	}
	label, _, ok := bytes.Cut(after[1:], after[:1])
	if !ok {
		return ""
	}
	return string(label)
}

func indexFold(b []byte, sub string) int {
	for i := 0; i+len(sub) <= len(b); i++ {
		if HasPrefixFold(b[i:], sub) {
			return i
		}
	}
	return -1
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
