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

// JSONLinesSuffix and BulkSuffix are the suffixes of the names of files that a JSONLines
// writes.
const (
	JSONLinesSuffix = ".jsonl.zst"
	BulkSuffix      = ".ndjson.zst"
)

// JSONLines writes texts as JSON lines, or in the bulk form, that are compressed with
// zstd. A JSONLines may be used by one goroutine only.
type JSONLines struct {
	*Lines
	w *zstd.Encoder
}

// NewJSONLines returns a JSONLines for a run of the recipe that writes to w. Close does
// not close w.
func NewJSONLines(w io.Writer, r *schemas.Recipe) (*JSONLines, error) {
	// Two threads: a block is compressed while the next one is filled. Equal rows give
	// equal bytes, because each block is compressed after the one before it.
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(2), zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, fmt.Errorf("columnar: %w", err)
	}
	return &JSONLines{NewLines(z, r, r.Bulk), z}, nil
}

// Close ends the file.
func (j *JSONLines) Close() error { return j.w.Close() }

// Lines writes texts as JSON lines: one flat object per row, which has the same keys in
// the same order in every row, null where nothing is known, and numbers of the type
// double with a point. Markup characters are not escaped. In the bulk form, each is the
// second of two lines: the first names its index and its id. A Lines may be used by one
// goroutine only.
type Lines struct {
	w       io.Writer
	bulk    *schemas.Bulk // nil if it is not the bulk form
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
	{"id", func(r *schemas.Text) any { return textID(r.PageID, r.Extractor) }},
	{"run", func(r *schemas.Text) any { return textOrNull(r.Run) }},
	{"package", func(r *schemas.Text) any { return textOrNull(r.Package) }},
	{"doc_id", func(r *schemas.Text) any { return r.DocID }},
	{"page_id", func(r *schemas.Text) any { return hexadecimal(r.PageID) }},
	{"url", func(r *schemas.Text) any { return textOrNull(r.URL) }},
	{"date", func(r *schemas.Text) any { return textOrNull(r.Date) }},
	{"record_id", func(r *schemas.Text) any { return textOrNull(r.RecordID) }},
	{"http_status", func(r *schemas.Text) any {
		if r.HTTPStatus == 0 {
			return nil
		}
		return r.HTTPStatus
	}},
	{"extractor", func(r *schemas.Text) any { return r.Extractor }},
	{"form", func(r *schemas.Text) any { return r.Form }},
	{"text_chars", func(r *schemas.Text) any { return r.TextChars }},
	{"text_hash", func(r *schemas.Text) any { return hexadecimal(r.TextHash) }},
	{"confidence", func(r *schemas.Text) any { return r.Confidence }},
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

// textID tells a text from all others of its run.
func textID(pageID uint64, extractor string) string { return hexadecimal(pageID) + "/" + extractor }

// NewLines returns a Lines for a run of the recipe that writes to w, in the bulk form
// unless bulk is nil.
func NewLines(w io.Writer, r *schemas.Recipe, bulk *schemas.Bulk) *Lines {
	l := &Lines{w: w, bulk: bulk, columns: slices.Clone(lineColumns)}
	l.enc = json.NewEncoder(&l.line)
	l.enc.SetEscapeHTML(false)
	for i, c := range r.TextColumns() {
		l.columns = append(l.columns, lineColumn{c.Name, func(r *schemas.Text) any { return factOf(c, r.Facts, i) }})
	}
	l.columns = append(l.columns, lineColumn{"text", func(r *schemas.Text) any { return r.Text }})
	if bulk != nil && len(bulk.Fields) > 0 {
		l.columns = slices.DeleteFunc(l.columns, func(c lineColumn) bool { return !slices.Contains(bulk.Fields, c.name) })
	}
	return l
}

// LineKeys returns the keys of the lines of a run of the recipe, in order.
func LineKeys(r *schemas.Recipe) (keys []string) {
	for _, c := range NewLines(nil, r, nil).columns {
		keys = append(keys, c.name)
	}
	return keys
}

// Append writes a row.
func (l *Lines) Append(row *schemas.Text) error {
	l.n++
	l.line.Reset()
	if l.bulk != nil {
		l.line.Write(BulkAction("index", l.bulk, row.PageID, row.Extractor, row.URL))
	}
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
