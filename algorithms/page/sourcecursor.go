package page

import (
	"bytes"
	"html"
)

// sourceCursor finds where the characters of decoded text stand in the source.
// It moves forward only.
type sourceCursor struct {
	src  []byte // of one run of characters, as written
	data []byte // the same, decoded
	same bool   // the two are equal
	s, d int
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
		case b == '&':
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
		case b == 0 && bytes.HasPrefix(c.data[c.d:], []byte("\uFFFD")):
			c.s++
			c.d += len("\uFFFD")
		default:
			c.s++ // dropped by the parser: NUL, the first line end of a pre
		}
	}
	return c.s
}

// reference returns how many bytes of s, which begins with an ampersand, form
// a character reference, and of how many bytes the characters are that it
// stands for: 1, 1 if it is only an ampersand.
func reference(s []byte) (n, width int) {
	const longest = 33 // "&CounterClockwiseContourIntegral;"
	n = 1
	for n < len(s) && n < longest && isReferenceByte(s[n]) {
		n++
	}
	if n < len(s) && s[n] == ';' {
		n++
	}
	whole := string(s[:n])
	decoded := html.UnescapeString(whole)
	if decoded == whole {
		return 1, 1
	}
	// A reference without its semicolon may be a prefix of what was tried.
	cut := len(whole) - len(decoded)
	for n = 2; n < len(whole); n++ {
		if d := html.UnescapeString(whole[:n]); d != whole[:n] && n-len(d) == cut {
			return n, len(d)
		}
	}
	return len(whole), len(decoded)
}

func isReferenceByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '#'
}
