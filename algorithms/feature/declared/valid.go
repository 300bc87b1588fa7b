package declared

import (
	"bytes"
	"strconv"
)

// maxNesting is how deep encoding/json lets values be nested.
const maxNesting = 10_000

// checker reports whether a text is JSON. It uses its memory again.
type checker struct{ open []byte } // brackets

// valid reports whether encoding/json would read b.
func (c *checker) valid(b []byte) bool {
	c.open = c.open[:0]
	at, ok := skipSpace(b, 0), true
	for at < len(b) { // a value begins at b[at]
		switch bracket := b[at]; bracket {
		case '{', '[':
			at = skipSpace(b, at+1)
			if c.open = append(c.open, bracket); len(c.open) > maxNesting || at == len(b) {
				return false
			}
			if b[at] != closing(bracket) {
				if bracket == '{' {
					at, ok = checkName(b, at)
				}
				if !ok {
					return false
				}
				continue
			}
			// What follows sees the closing bracket of an empty object or list.
		case '"':
			at, ok = checkString(b, at)
		case 't':
			at, ok = at+len("true"), bytes.HasPrefix(b[at:], []byte("true"))
		case 'f':
			at, ok = at+len("false"), bytes.HasPrefix(b[at:], []byte("false"))
		case 'n':
			at, ok = at+len("null"), bytes.HasPrefix(b[at:], []byte("null"))
		default:
			at, ok = checkNumber(b, at)
		}
		if !ok {
			return false
		}
		// Objects and lists may end with this value, until another one follows.
		for {
			at = skipSpace(b, at)
			if len(c.open) == 0 {
				return at == len(b)
			}
			if at == len(b) {
				return false
			}
			bracket := c.open[len(c.open)-1]
			if b[at] == closing(bracket) {
				c.open = c.open[:len(c.open)-1]
				at++
				continue
			}
			if b[at] != ',' {
				return false
			}
			at = skipSpace(b, at+1)
			if bracket == '{' {
				at, ok = checkName(b, at)
			}
			break
		}
		if !ok {
			return false
		}
	}
	return false
}

// closing returns the closing bracket, which is two places after the opening one in ASCII.
func closing(bracket byte) byte { return bracket + 2 }

// checkName reads the name of a member at b[at] and returns where its value begins.
func checkName(b []byte, at int) (value int, ok bool) {
	if at >= len(b) || b[at] != '"' {
		return at, false
	}
	if at, ok = checkString(b, at); !ok {
		return at, false
	}
	if at = skipSpace(b, at); at >= len(b) || b[at] != ':' {
		return at, false
	}
	return skipSpace(b, at+1), true
}

// checkString reads the string at b[at] and returns its end.
func checkString(b []byte, at int) (end int, ok bool) {
	for at++; at < len(b); {
		switch c := b[at]; {
		case c == '"':
			return at + 1, true
		case c < ' ':
			return at, false
		case c != '\\':
			at++
		case at+1 < len(b) && bytes.IndexByte([]byte(`"\/bfnrt`), b[at+1]) >= 0:
			at += 2
		case at+5 < len(b) && b[at+1] == 'u' && isHex(b[at+2]) && isHex(b[at+3]) && isHex(b[at+4]) && isHex(b[at+5]):
			at += 6
		default:
			return at, false
		}
	}
	return at, false
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// checkNumber reads the number at b[at] and returns its end. Numbers that are too large
// for 64 bits are refused.
func checkNumber(b []byte, at int) (end int, ok bool) {
	start, exponent := at, false
	digits := func() bool {
		from := at
		for at < len(b) && '0' <= b[at] && b[at] <= '9' {
			at++
		}
		return at > from
	}
	if at < len(b) && b[at] == '-' {
		at++
	}
	if at < len(b) && b[at] == '0' {
		at++
	} else if !digits() {
		return at, false
	}
	if at < len(b) && b[at] == '.' {
		if at++; !digits() {
			return at, false
		}
	}
	if at < len(b) && b[at]|0x20 == 'e' {
		if at++; at < len(b) && (b[at] == '+' || b[at] == '-') {
			at++
		}
		if exponent = true; !digits() {
			return at, false
		}
	}
	if exponent || at-start > 300 {
		_, err := strconv.ParseFloat(string(b[start:at]), 64)
		return at, err == nil
	}
	return at, true
}
