package columnar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/winnow/winnow/schemas"
)

// JSONLinesSuffix is the suffix of the names of files that a JSONLines writes.
const JSONLinesSuffix = ".jsonl.zst"

// JSONLines writes texts as JSON lines that are compressed with zstd. A JSONLines may be
// used by one goroutine only.
type JSONLines struct {
	*Lines
	w *zstd.Encoder
}

// NewJSONLines returns a JSONLines for a run of the recipe that writes to w. Close does
// not close w.
func NewJSONLines(w io.Writer, r *schemas.Recipe) (*JSONLines, error) {
	// One thread, so that equal rows give equal bytes and a slot takes one processor.
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, fmt.Errorf("columnar: %w", err)
	}
	return &JSONLines{NewLines(z, r), z}, nil
}

// Close ends the file.
func (j *JSONLines) Close() error { return j.w.Close() }

// Lines writes texts as JSON lines: one flat object per row, which has the same keys in
// the same order in every row, null where nothing is known, and numbers of the type
// double with a point. Markup characters are not escaped. A Lines may be used by one
// goroutine only.
type Lines struct {
	w       io.Writer
	line    bytes.Buffer
	enc     *json.Encoder // to line
	columns []lineColumn
	n       int64
}

// lineColumn is a key of a line. value returns nil, a string, a truth value, a number or
// a list of numbers.
type lineColumn struct {
	name  string
	value func(*schemas.Text) any
}

// lineColumns are the keys of every line, but for the facts, which follow them, and the
// text, which is last.
var lineColumns = []lineColumn{
	{"id", func(r *schemas.Text) any { return hexadecimal(r.Page.PageID) + "/" + r.Extractor }},
	{"run", func(r *schemas.Text) any { return textOrNull(r.Run) }},
	{"package", func(r *schemas.Text) any { return textOrNull(r.Package) }},
	{"doc_id", func(r *schemas.Text) any { return r.DocID }},
	{"page_id", func(r *schemas.Text) any { return hexadecimal(r.Page.PageID) }},
	{"url", func(r *schemas.Text) any { return textOrNull(r.URL) }},
	{"date", func(r *schemas.Text) any { return textOrNull(r.Date) }},
	{"record_id", func(r *schemas.Text) any { return textOrNull(r.RecordID) }},
	{"http_status", func(r *schemas.Text) any {
		if r.Page.HTTPStatus == 0 {
			return nil
		}
		return r.Page.HTTPStatus
	}},
	{"extractor", func(r *schemas.Text) any { return r.Extractor }},
	{"form", func(r *schemas.Text) any { return r.Form }},
	{"text_chars", func(r *schemas.Text) any { return r.Document.TextChars }},
	{"text_hash", func(r *schemas.Text) any { return hexadecimal(r.Document.TextHash) }},
	{"confidence", func(r *schemas.Text) any { return r.Document.Confidence }},
}

// textOrNull returns nil for a text that is not known.
func textOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// hexadecimal returns a hash as a text, because readers of JSON round large numbers.
func hexadecimal(hash uint64) string { return fmt.Sprintf("%016x", hash) }

// NewLines returns a Lines for a run of the recipe that writes to w.
func NewLines(w io.Writer, r *schemas.Recipe) *Lines {
	l := &Lines{w: w, columns: slices.Clone(lineColumns)}
	l.enc = json.NewEncoder(&l.line)
	l.enc.SetEscapeHTML(false)
	documents := r.DocumentColumns()
	for i, c := range r.PageColumns() {
		name := c.Name
		if slices.ContainsFunc(documents, func(d schemas.FactColumn) bool { return d.Name == name }) {
			name = "page_" + name // the name alone is that of the text, as in filters
		}
		l.columns = append(l.columns, lineColumn{name, func(r *schemas.Text) any { return factOf(c, r.Page.Facts, i) }})
	}
	for i, c := range documents {
		l.columns = append(l.columns, lineColumn{c.Name, func(r *schemas.Text) any { return factOf(c, r.Document.Facts, i) }})
	}
	l.columns = append(l.columns, lineColumn{"text", func(r *schemas.Text) any { return r.Text }})
	return l
}

// Append writes a row, which must have its page and its document.
func (l *Lines) Append(row *schemas.Text) error {
	l.n++
	l.line.Reset()
	for i, c := range l.columns {
		separator := `,"`
		if i == 0 {
			separator = `{"`
		}
		l.line.WriteString(separator)
		l.line.WriteString(c.name)
		l.line.WriteString(`":`)
		value := c.value(row)
		if x, ok := value.(float64); ok {
			if math.IsNaN(x) || math.IsInf(x, 0) { // JSON has neither
				value = nil
			} else {
				value = json.RawMessage(floatText(x, -1))
			}
		}
		if err := l.enc.Encode(value); err != nil {
			return err
		}
		l.line.Truncate(l.line.Len() - 1) // the newline of Encode
	}
	l.line.WriteString("}\n")
	_, err := l.w.Write(l.line.Bytes())
	return err
}

// factOf returns value i of a list, which is a column's.
func factOf(c schemas.FactColumn, list []schemas.Value, i int) any {
	if i >= len(list) || !list[i].Known {
		return nil
	}
	switch v := list[i]; c.Kind {
	case schemas.FactBool:
		return v.Bool()
	case schemas.FactInt:
		return v.Int()
	case schemas.FactFloat:
		return v.Float()
	case schemas.FactHash:
		return hexadecimal(v.Number)
	case schemas.FactInts:
		return v.Ints()
	default:
		return v.Text
	}
}

// Rows returns the number of rows appended.
func (l *Lines) Rows() int64 { return l.n }
