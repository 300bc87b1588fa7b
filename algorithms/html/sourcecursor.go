package html

import "bytes"

// SourceCursor finds the positions in the source of the characters of a decoded text.
// It moves forward only.
type SourceCursor struct {
	src  []byte // source of one run of characters, as written
	data []byte // the same, decoded
	same bool   // the two are equal
	refs bool   // character references were decoded
	kept bool   // NUL became U+FFFD; else it was dropped
	s, d int
	buf  [8]byte // the characters of one reference
}

// SourceCursor returns a cursor for the lexical item i, a text that reached the
// tree.
func (d *Document) SourceCursor(i int) SourceCursor {
	src, data := d.Lex.Src[i], d.Lex.Data[i]
	c := SourceCursor{
		src:  d.Source[src.Start:src.End],
		data: d.Tree.Text[data.Start:data.End],
		same: src.Len() == data.Len(),
		refs: true,
	}
	switch d.Tree.Tag[d.Tree.Parent[d.Lex.Node[i]]] {
	case TagXmp, TagNoembed, TagNoframes, TagPlaintext:
		c.refs, c.kept = false, true
	case TagTextarea:
		c.kept = true
	}
	return c
}

// Seek returns the position in src of the character at data[d], or the end of
// the character before it for the end of data.
func (c *SourceCursor) Seek(d int) int {
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
	// Where a run begins with a line end that the parser dropped, the next character
	// was taken for it.
	for d < len(c.data) && !isSpace(c.data[d]) && c.s < len(c.src) && isSpace(c.src[c.s]) {
		c.s++
	}
	return c.s
}
