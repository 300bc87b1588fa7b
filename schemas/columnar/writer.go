package columnar

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"github.com/winnow/winnow/schemas"
)

// Meta is what a file's metadata says about it.
type Meta struct {
	Table   schemas.Table
	Version int
	Run     schemas.RunID
	Recipe  string // schemas.Run.Hash
}

const (
	keyTable   = "winnow.table"
	keyVersion = "winnow.version"
	keyRun     = "winnow.run"
	keyRecipe  = "winnow.recipe"
)

func (m Meta) pairs() metadata.KeyValueMetadata {
	var kv metadata.KeyValueMetadata
	for _, pair := range [][2]string{{keyTable, string(m.Table)}, {keyVersion, strconv.Itoa(m.Version)}, {keyRun, string(m.Run)}, {keyRecipe, m.Recipe}} {
		_ = kv.Append(pair[0], pair[1]) // never fails
	}
	return kv
}

// Size is the layout of a file. Zero fields mean those of parts.
type Size struct {
	Rows  int  // most rows of a row group
	Bytes int  // bytes of a row group before encoding, about
	Fast  bool // compress with snappy instead of zstd
	// Concurrent encodes a row group in a goroutine while the next one is filled. It
	// takes the memory of two row groups.
	Concurrent bool
}

var (
	// PartSize suits readers of tables. A scan reads whole row groups, so the columns
	// of a group should be large enough for a request to an object store.
	PartSize = Size{Rows: 64 << 10, Bytes: 24 << 20, Concurrent: true}
	// ShardSize saves memory and time of a worker, which has a writer open for each
	// table. A shard is read once and then deleted.
	ShardSize = Size{Rows: 16 << 10, Bytes: 2 << 20, Fast: true}
	// LookupSize suits a table of large rows that is sorted by a column, of which rows are
	// looked up by it (Reader.Groups): a row group is read for one of its rows.
	LookupSize = Size{Rows: 64, Bytes: 1 << 20, Fast: true}
)

// smallBytes is the size before encoding below which a file of one row group is compressed
// as if Size.Fast were set. The library makes zstd encoders for every page, one for each
// core, and for some kilobytes of values that takes many times as long as to compress them.
const smallBytes = 1 << 20

// pageBytes is the size of data pages before compression. Readers with a filter skip
// whole pages.
const pageBytes = 256 << 10

// textBatch is the number of rows after which the library checks whether a data page is full, in
// tables of texts. With its default of 1024, pages of texts have megabytes, and take longer to write.
const textBatch = 16

// Writer writes rows of type T to a Parquet file. It may be used by one goroutine only.
type Writer[T any] struct {
	table  *Table[T]
	out    *bufio.Writer // collects the library's many small writes, and keeps the first error
	begin  func(fast bool) *file.Writer
	file   *file.Writer // nil before the first row group
	filled []buffer[T]  // by column; nil after Close
	spare  []buffer[T]  // those of the row group that is being encoded, or was
	size   Size
	rows   int // rows in filled
	bytes  int
	total  int64
	err    error // once set, every call returns it
	// encoded gets the result of the row group that a goroutine encodes. It is nil if
	// there is none.
	encoded chan error
}

