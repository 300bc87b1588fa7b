package address

import (
	"bytes"
	"net/url"

	"golang.org/x/net/idna"

	"github.com/winnow/winnow/algorithms/internal/eight"
)

var http, https = []byte("http"), []byte("https")

// Append appends the canonical form of ref, resolved against b. If ref is not a web
// address, or relative to a base that is not an address, ref itself is appended without its
// fragment, and ok is false.
func (b *Base) Append(dst, ref []byte) (out []byte, ok bool) {
	return b.append(dst, b.tidy(ref))
}

// AppendURL appends the canonical form of ref, resolved against b, after its scheme:
// "https://example.org/a". Unlike Append it appends nothing if ok is false.
func (b *Base) AppendURL(dst, ref []byte) (out []byte, ok bool) {
	if out, ok = b.appendPlain(dst, ref); ok {
		return out, true
	}
	return b.appendAny(dst, ref)
}

// appendAny is AppendURL for any address.
func (b *Base) appendAny(dst, ref []byte) (out []byte, ok bool) {
	ref = b.tidy(ref)
	secure := b.secure
	if name, _ := cutScheme(ref); len(name) > 0 {
		secure = bytes.EqualFold(name, https)
	}
	out = append(dst, "http"...)
	if secure {
		out = append(out, 's')
	}
	if out, ok = b.append(append(out, "://"...), ref); !ok {
		out = out[:len(dst)]
	}
	return out, ok
}

// tidy trims ref and removes its tabs and line ends.
func (b *Base) tidy(ref []byte) []byte {
	for len(ref) > 0 && ref[0] <= ' ' {
		ref = ref[1:]
	}
	for len(ref) > 0 && ref[len(ref)-1] <= ' ' {
		ref = ref[:len(ref)-1]
	}
	if !hasControls(ref) {
		return ref
	}
	b.clean = b.clean[:0]
	for _, c := range ref {
		if c != '\n' && c != '\t' && c != '\r' {
			b.clean = append(b.clean, c)
		}
	}
	return b.clean
}

// hasControls reports whether s has a control character, such as a tab or line end.
func hasControls(s []byte) bool {
	for ; len(s) >= 8; s = s[8:] {
		x := eight.Load(s)
		if (x-' '*eight.Each)&^x&eight.Highest != 0 {
			return true
		}
	}
	for _, c := range s {
		if c < ' ' {
			return true
		}
	}
	return false
}

func (b *Base) append(dst, ref []byte) (out []byte, ok bool) {
	if i := bytes.IndexByte(ref, '#'); i >= 0 {
		ref = ref[:i]
	}
	start, secure, rest := len(dst), b.secure, ref
	if name, after := cutScheme(ref); len(name) > 0 {
		switch {
		case bytes.EqualFold(name, http):
			secure = false
		case bytes.EqualFold(name, https):
			secure = true
		default:
			return append(dst, ref...), false
		}
		rest = after
	}
	if len(rest) > 1 && isSlash(rest[0]) && isSlash(rest[1]) {
		rest = rest[2:]
		for len(rest) > 0 && isSlash(rest[0]) { // browsers forgive any number
			rest = rest[1:]
		}
		if dst, rest, ok = appendHome(dst, rest, secure); !ok {
			return append(dst[:start], ref...), false
		}
		return appendPath(dst, nil, rest), true
	}
	if len(b.authority) == 0 {
		return append(dst, ref...), false
	}
	dst = append(dst, b.authority...)
	switch {
	case len(rest) == 0:
		dst = append(dst, b.path...)
		return append(dst, b.query...), true
	case rest[0] == '?':
		dst = append(dst, b.path...)
		return appendQuery(dst, rest), true
	case isSlash(rest[0]):
		return appendPath(dst, nil, rest), true
	}
	return appendPath(dst, b.path[:bytes.LastIndexByte(b.path, '/')+1], rest), true
}

// appendHome appends the canonical form of the authority that s begins with, and
// returns what follows it.
func appendHome(dst, s []byte, secure bool) (out, rest []byte, ok bool) {
	if n := plainHost(s); n > 0 {
		return append(dst, s[:n]...), s[n:], true
	}
	n := 0
	for !endsAuthority(s, n) {
		n++
	}
	dst, ok = appendAuthority(dst, s[:n], secure)
	return dst, s[n:], ok
}

// plainHost returns the length of the authority that s begins with if it consists of a
// host in canonical form, as most do, and 0 if it may not.
func plainHost(s []byte) int {
	last := byte('.')
	for i, c := range s {
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-', c == '_', c == '.' && last != '.':
			last = c
		case last != '.' && i <= maxHost && endsAuthority(s, i):
			return i
		default:
			return 0
		}
	}
	if last == '.' || len(s) > maxHost {
		return 0
	}
	return len(s)
}

// endsAuthority reports whether an authority that s begins with ends at i.
func endsAuthority(s []byte, i int) bool { return i == len(s) || isSlash(s[i]) || s[i] == '?' }

func isSlash(c byte) bool { return c == '/' || c == '\\' }

// cutScheme cuts the scheme and its colon off ref. name is empty if ref has no scheme.
func cutScheme(ref []byte) (name, rest []byte) {
	for i, c := range ref {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return ref[:i], ref[i+1:]
		default:
			return nil, ref
		}
	}
	return nil, ref
}

