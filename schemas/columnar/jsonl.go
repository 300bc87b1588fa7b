package columnar

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/zstd"

	"github.com/winnow/winnow/schemas"
)

// JSONLinesSuffix is the suffix of the names of files that a JSONLines writes.
const JSONLinesSuffix = ".jsonl.zst"

// JSONLines writes texts as JSON lines that are compressed with zstd: one object per row
// with the fields of schemas.Text, and the facts of its page and of the text that are not
// null, if the run has any. Markup characters are not escaped. A JSONLines may be used by
// one goroutine only.
type JSONLines struct {
	w   *zstd.Encoder
	enc *json.Encoder
	row jsonLine
	n   int64

	pages, documents []schemas.FactColumn
}

// jsonLine is a line. Keys of the maps are columns.
type jsonLine struct {
	*schemas.Text
	Page     map[string]any `json:"page_facts,omitempty"`
	Document map[string]any `json:"text_facts,omitempty"`
}

// NewJSONLines returns a JSONLines for a run of the recipe that writes to w. Close does
// not close w.
func NewJSONLines(w io.Writer, r *schemas.Recipe) (*JSONLines, error) {
	// One thread, so that equal rows give equal bytes and a slot takes one processor.
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, fmt.Errorf("columnar: %w", err)
	}
	enc := json.NewEncoder(z)
	enc.SetEscapeHTML(false)
	return &JSONLines{w: z, enc: enc, row: jsonLine{Page: map[string]any{}, Document: map[string]any{}},
		pages: r.PageColumns(), documents: r.DocumentColumns()}, nil
}

// Append adds a row. It does not keep the row or its strings.
func (j *JSONLines) Append(row *schemas.Text) error {
	j.n++
	j.row.Text = row
	if row.Page != nil {
		values(j.row.Page, j.pages, row.Page.Facts)
	}
	if row.Document != nil {
		values(j.row.Document, j.documents, row.Document.Facts)
	}
	err := j.enc.Encode(&j.row)
	j.row.Text = nil
	clear(j.row.Page)
	clear(j.row.Document)
	return err
}

// values sets in out the values that are not null, by their columns.
func values(out map[string]any, columns []schemas.FactColumn, list []schemas.Value) {
	for i, c := range columns {
		if i >= len(list) || !list[i].Known {
			continue
		}
		switch v := list[i]; c.Kind {
		case schemas.FactBool:
			out[c.Name] = v.Bool()
		case schemas.FactInt:
			out[c.Name] = v.Int()
		case schemas.FactFloat:
			if x := v.Float(); !math.IsNaN(x) && !math.IsInf(x, 0) { // JSON has neither
				out[c.Name] = json.RawMessage(floatText(x, -1))
			}
		case schemas.FactHash:
			out[c.Name] = fmt.Sprintf("%016x", v.Number) // readers of JSON round large numbers
		case schemas.FactInts:
			out[c.Name] = v.Ints()
		default:
			out[c.Name] = v.Text
		}
	}
}

// Rows returns the number of rows appended.
func (j *JSONLines) Rows() int64 { return j.n }

// Close ends the file.
func (j *JSONLines) Close() error { return j.w.Close() }
