package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/klauspost/compress/zstd"
)

// The decoder allocates as much as a file states: for the lists of the footer, for
// pages, and for compressed data in pages. The guard reads from the file first and
// checks every stated size before the decoder sees it. It parses Thrift's compact
// protocol only as far as that needs, which is its lengths.
// Thrift's compact protocol only as far as that takes: lengths.
//
//	footer:  every list and string fits into the bytes that are there
//	chunk:   page header, page, page header, page … up to its end
//	page:    header and compressed bytes announce the same size, within bounds

// Bounds on the decoded size of a page. A data page that this package writes has at
// most pageBytes plus one value, and a dictionary page 1 MiB plus one value.
const (
	pageMax       = 256 << 20
	dictionaryMax = 32 << 20
)

var errGuard = errors.New("announces what cannot be")

// thriftReader walks a value in Thrift's compact protocol.
type thriftReader struct {
	b  []byte
	at int
}

// Types of the compact protocol.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI16    = 4
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12

	thriftDepth = 24 // of nesting; a footer has less than ten levels
)

func (t *thriftReader) byte() (byte, error) {
	if t.at >= len(t.b) {
		return 0, io.ErrUnexpectedEOF
	}
	t.at++
	return t.b[t.at-1], nil
}

func (t *thriftReader) uvarint() (uint64, error) {
	v, n := binary.Uvarint(t.b[t.at:])
	if n <= 0 {
		return 0, errGuard
	}
	t.at += n
	return v, nil
}

// integer reads a zigzag-encoded number.
func (t *thriftReader) integer() (int64, error) {
	v, err := t.uvarint()
	return int64(v>>1) ^ -int64(v&1), err
}

// fits verifies that n bytes, or n elements of at least a byte each, remain.
func (t *thriftReader) fits(n uint64) error {
	if n > uint64(len(t.b)-t.at) {
		return errGuard
	}
	return nil
}

// fields calls f for every field of a struct. f must skip the field's value.
func (t *thriftReader) fields(f func(id int64, kind byte) error) error {
	id := int64(0)
	for {
		head, err := t.byte()
		if err != nil || head == 0 {
			return err
		}
		if delta := int64(head >> 4); delta != 0 {
			id += delta
		} else if id, err = t.integer(); err != nil {
			return err
		}
		if err := f(id, head&15); err != nil {
			return err
		}
	}
}

// skip skips a value.
func (t *thriftReader) skip(kind byte, depth int) error {
	if depth > thriftDepth {
		return errGuard
	}
	switch kind {
	case thriftTrue, thriftFalse:
		return nil // the type contains the value
	case thriftByte:
		_, err := t.byte()
		return err
	case thriftI16, thriftI32, thriftI64:
		_, err := t.uvarint()
		return err
	case thriftDouble:
		err := t.fits(8)
		t.at += 8
		return err
	case thriftBinary:
		n, err := t.uvarint()
		if err == nil {
			err = t.fits(n)
		}
		if err == nil {
			t.at += int(n)
		}
		return err
	case thriftList, thriftSet:
		return t.list(depth)
	case thriftStruct:
		return t.fields(func(_ int64, kind byte) error { return t.skip(kind, depth+1) })
	}
	return errGuard // the format has no maps
}

