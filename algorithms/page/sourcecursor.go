package page

import (
	"bytes"

	"golang.org/x/net/html"
)

// sourceCursor finds where the characters of decoded text stand in the source.
// It moves forward only.
type sourceCursor struct {
	src  []byte // of one run of characters, as written
	data []byte // the same, decoded
	same bool   // the two are equal
	refs bool   // character references were decoded
	kept bool   // NUL became U+FFFD; else it was dropped
	s, d int
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
			n, w := reference(c.src[c.s:])
			c.s += n
			c.d += w
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

// reference returns how many bytes of s, which begins with an ampersand, form
// a character reference, and of how many bytes the characters are that it
// stands for: 1, 1 if it is only an ampersand.
func reference(s []byte) (n, width int) {
	const longest = 33 // "&CounterClockwiseContourIntegral;"
	n = 1
	numeric := len(s) > 1 && s[1] == '#'
	if numeric {
		n = numberEnd(s)
	} else {
		for n < len(s) && n < longest && isAlnum(s[n]) {
			n++
		}
	}
	if n < len(s) && s[n] == ';' {
		n++
	}
	whole := string(s[:n])
	decoded := html.UnescapeString(whole)
	if decoded == whole {
		return 1, 1
	}
	if numeric {
		return n, len(decoded)
	}
	// A name without its semicolon may be a prefix of what was tried.
	cut := len(whole) - len(decoded)
	for n = 2; n < len(whole); n++ {
		if d := html.UnescapeString(whole[:n]); d != whole[:n] && n-len(d) == cut {
			return n, len(d)
		}
	}
	return len(whole), len(decoded)
}

// numberEnd is the end of the digits of the numeric reference that s begins
// with.
func numberEnd(s []byte) int {
	n := 2
	hex := n < len(s) && s[n]|0x20 == 'x'
	if hex {
		n++
	}
	for n < len(s) && ('0' <= s[n] && s[n] <= '9' || hex && 'a' <= s[n]|0x20 && s[n]|0x20 <= 'f') {
		n++
	}
	return n
}

func isAlnum(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
}