// NewWriter returns a Writer for a file of table on w. The file is complete after
// Close, which does not close w.
func NewWriter[T any](table *Table[T], w io.Writer, run schemas.RunID, recipe string, size Size) (*Writer[T], error) {
	if size.Rows <= 0 {
		size.Rows = PartSize.Rows
	}
	if size.Bytes <= 0 {
		size.Bytes = PartSize.Bytes
	}
	root := table.schema()
	leaves := schema.NewSchema(root)
	props := []parquet.WriterProperty{
		parquet.WithCompression(compress.Codecs.Zstd),
		// The library makes encoders for every page, and encoders of the lowest level
		// are the smallest. This costs 2% more bytes and saves 15% of the time.
		parquet.WithCompressionLevel(1),
		parquet.WithCreatedBy("winnow"),
		parquet.WithMaxRowGroupLength(int64(size.Rows)),
		parquet.WithDataPageSize(pageBytes),
	}
	for i, c := range table.columns {
		if c.unique {
			path := leaves.Column(i).Path()
			props = append(props, parquet.WithDictionaryFor(path, false), parquet.WithStatsFor(path, false))
		}
		if c.raw {
			props = append(props, parquet.WithCompressionFor(c.name, compress.Codecs.Uncompressed))
		}
		if c.long {
			props = append(props, parquet.WithCompressionLevelFor(c.name, 3), parquet.WithBatchSize(textBatch))
		}
	}
	out := bufio.NewWriterSize(w, 256<<10)
	meta := Meta{table.name, schemas.Version, run, recipe}.pairs()
	wr := &Writer[T]{table: table, out: out, filled: table.buffers(), size: size}
	wr.begin = func(fast bool) *file.Writer {
		if fast {
			props = append(props, parquet.WithCompression(compress.Codecs.Snappy))
		}
		return file.NewParquetWriter(out, root, file.WithWriterProps(parquet.NewWriterProperties(props...)), file.WithWriteMetadata(meta))
	}
	return wr, nil
}

// buffers returns an empty buffer for each column.
func (t *Table[T]) buffers() []buffer[T] {
	list := make([]buffer[T], len(t.columns))
	for i := range t.columns {
		list[i] = t.columns[i].buffer()
	}
	return list
}

// Append adds a row. It does not keep the row or its strings.
func (w *Writer[T]) Append(row *T) error {
	if w.err != nil {
		return w.err
	}
	for _, b := range w.filled {
		w.bytes += b.add(row)
	}
	w.rows++
	w.total++
	if w.rows >= w.size.Rows || w.bytes >= w.size.Bytes {
		w.flush()
	}
	return w.err
}

// Rows returns the number of rows appended.
func (w *Writer[T]) Rows() int64 { return w.total }

// flush writes the buffered rows as a row group, or begins to (Size.Concurrent).
func (w *Writer[T]) flush() {
	w.wait()
	if w.rows == 0 || w.err != nil {
		return
	}
	if w.file == nil {
		w.file = w.begin(w.size.Fast)
	}
	w.rows, w.bytes = 0, 0
	w.encoded = make(chan error, 1)
	group := w.filled
	if !w.size.Concurrent {
		w.encoded <- w.writeGroup(group)
		w.wait()
		return
	}
	if w.spare == nil {
		w.spare = w.table.buffers()
	}
	w.filled, w.spare = w.spare, group
	go func() { w.encoded <- w.writeGroup(group) }()
}

// wait waits until the last row group is encoded.
func (w *Writer[T]) wait() {
	if w.encoded == nil {
		return
	}
	err := <-w.encoded
	w.encoded = nil
	if failed := w.out.Flush(); failed != nil { // the library does not return all of these errors
		err = failed
	}
	if w.err == nil && err != nil {
		w.err = fmt.Errorf("columnar: write row group: %w", err)
	}
}

func (w *Writer[T]) writeGroup(columns []buffer[T]) error {
	group := w.file.AppendRowGroup()
	for _, b := range columns {
		chunk, err := group.NextColumn()
		if err != nil {
			return err
		}
		if err := errors.Join(b.write(chunk), chunk.Close()); err != nil {
			return err
		}
	}
	return group.Close()
}

// Close writes the remaining rows and ends the file. Further calls do nothing.
func (w *Writer[T]) Close() error {
	if w.filled == nil {
		return w.err
	}
	if w.file == nil {
		w.file = w.begin(w.size.Fast || w.bytes < smallBytes)
	}
	w.flush()
	w.wait()
	w.filled, w.spare = nil, nil
	err := w.file.Close()
	if failed := w.out.Flush(); failed != nil {
		err = failed
	}
	if w.err == nil && err != nil {
		w.err = fmt.Errorf("columnar: end file: %w", err)
	}
	return w.err
}
