package warc

import (
	"bytes"
	"strconv"
	"strings"
)

// Field is one header field. Its name is in lower case, and its value is trimmed and
// unfolded. Values are bytes that need not be valid UTF-8.
type Field struct{ Name, Value []byte }

// Header is the fields of a record in the order found, repeated ones included.
// It is valid until the reader's next call, and at most Options.MaxFields long.
type Header struct {
	Fields []Field

	buf   []byte     // names and values, one after the other
	spans [][3]int32 // for each field: start of the name, start and end of the value
	odd   oddity
}

// oddity is a set of bits that say what is wrong with a header.
type oddity uint8

const (
	oddFolded oddity = 1 << iota
	oddRepeated
	oddLine
	oddFields
	oddEOL
)

// Get returns the first value of the field with this lower-case name, or nil if there
// is none.
func (h *Header) Get(name string) []byte {
	for i := range h.Fields {
		if string(h.Fields[i].Name) == name {
			return h.Fields[i].Value
		}
	}
	return nil
}

// Type is the record type in lower case. Without a WARC-Type field, a block of
// type application/http with msgtype=response makes it a response.
func (h *Header) Type() string {
	if typ := h.Get("warc-type"); typ != nil {
		return lowerType(typ)
	}
	ct := h.Get("content-type")
	if foldPrefix(ct, "application/http") && containsFold(ct, "msgtype=response") {
		return TypeResponse
	}
	return ""
}

// lowerType returns the constants without allocating.
func lowerType(b []byte) string {
	switch string(b) {
	case TypeWarcinfo:
		return TypeWarcinfo
	case TypeResponse:
		return TypeResponse
	case TypeResource:
		return TypeResource
	case TypeRequest:
		return TypeRequest
	case TypeMetadata:
		return TypeMetadata
	case TypeRevisit:
		return TypeRevisit
	}
	return string(bytes.ToLower(b))
}

// parse reads the header lines in raw, which are those between the version line and
// the blank line.
func (h *Header) parse(raw []byte, maxFields int) {
	h.buf, h.spans, h.odd = h.buf[:0], h.spans[:0], 0
	open := false // the last line was a field, which a folded line may continue
	for len(raw) > 0 {
		var line []byte
		line, raw = cutLine(raw, &h.odd)
		if len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
			h.odd |= oddFolded
			if open {
				h.unfold(bytes.Trim(line, " \t"))
			}
			continue
		}
		name, value, ok := bytes.Cut(line, []byte(":"))
		name = bytes.Trim(name, " \t")
		if open = ok && len(name) > 0; !open {
			h.odd |= oddLine
			continue
		}
		if len(h.spans) >= maxFields {
			h.odd |= oddFields
			break
		}
		h.add(name, bytes.Trim(value, " \t"))
	}
	h.seal()
	h.noteRepeated()
}

// seal fills Fields with the fields that were added.
func (h *Header) seal() {
	h.Fields = h.Fields[:0]
	for _, s := range h.spans {
		h.Fields = append(h.Fields, Field{h.buf[s[0]:s[1]:s[1]], h.buf[s[1]:s[2]:s[2]]})
	}
}

// cutLine splits off the first line. A line ends with LF and any number of CR
// before it.
func cutLine(raw []byte, odd *oddity) (line, rest []byte) {
	end := bytes.IndexByte(raw, '\n')
	if end < 0 {
		line, rest = raw, nil
	} else {
		line, rest = raw[:end], raw[end+1:]
	}
	cr := 0
	for len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
		cr++
	}
	if cr != 1 && end >= 0 {
		*odd |= oddEOL
	}
	return line, rest
}

func (h *Header) add(name, value []byte) {
	start := int32(len(h.buf))
	for _, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		h.buf = append(h.buf, c)
	}
	mid := int32(len(h.buf))
	h.buf = append(h.buf, value...)
	h.spans = append(h.spans, [3]int32{start, mid, int32(len(h.buf))})
}

// unfold appends text to the last value, which is the last thing in buf.
func (h *Header) unfold(text []byte) {
	last := &h.spans[len(h.spans)-1]
	if len(text) == 0 {
		return
	}
	if last[2] > last[1] {
		h.buf = append(h.buf, ' ')
	}
	h.buf = append(h.buf, text...)
	last[2] = int32(len(h.buf))
}

