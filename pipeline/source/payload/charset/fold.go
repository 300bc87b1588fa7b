package charset

import "strings"

// HasPrefixFold reports whether b begins with the ASCII prefix, in any case. A letter
// outside ASCII that folds to one of the prefix has more bytes than it, so it does not match.
func HasPrefixFold(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && strings.EqualFold(string(b[:len(prefix)]), prefix)
}

// EqualFold reports whether b is the ASCII string s, in any case.
func EqualFold(b []byte, s string) bool { return len(b) == len(s) && HasPrefixFold(b, s) }
