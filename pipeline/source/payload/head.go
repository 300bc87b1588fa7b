package payload

import (
	"bytes"

	"github.com/winnow/winnow/pipeline/source/payload/charset"
)

// head holds the fields of an HTTP response that describe its payload.
type head struct {
	status   int
	media    charset.MediaType
	types    int // number of Content-Type fields that hold a media type
	chunked  bool
	transfer []byte // other transfer codings, comma-separated
	content  []byte // content codings, comma-separated
	location []byte // target of a redirect
	flags    Flags
	kept     []Field // see keptFields

	folded []byte // a value joined from several lines
}

// reset clears everything but the buffers.
func (h *head) reset() {
	*h = head{transfer: h.transfer[:0], content: h.content[:0], location: h.location[:0], folded: h.folded[:0]}
}

// parse reads the head that block begins with and returns the payload. The
// reason is "" unless there is no HTTP head at all.
func (h *head) parse(block []byte) ([]byte, Reason) {
	h.reset()
	rest := bytes.TrimLeft(block, "\r\n")
	for {
		var line []byte
		line, rest, _ = cutLine(rest, &h.flags)
		status, ok := statusLine(line)
		if !ok {
			return nil, noStatus(line)
		}
		h.status = status
		payload := h.fields(rest)
		// An interim response may precede the final one.
		if status >= 200 || !bytes.HasPrefix(payload, []byte("HTTP/")) {
			return payload, ""
		}
		rest = payload
	}
}

// noStatus returns the reason for a block without a status line.
func noStatus(line []byte) Reason {
	switch {
	case len(line) == 0 || bytes.IndexByte(line, '<') == 0:
		return HTTPMissing
	case charset.HasPrefixFold(line, "http"):
		return StatusBad
	case looksLikeDNS(line):
		return NotHTTP
	}
	return StatusBad
}

// looksLikeDNS reports whether line is the first line of a DNS answer as Heritrix
// writes it, which is a date of 14 digits.
func looksLikeDNS(line []byte) bool {
	return len(line) == 14 && len(bytes.Trim(line, "0123456789")) == 0
}

// statusLine reads the status of "HTTP/1.1 200 OK", with or without minor
// version and reason phrase, and of "ICY 200 OK".
func statusLine(line []byte) (int, bool) {
	switch {
	case charset.HasPrefixFold(line, "http/"):
		line = line[len("http/"):]
		n := 0
		for n < len(line) && (line[n] >= '0' && line[n] <= '9' || line[n] == '.') {
			n++
		}
		if n == 0 {
			return 0, false
		}
		line = line[n:]
	case charset.HasPrefixFold(line, "icy"):
		line = line[len("icy"):]
	default:
		return 0, false
	}
	code := bytes.TrimLeft(line, " \t")
	if len(code) == len(line) || len(code) < 3 {
		return 0, false
	}
	status := 0
	for _, c := range code[:3] {
		if c < '0' || c > '9' {
			return 0, false
		}
		status = status*10 + int(c-'0')
	}
	if status < 100 || len(code) > 3 && code[3] >= '0' && code[3] <= '9' {
		return 0, false
	}
	return status, true
}

// fields reads the header fields and returns the bytes after the blank line. If the
// head does not end within maxHead, the fields within it are read.
func (h *head) fields(b []byte) []byte {
	size := 0
	var name, value []byte // the field that a folded line would continue
	folded := false        // value lies in h.folded
	for {
		line, rest, ended := cutLine(b, &h.flags)
		size += len(b) - len(rest)
		switch {
		case ended && len(line) == 0:
			h.field(name, value)
			return rest
		case len(b) == 0 || size > maxHead:
			h.field(name, value)
			h.flags |= FlagHeaderCut
			return nil
		case len(line) > 0 && (line[0] == ' ' || line[0] == '\t'):
			h.flags |= FlagHeaderOdd
			if !folded {
				h.folded = append(h.folded[:0], value...)
				folded = true
			}
			h.folded = append(append(h.folded, ' '), bytes.Trim(line, " \t")...)
			value = h.folded
		default:
			h.field(name, value)
			folded = false
			var ok bool
			name, value, ok = bytes.Cut(line, []byte(":"))
			name, value = bytes.Trim(name, " \t"), bytes.Trim(value, " \t")
			if !ok || len(name) == 0 {
				h.flags |= FlagHeaderOdd
				name = nil
			}
		}
		b = rest
	}
}

// field interprets one header field. Names other than those below and keptFields are ignored,
// including X-Archive-Orig-Content-Type and similar ones.
func (h *head) field(name, value []byte) {
	switch {
	case charset.EqualFold(name, "content-type"):
		if media, ok := charset.ParseMediaType(value); ok {
			if h.types++; h.types > 1 {
				h.flags |= FlagTypeRepeated
			}
			h.media = media
		}
	case charset.EqualFold(name, "content-encoding"):
		h.content = append(append(h.content, ','), value...)
	case charset.EqualFold(name, "location"):
		h.location = append(h.location[:0], value...)
	case h.keep(name, value):
	case charset.EqualFold(name, "transfer-encoding"):
		for coding := range bytes.SplitSeq(value, []byte(",")) {
			if coding = bytes.TrimSpace(coding); charset.EqualFold(coding, "chunked") {
				h.chunked = true
			} else {
				h.transfer = append(append(h.transfer, ','), coding...)
			}
		}
	}
}

// cutLine splits off the first line, which ends with LF and any number of CR
// before it. ended is false if the line is not ended at all.
func cutLine(b []byte, flags *Flags) (line, rest []byte, ended bool) {
	end := bytes.IndexByte(b, '\n')
	if end < 0 {
		return bytes.TrimRight(b, "\r"), nil, false
	}
	line = b[:end]
	cr := 0
	for len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
		cr++
	}
	if cr != 1 {
		*flags |= FlagHeaderOdd
	}
	return line, b[end+1:], true
}

// Field is a field of an HTTP response.
type Field struct{ Name, Value string } // Name is in lower case

// keptFields are the fields that a Document passes on, because they say something about
// the page: its language, and what may be done with it.
var keptFields = [...]string{"content-language", "x-robots-tag", "link", "tdm-reservation", "tdm-policy", "content-usage", "content-signal"}

// Bounds on the fields that are passed on. A server that has something to say needs less.
const (
	maxKept      = 32      // fields
	maxKeptBytes = 8 << 10 // bytes of one value
)

// keep adds a field to those that are passed on, if it is one of keptFields. A field may
// occur several times.
func (h *head) keep(name, value []byte) bool {
	for _, wanted := range keptFields {
		if charset.EqualFold(name, wanted) {
			if len(h.kept) < maxKept {
				h.kept = append(h.kept, Field{wanted, string(value[:min(len(value), maxKeptBytes)])})
			}
			return true
		}
	}
	return false
}
