package charset

import "bytes"

// MediaType holds the parts of a Content-Type field.
type MediaType struct {
	Name    string // lower case, without parameters; "" if the field names no type
	Charset string // label of the charset parameter; "" if there is none
}

// ParseMediaType reads a media type such as "text/html; charset=utf-8", also in some
// malformed variants. It returns false if b is not a media type.
func ParseMediaType(b []byte) (MediaType, bool) {
	name, params, _ := bytes.Cut(b, []byte(";"))
	// Some servers separate with a comma or a space instead.
	if i := bytes.IndexAny(name, ", "); i > 0 {
		params = name[i+1:]
		if j := bytes.IndexByte(b, ';'); j > i {
			params = b[i+1:]
		}
		name = name[:i]
	}
	name = bytes.TrimSpace(name)
	major, minor, ok := bytes.Cut(name, []byte("/"))
	if !ok || !token(major) || !token(minor) {
		return MediaType{}, false
	}
	return MediaType{lowerMedia(name), charsetParam(params)}, true
}

// lowerMedia returns b in lower case. It does not allocate for the usual names.
func lowerMedia(b []byte) string {
	for _, usual := range [...]string{"text/html", "image/jpeg", "image/png", "image/gif",
		"text/css", "application/javascript", "text/javascript", "application/xhtml+xml", "text/plain"} {
		if EqualFold(b, usual) {
			return usual
		}
	}
	return string(bytes.ToLower(b[:min(len(b), 127)]))
}

// token reports whether b is an HTTP token (RFC 9110, 5.6.2).
func token(b []byte) bool {
	for _, c := range b {
		if c <= ' ' || c >= 0x7f || bytes.IndexByte([]byte(`()<>@,;:\"/[]?={}`), c) >= 0 {
			return false
		}
	}
	return len(b) > 0
}

// charsetParam returns the value of the first charset parameter, or "" if there is
// none.
func charsetParam(params []byte) string {
	for len(params) > 0 {
		var p []byte
		p, params, _ = bytes.Cut(params, []byte(";"))
		name, value, ok := bytes.Cut(p, []byte("="))
		if !ok || !EqualFold(bytes.TrimSpace(name), "charset") {
			continue
		}
		value = bytes.Trim(value, " \t\"'")
		if i := bytes.IndexAny(value, "\"', \t"); i >= 0 {
			value = value[:i]
		}
		return string(value[:min(len(value), 64)])
	}
	return ""
}

// Unknown reports whether no type is declared, or one that means an unknown type
// (WHATWG MIME Sniffing, 7).
func (m MediaType) Unknown() bool {
	switch m.Name {
	case "", "unknown/unknown", "application/unknown", "*/*":
		return true
	}
	return false
}

// HTML reports whether the type is one of HTML.
func (m MediaType) HTML() bool {
	return m.Name == "text/html" || m.Name == "application/xhtml+xml"
}

// sniffed is how many bytes of a payload are examined.
const sniffed = 1445 // WHATWG MIME Sniffing, 5.2

// htmlBeginnings are the first bytes by which a document without a declared type is
// recognised as HTML (WHATWG MIME Sniffing, 7.1). A space or ">" must follow.
var htmlBeginnings = [...]string{"<!doctype html", "<html", "<head", "<script", "<iframe", "<h1", "<div", "<font",
	"<table", "<a", "<style", "<title", "<b", "<body", "<br", "<p"}

// IsHTML reports whether the payload begins like an HTML document, after
// white space.
func IsHTML(b []byte) bool {
	b = bytes.TrimPrefix(b[:min(len(b), sniffed)], []byte("\xef\xbb\xbf"))
	b = bytes.TrimLeft(b, "\t\n\f\r ")
	if bytes.HasPrefix(b, []byte("<!--")) {
		return true
	}
	for _, tag := range htmlBeginnings {
		if HasPrefixFold(b, tag) && len(b) > len(tag) && (b[len(tag)] == ' ' || b[len(tag)] == '>') {
			return true
		}
	}
	return false
}

// binaryBeginnings are the first bytes of binary formats that servers declare as HTML
// by mistake (WHATWG MIME Sniffing, 6 and 7.1).
var binaryBeginnings = [...]string{"%PDF-", "%!PS-Adobe-", "\x89PNG\r\n\x1a\n", "GIF87a", "GIF89a", "\xff\xd8\xff",
	"PK\x03\x04", "\x1f\x8b\x08", "Rar!\x1a\x07", "7z\xbc\xaf\x27\x1c", "\x00\x00\x01\x00", "OggS\x00",
	"ID3", "MZ\x90\x00", "\x7fELF", "wOFF", "wOF2", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "\x1aE\xdf\xa3", "BZh9", "\xfd7zXZ\x00"}

// IsBinary reports whether the payload is a binary format or mostly NUL bytes.
func IsBinary(b []byte) bool {
	for _, magic := range binaryBeginnings {
		if bytes.HasPrefix(b, []byte(magic)) {
			return true
		}
	}
	if bytes.HasPrefix(b, []byte("RIFF")) && len(b) >= 14 && (string(b[8:14]) == "WEBPVP" || string(b[8:12]) == "WAVE") {
		return true
	}
	b = b[:min(len(b), sniffed)]
	return len(b) >= 16 && bytes.Count(b, []byte{0}) > len(b)/2 && wideText(b) == "" && !wideBOM(b)
}

// IsText reports whether the payload's first bytes are free of control bytes that
// do not occur in text (WHATWG MIME Sniffing, 7.2).
func IsText(b []byte) bool {
	for _, c := range b[:min(len(b), sniffed)] {
		if c <= 0x08 || c == 0x0b || c >= 0x0e && c <= 0x1a || c >= 0x1c && c <= 0x1f {
			return false
		}
	}
	return true
}
