// Package codec writes and reads what site-level extractors learn: numbers, hashes and
// strings one after the other, without names or padding, so that equal values have
// equal bytes.
//
//	Uint    unsigned LEB128, in its shortest form
//	Hash    8 bytes, little-endian
//	Word    4 bytes, little-endian
//	Bytes   Uint of the length, then the bytes
//
// The bytes to read may come from outside. A Reader checks every length against the
// remaining bytes before it allocates anything of that size, refuses numbers above the
// bound that its caller gives, and remembers the first error, so that a caller checks
// once, at the end.
package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// ErrMalformed means that the bytes were not written by a Writer of the same version.
var ErrMalformed = errors.New("site: malformed template or sketch")

// Writer appends to Out.
type Writer struct{ Out []byte }

// Uint writes a number.
func (w *Writer) Uint(v uint64) { w.Out = binary.AppendUvarint(w.Out, v) }

// UintSize is the number of bytes that Uint writes of v.
func UintSize(v uint64) int { return (bits.Len64(v|1) + 6) / 7 }

// Int writes a number that is not negative.
func (w *Writer) Int(v int) { w.Uint(uint64(v)) }

// Hash writes 8 bytes.
func (w *Writer) Hash(v uint64) { w.Out = binary.LittleEndian.AppendUint64(w.Out, v) }

// Word writes 4 bytes.
func (w *Writer) Word(v uint32) { w.Out = binary.LittleEndian.AppendUint32(w.Out, v) }

// Byte writes one byte.
func (w *Writer) Byte(v byte) { w.Out = append(w.Out, v) }

// Bytes writes a string of bytes.
func (w *Writer) Bytes(v []byte) {
	w.Int(len(v))
	w.Out = append(w.Out, v...)
}

// Reader reads what a Writer wrote. After an error everything reads as zero.
type Reader struct {
	rest []byte
	err  error
}

// NewReader reads data.
func NewReader(data []byte) *Reader { return &Reader{rest: data} }

// Fail makes the reader fail with the given reason, unless it has failed already. It is
// for values that can be decoded but are not allowed.
func (r *Reader) Fail(reason string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", ErrMalformed, reason)
		r.rest = nil
	}
}

// Uint reads a number of at most max.
func (r *Reader) Uint(max uint64) uint64 {
	v, n := binary.Uvarint(r.rest)
	switch {
	case r.err != nil:
		return 0
	case n <= 0 || n > 1 && r.rest[n-1] == 0:
		r.Fail("number")
		return 0
	case v > max:
		r.Fail("number over its bound")
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// Int reads a number of at most max.
func (r *Reader) Int(max int) int { return int(r.Uint(uint64(max))) }

// Count reads the number of entries that follow, each of at least size bytes.
func (r *Reader) Count(size int) int {
	n := r.Int(len(r.rest))
	if n > len(r.rest)/max(size, 1) {
		r.Fail("more entries than bytes")
		return 0
	}
	return n
}

// Hash reads 8 bytes.
func (r *Reader) Hash() uint64 {
	if len(r.rest) < 8 {
		r.Fail("end of data")
		return 0
	}
	v := binary.LittleEndian.Uint64(r.rest)
	r.rest = r.rest[8:]
	return v
}

// Word reads 4 bytes.
func (r *Reader) Word() uint32 {
	if len(r.rest) < 4 {
		r.Fail("end of data")
		return 0
	}
	v := binary.LittleEndian.Uint32(r.rest)
	r.rest = r.rest[4:]
	return v
}

// Byte reads one byte.
func (r *Reader) Byte() byte {
	if len(r.rest) == 0 {
		r.Fail("end of data")
		return 0
	}
	v := r.rest[0]
	r.rest = r.rest[1:]
	return v
}

// Bool reads a byte that must be 0 or 1. Any other value makes the reader fail with the
// given reason.
func (r *Reader) Bool(reason string) bool {
	v := r.Byte()
	if v > 1 {
		r.Fail(reason)
	}
	return v == 1
}

// Bytes reads a string of bytes, as a view of the data.
func (r *Reader) Bytes() []byte {
	n := r.Count(1)
	v := r.rest[:n:n]
	r.rest = r.rest[n:]
	return v
}

// Err is the first error.
func (r *Reader) Err() error { return r.err }

// Close returns the first error. Remaining bytes are an error too.
func (r *Reader) Close() error {
	if len(r.rest) > 0 {
		r.Fail("bytes behind the end")
	}
	return r.err
}
