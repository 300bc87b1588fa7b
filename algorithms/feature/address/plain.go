package address

import (
	"bytes"

	"github.com/winnow/winnow/algorithms/internal/eight"
)

// appendPlain is AppendURL for an address as most links have it: absolute, or from the root
// of the host, and in canonical form already. ok is false if ref may be another one, which
// then must be read byte by byte.
func (b *Base) appendPlain(dst, ref []byte) (out []byte, ok bool) {
	scheme := 0
	switch {
	case bytes.HasPrefix(ref, []byte("https://")):
		scheme = len("https://")
	case bytes.HasPrefix(ref, []byte("http://")):
		scheme = len("http://")
	case len(ref) == 0 || ref[0] != '/' || len(ref) > 1 && isSlash(ref[1]) || len(b.authority) == 0 || !isClean(ref):
		return dst, false
	default:
		return append(append(dst, b.root...), ref...), true
	}
	rest := ref[scheme:]
	n := len(b.host) // many links of a page lead to the same host
	if n == 0 || !bytes.HasPrefix(rest, b.host) || !endsAuthority(rest, n) {
		if n = plainHost(rest); n == 0 {
			return dst, false
		}
		b.host = append(b.host[:0], rest[:n]...)
	}
	path := rest[n:]
	if !isClean(path) {
		return dst, false
	}
	if len(path) > 0 && path[0] == '/' {
		return append(dst, ref...), true
	}
	dst = append(append(dst, ref[:scheme+n]...), '/')
	return append(dst, path...), true
}

// isClean reports whether a path with its query is canonical and has no fragment. Unlike
// isPlain it takes a query for a part of the path, and so says no of some that are.
func isClean(s []byte) bool {
	if len(s) < 8 {
		return !unclean8(eight.LoadShort(s, 'a'))
	}
	last := eight.Load(s[len(s)-8:])
	for ; len(s) > 8; s = s[7:] { // the eighth byte is the first of the next step
		if unclean8(eight.Load(s)) {
			return false
		}
	}
	return !unclean8(last)
}

const each = eight.Each

// unclean8 reports whether one of eight bytes is not canonical, a backslash or the mark of a
// fragment, or whether a segment of a path begins like one of dots.
func unclean8(x uint64) bool {
	low, next := x&eight.Lowest7, x>>8
	found := ^(low + (0x7f-' ')*each) | (low + each) | x                                                  // at most a blank, and from 0x7F on
	found |= zero((x|1*each)^'#'*each) | zero((x|2*each)^'>'*each) | zero(x^'`'*each) | zero(x^'\\'*each) // # and ", > and <
	slash := x ^ '/'*each
	found |= zero(slash|(next^'.'*each)) | zero(slash|(next^'%'*each))
	return found&eight.Highest != 0
}

// zero has the highest bit of the lowest byte of x that is zero, if one is; what the other
// bits say means nothing then. If none is, it has none of the highest bits.
func zero(x uint64) uint64 { return (x - each) &^ x }
