package warc

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"

	"github.com/klauspost/compress/flate"
)

// flater is a reusable deflate decoder whose output depends on its input alone.
//
// The decoder of klauspost/compress keeps its Huffman tables when it is reset. It
// decodes a block that declares an empty table with the previous table instead of
// refusing the block. A damaged stream could thus be decoded with tables of the stream
// before it, and an item's records would depend on where the item begins. To prevent
// that, the decoder is given an empty stream that sets all tables before every stream
// whose first block does not set them. That costs a few microseconds, as much as a
// small record.
type flater struct {
	r     io.ReadCloser
	empty bytes.Reader
}

// emptyStream is one final block with dynamic tables: two literal codes, one
// distance code, and nothing but the end of the block (RFC 1951, 3.2.7).
const emptyStream = "\x05\xc0\x81\x00\x00\x00\x00\x00\x90\xff\x6a\x04"

// reset begins a stream. ahead holds the first bytes of the stream that are buffered.
func (f *flater) reset(src flate.Reader, ahead []byte) {
	if f.r != nil && setsTables(ahead) {
		f.r.(flate.Resetter).Reset(src, nil)
		return
	}
	f.empty.Reset([]byte(emptyStream))
	if f.r == nil {
		f.r = flate.NewReader(&f.empty)
	} else {
		f.r.(flate.Resetter).Reset(&f.empty, nil)
	}
	var none [1]byte
	f.r.Read(none[:])
	f.r.(flate.Resetter).Reset(src, nil)
}

// maxTables is an upper bound in bytes on the size of a block's tables: 14 bits, 19
// lengths of 3 bits, and 320 codes of up to 14 bits.
const maxTables = 640

// codeOrder is the order of the code length codes in a block (RFC 1951, 3.2.7).
var codeOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// setsTables reports whether the deflate stream that b begins with certainly uses no
// table of an earlier stream. That holds if its first block is the last one and needs
// no table, or if the block declares non-empty tables for code lengths, for literals
// and for distances. setsTables returns false if b is too short to decide.
func setsTables(b []byte) bool {
	r := bitReader{b: b}
	r.fill()
	last, kind := r.take(1), r.take(2)
	if kind != 2 {
		return last == 1 && kind < 2 && len(b) > 0
	}
	literals, distances, codes := int(r.take(5))+257, int(r.take(5))+1, int(r.take(4))+4
	var lengths [19]uint8
	r.fill()
	for i := range codes {
		if i == 14 {
			r.fill()
		}
		lengths[codeOrder[i]] = uint8(r.take(3))
	}
	var table [128]uint8
	if !codeTable(&table, &lengths) {
		return false
	}
	anyLiteral, before := false, false
	for i := 0; i < literals+distances; {
		if r.have < 14 {
			r.fill()
		}
		entry := table[r.word&127]
		r.take(uint(entry >> 5))
		run, set := 1, entry&31 != 0
		switch entry & 31 {
		case 16:
			run, set = 3+int(r.take(2)), before
		case 17:
			run, set = 3+int(r.take(3)), false
		case 18:
			run, set = 11+int(r.take(7)), false
		}
		before = set
		if set && i < literals {
			anyLiteral = true
		}
		if i += run; set && i > literals {
			return anyLiteral && !r.over
		}
	}
	return false
}

// codeTable maps the next seven bits to a code length code (low five bits) and
// its size. It returns false if the codes do not fill the table exactly (RFC 1951,
// 3.2.2).
func codeTable(table *[128]uint8, lengths *[19]uint8) bool {
	var count [8]int
	for _, n := range lengths {
		count[n]++
	}
	var next [8]int // the next code of each size, in a space of seven bits
	code := 0
	for size := 1; size <= 7; size++ {
		next[size] = code
		code += count[size] << (7 - size)
	}
	if code != len(table) {
		return false
	}
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		for i := int(bits.Reverse8(uint8(next[n])) >> 1); i < len(table); i += 1 << n {
			table[i] = n<<5 | uint8(symbol)
		}
		next[n] += 1 << (7 - n)
	}
	return true
}

// bitReader reads bits, least significant first. It reads zeros beyond the end of b.
type bitReader struct {
	b    []byte
	word uint64
	have uint // bits of word that were read from b and not taken yet
	over bool // bits beyond the end of b were taken
}

// fill makes at least 56 bits available, unless b ends before.
func (r *bitReader) fill() {
	if len(r.b) >= 8 {
		n := (63 - r.have) >> 3
		r.word |= binary.LittleEndian.Uint64(r.b) << r.have
		r.b = r.b[n:]
		r.have += n << 3
		r.word &= 1<<r.have - 1
		return
	}
	for r.have <= 56 && len(r.b) > 0 {
		r.word |= uint64(r.b[0]) << r.have
		r.b = r.b[1:]
		r.have += 8
	}
}

// take takes n bits, at most as many as fill made available.
func (r *bitReader) take(n uint) uint {
	v := uint(r.word & (1<<n - 1))
	if n > r.have {
		r.over, n = true, r.have
	}
	r.word >>= n
	r.have -= n
	return v
}
