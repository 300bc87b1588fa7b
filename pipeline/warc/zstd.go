package warc

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Zstandard WARC files (IIPC proposal, "WARC compression with Zstandard"): one
// frame per record, after an optional skippable frame that holds a dictionary,
// itself perhaps compressed.
//
//	5d2a4d18 size dictionary | 28b52ffd record | 28b52ffd record | ...
//
// The reader finds the end of a frame from its block headers. A frame is therefore
// one unit, as a gzip member is, and the decoder is given one frame at a time.

const (
	zstdMagic      = 0xfd2fb528
	skippableMagic = 0x184d2a50 // to 0x184d2a5f
	dictFrameMagic = 0x184d2a5d

	maxZstdWindow = 128 << 20
	maxZstdDict   = 8 << 20
)

var errZstdLimit = errors.New("beyond the limit")

func isZstdMagic(b []byte) bool {
	if len(b) < 4 {
		return false
	}
	return binary.LittleEndian.Uint32(b) == zstdMagic || isSkippable(b)
}

// isSkippable reports whether b begins with the magic number of a skippable frame,
// which zstd and LZ4 share.
func isSkippable(b []byte) bool {
	return len(b) >= 4 && binary.LittleEndian.Uint32(b)&^0xf == skippableMagic
}

// zstdFrames decodes one frame after another.
type zstdFrames struct {
	dec   *zstd.Decoder
	frame frameReader
}

func newZstdFrames(dict []byte) (*zstdFrames, error) {
	opts := []zstd.DOption{
		zstd.WithDecoderConcurrency(1), // decodes within Read, without goroutines
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxZstdWindow),
		zstd.WithDecoderMaxMemory(1 << 62), // memory is bounded by the window limit, and output by the walker
	}
	if dict != nil {
		opts = append(opts, zstd.WithDecoderDicts(dict))
	}
	dec, err := zstd.NewReader(nil, opts...)
	if err != nil {
		return nil, fmt.Errorf("warc: zstd dictionary: %w", err)
	}
	return &zstdFrames{dec: dec}, nil
}

// reset begins a frame at the position of br.
func (z *zstdFrames) reset(br *bufio.Reader) {
	z.frame = frameReader{br: br}
	z.dec.Reset(&z.frame) // Read returns the error, if there is one
}

// Read returns io.EOF at the end of the frame.
func (z *zstdFrames) Read(p []byte) (int, error) {
	n, err := z.dec.Read(p)
	if err == nil {
		return n, nil
	}
	if z.frame.err != nil && z.frame.err != io.EOF {
		return n, z.frame.err
	}
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		return n, fmt.Errorf("%w: %w", errZstdLimit, err)
	}
	return n, err
}

// frameReader delivers the bytes of exactly one zstd frame (RFC 8878, 3.1.1).
type frameReader struct {
	br       *bufio.Reader
	piece    []byte // header bytes not delivered yet
	buf      [18]byte
	left     int64 // bytes of the current block's body not delivered yet
	begun    bool
	last     bool // the header of the last block has been read
	checksum bool
	err      error
}

func (f *frameReader) Read(p []byte) (int, error) {
	for len(f.piece) == 0 && f.left == 0 && f.err == nil {
		f.err = f.advance()
	}
	switch {
	case len(f.piece) > 0:
		n := copy(p, f.piece)
		f.piece = f.piece[n:]
		return n, nil
	case f.left > 0:
		n, err := f.br.Read(p[:min(int64(len(p)), f.left)])
		f.left -= int64(n)
		if err != nil && n == 0 {
			f.err = io.ErrUnexpectedEOF
			return 0, f.err
		}
		return n, nil
	}
	return 0, f.err
}

// advance reads the next header of the frame, or its checksum, into piece.
func (f *frameReader) advance() error {
	switch {
	case !f.begun:
		f.begun = true
		b, err := f.br.Peek(len(f.buf))
		n, checksum := frameHeader(b)
		if n == 0 || n > len(b) {
			if err != nil {
				return io.ErrUnexpectedEOF
			}
			return errors.New("bad frame header")
		}
		f.checksum = checksum
		return f.take(n)
	case !f.last:
		if err := f.take(3); err != nil {
			return err
		}
		h := uint32(f.piece[0]) | uint32(f.piece[1])<<8 | uint32(f.piece[2])<<16
		f.last = h&1 != 0
		switch h >> 1 & 3 {
		case 0, 2:
			f.left = int64(h >> 3)
		case 1: // a run of one byte
			f.left = 1
		default:
			f.piece = nil
			return errors.New("reserved block type")
		}
		return nil
	case f.checksum:
		f.checksum = false
		return f.take(4)
	}
	return io.EOF
}

func (f *frameReader) take(n int) error {
	if _, err := io.ReadFull(f.br, f.buf[:n]); err != nil {
		return io.ErrUnexpectedEOF
	}
	f.piece = f.buf[:n]
	return nil
}

// frameHeader returns the length of the frame header that b begins with, or 0 if b
// does not begin with one. The length may exceed that of b.
func frameHeader(b []byte) (n int, checksum bool) {
	if len(b) < 5 || binary.LittleEndian.Uint32(b) != zstdMagic {
		return 0, false
	}
	d := b[4]
	if d&8 != 0 { // reserved bit
		return 0, false
	}
	n = 5
	if d&0x20 == 0 {
		n++ // window descriptor
	}
	n += [...]int{0, 1, 2, 4}[d&3]
	switch {
	case d>>6 != 0:
		n += 1 << (d >> 6)
	case d&0x20 != 0:
		n++
	}
	return n, d&4 != 0
}

