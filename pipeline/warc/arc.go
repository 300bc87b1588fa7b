package warc

import (
	"bytes"
	"net/netip"
)

// ARC files are what crawlers wrote before WARC. Each record begins with one line:
//
//	filedesc://a.arc 0.0.0.0 20080430204825 text/plain 76        the version block,
//	1 0 InternetArchive                                          version 1 or 1.1
//	URL IP-address Archive-date Content-type Archive-length
//
//	http://a/ 192.0.2.1 20080430204826 text/html 310             a page, with its
//	HTTP/1.1 200 OK                                              HTTP head
//	...
//
// Version 2 has ten fields instead of five. The line that names the fields is
// ignored, because in some files it disagrees with the records. Instead, a line is
// read from its right end, where the fields cannot contain spaces.
//
// A line becomes a Header with the fields that a WARC record would have, so that
// callers need not distinguish the two formats. ARC has no record identifiers.

// maxARCLine is the longest line, line end included, with which an ARC record may
// begin. It bounds the length of a URL.
const maxARCLine = 16 << 10

// arcFields are the parts of the line that begins an ARC record.
type arcFields struct {
	url, ip, date, media, length []byte
	// odd is set if the fields are not those of version 1 or 2 in their order.
	odd bool
}

// arcLine returns the length of the line of an ARC record that b begins with, line
// end included.
func arcLine(b []byte) (n int, a answer) {
	b = b[:min(len(b), maxARCLine)]
	if a := scheme(b); a != yes {
		return 0, a
	}
	end := bytes.IndexByte(b, '\n')
	switch {
	case end < 0 && len(b) < maxARCLine:
		return 0, more
	case end < 0:
		return 0, no
	}
	if _, ok := parseARC(b[:end]); !ok {
		return 0, no
	}
	return end + 1, yes
}

// plausibleARC reports whether b begins with the line of an ARC record. If length is
// set, the line's length field must be a number. arcLine is strict enough to be used
// in a search.
func plausibleARC(b []byte, length bool) answer {
	n, a := arcLine(b)
	if a == yes && length {
		if f, _ := parseARC(b[:n-1]); !decimal(f.length) {
			return no
		}
	}
	return a
}

// scheme reports whether b begins with the scheme of a URL and its colon.
func scheme(b []byte) answer {
	const longest = 32
	for i, c := range b {
		switch {
		case i > longest:
			return no
		case c == ':' && i > 0:
			return yes
		case isLetter(c):
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return no
		}
	}
	return more
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// decimal reports whether b is a number that parseLength accepts.
func decimal(b []byte) bool {
	_, ok := parseLength(b)
	return ok
}

// parseARC splits a line into its fields. It searches from the right for the date and
// the adjacent address, in either order, because some URLs contain spaces. The media
// type and, in version 2, five more fields lie between the date and the length.
func parseARC(line []byte) (f arcFields, ok bool) {
	const deepest = 16 // how many fields from the right are searched for the date
	line = bytes.TrimRight(line, "\r")
	var fields [deepest][]byte // from the right, without the first one
	n, rest := 0, line
	for n < deepest {
		i := bytes.LastIndexByte(rest, ' ')
		if i < 0 {
			break
		}
		fields[n], rest = rest[i+1:], rest[:i]
		n++
	}
	at := arcDateAt(fields[:n])
	if at < 0 {
		return f, false
	}
	f.length, f.date, f.ip = fields[0], fields[at], fields[at+1]
	if !arcDate(f.date) && arcDate(f.ip) {
		f.date, f.ip, f.odd = f.ip, f.date, true
	}
	behindURL := 0
	for _, field := range fields[:at+2] {
		behindURL += len(field) + 1
	}
	f.url = line[:len(line)-behindURL]
	switch at {
	case 1:
		f.odd = true
	case 2:
		f.media = fields[1]
	case 7:
		f.media = fields[6]
	default:
		f.odd = true
		end := len(line) - len(f.length) - 1
		size := -1
		for _, field := range fields[1:at] {
			size += len(field) + 1
		}
		f.media = line[end-size : end]
	}
	f.odd = f.odd || len(f.date) != 14 || bytes.IndexByte(f.url, ' ') >= 0
	return f, true
}

// arcDateAt returns the index of the right one of the two adjacent fields that hold
// the date and the address, in either order. The fields are given from right to left.
// The result is -1 if there is no such pair.
func arcDateAt(fields [][]byte) int {
	for i := 1; i+1 < len(fields); i++ {
		right, left := fields[i], fields[i+1]
		if arcDate(right) && ipAddress(left) || arcDate(left) && ipAddress(right) {
			return i
		}
	}
	// Writers that did not know the address or the date wrote a word instead.
	if len(fields) == 4 && decimal(fields[0]) && (arcDate(fields[2]) || ipAddress(fields[3])) {
		return 2
	}
	return -1
}

// arcDate reports whether b is a date in digits. A date usually has 14 digits, but
// some files have dates with fewer or more.
func arcDate(b []byte) bool {
	return len(b) >= 8 && len(b) <= 18 && digits(b) &&
		(bytes.HasPrefix(b, []byte("19")) || bytes.HasPrefix(b, []byte("20")))
}

func ipAddress(b []byte) bool {
	const longest = len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")
	if len(b) < 2 || len(b) > longest {
		return false
	}
	_, err := netip.ParseAddr(string(b))
	return err == nil
}

func digits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}

// parseARC fills the header with the fields that a WARC record would have, from the
// line of an ARC record.
func (h *Header) parseARC(line []byte) {
	h.buf, h.spans, h.odd = h.buf[:0], h.spans[:0], 0
	f, ok := parseARC(line)
	if !ok || f.odd {
		h.odd |= oddLine
	}
	h.add([]byte("warc-type"), []byte(arcType(f.url)))
	h.add([]byte("warc-target-uri"), f.url)
	date := f.date
	var form [len("2006-01-02T15:04:05Z")]byte
	if arcDate(date) {
		date = appendARCDate(form[:0], date)
	}
	h.add([]byte("warc-date"), date)
	if ipAddress(f.ip) {
		h.add([]byte("warc-ip-address"), f.ip)
	}
	h.add([]byte("content-type"), f.media)
	h.add([]byte("content-length"), f.length)
	h.seal()
}

// arcType returns the type that a WARC record with the same content would have. The
// answer of an HTTP server, with its head, is a response, and the version block is a
// warcinfo record. Everything else is a resource.
func arcType(url []byte) string {
	switch {
	case foldPrefix(url, "http:"), foldPrefix(url, "https:"):
		return TypeResponse
	case foldPrefix(url, "filedesc:"):
		return TypeWarcinfo
	}
	return TypeResource
}

// appendARCDate appends a date in digits in the form of WARC. Only the first 14
// digits are used, and a shorter date gives a shorter result.
func appendARCDate(to, b []byte) []byte {
	n := min(len(b), len("20060102150405"))
	for i := range n {
		switch i {
		case 4, 6:
			to = append(to, '-')
		case 8:
			to = append(to, 'T')
		case 10, 12:
			to = append(to, ':')
		}
		to = append(to, b[i])
	}
	if n > 8 {
		to = append(to, 'Z')
	}
	return to
}
