package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Pack appends a row to b in a form that only Unpack of the same program reads. It
// serves rows that are written to disk for a while and read back, as when a table is
// sorted. A reader of a Parquet file needs memory for a row group of every column,
// while a packed row needs its own bytes only.
//
//	row:     its values, column by column in the table's order
//	text:    length (uvarint), bytes
//	number:  zigzag varint; hashes and fractions 8 bytes, little-endian; truth values 0 or 1
//	list:    length + 1 (uvarint; 0 is nil), its numbers
func (t *Table[T]) Pack(b []byte, row *T) []byte {
	for i := range t.columns {
		b = t.columns[i].pack(b, row)
	}
	return b
}

// Unpack reads a row that Pack wrote into row. A string that row holds already is kept,
// so that consecutive rows share equal strings. Other strings, and lists, are copies.
func (t *Table[T]) Unpack(b []byte, row *T) error {
	p := packed{b: b}
	for i := range t.columns {
		t.columns[i].unpack(&p, row)
	}
	if p.bad || len(p.b) > 0 {
		return fmt.Errorf("columnar: %s: %w", t.name, errPacked)
	}
	return nil
}

var errPacked = errors.New("bytes are not a packed row")

// Weight is the number of bytes that a row's strings and lists hold.
func (t *Table[T]) Weight(row *T) int {
	n := 0
	for i := range t.columns {
		if weigh := t.columns[i].weigh; weigh != nil {
			n += weigh(row)
		}
	}
	return n
}

// packed is the unread rest of a packed row. After an error, everything that it reads
// is zero.
type packed struct {
	b   []byte
	bad bool
}

func (p *packed) fail() {
	p.b, p.bad = nil, true
}

func (p *packed) take(n uint64) []byte {
	if n > uint64(len(p.b)) {
		p.fail()
		return nil
	}
	v := p.b[:n]
	p.b = p.b[n:]
	return v
}

func (p *packed) uvarint() uint64 {
	v, n := binary.Uvarint(p.b)
	if n <= 0 {
		p.fail()
		return 0
	}
	p.b = p.b[n:]
	return v
}

func (p *packed) varint() int64 {
	v := p.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

func (p *packed) text(s *string) {
	if v := p.take(p.uvarint()); string(v) != *s {
		*s = string(v)
	}
}

func (p *packed) hash() uint64 {
	if v := p.take(8); v != nil {
		return binary.LittleEndian.Uint64(v)
	}
	return 0
}

func (p *packed) fraction() float64 { return math.Float64frombits(p.hash()) }

func (p *packed) list() []int32 {
	n := p.uvarint()
	if n == 0 {
		return nil
	}
	if n--; n > uint64(len(p.b)) { // each number takes at least a byte
		p.fail()
		return nil
	}
	v := make([]int32, n)
	for i := range v {
		v[i] = int32(p.varint())
	}
	return v
}

func packText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func packBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

func packFraction(b []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
}

func packList(b []byte, v []int32) []byte {
	if v == nil {
		return append(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(len(v))+1)
	for _, x := range v {
		b = binary.AppendVarint(b, int64(x))
	}
	return b
}
