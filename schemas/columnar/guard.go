package columnar

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/thrift/lib/go/thrift"
	"github.com/klauspost/compress/zstd"
)

// The decoder allocates as much as a file states: 8 bytes for each element that a list of
// the footer announces (800 MB for a footer of 7 bytes), 24 for each entry of a dictionary
// (up to 2^31), and the size that compressed data states. No allocator of the caller's bounds
// these, and Go ends the process if the machine has less. The guard therefore reads from the
// file first and checks every stated size before the decoder sees it. The Thrift library
// skips the values.
//
//	footer:  every list and string fits into the bytes that are there
//	chunk:   page header, page, page header, page … up to its end
//	page:    header and compressed bytes announce the same size, within bounds

// Bounds on the decoded size of a page. A data page that this package writes has at
// most pageBytes plus one value, and a dictionary page 1 MiB plus one value.
const (
	maxPage       = 256 << 20
	maxDictionary = 32 << 20
)

var errGuard = errors.New("announces what cannot be")

// thriftDepth bounds the nesting of values. A footer has less than ten levels.
const thriftDepth = 24

// thriftBytes returns a reader of values in b, none of which may announce more than b has.
func thriftBytes(b []byte) (*thrift.TMemoryBuffer, thrift.TProtocol) {
	buffer := &thrift.TMemoryBuffer{Buffer: bytes.NewBuffer(b)}
	return buffer, thrift.NewTCompactProtocolConf(buffer, &thrift.TConfiguration{MaxMessageSize: int32(len(b))})
}

// checkThrift verifies that a struct is complete and states no size larger than the
// bytes that are there. A list of n elements has at least n bytes.
func checkThrift(b []byte) error {
	_, p := thriftBytes(b)
	return thrift.Skip(context.Background(), p, thrift.STRUCT, thriftDepth)
}

// pageHeader holds the fields of a page header that the guard checks.
type pageHeader struct {
	kind                     int32 // 0 data, 2 dictionary, 3 data of version 2
	uncompressed, compressed int32
	values                   int32
}

const (
	dataPage       = 0
	dictionaryPage = 2
	dataPageV2     = 3
)

// readPageHeader reads the header at the beginning of b and returns its length.
func readPageHeader(b []byte) (h pageHeader, size int, err error) {
	h = pageHeader{kind: -1, uncompressed: -1, compressed: -1, values: -1}
	buffer, p := thriftBytes(b)
	err = readFields(p, map[int16]any{1: &h.kind, 2: &h.uncompressed, 3: &h.compressed,
		5: map[int16]any{1: &h.values}, 7: map[int16]any{1: &h.values}}) // data page, dictionary page
	return h, len(b) - buffer.Len(), err
}

// readFields reads a struct. into has, by the numbers of the fields that are wanted, an *int32
// or the fields of a struct.
func readFields(p thrift.TProtocol, into map[int16]any) error {
	ctx := context.Background()
	if _, err := p.ReadStructBegin(ctx); err != nil {
		return err
	}
	for {
		_, kind, id, err := p.ReadFieldBegin(ctx)
		if err != nil {
			return err
		}
		number, isNumber := into[id].(*int32)
		fields, isStruct := into[id].(map[int16]any)
		switch {
		case kind == thrift.STOP:
			return p.ReadStructEnd(ctx)
		case kind == thrift.I32 && isNumber:
			*number, err = p.ReadI32(ctx)
		case kind == thrift.STRUCT && isStruct:
			err = readFields(p, fields)
		default:
			err = thrift.Skip(ctx, p, kind, thriftDepth)
		}
		if err != nil {
			return err
		}
	}
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
	var values, uncompressed int64
	for len(b) > 0 {
		h, size, err := readPageHeader(b)
		if err != nil {
			return err
		}
		b = b[size:]
		limit := int32(maxPage)
		if h.kind == dictionaryPage {
			limit = maxDictionary
			// Every entry takes at least four bytes in the file and 24 in the decoder.
			if h.values > h.uncompressed/4 {
				return fmt.Errorf("a dictionary %w", errGuard)
			}
		} else {
			values += int64(h.values)
		}
		if h.kind == dataPageV2 {
			return errors.New("data pages of version 2 are not read: write them in version 1")
		}
		if h.kind != dataPage && h.kind != dictionaryPage || h.values < 0 || h.uncompressed < 0 || h.uncompressed > limit ||
			h.compressed < 0 || int(h.compressed) > len(b) || values > c.values {
			return fmt.Errorf("a page %w", errGuard)
		}
		if uncompressed += int64(h.uncompressed); uncompressed > c.uncompressed {
			return fmt.Errorf("a column %w", errGuard)
		}
		if err := checkPacked(c.codec, b[:h.compressed], int64(h.uncompressed)); err != nil {
			return err
		}
		b = b[h.compressed:]
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
	case compress.Codecs.Gzip:
		// The decoder fills a buffer of that size, and reads no more. It would read all if
		// the buffer were empty.
		ok = size > 0
	default:
		return fmt.Errorf("it is compressed by %s, which is not read: write it with zstd, snappy or gzip", codec)
	}
	if !ok {
		return fmt.Errorf("a compressed page %w", errGuard)
	}
	return nil
}

// oneFrame reports whether b is one zstd frame for content of size bytes. The decoder
// would go on with a second frame of any size after it. Frames of less than 256 bytes
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
		return 0, fmt.Errorf("a read of %d bytes at %d is not within a column", len(p), off)
	}
	if err := c.check(p); err != nil {
		return 0, fmt.Errorf("column at %d: %w", off, err)
	}
	return n, nil
}

// enter verifies that the chunks that a file's metadata names for some columns lie inside the
// file and can be decoded in bounded memory. After that, only these chunks can be read.
func (g *guard) enter(m *metadata.FileMetaData, size int64, leaves []int) error {
	g.chunks = map[int64]*chunk{}
	var rows int64
	for i := range len(m.RowGroups) {
		group := m.RowGroup(i)
		if n := group.NumRows(); n < 0 || n > maxRows {
			return fmt.Errorf("row group %d has %d rows", i, n)
		}
		rows += group.NumRows()
		var decoded int64
		for _, column := range leaves {
			meta, err := group.ColumnChunk(column)
			if err != nil {
				return err
			}
			c := &chunk{start: meta.DataPageOffset(), length: meta.TotalCompressedSize(), codec: meta.Compression(),
				values: meta.NumValues(), uncompressed: meta.TotalUncompressedSize()}
			if meta.HasDictionaryPage() && meta.DictionaryPageOffset() > 0 {
				c.start = min(c.start, meta.DictionaryPageOffset())
			}
			if c.start < 4 || c.length < 0 || c.length > size || c.start > size-c.length || c.uncompressed < 0 || c.values < 0 || c.values > maxValues {
				return fmt.Errorf("row group %d, column %d lies outside of the file", i, column)
			}
			if decoded += c.uncompressed; decoded > maxGroup {
				return fmt.Errorf("row group %d is over %d bytes", i, maxGroup)
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
	if string(tail[4:]) != "PAR1" || length > maxFooter || length > size-12 {
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