func (t *thriftReader) list(depth int) error {
	head, err := t.byte()
	if err != nil {
		return err
	}
	n, kind := uint64(head>>4), head&15
	if n == 15 {
		if n, err = t.uvarint(); err != nil {
			return err
		}
	}
	if err := t.fits(n); err != nil {
		return err
	}
	if kind == thriftTrue || kind == thriftFalse {
		kind = thriftByte // in lists each boolean has a byte
	}
	for range n {
		if err := t.skip(kind, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// checkThrift verifies that a struct is complete and states no size larger than the
// bytes that are there.
func checkThrift(b []byte) error {
	t := thriftReader{b: b}
	return t.skip(thriftStruct, 0)
}

// pageHeader holds the fields of a page header that the guard checks.
type pageHeader struct {
	kind                     int64 // 0 data, 2 dictionary
	uncompressed, compressed int64
	values                   int64
}

const (
	dataPage       = 0
	dictionaryPage = 2
)

func (t *thriftReader) pageHeader() (h pageHeader, err error) {
	h = pageHeader{kind: -1, uncompressed: -1, compressed: -1, values: -1}
	err = t.fields(func(id int64, kind byte) (err error) {
		switch {
		case id == 1 && kind == thriftI32:
			h.kind, err = t.integer()
		case id == 2 && kind == thriftI32:
			h.uncompressed, err = t.integer()
		case id == 3 && kind == thriftI32:
			h.compressed, err = t.integer()
		case (id == 5 || id == 7) && kind == thriftStruct: // data page, dictionary page
			err = t.fields(func(id int64, kind byte) (err error) {
				if id == 1 && kind == thriftI32 {
					h.values, err = t.integer()
					return err
				}
				return t.skip(kind, 1)
			})
		default:
			err = t.skip(kind, 0)
		}
		return err
	})
	return h, err
}

// chunk is the range of the file with the pages of one column of a row group.
type chunk struct {
	start, length int64
	codec         compress.Compression
	values        int64
	uncompressed  int64
}

// check verifies the pages in the bytes of the chunk.
func (c *chunk) check(b []byte) error {
	t := thriftReader{b: b}
	var values, uncompressed int64
	for t.at < len(b) {
		h, err := t.pageHeader()
		if err != nil {
			return err
		}
		limit := int64(pageMax)
		if h.kind == dictionaryPage {
			limit = dictionaryMax
			// Every entry takes at least four bytes in the file and 24 in the decoder.
			if h.values > h.uncompressed/4 {
				return fmt.Errorf("a dictionary %w", errGuard)
			}
		} else {
			values += h.values
		}
		if h.kind != dataPage && h.kind != dictionaryPage || h.values < 0 || h.uncompressed < 0 || h.uncompressed > limit ||
			h.compressed < 0 || h.compressed > int64(len(b)-t.at) || values > c.values {
			return fmt.Errorf("a page %w", errGuard)
		}
		if uncompressed += h.uncompressed; uncompressed > c.uncompressed {
			return fmt.Errorf("a column %w", errGuard)
		}
		if err := checkPacked(c.codec, t.b[t.at:t.at+int(h.compressed)], h.uncompressed); err != nil {
			return err
		}
		t.at += int(h.compressed)
	}
	if values != c.values {
		return fmt.Errorf("a column %w", errGuard)
	}
	return nil
}

// checkPacked verifies that the size stated in compressed bytes is size.
func checkPacked(codec compress.Compression, b []byte, size int64) error {
	ok := false
	switch codec {
	case compress.Codecs.Uncompressed:
		ok = int64(len(b)) == size
	case compress.Codecs.Snappy:
		v, n := binary.Uvarint(b)
		ok = n > 0 && v == uint64(size)
	case compress.Codecs.Zstd:
		ok = oneFrame(b, size)
	}
	if !ok {
		return fmt.Errorf("a compressed page %w", errGuard)
	}
	return nil
}

// oneFrame reports whether b is one zstd frame for content of size bytes. The decoder
// would go on with a second frame of any size behind it. Frames of less than 256 bytes
// do not state their size. They have one block, of at most 128 KiB.
func oneFrame(b []byte, size int64) bool {
	var h zstd.Header
	if h.Decode(b) != nil || h.Skippable || h.HasFCS && h.FrameContentSize != uint64(size) {
		return false
	}
	at, blocks := h.HeaderSize, 0
	for last := false; !last; blocks++ {
		if at+3 > len(b) {
			return false
		}
		head := int(b[at]) | int(b[at+1])<<8 | int(b[at+2])<<16
		n := head >> 3
		if head>>1&3 == 1 { // a block that repeats one byte
			n = 1
		}
		last = head&1 == 1
		at += 3 + n
	}
	if h.HasCheckSum {
		at += 4
	}
	return at == len(b) && (h.HasFCS || blocks == 1 && size < 256)
}

// guard is a file whose columns are checked when they are read. The decoder reads whole
// chunks.
type guard struct {
	io.ReaderAt
	chunks map[int64]*chunk // by start; nil while the footer is read
}

// ReadAt implements io.ReaderAt.
func (g *guard) ReadAt(p []byte, off int64) (int, error) {
	n, err := g.ReaderAt.ReadAt(p, off)
	if g.chunks == nil || err != nil && err != io.EOF {
		return n, err
	}
	c := g.chunks[off]
	if c == nil || n < len(p) || int64(n) != c.length {
		return 0, fmt.Errorf("a read of %d bytes at %d is of no column", len(p), off)
	}
	if err := c.check(p); err != nil {
		return 0, fmt.Errorf("column at %d: %w", off, err)
	}
	return n, nil
}

// enter verifies that the chunks that a file's metadata names lie inside the file and
// can be decoded in bounded memory. After that, only these chunks can be read.
func (g *guard) enter(m *metadata.FileMetaData, size int64) error {
	g.chunks = map[int64]*chunk{}
	var rows int64
	for i := range len(m.RowGroups) {
		group := m.RowGroup(i)
		if n := group.NumRows(); n < 0 || n > rowsMax {
			return fmt.Errorf("row group %d has %d rows", i, n)
		}
		rows += group.NumRows()
		var decoded int64
		for column := range group.NumColumns() {
			meta, err := group.ColumnChunk(column)
			if err != nil {
				return err
			}
			c := &chunk{start: meta.DataPageOffset(), length: meta.TotalCompressedSize(), codec: meta.Compression(),
				values: meta.NumValues(), uncompressed: meta.TotalUncompressedSize()}
			if meta.HasDictionaryPage() && meta.DictionaryPageOffset() > 0 {
				c.start = min(c.start, meta.DictionaryPageOffset())
			}
			if c.start < 4 || c.length < 0 || c.length > size || c.start > size-c.length || c.uncompressed < 0 || c.values < 0 || c.values > valuesMax {
				return fmt.Errorf("row group %d, column %d lies outside of the file", i, column)
			}
			if decoded += c.uncompressed; decoded > groupMax {
				return fmt.Errorf("row group %d is over %d bytes", i, groupMax)
			}
			g.chunks[c.start] = c
		}
	}
	if rows != m.NumRows {
		return fmt.Errorf("row groups have %d rows, the file announces %d", rows, m.NumRows)
	}
	return nil
}

// checkFooter bounds and checks the metadata before it is decoded. The metadata ends
// before the last eight bytes of the file, which hold its length and the magic number.
func checkFooter(r io.ReaderAt, size int64) error {
	var tail [8]byte
	if size < 12 {
		return fmt.Errorf("%w: %d bytes", ErrMalformed, size)
	}
	if n, err := r.ReadAt(tail[:], size-8); n < 8 {
		return err
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	if string(tail[4:]) != "PAR1" || length > footerMax || length > size-12 {
		return fmt.Errorf("%w: it does not end as a Parquet file", ErrMalformed)
	}
	footer := make([]byte, length)
	if n, err := r.ReadAt(footer, size-8-length); n < len(footer) {
		return err
	}
	if err := checkThrift(footer); err != nil {
		return fmt.Errorf("%w: its metadata: %w", ErrMalformed, err)
	}
	return nil
}
