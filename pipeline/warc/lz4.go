package warc

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/pierrec/lz4/v4"
)

// LZ4 WARC files: one frame per record, as FastWARC writes them.
//
//	04224d18 flags ... | block | block | 00000000 checksum | 04224d18 ...
//
// This file parses the frames (LZ4 Frame Format Description 1.6) itself and leaves
// only the decompression of blocks to the library. A frame is therefore one unit, as
// a gzip member is; a reused reader carries nothing over from an earlier frame; and
// the checksums of the format are verified. Frames of the legacy format and frames
// that need a dictionary are not read.

const (
	lz4Magic = 0x184d2204
	// lz4Window is how far a block may refer back into the blocks before it.
	lz4Window = 64 << 10
	// maxLZ4Header is the longest frame header: magic, flags, size, dictionary, check.
	maxLZ4Header = 4 + 2 + 8 + 4 + 1
)

// lz4Header is the header of a frame.
type lz4Header struct {
	linked, blockSums, sized, sum, dict bool
	maxBlock                            int
	size                                uint64 // size of the content, valid if sized is set
}

// parseLZ4Header parses the header of the LZ4 frame that b begins with.
func parseLZ4Header(b []byte) (h lz4Header, n int, a answer) {
	var magic [4]byte
	binary.LittleEndian.PutUint32(magic[:], lz4Magic)
	if !bytes.HasPrefix(b, magic[:min(len(b), 4)]) {
		return h, 0, no
	}
	if len(b) < 6 {
		return h, 0, more
	}
	flags, block := b[4], b[5]
	if flags>>6 != 1 || flags&2 != 0 || block&0x8f != 0 || block>>4 < 4 {
		return h, 0, no // another version, reserved bits, or no size of blocks
	}
	h = lz4Header{linked: flags&0x20 == 0, blockSums: flags&0x10 != 0, sized: flags&8 != 0, sum: flags&4 != 0,
		dict: flags&1 != 0, maxBlock: 1 << (8 + 2*(block>>4))}
	n = 6
	if h.sized {
		n += 8
	}
	if h.dict {
		n += 4
	}
	if len(b) <= n {
		return h, 0, more
	}
	if h.sized {
		h.size = binary.LittleEndian.Uint64(b[6:])
	}
	var x xxh32
	x.reset()
	x.write(b[4:n])
	if b[n] != byte(x.sum()>>8) {
		return h, 0, no
	}
	return h, n + 1, yes
}

// lz4Frames decodes one frame after another. It consumes exactly the frame's bytes.
type lz4Frames struct {
	br     *bufio.Reader
	header lz4Header
	in     []byte // a block as it is in the file
	out    []byte // the window, then the content of the block
	read   int    // bytes of out that were delivered or belong to the window
	size   uint64 // of the content so far
	sum    xxh32
	err    error
}

// reset begins a frame whose header br has just passed.
func (z *lz4Frames) reset(br *bufio.Reader, h lz4Header) {
	z.br, z.header, z.size, z.err = br, h, 0, nil
	z.out, z.read = z.out[:0], 0
	z.sum.reset()
	if h.dict {
		z.err = errors.New("the frame needs a dictionary")
	}
}

// Read returns io.EOF only at the end of a complete frame.
func (z *lz4Frames) Read(p []byte) (int, error) {
	for z.read == len(z.out) && z.err == nil {
		z.err = z.block()
	}
	if z.read < len(z.out) {
		n := copy(p, z.out[z.read:])
		z.read += n
		return n, nil
	}
	return 0, z.err
}

// block decodes the next block. It returns io.EOF at the end of the frame.
func (z *lz4Frames) block() error {
	size, err := z.uint32()
	if err != nil {
		return err
	}
	if size == 0 {
		return z.end()
	}
	stored := size>>31 != 0
	size &^= 1 << 31
	if int64(size) > int64(z.header.maxBlock) {
		return fmt.Errorf("a block of %d bytes, of at most %d", size, z.header.maxBlock)
	}
	z.in = grow(z.in, int(size))
	if _, err := io.ReadFull(z.br, z.in); err != nil {
		return io.ErrUnexpectedEOF
	}
	if z.header.blockSums {
		want, err := z.uint32()
		if err != nil {
			return err
		}
		var x xxh32
		x.reset()
		x.write(z.in)
		if x.sum() != want {
			return errChecksum
		}
	}
	return z.decode(stored)
}

