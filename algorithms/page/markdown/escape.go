package markdown

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// special are the characters that mean something anywhere in a line of Markdown; in a
// table "|" does, too.
const special = "\\`*_[]<~&"

// A character is special everywhere, in a cell of a table, or where a dollar begins a formula.
const (
	always uint8 = 1 << iota
	inCell
	amongFormulas
)

// specialIn has, for each byte, where it is special.
var specialIn = func() (t [256]uint8) {
	for _, c := range []byte(special) {
		t[c] = always
	}
	t['|'], t['$'] = inCell, amongFormulas
	return t
}()

// appendText appends text of the page so that Markdown reads it as text. dst is the
// line so far; cell is true if it is in a table, and dollars if a dollar begins a formula.
func appendText(dst, s []byte, cell, dollars bool) []byte {
	set := always
	if cell {
		set |= inCell
	}
	if dollars {
		set |= amongFormulas
	}
	for {
		i := 0
		for i < len(s) && specialIn[s[i]]&set == 0 {
			i++
		}
		dst = append(dst, s[:i]...)
		if i == len(s) {
			return dst
		}
		c := s[i]
		literal := false
		switch c {
		case '_': // within a word it is not emphasis
			literal = i+1 < len(s) && endsInWord(dst) && beginsWord(s[i+1:])
		case '&':
			literal = !entity(s[i:])
		}
		if !literal {
			dst = append(dst, '\\')
		}
		dst = append(dst, c)
		s = s[i+1:]
	}
}

func endsInWord(s []byte) bool {
	r, _ := utf8.DecodeLastRune(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func beginsWord(s []byte) bool {
	r, _ := utf8.DecodeRune(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// entity reports whether s begins like a character reference.
func entity(s []byte) bool {
	if len(s) < 2 {
		return false
	}
	c := s[1]
	return c == '#' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// escapeStart returns where in a line a backslash is needed because the line begins
// like a heading, a list, a quote, a rule, code or a table; -1 if none is needed.
func escapeStart(line []byte) int {
	if len(line) == 0 {
		return -1
	}
	blank := func(i int) bool { return i >= len(line) || line[i] == ' ' || line[i] == '\n' }
	switch c := line[0]; {
	case c == '#' || c == '>' || c == '-' || c == '=' || c == '|' || c == ':':
		return 0
	case c == '+' && blank(1):
		return 0
	case '0' <= c && c <= '9':
		i := 1
		for i < len(line) && i < 10 && '0' <= line[i] && line[i] <= '9' {
			i++
		}
		if i < len(line) && (line[i] == '.' || line[i] == ')') && blank(i+1) {
			return i
		}
	}
	return -1
}

// appendAddress appends an address between the parentheses of a link. Characters
// that would end it are written as browsers send them; one that begins a character
// reference is escaped, because Markdown decodes those before a scheme is looked at.
func appendAddress(dst []byte, u string) []byte {
	for i := range len(u) {
		c := u[i]
		switch {
		case c <= ' ' || c == 0x7f || c == '(' || c == ')' || c == '<' || c == '>' || c == '\\' || c == '|' || c == '`':
			dst = fmt.Appendf(dst, "%%%02X", c)
		case c == '&' && (i+1 >= len(u) || entity([]byte(u[i:i+2]))) && reference(u[i:]):
			dst = append(dst, "&amp;"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// reference reports whether s begins with a character reference that is complete.
func reference(s string) bool {
	for i := 1; i < len(s) && i < 40; i++ {
		switch c := s[i]; {
		case c == ';':
			return true
		case c != '#' && !('0' <= c && c <= '9') && !('a' <= c && c <= 'z') && !('A' <= c && c <= 'Z'):
			return false
		}
	}
	return false
}
