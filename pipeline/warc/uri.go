package warc

// bareURI removes one pair of angle brackets around a URI, which wget writes.
func bareURI(b []byte) ([]byte, bool) {
	if n := len(b); n >= 2 && b[0] == '<' && b[n-1] == '>' {
		return b[1 : n-1], true
	}
	return b, false
}

// plainURI reports whether a URI is absolute and made of printable ASCII.
func plainURI(s string) bool {
	scheme := 0
	for i := 0; i < len(s); i++ {
		if s[i] <= ' ' || s[i] >= 0x7f {
			return false
		}
		if s[i] == ':' && scheme == 0 {
			scheme = i
		}
	}
	for i := 0; i < scheme; i++ {
		c := s[i] | 0x20
		if !(c >= 'a' && c <= 'z') && (i == 0 || !(c >= '0' && c <= '9' || s[i] == '+' || s[i] == '-' || s[i] == '.')) {
			return false
		}
	}
	return scheme > 0
}
