package charset

// HasPrefixFold reports whether b begins with the lower-case ASCII prefix, in any case.
func HasPrefixFold(b []byte, prefix string) bool {
	if len(b) < len(prefix) {
		return false
	}
	for i := 0; i < len(prefix); i++ {
		c := b[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != prefix[i] {
			return false
		}
	}
	return true
}

// EqualFold reports whether b is the lower-case ASCII string s, in any case.
func EqualFold(b []byte, s string) bool { return len(b) == len(s) && HasPrefixFold(b, s) }
