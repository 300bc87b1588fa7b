package page

import "bytes"

// sourceCursor finds where the characters of decoded text stand in the source.
// It moves forward only.
type sourceCursor struct {
	src  []byte // of one run of characters, as written
	data []byte // the same, decoded
	same bool   // the two are equal
	refs bool   // character references were decoded
	kept bool   // NUL became U+FFFD; else it was dropped
	s, d int
	buf  [8]byte // the characters of one reference
}

// newSourceCursor is the cursor for a run of characters in the element parent.
func newSourceCursor(src, data []byte, parent Tag) sourceCursor {
	c := sourceCursor{src: src, data: data, same: len(src) == len(data), refs: true}
	switch parent {
	case TagXmp, TagNoembed, TagNoframes, TagPlaintext:
		c.refs, c.kept = false, true
	case TagTextarea:
		c.kept = true
	}
	return c
}

// seek returns the position in src of the character at data[d], or the end of
// the character before it for the end of data.
func (c *sourceCursor) seek(d int) int {
	if c.same {
		return d
	}
	for c.d < d && c.s < len(c.src) {
		b := c.src[c.s]
		switch {
		case b == '&' && c.refs:
			v, n := appendReference(c.buf[:0], c.src[c.s:], false)
			if n == 0 {
				v, n = append(v, '&'), 1
			}
			c.s += n
			c.d += len(v)
		case c.d < len(c.data) && b == c.data[c.d]:
			c.s++
			c.d++
		case b == '\r':
			c.s++
			if c.s == len(c.src) || c.src[c.s] != '\n' {
				c.d++
			}
		case b == 0 && c.kept && bytes.HasPrefix(c.data[c.d:], []byte("\uFFFD")):
			c.s++
			c.d += len("\uFFFD")
		default:
			c.s++ // dropped by the parser: NUL, the first line end of a pre
		}
	}
	// Where a run begins with a line end that the parser dropped, the next one was
	// taken for it.
	for d < len(c.data) && byteClasses[c.data[d]] != byteSpace && c.s < len(c.src) && byteClasses[c.src[c.s]] == byteSpace {
		c.s++
	}
	return c.s
}