// decode appends the content of the block in z.in to the window.
func (z *lz4Frames) decode(stored bool) error {
	window := 0
	if z.header.linked {
		window = min(len(z.out), lz4Window)
		copy(z.out, z.out[len(z.out)-window:])
	}
	n := len(z.in)
	if stored {
		z.out = append(z.out[:window], z.in...)
	} else {
		// A block of n bytes expands to at most 255*n bytes.
		room := min(z.header.maxBlock, 255*n)
		kept := z.out[:window]
		if cap(z.out) < window+room {
			z.out = make([]byte, window+room)
			copy(z.out, kept)
		}
		z.out = z.out[:window+room]
		var err error
		if n, err = lz4.UncompressBlockWithDict(z.in, z.out[window:], z.out[:window]); err != nil {
			z.out = z.out[:window]
			z.read = window
			return err
		}
		z.out = z.out[:window+n]
	}
	z.read = window
	z.size += uint64(n)
	if z.header.sum {
		z.sum.write(z.out[window:])
	}
	return nil
}

// end checks the content size and the checksum after the last block.
func (z *lz4Frames) end() error {
	if z.header.sum {
		want, err := z.uint32()
		if err != nil {
			return err
		}
		if want != z.sum.sum() {
			return errChecksum
		}
	}
	if z.header.sized && z.header.size != z.size {
		return errChecksum
	}
	return io.EOF
}

func (z *lz4Frames) uint32() (uint32, error) {
	var b [4]byte
	if _, err := io.ReadFull(z.br, b[:]); err != nil {
		return 0, io.ErrUnexpectedEOF
	}
	return binary.LittleEndian.Uint32(b[:]), nil
}

