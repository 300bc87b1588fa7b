package columnar

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/winnow/winnow/schemas"
)

// JSONLines writes texts as JSON lines: one object a row with the fields of
// schemas.Text, markup characters as they are. One goroutine owns it.
type JSONLines struct {
	w   *bufio.Writer
	enc *json.Encoder
	n   int64
}

// NewJSONLines writes to w, which Close leaves open.
func NewJSONLines(w io.Writer) *JSONLines {
	b := bufio.NewWriterSize(w, 64<<10)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	return &JSONLines{w: b, enc: enc}
}

// Append adds a row; it keeps nothing of it.
func (j *JSONLines) Append(row *schemas.Text) error {
	j.n++
	return j.enc.Encode(row)
}

// Rows is the number of rows appended.
func (j *JSONLines) Rows() int64 { return j.n }

// Close writes what is still buffered.
func (j *JSONLines) Close() error { return j.w.Flush() }