// enterFrame opens the zstd frame at the input's position. Skippable frames are
// units without content; the first one may hold the dictionary.
func (w *walker) enterFrame() (bool, error) {
	at := w.in.offset()
	b, err := w.in.peek(18)
	if err != nil || !isZstdMagic(b) {
		return false, err
	}
	if magic := binary.LittleEndian.Uint32(b); magic != zstdMagic {
		if len(b) < 8 {
			w.opened(FormatZstd, at)
			w.in.seek(w.in.size)
			w.close(UnitTruncated, "in a skippable frame")
			return true, nil
		}
		return true, w.skippable(at, magic == dictFrameMagic && at == 0, int64(binary.LittleEndian.Uint32(b[4:])))
	}
	if n, _ := frameHeader(b); n == 0 && len(b) >= 5 {
		return false, nil
	}
	if err := w.needDecoder(nil); err != nil {
		return false, err
	}
	w.zstd.reset(w.in.br)
	w.opened(FormatZstd, at)
	w.zstdOddities(b)
	return true, nil
}

// zstdOddities records a defect for each way in which a frame departs from the
// proposal.
func (w *walker) zstdOddities(b []byte) {
	if len(b) < 5 {
		return
	}
	if b[4]&4 == 0 {
		w.u.notes = append(w.u.notes, note{ZstdNonconforming, "no checksum"})
	}
	if b[4]>>6 == 0 && b[4]&0x20 == 0 {
		w.u.notes = append(w.u.notes, note{ZstdNonconforming, "no content size"})
	}
}

// skippable reads past a skippable frame, and loads the dictionary if the frame
// holds one.
func (w *walker) skippable(at int64, dict bool, size int64) error {
	w.opened(FormatZstd, at)
	end := at + 8 + size
	if end > w.in.size {
		w.in.seek(w.in.size)
		w.close(UnitTruncated, "in a skippable frame")
		return nil
	}
	switch {
	case dict && size > maxZstdDict:
		w.in.seek(end)
		w.close(ZstdLimit, "dictionary")
		return nil
	case dict:
		w.in.br.Discard(8)
		raw := make([]byte, size)
		if _, err := io.ReadFull(w.in.br, raw); err != nil {
			return fmt.Errorf("warc: dictionary at %d: %w", at, err)
		}
		if err := w.loadDictionary(raw); err != nil {
			w.close(UnitCorrupt, err.Error())
			return nil
		}
	}
	w.in.seek(end)
	w.close("", "")
	return nil
}

// loadDictionary gives the dictionary to the decoder. If the dictionary is itself a
// compressed frame, it is decompressed first.
func (w *walker) loadDictionary(raw []byte) error {
	if n, _ := frameHeader(raw); n > 0 {
		plain, err := newZstdFrames(nil)
		if err != nil {
			return err
		}
		defer plain.dec.Close()
		plain.reset(bufio.NewReader(bytes.NewReader(raw)))
		if raw, err = io.ReadAll(io.LimitReader(plain, maxZstdDict+1)); err != nil {
			return fmt.Errorf("dictionary: %w", err)
		}
		if len(raw) > maxZstdDict {
			return fmt.Errorf("dictionary: %w", errZstdLimit)
		}
	}
	return w.needDecoder(raw)
}

func (w *walker) needDecoder(dict []byte) error {
	if w.zstd != nil && dict == nil {
		return nil
	}
	z, err := newZstdFrames(dict)
	if err != nil {
		return err
	}
	if w.zstd != nil {
		w.zstd.dec.Close()
	}
	w.zstd = z
	return nil
}

// closeDecoders releases decoder resources that the garbage collector does not free.
func (w *walker) closeDecoders() {
	if w.zstd != nil {
		w.zstd.dec.Close()
		w.zstd = nil
	}
}

// findFrame returns the first offset in [from, to) at which a frame header begins,
// and leaves the input there. It returns -1 if there is none.
func findFrame(in *input, from, to int64) (int64, error) {
	for {
		at, err := findBytes(in, from, to, []byte{0x28, 0xb5, 0x2f, 0xfd})
		if at < 0 || err != nil {
			return -1, err
		}
		b, err := in.peek(5)
		if err != nil {
			return -1, err
		}
		if n, _ := frameHeader(b); n > 0 || len(b) < 5 {
			return at, nil
		}
		from = at + 1
	}
}

// findBytes returns the first offset in [from, to) at which the bytes in some occur,
// followed by at least one more byte, and leaves the input there. It returns -1 if
// there is none.
func findBytes(in *input, from, to int64, some []byte) (int64, error) {
	for in.seek(from); ; {
		pos := in.offset()
		ahead := in.br.Buffered()
		if ahead < 8<<10 {
			ahead = window
		}
		b, err := in.peek(ahead)
		if err != nil || pos >= to || len(b) <= len(some) {
			return -1, err
		}
		i := bytes.Index(b, some)
		switch {
		case i < 0:
			in.seek(pos + int64(len(b)-len(some)+1))
			continue
		case pos+int64(i) >= to:
			return -1, nil
		}
		in.seek(pos + int64(i))
		return pos + int64(i), nil
	}
}