// appendAuthority appends host and port of an authority. ok is false if its host is
// invalid.
func appendAuthority(dst, authority []byte, secure bool) (out []byte, ok bool) {
	authority = authority[bytes.LastIndexByte(authority, '@')+1:]
	host, port := authority, []byte(nil)
	if i := bytes.LastIndexByte(authority, ':'); i >= 0 && bytes.IndexByte(authority[i:], ']') < 0 {
		host, port = authority[:i], authority[i+1:]
	}
	if dst, ok = appendHost(dst, host); !ok {
		return dst, false
	}
	for len(port) > 1 && port[0] == '0' {
		port = port[1:]
	}
	for _, c := range port {
		if c < '0' || c > '9' {
			return dst, false
		}
	}
	if len(port) == 0 || !secure && string(port) == "80" || secure && string(port) == "443" {
		return dst, true
	}
	return append(append(dst, ':'), port...), true
}

// maxHost is the most bytes that a host name may have (RFC 1035, 2.3.4).
const maxHost = 253

func appendHost(dst, host []byte) (out []byte, ok bool) {
	host = bytes.TrimSuffix(host, []byte("."))
	if len(host) == 0 || len(host) > 3*maxHost || host[0] == '.' || host[len(host)-1] == '.' || bytes.Contains(host, []byte("..")) {
		return dst, false
	}
	start := len(dst)
	literal := host[0] == '[' && host[len(host)-1] == ']'
	for _, c := range host {
		switch {
		case 'A' <= c && c <= 'Z':
			c |= 0x20
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-', c == '.', c == '_':
		case literal && (c == '[' || c == ']' || c == ':'):
		case c >= 0x80 || c == '%':
			return appendWideHost(dst[:start], host)
		default:
			return dst[:start], false
		}
		dst = append(dst, c)
	}
	return dst, len(host) <= maxHost
}

// appendWideHost appends the ASCII form of a host that is not ASCII.
func appendWideHost(dst, host []byte) (out []byte, ok bool) {
	name, err := url.PathUnescape(string(host))
	if err != nil {
		return dst, false
	}
	if name, err = domains.ToASCII(name); err != nil || name == "" || len(name) > maxHost {
		return dst, false
	}
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-', c == '.', c == '_':
		default:
			return dst, false
		}
	}
	return appendHost(dst, []byte(name)) // which looks at the dots that were escaped
}

// domains treats host names as browsers do (WHATWG URL, 3.3, not strict), because
// crawls are full of hosts with underscores and misplaced hyphens that resolve.
var domains = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.CheckJoiners(true),
	idna.CheckHyphens(false), idna.StrictDomainName(false), idna.Transitional(false))

// appendPath appends the path that leads from folder to rest, and rest's query. Dot
// segments are resolved. folder has no dot segments, and ends in a slash or is empty.
func appendPath(dst, folder, rest []byte) []byte {
	root := len(dst)
	dst = append(dst, folder...)
	if len(folder) == 0 {
		dst = append(dst, '/')
		if len(rest) > 0 && isSlash(rest[0]) {
			rest = rest[1:]
		}
	}
	if isPlain(rest) {
		return append(dst, rest...)
	}
	path, query := rest, []byte(nil)
	if i := bytes.IndexByte(rest, '?'); i >= 0 {
		path, query = rest[:i], rest[i:]
	}
	// dst ends in a slash, and dst[root] is a slash.
	for len(path) > 0 {
		end := 0
		for end < len(path) && !isSlash(path[end]) {
			end++
		}
		segment, more := path[:end], end < len(path)
		if more {
			path = path[end+1:]
		} else {
			path = nil
		}
		switch dots(segment) {
		case 1:
		case 2:
			if len(dst) > root+1 {
				dst = dst[:root+1+bytes.LastIndexByte(dst[root:len(dst)-1], '/')]
			}
		default:
			dst = escape(dst, segment)
			if more {
				dst = append(dst, '/')
			}
		}
	}
	return appendQuery(dst, query)
}

// dots is 1 for a segment that means "here", 2 for "one up", else 0.
func dots(segment []byte) int {
	n := 0
	for len(segment) > 0 {
		switch {
		case segment[0] == '.':
			segment = segment[1:]
		case len(segment) >= 3 && segment[0] == '%' && segment[1] == '2' && segment[2]|0x20 == 'e':
			segment = segment[3:]
		default:
			return 0
		}
		if n++; n > 2 {
			return 0
		}
	}
	return n
}

func appendQuery(dst, query []byte) []byte { return escape(dst, query) }

// Kinds of bytes of an address.
const (
	itself  = iota // kept as it is
	unclean        // must be percent-encoded
	slash          // parts segments
	back           // backslash: a slash in a path
	suspect        // begins a segment that may be one of dots
	mark           // begins the query
)

var kinds = func() (t [256]uint8) {
	for c := range 256 {
		if c <= ' ' || c >= 0x7F {
			t[c] = unclean
		}
	}
	for _, c := range []byte{'"', '<', '>', '`'} {
		t[c] = unclean
	}
	t['/'], t['\\'], t['.'], t['%'], t['?'] = slash, back, suspect, suspect, mark
	return t
}()

// isPlain reports whether the path and query s, after a slash, are already canonical: they
// have no backslash, no segment that begins like a dot segment, and nothing to escape.
func isPlain(s []byte) bool {
	last := uint8(slash)
	for i, c := range s {
		kind := kinds[c]
		switch {
		case kind == itself:
		case kind == mark:
			return !hasUnclean(s[i:])
		case kind == unclean || kind == back || kind == suspect && last == slash:
			return false
		}
		last = kind
	}
	return true
}

func hasUnclean(s []byte) bool {
	for _, c := range s {
		if kinds[c] == unclean {
			return true
		}
	}
	return false
}

// escape appends s and percent-encodes the bytes that an address may not have.
func escape(dst, s []byte) []byte {
	const hex = "0123456789ABCDEF"
	from := 0 // what is not appended yet
	for i, c := range s {
		if kinds[c] == unclean {
			dst = append(append(dst, s[from:i]...), '%', hex[c>>4], hex[c&15])
			from = i + 1
		}
	}
	return append(dst, s[from:]...)
}
