package columnar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
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
	columns []column[schemas.Text]
	n       int64
}

// lineKeys are the columns of texts that every line begins with, after its key "id". The facts
// and the text follow them.
var lineKeys = []string{"run", "package", "doc_id", "page_id", "url", "date", "record_id", "http_status", "extractor", "form", "text_chars", "text_hash", "confidence"}

// emptyKeys are those of lineKeys that are null if the text is empty.
var emptyKeys = []string{"run", "package", "url", "date", "record_id"}

// hexadecimal returns a hash as a text, because readers of JSON round large numbers.
func hexadecimal(hash uint64) string { return fmt.Sprintf("%016x", hash) }

// textID tells a text from all others of its run.
func textID(pageID uint64, extractor string) string { return hexadecimal(pageID) + "/" + extractor }

// NewLines returns a Lines for a run of the recipe that writes to w, in the bulk form
// unless bulk is nil.
func NewLines(w io.Writer, r *schemas.Recipe, bulk *schemas.Bulk) *Lines {
	l := &Lines{w: w, bulk: bulk}
	l.columns = []column[schemas.Text]{{name: "id", value: func(r *schemas.Text) any { return textID(r.PageID, r.Extractor) }}}
	l.enc = json.NewEncoder(&l.line)
	l.enc.SetEscapeHTML(false)
	keys := slices.Clone(lineKeys)
	for _, c := range r.TextColumns() {
		keys = append(keys, c.Name)
	}
	l.columns = append(l.columns, TextsOf(r).only(append(keys, "text")).columns...)
	if bulk != nil && len(bulk.Fields) > 0 {
		l.columns = slices.DeleteFunc(l.columns, func(c column[schemas.Text]) bool { return !slices.Contains(bulk.Fields, c.name) })
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
	for i := range l.columns {
		c, separator := &l.columns[i], `,"`
		if i == 0 {
			separator = `{"`
		}
		l.line.WriteString(separator)
		l.line.WriteString(c.name)
		l.line.WriteString(`":`)
		value := c.shown(row)
		if x, ok := value.(float64); ok {
			value = json.RawMessage(floatText(x, -1))
		} else if value == "" && slices.Contains(emptyKeys, c.name) {
			value = nil
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

// Rows returns the number of rows appended.
func (l *Lines) Rows() int64 { return l.n }
