package columnar

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/winnow/winnow/schemas"
)

// JSONLines writes texts as JSON lines: one object per row with the fields of
// schemas.Text. Markup characters are not escaped. A JSONLines may be used by one
// goroutine only.
type JSONLines struct {
	w   *bufio.Writer
	enc *json.Encoder
	n   int64
}

// NewJSONLines returns a JSONLines that writes to w. Close does not close w.
func NewJSONLines(w io.Writer) *JSONLines {
	b := bufio.NewWriterSize(w, 64<<10)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	return &JSONLines{w: b, enc: enc}
}

// Append adds a row. It does not keep the row or its strings.
func (j *JSONLines) Append(row *schemas.Text) error {
	j.n++
	return j.enc.Encode(row)
}

// Rows returns the number of rows appended.
func (j *JSONLines) Rows() int64 { return j.n }

// Close writes the rows that are still buffered.
func (j *JSONLines) Close() error { return j.w.Flush() }
