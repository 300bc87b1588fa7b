package columnar

import (
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
)

// The library's translation between the arrays of Arrow and the columns of Parquet (pqarrow)
// links the kernels of Arrow's query engine and gRPC, each of which is a quarter of a
// program's size. Rows therefore become the values of Parquet's columns, and values become
// rows, without arrays between them.

// physical are the types of the values in columns of Parquet. Tables of this package have neither
// float32 nor parquet.Int96, but those of other programs do.
type physical interface {
	bool | int32 | int64 | float32 | float64 | parquet.Int96 | parquet.ByteArray
}

// Definition levels of a column that is a list of numbers: a null list, an empty list,
// a null element (which no file written here has), and an element.
const (
	listNull    = 0
	listEmpty   = 1
	listElement = 3
)

// values holds what a row group has of a column: the values that are not null, and the levels
// that say where nulls are and where lists begin.
type values[P physical] struct {
	form
	present  []P     // of texts, made of text and ends when they are written
	def, rep []int16 // of a column without nulls, and without lists, none
	text     []byte  // all texts, one after the other
	ends     []int   // where they end
	extra    int     // bytes of texts and lists so far
}

func (c *values[P]) add(p P) {
	c.present = append(c.present, p)
	if c.nullable {
		c.def = append(c.def, 1)
	}
}

func (c *values[P]) null() {
	c.def = append(c.def, 0)
	if c.list {
		c.rep = append(c.rep, 0)
	}
}

// addText adds a copy of a text.
func addText(c *values[parquet.ByteArray], s string) {
	c.text = append(c.text, s...)
	c.ends, c.extra = append(c.ends, len(c.text)), c.extra+len(s)
	if c.nullable {
		c.def = append(c.def, 1)
	}
}

// divide makes the values that are present of the texts.
func divide(c *values[parquet.ByteArray]) {
	start := 0
	for _, end := range c.ends {
		c.present = append(c.present, c.text[start:end:end])
		start = end
	}
}

// addList adds the list of a row. A nil list is null.
func addList(c *values[int32], list []int32) {
	switch {
	case list == nil:
		c.null()
	case len(list) == 0:
		c.def, c.rep = append(c.def, listEmpty), append(c.rep, 0)
	}
	for i := range list {
		c.def, c.rep = append(c.def, listElement), append(c.rep, int16(min(i, 1)))
	}
	c.present = append(c.present, list...)
	c.extra += 4 * len(list)
}

// first returns the value of the first row, nil for null.
func (c *values[P]) first() any {
	if c.list && c.def[0] != listNull {
		return append([]P{}, c.present...)
	}
	if len(c.ends) > 0 {
		return string(c.text)
	}
	if len(c.present) == 0 {
		return nil
	}
	return c.present[0]
}

// buffer collects the values of a column of rows of type T.
type buffer[T any] interface {
	// add adds the value of a row, and returns about how many bytes it has.
	add(row *T) int
	// write writes the values as the column of a row group, and removes them.
	write(file.ColumnChunkWriter) error
}

// batchWriter is the library's writer of a column whose values have type P.
type batchWriter[P physical] interface {
	WriteBatch(values []P, def, rep []int16) (int64, error)
}

// columnBuffer is the buffer of a column whose values are stored as P.
type columnBuffer[T any, P physical] struct {
	values[P]
	store func(*T, *values[P])
}

func (b *columnBuffer[T, P]) add(row *T) int {
	before := b.extra
	b.store(row, &b.values)
	return b.width + b.extra - before
}

func (b *columnBuffer[T, P]) write(w file.ColumnChunkWriter) error {
	if texts, ok := any(&b.values).(*values[parquet.ByteArray]); ok {
		divide(texts)
	}
	_, err := w.(batchWriter[P]).WriteBatch(b.present, b.def, b.rep)
	// The library keeps the smallest and the largest text until the end of the file, so the
	// memory of texts is not used again.
	b.present, b.def, b.rep, b.ends, b.text = b.present[:0], b.def[:0], b.rep[:0], b.ends[:0], nil
	return err
}