// noteRepeated sets oddRepeated if a field that may have only one value is repeated.
func (h *Header) noteRepeated() {
	for i := range h.Fields {
		name := h.Fields[i].Name
		if string(name) == "warc-concurrent-to" || string(name) == "warc-protocol" {
			continue
		}
		for j := range i {
			if bytes.Equal(h.Fields[j].Name, name) {
				h.odd |= oddRepeated
				return
			}
		}
	}
}

// contentLength returns the announced size of the block; ok is false if it is
// missing or not a plain decimal number below 2^63.
func (h *Header) contentLength() (n int64, ok bool) {
	return parseLength(h.Get("content-length"))
}

func parseLength(b []byte) (n int64, ok bool) {
	u, err := strconv.ParseUint(string(b), 10, 63)
	return int64(u), err == nil
}

const (
	// startEOL is the longest run of line ends that may precede the version line of
	// a start. Longer runs are skipped only within a group.
	startEOL = 64
	// maxVersionLine is the longest version line, line end included.
	maxVersionLine = 64
)

var bom = []byte("\xef\xbb\xbf")

// versionLine returns the length of the version line that b begins with, line end
// included. Such a line is "WARC/" in any case, digits, a dot, digits, white space, and
// a line end.
func versionLine(b []byte) (n int, a answer) {
	const magic = "warc/"
	if !foldPrefix(b[:min(len(b), len(magic))], magic[:min(len(b), len(magic))]) {
		return 0, no
	}
	if len(b) <= len(magic) {
		return 0, more
	}
	n = len(magic)
	for _, stop := range [...]byte{'.', 0} {
		start := n
		for n < len(b) && n < maxVersionLine && b[n] >= '0' && b[n] <= '9' {
			n++
		}
		switch {
		case n >= maxVersionLine || n == start && n < len(b):
			return 0, no
		case n == len(b):
			return 0, more
		case stop != 0 && b[n] != stop:
			return 0, no
		case stop != 0:
			n++
		}
	}
	for n < len(b) && n < maxVersionLine && (b[n] == ' ' || b[n] == '\t') {
		n++
	}
	for n < len(b) && n < maxVersionLine && b[n] == '\r' {
		n++
	}
	switch {
	case n >= maxVersionLine:
		return 0, no
	case n == len(b):
		return 0, more
	case b[n] != '\n':
		return 0, no
	}
	return n + 1, yes
}

// plausible reports whether b begins with a WARC header: a version line and at
// least one warc-* field before the header ends. If length is set, a usable
// Content-Length is required as well.
func plausible(b []byte, length bool) answer {
	n, a := versionLine(b)
	if a != yes {
		return a
	}
	named, sized := false, !length
	for b = b[n:]; ; {
		end := bytes.IndexByte(b, '\n')
		if end < 0 {
			return more
		}
		line := bytes.TrimRight(b[:end], "\r")
		if len(line) == 0 {
			return no
		}
		if _, a := versionLine(b[:end+1]); a == yes {
			return no
		}
		if name, value, ok := bytes.Cut(line, []byte(":")); ok {
			name = bytes.Trim(name, " \t")
			named = named || len(name) > 5 && foldPrefix(name, "warc-")
			if !sized && len(name) == len("content-length") && foldPrefix(name, "content-length") {
				_, sized = parseLength(bytes.Trim(value, " \t"))
			}
		}
		if named && sized {
			return yes
		}
		b = b[end+1:]
	}
}

func isEOL(c byte) bool { return c == '\n' || c == '\r' }

// foldPrefix reports whether b begins with the ASCII prefix, in any case. A letter outside
// ASCII that folds to one of the prefix has more bytes than it, so it does not match.
func foldPrefix(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && strings.EqualFold(string(b[:len(prefix)]), prefix)
}

func containsFold(b []byte, sub string) bool {
	for i := 0; i+len(sub) <= len(b); i++ {
		if foldPrefix(b[i:], sub) {
			return true
		}
	}
	return false
}
