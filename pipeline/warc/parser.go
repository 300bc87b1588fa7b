package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	slyrz "github.com/slyrz/warc"
)

// parser hands framed records to slyrz/warc, the record parser, in canonical
// form: "WARC/1.0", the first value of every field, the length of the block that
// is really there, the block, and the separator. Given that, it is a sound
// parser; given anything else, it loses fields and records without a word, which
// is why it never sees the file.
//
// One slyrz reader serves the whole item, over a feed that holds one record at a
// time. A new reader per record would cost 13 kB and 22 allocations each.
type parser struct {
	reader *slyrz.Reader
	feed   feed
	head   []byte
	block  []byte
}

// feed is an io.Reader over the separator of the record before, as far as it was
// not read yet, and one canonical record.
type feed struct{ before, head, block, tail []byte }

var separator = []byte("\r\n\r\n")

func (f *feed) Read(p []byte) (int, error) {
	n := 0
	for _, piece := range [...]*[]byte{&f.before, &f.head, &f.block, &f.tail} {
		k := copy(p[n:], *piece)
		*piece = (*piece)[k:]
		n += k
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// parse returns the fields of a record by lower-case name and its block, which
// is valid until the next call. Any disagreement with what was fed is a bug of
// this package.
func (p *parser) parse(h *Header, block []byte) (fields map[string]string, got []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("warc: bug: the record parser panicked: %v", v)
		}
	}()
	p.canonical(h, len(block))
	p.feed = feed{p.feed.tail, p.head, block, separator}
	if p.reader == nil {
		if p.reader, err = slyrz.NewReaderMode(&p.feed, slyrz.SequentialMode); err != nil {
			return nil, nil, fmt.Errorf("warc: bug: %w", err)
		}
	}
	rec, err := p.reader.ReadRecord()
	if err != nil {
		return nil, nil, fmt.Errorf("warc: bug: canonical record refused: %w", err)
	}
	if cap(p.block) < len(block) || cap(p.block) > max(8<<20, 2*len(block)) {
		p.block = make([]byte, max(len(block), min(2*len(block), 1<<20)))
	}
	got = p.block[:len(block)]
	if _, err := io.ReadFull(rec.Content, got); err != nil {
		return nil, nil, fmt.Errorf("warc: bug: block cut by the record parser: %w", err)
	}
	var none [1]byte
	if n, err := rec.Content.Read(none[:]); n != 0 || err != io.EOF {
		return nil, nil, errors.New("warc: bug: block extended by the record parser")
	}
	if err := p.verify(h, rec.Header, len(block)); err != nil {
		return nil, nil, err
	}
	return rec.Header, got, nil
}

// verify compares the parsed fields with those fed: as many as there were, and
// the length.
func (p *parser) verify(h *Header, fields map[string]string, length int) error {
	if fields["content-length"] != strconv.Itoa(length) {
		return errors.New("warc: bug: content length changed by the record parser")
	}
	want, exact := 1, true // content-length
	for i := range h.Fields {
		if name := h.Fields[i].Name; string(name) != "content-length" && !h.repeat[i] {
			want++
			exact = exact && asciiName(name)
		}
	}
	if len(fields) != want && (exact || len(fields) > want) {
		return fmt.Errorf("warc: bug: %d fields of %d left by the record parser", len(fields), want)
	}
	return nil
}

// asciiName: the parser folds the case of other letters too, so that such names
// may meet.
func asciiName(name []byte) bool {
	for _, c := range name {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// canonicalValue is the value of a field as the parser is to deliver it: it
// trims all that Unicode calls space.
func canonicalValue(name, value []byte) []byte {
	if string(name) == "warc-target-uri" {
		value, _ = bareURI(value)
	}
	return bytes.TrimSpace(value)
}

// canonical writes the header into head.
func (p *parser) canonical(h *Header, length int) {
	b := append(p.head[:0], "WARC/1.0\r\n"...)
	for i := range h.Fields {
		f := &h.Fields[i]
		if string(f.Name) == "content-length" || h.repeat[i] {
			continue
		}
		b = append(b, f.Name...)
		b = append(b, ": "...)
		b = append(b, canonicalValue(f.Name, f.Value)...)
		b = append(b, "\r\n"...)
	}
	b = append(b, "content-length: "...)
	b = strconv.AppendInt(b, int64(length), 10)
	p.head = append(b, separator...)
}

// bareURI removes one pair of angle brackets, which wget puts around URIs.
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
