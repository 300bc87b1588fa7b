package warc

import (
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

// feed is an io.Reader over the pieces of one canonical record.
type feed struct{ head, block, tail []byte }

var separator = []byte("\r\n\r\n")

func (f *feed) Read(p []byte) (int, error) {
	n := 0
	for _, piece := range [...]*[]byte{&f.head, &f.block, &f.tail} {
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
	p.feed = feed{p.head, block, separator}
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
	if rec.Header["content-length"] != strconv.Itoa(len(block)) {
		return nil, nil, errors.New("warc: bug: header changed by the record parser")
	}
	return rec.Header, got, nil
}

// canonical writes the header into head.
func (p *parser) canonical(h *Header, length int) {
	b := append(p.head[:0], "WARC/1.0\r\n"...)
	for i := range h.Fields {
		f := &h.Fields[i]
		if string(f.Name) == "content-length" || h.repeats(i) {
			continue
		}
		value := f.Value
		if string(f.Name) == "warc-target-uri" {
			value, _ = bareURI(value)
		}
		b = append(b, f.Name...)
		b = append(b, ": "...)
		b = append(b, value...)
		b = append(b, "\r\n"...)
	}
	b = append(b, "content-length: "...)
	b = strconv.AppendInt(b, int64(length), 10)
	p.head = append(b, separator...)
}

// repeats reports whether a field before the i-th has its name.
func (h *Header) repeats(i int) bool {
	for j := range h.Fields[:i] {
		if string(h.Fields[j].Name) == string(h.Fields[i].Name) {
			return true
		}
	}
	return false
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
