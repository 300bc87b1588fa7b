package learn

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// ErrMalformed says that bytes are not what this package wrote.
var ErrMalformed = errors.New("malformed")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// cursor reads what the append functions wrote. After an error, which it keeps,
// it delivers zeros.
type cursor struct {
	rest []byte
	err  error
}

func (c *cursor) fail(what string) {
	if c.err == nil {
		c.err = fmt.Errorf("%w: %s", ErrMalformed, what)
	}
	c.rest = nil
}

func (c *cursor) uvarint() uint64 {
	v, n := binary.Uvarint(c.rest)
	if n <= 0 {
		c.fail("a number is cut off")
		return 0
	}
	c.rest = c.rest[n:]
	return v
}

// count is a number that must not be above limit.
func (c *cursor) count(limit uint64, of string) int {
	v := c.uvarint()
	if v > limit {
		c.fail(fmt.Sprintf("%d %s, at most %d may be", v, of, limit))
		return 0
	}
	return int(v)
}

func (c *cursor) uint64() uint64 {
	b := c.bytes(8)
	if len(b) < 8 {
		return 0
	}
	return binary.BigEndian.Uint64(b)
}

func (c *cursor) uint32() uint32 {
	b := c.bytes(4)
	if len(b) < 4 {
		return 0
	}
	return binary.BigEndian.Uint32(b)
}

// bytes is a view of the next n bytes.
func (c *cursor) bytes(n int) []byte {
	if n < 0 || n > len(c.rest) {
		c.fail("cut off")
		return nil
	}
	b := c.rest[:n:n]
	c.rest = c.rest[n:]
	return b
}

func (c *cursor) string() string {
	n := c.uvarint()
	if n > uint64(len(c.rest)) {
		c.fail("a text is cut off")
		return ""
	}
	return string(c.bytes(int(n)))
}

func appendCandidate(b []byte, c *Candidate) []byte {
	b = appendString(b, c.Site)
	b = binary.BigEndian.AppendUint64(b, c.Rank)
	b = binary.BigEndian.AppendUint64(b, c.TextHash)
	b = appendString(b, c.URL)
	b = binary.AppendVarint(b, c.Date)
	b = appendString(b, c.RecordID)
	b = binary.AppendUvarint(b, uint64(c.File))
	b = binary.AppendUvarint(b, uint64(c.Offset))
	b = binary.AppendUvarint(b, uint64(c.Ordinal))
	return binary.AppendUvarint(b, uint64(c.Copy+1))
}

func (c *cursor) candidate(into *Candidate) {
	into.Site = c.string()
	into.Rank, into.TextHash = c.uint64(), c.uint64()
	into.URL = c.string()
	date, n := binary.Varint(c.rest)
	if n <= 0 {
		c.fail("a date is cut off")
		return
	}
	c.rest, into.Date = c.rest[n:], date
	into.RecordID = c.string()
	into.File = int32(c.count(1<<31-1, "is the number of a file"))
	into.Offset = int64(c.count(1<<62, "is an offset"))
	into.Ordinal = int32(c.count(1<<31-1, "is an ordinal"))
	into.Copy = int64(c.count(1<<62, "is an offset")) - 1
}
