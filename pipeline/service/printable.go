package service

import (
	"strings"
	"unicode"
)

// Printable removes characters that move a terminal's cursor or change the direction of
// writing, because pages and the names of their files may be hostile.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, s)
}
