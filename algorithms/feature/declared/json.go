package declared

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Value is a value of JSON as it is written, without white space around it; nil if
// there is none. What encoding/json would reject never is a Value, so it is read without
// looking for errors.
type Value []byte

// Kind is the first byte of the value: one of "{[tfn, or a digit or sign; 0 for none.
func (v Value) Kind() byte {
	if len(v) == 0 {
		return 0
	}
	return v[0]
}

// String returns the text of a string, and "" if v is not a string.
func (v Value) String() string {
	if v.Kind() != '"' {
		return ""
	}
	written, ok := plain(v)
	if ok {
		return string(written)
	}
	return unescape(written)
}

// plain returns what is written between the quotes of a string, and whether that is what it
// means.
func plain(v Value) (s []byte, ok bool) {
	s = v[1 : len(v)-1]
	return s, bytes.IndexByte(s, '\\') < 0 && utf8.Valid(s)
}

// escapes has the character that a reverse solidus and a letter encode. Any other character
// encodes itself.
var escapes = [256]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape decodes s, the text between the quotes of a string. Halves of surrogate
// pairs and bytes that are not UTF-8 become U+FFFD. encoding/json does the same, but its decoder
// makes a program that links the library larger by a third of a megabyte.
func unescape(s []byte) string {
	out := make([]byte, 0, len(s))
	for len(s) > 0 {
		r, size := utf8.DecodeRune(s)
		if r == '\\' {
			r, size = rune(s[1]), 2
			if letter := escapes[s[1]]; letter != 0 {
				r = rune(letter)
			} else if r == 'u' {
				r, size = codeUnit(s), 6
				if low := codeUnit(s[6:]); utf16.IsSurrogate(r) && utf16.DecodeRune(r, low) != utf8.RuneError {
					r, size = utf16.DecodeRune(r, low), 12
				}
			}
		}
		out = utf8.AppendRune(out, r)
		s = s[size:]
	}
	return string(out)
}

// codeUnit returns the UTF-16 code unit that the escape sequence \uXXXX at the beginning of s
// encodes, or -1 if s begins with something else.
func codeUnit(s []byte) rune {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(s[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}

// Elements yields the elements of a list, none if v is not a list.
func (v Value) Elements(yield func(Value) bool) {
	if v.Kind() != '[' {
		return
	}
	for at := skipSpace(v, 1); v[at] != ']'; {
		end := skipValue(v, at)
		if !yield(v[at:end:end]) {
			return
		}
		if at = skipSpace(v, end); v[at] == ',' {
			at = skipSpace(v, at+1)
		}
	}
}

// Member returns the value of a member of an object, nil if v has none or is not an object.
// Of several members of that name, the last one counts.
func (v Value) Member(name string) (found Value) {
	for key, value := range v.members {
		if string(key) == name {
			found = value
		}
	}
	return found
}

// members yields the names and values of the members of an object.
func (v Value) members(yield func(key []byte, value Value) bool) {
	if v.Kind() != '{' {
		return
	}
	for at := skipSpace(v, 1); v[at] != '}'; {
		end := skipString(v, at)
		key, ok := plain(v[at:end])
		if !ok {
			key = []byte(v[at:end].String())
		}
		at = skipSpace(v, skipSpace(v, end)+1) // after the colon
		end = skipValue(v, at)
		if !yield(key, v[at:end:end]) {
			return
		}
		if at = skipSpace(v, end); v[at] == ',' {
			at = skipSpace(v, at+1)
		}
	}
}

// skipSpace returns where the first character from at on is that is not white space.
func skipSpace(b []byte, at int) int {
	for at < len(b) && (b[at] == ' ' || b[at] == '\n' || b[at] == '\r' || b[at] == '\t') {
		at++
	}
	return at
}

// skipValue returns the end of the value at b[at].
func skipValue(b []byte, at int) int {
	depth := 0
	for ; at < len(b); at++ {
		switch b[at] {
		case '"':
			at = skipString(b, at) - 1
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth--; depth < 0 {
				return at
			}
		case ',', ' ', '\n', '\r', '\t':
			if depth == 0 {
				return at
			}
			continue
		default:
			continue // within a number or a name, or at a colon
		}
		if depth == 0 {
			return at + 1
		}
	}
	return at
}

// skipString returns the end of the string at b[at].
func skipString(b []byte, at int) int {
	at++
	for end := -1; ; {
		if end < at { // not found yet, or escaped
			end = at + bytes.IndexByte(b[at:], '"')
		}
		escape := bytes.IndexByte(b[at:end], '\\')
		if escape < 0 {
			return end + 1
		}
		at += escape + 2
	}
}