// source reads the values of a column of a row group one after the other.
type source[P physical] struct {
	chunk    batchReader[P]
	present  []P     // the values of the batch that are not null
	def, rep []int16 // nil for a column without nulls, and without lists
	levels   int     // levels of the batch
	level    int     // index of the next level
	value    int     // index of the next value
	last     string  // the last text
	err      error   // once set, every value is null
}

// batchReader is the library's reader of a column whose values have type P.
type batchReader[P physical] interface {
	ReadBatch(n int64, values []P, def, rep []int16) (levels int64, present int, err error)
	Err() error
}

// newSource returns the source of a column of a row group, whose values must be of type P.
func newSource[P physical](chunk file.ColumnChunkReader, rows int64) *source[P] {
	n := max(1, min(rows, batchRows))
	s := &source[P]{chunk: chunk.(batchReader[P]), present: make([]P, n)}
	if chunk.Descriptor().MaxDefinitionLevel() > 0 {
		s.def = make([]int16, n)
	}
	if chunk.Descriptor().MaxRepetitionLevel() > 0 {
		s.rep = make([]int16, n)
	}
	return s
}

var errFewValues = errors.New("it has fewer values than the row group has rows")

// more reports whether there is a level. It decodes the next batch if the present one is over.
func (s *source[P]) more() bool {
	if s.level == s.levels && s.err == nil {
		levels, _, err := s.chunk.ReadBatch(int64(len(s.present)), s.present, s.def, s.rep)
		if s.err = err; err == nil && levels == 0 {
			s.err = s.chunk.Err()
		}
		s.level, s.value, s.levels = 0, 0, int(levels)
	}
	return s.err == nil && s.level < s.levels
}

// begin moves to the level with which the next row begins, and returns false if there is none.
func (s *source[P]) begin() bool {
	more := s.more()
	if !more && s.err == nil {
		s.err = errFewValues
	}
	return more
}

// next returns the value of the next row, and false if it is null or there is an error.
func (s *source[P]) next() (p P, known bool) {
	if !s.begin() {
		return p, false
	}
	s.level++
	if s.def != nil && s.def[s.level-1] == 0 {
		return p, false
	}
	s.value++
	return s.present[s.value-1], true
}

// nextText returns the text of the next row, and false if it is null or there is an error.
// Consecutive rows of a page share most texts, which are copied once.
func nextText(s *source[parquet.ByteArray]) (string, bool) {
	p, known := s.next()
	if !known {
		return "", false
	}
	if string(p) != s.last {
		s.last = string(p)
	}
	return s.last, true
}

// nextList returns the list of the next row, nil for null.
func nextList(s *source[int32]) (list []int32) {
	if s.begin() && s.def[s.level] > listNull {
		list = []int32{}
	}
	for first := true; s.more() && (first || s.rep[s.level] > 0); first = false {
		if s.def[s.level] == listElement {
			list = append(list, s.present[s.value])
			s.value++
		}
		s.level++
	}
	return list
}

// loader reads a column into rows of type T.
type loader[T any] interface {
	// load sets the value of the next row.
	load(row *T) error
}

// columnLoader is the loader of a column whose values are stored as P.
type columnLoader[T any, P physical] struct {
	*source[P]
	set func(*T, *source[P])
}

func (l *columnLoader[T, P]) load(row *T) error {
	l.set(row, l.source)
	return l.err
}

// openColumn returns a column of a row group for reading.
func openColumn(group *file.RowGroupReader, leaf int) (file.ColumnChunkReader, error) {
	meta, err := group.MetaData().ColumnChunk(leaf)
	if err != nil {
		return nil, err
	}
	chunk, err := group.Column(leaf)
	if err != nil {
		return nil, err
	}
	isList := chunk.Descriptor().MaxRepetitionLevel() > 0
	if n := meta.NumValues(); n < group.NumRows() || n > group.NumRows() && !isList {
		return nil, fmt.Errorf("%d values for %d rows", n, group.NumRows())
	}
	return chunk, nil
}
