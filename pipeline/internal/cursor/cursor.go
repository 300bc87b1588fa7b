// Package cursor reads and writes the binary records of which the files of
// learning are made: candidates, templates and their indexes. Numbers are unsigned
// varints or big-endian, texts have their length before them, and checksums are
// CRC-32C.
package cursor

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// ErrMalformed is the error of bytes that are not what a writer of this program wrote.
var ErrMalformed = errors.New("malformed")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checksum returns the CRC-32C of b.
func Checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// AppendText appends the length of s and s.
func AppendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// Cursor reads a record from front to back. After an error, which it keeps, all
// reads return zero values.
type Cursor struct {
	Rest []byte // what has not been read
	Err  error
}

// Fail sets the error of malformed input, unless there is an error already.
func (c *Cursor) Fail(what string) {
	if c.Err == nil {
		c.Err = fmt.Errorf("%w: %s", ErrMalformed, what)
	}
	c.Rest = nil
}

// Uvarint reads an unsigned varint.
func (c *Cursor) Uvarint() uint64 {
	v, n := binary.Uvarint(c.Rest)
	if n <= 0 {
		c.Fail("a number is cut off")
		return 0
	}
	c.Rest = c.Rest[n:]
	return v
}

// Varint reads a signed varint.
func (c *Cursor) Varint() int64 {
	v, n := binary.Varint(c.Rest)
	if n <= 0 {
		c.Fail("a number is cut off")
		return 0
	}
	c.Rest = c.Rest[n:]
	return v
}

// Count reads a number that must not be above limit; what says in an error what
// is counted.
func (c *Cursor) Count(limit uint64, what string) int {
	v := c.Uvarint()
	if v > limit {
		c.Fail(fmt.Sprintf("%s: %d is above the limit of %d", what, v, limit))
		return 0
	}
	return int(v)
}

// Uint64 reads eight bytes.
func (c *Cursor) Uint64() uint64 {
	b := c.Bytes(8)
	if len(b) < 8 {
		return 0
	}
	return binary.BigEndian.Uint64(b)
}

// Uint32 reads four bytes.
func (c *Cursor) Uint32() uint32 {
	b := c.Bytes(4)
	if len(b) < 4 {
		return 0
	}
	return binary.BigEndian.Uint32(b)
}

// Bytes returns a view of the next n bytes.
func (c *Cursor) Bytes(n int) []byte {
	if n < 0 || n > len(c.Rest) {
		c.Fail("cut off")
		return nil
	}
	b := c.Rest[:n:n]
	c.Rest = c.Rest[n:]
	return b
}

// Text reads what AppendText wrote, of at most limit bytes.
func (c *Cursor) Text(limit int) string {
	n := c.Uvarint()
	if n > uint64(len(c.Rest)) || n > uint64(limit) {
		c.Fail("a text is cut off or too long")
		return ""
	}
	return string(c.Bytes(int(n)))
}

// ReadFull reads n bytes at off. A file that ends before is malformed.
func ReadFull(r io.ReaderAt, off int64, n int) ([]byte, error) {
	b := make([]byte, n)
	m, err := r.ReadAt(b, off)
	if m == n {
		return b, nil
	}
	if err == nil || err == io.EOF {
		err = fmt.Errorf("%w: cut off", ErrMalformed)
	}
	return nil, err
}
