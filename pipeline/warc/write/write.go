// Package write writes WARC/1.1 records, each in a gzip member of its own, so that readers
// can split the file between records.
//
//	member:  1f 8b …  WARC/1.1 CRLF  name: value CRLF …  CRLF  block  CRLF CRLF
//
// The bytes depend only on the records: the package uses no clock and no random ids, and
// it writes fields in a fixed order. It checks what it writes, so a value with a line
// break is an error and never a forged field. It is not for copying records of other
// programs unchanged, because it refuses damaged ones.
//
// This package is internal to Winnow and may change in any release.
package write

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// Record is one record to be written. The writer adds Content-Length and
// WARC-Block-Digest.
type Record struct {
	Type        string    // "response", "metadata" …
	ID          string    // without angle brackets: see ID
	Date        time.Time // written in UTC, to the second
	TargetURI   string    // empty for none
	ContentType string    // media type of the block; empty for none
	Fields      []Field   // further fields, in this order
	Block       []byte
}

// Field is a named field of a record or of an HTTP header.
type Field struct{ Name, Value string }

// ID returns a record id made of the parts that name the record. The same parts give the
// same id. It is a urn:uuid of version 8 (RFC 9562, 5.8) over a SHA-256.
func ID(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	u := h.Sum(nil)[:16]
	u[6] = u[6]&0x0f | 0x80
	u[8] = u[8]&0x3f | 0x80
	x := hex.EncodeToString(u)
	return "urn:uuid:" + x[:8] + "-" + x[8:12] + "-" + x[12:16] + "-" + x[16:20] + "-" + x[20:]
}

// Digest returns a value for WARC-Block-Digest or WARC-Payload-Digest, in the form that
// crawlers and their indexes use: SHA-1 in base 32.
func Digest(data []byte) string {
	sum := sha1.Sum(data)
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// Writer writes records to a stream. It is not safe for concurrent use.
type Writer struct {
	w    io.Writer
	gz   *gzip.Writer
	head bytes.Buffer
	n    int64
}

// NewWriter returns a Writer to w; the caller closes w.
func NewWriter(w io.Writer) *Writer {
	out := &Writer{w: w}
	// Level 6 is gzip's own default. It is fixed here because the bytes depend on it.
	out.gz, _ = gzip.NewWriterLevel(&counter{out}, 6)
	return out
}

// counter counts the compressed bytes of its Writer.
type counter struct{ *Writer }

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// Offset returns the offset at which the next record will begin.
func (w *Writer) Offset() int64 { return w.n }

// Write writes r as one gzip member. It keeps no reference to r.Block.
func (w *Writer) Write(r *Record) error {
	if err := w.header(r); err != nil {
		return err
	}
	w.gz.Reset(&counter{w})
	for _, part := range [][]byte{w.head.Bytes(), r.Block, []byte("\r\n\r\n")} {
		if _, err := w.gz.Write(part); err != nil {
			return fmt.Errorf("warc: writing %s record of %s: %w", r.Type, r.TargetURI, err)
		}
	}
	if err := w.gz.Close(); err != nil {
		return fmt.Errorf("warc: writing %s record of %s: %w", r.Type, r.TargetURI, err)
	}
	return nil
}

// header writes the record's header into w.head.
func (w *Writer) header(r *Record) error {
	w.head.Reset()
	w.head.WriteString("WARC/1.1\r\n")
	fields := []Field{
		{"WARC-Type", r.Type},
		{"WARC-Record-ID", "<" + r.ID + ">"},
		{"WARC-Date", r.Date.UTC().Format("2006-01-02T15:04:05Z")},
	}
	if r.TargetURI != "" {
		fields = append(fields, Field{"WARC-Target-URI", r.TargetURI})
	}
	fields = append(fields, r.Fields...)
	if r.ContentType != "" {
		fields = append(fields, Field{"Content-Type", r.ContentType})
	}
	fields = append(fields,
		Field{"WARC-Block-Digest", Digest(r.Block)},
		Field{"Content-Length", strconv.Itoa(len(r.Block))})
	if err := appendFields(&w.head, fields); err != nil {
		return fmt.Errorf("warc: %s record of %q: %w", r.Type, r.TargetURI, err)
	}
	return nil
}

// HTTPResponse returns the block of a response record: status line, header and body.
// status is the text after the version, such as "200 OK".
func HTTPResponse(status string, header []Field, body []byte) ([]byte, error) {
	var b bytes.Buffer
	if !clean(status) {
		return nil, fmt.Errorf("warc: http status %q has control characters", status)
	}
	b.WriteString("HTTP/1.1 " + status + "\r\n")
	if err := appendFields(&b, header); err != nil {
		return nil, fmt.Errorf("warc: http header: %w", err)
	}
	b.Write(body)
	return b.Bytes(), nil
}

// Fields returns a block of media type application/warc-fields.
func Fields(fields []Field) ([]byte, error) {
	var b bytes.Buffer
	if err := appendFields(&b, fields); err != nil {
		return nil, fmt.Errorf("warc: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\r\n")), nil
}

// appendFields appends fields and the blank line after them.
func appendFields(b *bytes.Buffer, fields []Field) error {
	for _, f := range fields {
		if !token(f.Name) || !clean(f.Value) {
			return fmt.Errorf("field %q: %q cannot be written", f.Name, f.Value)
		}
		fmt.Fprintf(b, "%s: %s\r\n", f.Name, f.Value)
	}
	b.WriteString("\r\n")
	return nil
}

// clean reports whether s is free of control characters, which could end a line.
func clean(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] == 0x7f {
			return false
		}
	}
	return true
}

// token reports whether s is a field name: letters, digits and hyphens.
func token(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '-' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return s != ""
}

// EscapeURI returns uri in a form that a header may hold: blanks, control characters and
// quotes are percent-encoded, and everything else is unchanged.
func EscapeURI(uri string) string {
	var b strings.Builder
	for i := range len(uri) {
		if c := uri[i]; c <= 0x20 || c == 0x7f || c == '<' || c == '>' || c == '"' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
