package schemas

import (
	"strings"
	"unicode/utf8"
)

// Shorten returns a text as valid UTF-8 of at most max characters, for a record or a
// line of bounded length. Bytes that are not UTF-8 become U+FFFD. A longer text is cut
// between two characters, and "…" is its last one.
func Shorten(s string, max int) string {
	if len(s) > max && utf8.RuneCountInString(s) > max {
		end := 0
		for range max - 1 {
			_, n := utf8.DecodeRuneInString(s[end:])
			end += n
		}
		s = s[:end] + "…"
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
