package charset

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"
)

// charsetName returns the WHATWG name of the charset that a label refers to, or "" if
// it refers to none. It also returns "" for encodings that browsers refuse to decode
// ("replacement"), because decoding them would leave a single replacement character
// of the whole page.
func charsetName(label string) string {
	if len(label) > 64 {
		return ""
	}
	enc, err := htmlindex.Get(label)
	if err != nil {
		return ""
	}
	name, err := htmlindex.Name(enc)
	if err != nil || name == "replacement" {
		return ""
	}
	return name
}

// byteOrderMarks take precedence over every other sign of the charset (WHATWG
// Encoding, 6, "BOM sniff").
var byteOrderMarks = [...]struct{ mark, name string }{
	{"\xef\xbb\xbf", "utf-8"},
	{"\xfe\xff", "utf-16be"},
	{"\xff\xfe", "utf-16le"},
}

func wideBOM(b []byte) bool {
	return bytes.HasPrefix(b, []byte("\xfe\xff")) || bytes.HasPrefix(b, []byte("\xff\xfe"))
}

// Source says what decided about the charset.
type Source string

const (
	FromBOM       Source = "bom"
	FromHTTP      Source = "http" // the Content-Type field, or the caller's hint
	FromMeta      Source = "meta"
	FromDetection Source = "detected"
	FromDefault   Source = "default"
)

// Text is a decoded document.
type Text struct {
	// HTML is valid UTF-8. It is valid until the decoder's next call, and only as long as
	// the source is, because it may be a part of it.
	HTML     []byte
	Charset  string // WHATWG name
	Source   Source
	Replaced int // number of replacement characters inserted for invalid bytes

	Unknown    bool // an unknown charset was declared
	Overridden bool // the label is another charset than the byte order mark, or a meta element than the bytes
}

// Decoder decodes one document after another. The zero Decoder is ready to use; it is not
// safe for concurrent use.
type Decoder struct {
	text     []byte
	detector detector
}

// retained is the largest buffer that is kept for the next document.
const retained = 4 << 20

// Decode decodes a document. The charset is decided, in this order, by the byte order mark,
// the label (of HTTP, may be empty), the declaration within the document unless the bytes are
// UTF-8, detection, and the default.
func (d *Decoder) Decode(raw []byte, label string) Text {
	if cap(d.text) > retained {
		d.text = nil
	}
	var t Text
	declared := ""
	if label != "" {
		if declared = charsetName(label); declared == "" {
			t.Unknown = true
		}
	}
	for _, m := range byteOrderMarks {
		if bytes.HasPrefix(raw, []byte(m.mark)) {
			t.Overridden = declared != "" && declared != m.name
			d.toUTF8(&t, raw[len(m.mark):], m.name, FromBOM)
			return t
		}
	}
	if declared != "" {
		d.toUTF8(&t, raw, declared, FromHTTP)
		return t
	}
	name, unknown := prescan(raw)
	t.Unknown = t.Unknown || unknown
	if name != "" && name != "utf-8" && !ascii(raw) && utf8.Valid(raw) {
		// A page that was converted, or saved by a browser, keeps the meta element of its
		// former charset. Text in another charset is hardly ever valid UTF-8.
		t.Overridden = true
		name = ""
	}
	if name != "" {
		d.toUTF8(&t, raw, name, FromMeta)
		return t
	}
	if name = d.detector.detect(raw); name != "" {
		d.toUTF8(&t, raw, name, FromDetection)
		return t
	}
	d.toUTF8(&t, raw, "windows-1252", FromDefault)
	return t
}

// toUTF8 decodes the document. Bytes that are UTF-8 already are not copied.
func (d *Decoder) toUTF8(t *Text, raw []byte, name string, source Source) {
	t.Charset, t.Source = name, source
	switch {
	case name == "utf-8" && utf8.Valid(raw), ascii(raw) && asciiIsItself(raw, name):
		t.HTML = raw
	default:
		enc, err := htmlindex.Get(name)
		if err != nil { // impossible, because name came from htmlindex
			enc = encoding.Replacement
		}
		d.text, t.Replaced = appendDecoded(d.text[:0], raw, enc.NewDecoder())
		if name == "utf-8" {
			t.Replaced -= bytes.Count(raw, []byte(replacement)) // those that the document has itself
		}
		t.HTML = d.text
	}
}

// ascii reports whether all bytes are below 0x80.
func ascii(b []byte) bool {
	for len(b) >= 8 {
		if (b[0]|b[1]|b[2]|b[3]|b[4]|b[5]|b[6]|b[7])&0x80 != 0 {
			return false
		}
		b = b[8:]
	}
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// asciiIsItself reports whether the bytes below 0x80 in b are ASCII characters in
// a charset. In UTF-16 they do not, and in ISO-2022-JP they do only if b has no escapes.
func asciiIsItself(b []byte, name string) bool {
	switch name {
	case "utf-16be", "utf-16le":
		return false
	case "iso-2022-jp":
		return !bytes.ContainsAny(b, "\x1b\x0e\x0f")
	}
	return true
}

const replacement = "\ufffd"

// appendDecoded decodes b and appends the result. It also returns the number of
// replacement characters in the result.
func appendDecoded(dst, b []byte, dec *encoding.Decoder) ([]byte, int) {
	start := len(dst)
	for {
		if cap(dst)-len(dst) < len(b)+utf8.UTFMax {
			grown := make([]byte, len(dst), len(dst)+len(b)+len(b)/2+64)
			copy(grown, dst)
			dst = grown
		}
		n, used, err := dec.Transform(dst[len(dst):cap(dst)], b, true)
		dst, b = dst[:len(dst)+n], b[used:]
		switch {
		case err == transform.ErrShortDst && (n > 0 || used > 0):
			continue
		case err == transform.ErrShortDst: // not even one character fits, so grow
			grown := make([]byte, len(dst), 2*cap(dst)+64)
			copy(grown, dst)
			dst = grown
			continue
		case err != nil && len(b) > 0: // unexpected, because decoders replace invalid bytes instead of failing
			dst = append(dst, replacement...)
			b = b[1:]
			continue
		}
		break
	}
	if !utf8.Valid(dst[start:]) {
		dst = append(dst[:start], bytes.ToValidUTF8(dst[start:], []byte(replacement))...)
	}
	return dst, bytes.Count(dst[start:], []byte(replacement))
}
