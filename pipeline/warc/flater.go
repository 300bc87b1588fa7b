package warc

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/flate"
)

// flater is a reusable deflate decoder whose output depends on its input alone.
//
// The decoder of klauspost/compress keeps its Huffman tables when it is reset. It
// decodes a block that declares an empty table with the previous table instead of
// refusing the block. A damaged stream could thus be decoded with tables of the stream
// before it, and an item's records would depend on where the item begins. To prevent
// that, the decoder is given an empty stream that sets all tables before every stream.
type flater struct {
	r     io.ReadCloser
	empty bytes.Reader
}

// emptyStream is one final block with dynamic tables: two literal codes, one
// distance code, and nothing but the end of the block (RFC 1951, 3.2.7).
const emptyStream = "\x05\xc0\x81\x00\x00\x00\x00\x00\x90\xff\x6a\x04"

// reset begins a stream.
func (f *flater) reset(src flate.Reader) {
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