// grow returns b with a length of n bytes, whose values are undefined.
func grow(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// enterLZ4 opens the LZ4 frame at the input's position. Skippable frames are units
// without content.
func (w *walker) enterLZ4() (bool, error) {
	at := w.in.offset()
	b, err := w.in.peek(maxLZ4Header)
	if err != nil {
		return false, err
	}
	if isSkippable(b) {
		w.opened(FormatLZ4, at)
		if len(b) < 8 || at+8+int64(binary.LittleEndian.Uint32(b[4:])) > w.in.size {
			w.in.seek(w.in.size)
			w.close(UnitTruncated, "in a skippable frame")
			return true, nil
		}
		w.in.seek(at + 8 + int64(binary.LittleEndian.Uint32(b[4:])))
		w.close("", "")
		return true, nil
	}
	h, n, a := parseLZ4Header(b)
	switch {
	case a == yes:
		w.in.br.Discard(n)
		w.lz4.reset(w.in.br, h)
		w.opened(FormatLZ4, at)
		return true, nil
	case a == more && len(b) >= 4: // the file ends within the header
		w.opened(FormatLZ4, at)
		w.in.seek(w.in.size)
		w.close(UnitTruncated, "in the frame header")
		return true, nil
	}
	return false, nil
}

// isLZ4 reports whether b begins with the header of an LZ4 frame.
func isLZ4(b []byte) bool {
	_, _, a := parseLZ4Header(b)
	return a == yes
}

// holdsLZ4Record reports whether a record begins in the first MiB of a file of LZ4
// frames, or whether its first frame is empty.
func holdsLZ4Record(in *input) (bool, error) {
	b, err := in.peek(maxLZ4Header + 4 + 2*syntaxWARC.prefix())
	if err != nil {
		return false, err
	}
	if h, n, a := parseLZ4Header(b); a == yes && syntaxWARC.begins(h.literals(b[n:])) != no {
		return true, nil
	}
	at, err := findLZ4(in, 0, min(in.size, probeLimit), true)
	return at >= 0, err
}

// findLZ4 returns the first offset in [from, to) at which the header of a frame
// begins, or -1 if there is none. If records is set, only frames whose content begins
// a record count.
func findLZ4(in *input, from, to int64, records bool) (int64, error) {
	for {
		at, err := findBytes(in, from, to, []byte{0x04, 0x22, 0x4d, 0x18})
		if at < 0 || err != nil {
			return -1, err
		}
		b, err := in.peek(maxLZ4Header + 4 + 2*syntaxWARC.prefix())
		if err != nil {
			return -1, err
		}
		h, n, a := parseLZ4Header(b)
		if a == more && !records || a == yes && (!records || syntaxWARC.begins(h.literals(b[n:])) == yes) {
			return at, nil
		}
		from = at + 1
	}
}

// literals returns the beginning of a frame's content, as far as it is known without
// decoding: the content of a stored block, or the literals of a compressed block
// before its first back reference. A version line does not repeat itself, so encoders
// write it as such literals. b holds the bytes after the frame's header.
func (h *lz4Header) literals(b []byte) []byte {
	if len(b) < 5 || h.dict {
		return nil
	}
	size := binary.LittleEndian.Uint32(b)
	body := b[4:]
	body = body[:min(int64(len(body)), int64(size&^(1<<31)))]
	if size>>31 != 0 || len(body) == 0 {
		return body
	}
	n, body := int(body[0]>>4), body[1:]
	for c := byte(255); n >= 15 && c == 255 && len(body) > 0; body = body[1:] {
		c = body[0]
		n += int(c)
	}
	return body[:min(len(body), n)]
}

// xxh32 is the checksum of LZ4 frames: XXH32 with seed 0.
type xxh32 struct {
	lane  [4]uint32
	buf   [16]byte
	n     int // bytes in buf
	total uint64
}

const (
	xxPrime1 uint32 = 2654435761
	xxPrime2 uint32 = 2246822519
	xxPrime3 uint32 = 3266489917
	xxPrime4 uint32 = 668265263
	xxPrime5 uint32 = 374761393
)

func (x *xxh32) reset() {
	one, two := xxPrime1, xxPrime2
	*x = xxh32{lane: [4]uint32{one + two, two, 0, -one}}
}

func (x *xxh32) write(b []byte) {
	x.total += uint64(len(b))
	if x.n > 0 {
		k := copy(x.buf[x.n:], b)
		x.n, b = x.n+k, b[k:]
		if x.n < len(x.buf) {
			return
		}
		x.stripe(x.buf[:])
		x.n = 0
	}
	for len(b) >= len(x.buf) {
		x.stripe(b)
		b = b[len(x.buf):]
	}
	x.n = copy(x.buf[:], b)
}

func (x *xxh32) stripe(b []byte) {
	for i := range x.lane {
		x.lane[i] = bits.RotateLeft32(x.lane[i]+binary.LittleEndian.Uint32(b[4*i:])*xxPrime2, 13) * xxPrime1
	}
}

func (x *xxh32) sum() uint32 {
	h := x.lane[2] + xxPrime5
	if x.total >= uint64(len(x.buf)) {
		h = bits.RotateLeft32(x.lane[0], 1) + bits.RotateLeft32(x.lane[1], 7) +
			bits.RotateLeft32(x.lane[2], 12) + bits.RotateLeft32(x.lane[3], 18)
	}
	h += uint32(x.total)
	b := x.buf[:x.n]
	for ; len(b) >= 4; b = b[4:] {
		h = bits.RotateLeft32(h+binary.LittleEndian.Uint32(b)*xxPrime3, 17) * xxPrime4
	}
	for _, c := range b {
		h = bits.RotateLeft32(h+uint32(c)*xxPrime5, 11) * xxPrime1
	}
	h = (h ^ h>>15) * xxPrime2
	h = (h ^ h>>13) * xxPrime3
	return h ^ h>>16
}
