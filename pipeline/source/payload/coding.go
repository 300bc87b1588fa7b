package payload

import (
	"bytes"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"github.com/winnow/winnow/pipeline/source/payload/charset"
)

// coding is a content coding (RFC 9110, 8.4.1).
type coding uint8

const (
	codingNone coding = iota // identity, and every unknown name
	codingGzip
	codingDeflate
	codingBrotli
	codingZstd
)

func codingByName(b []byte) coding {
	switch {
	case charset.EqualFold(b, "gzip"), charset.EqualFold(b, "x-gzip"):
		return codingGzip
	case charset.EqualFold(b, "deflate"):
		return codingDeflate
	case charset.EqualFold(b, "br"):
		return codingBrotli
	case charset.EqualFold(b, "zstd"):
		return codingZstd
	}
	return codingNone
}

// codings holds the decompressors of a Decoder. Each is created on first use.
//
// The deflate decoder of klauspost/compress keeps its Huffman tables when it is reset.
// It decodes a damaged block that declares no tables with those of an earlier message.
// Every stream is therefore preceded by an empty one that sets the tables, so that a
// document depends only on its own bytes.
type codings struct {
	src    bytes.Reader
	gzip   *gzip.Reader
	zlib   io.ReadCloser
	flate  io.ReadCloser
	brotli *brotli.Reader
	zstd   *zstd.Decoder
}

// maxContentWindow bounds the memory of a zstd decoder. RFC 9659 allows 8 MB on
// the web.
const maxContentWindow = 32 << 20

var (
	gzipMagic = []byte{0x1f, 0x8b, 8}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// undo undoes the transfer and content codings of the payload, as many as the limit
// allows. It also undoes gzip that was not announced. It returns false if a coding
// yields nothing and the payload is not text either.
func (d *Decoder) undo(doc *Document, payload []byte, html bool) ([]byte, bool) {
	limit := d.opt.MaxPayload
	layers, last := 0, codingNone
	for _, list := range [...][]byte{d.head.transfer, d.head.content} {
		for len(list) > 0 { // from the end, because the coding applied last is undone first
			var name []byte
			if i := bytes.LastIndexByte(list, ','); i >= 0 {
				name, list = list[i+1:], list[:i]
			} else {
				name, list = list, nil
			}
			c := codingByName(bytes.TrimSpace(name))
			if c == codingNone {
				continue
			}
			if layers++; layers > maxCodings {
				doc.Flags |= FlagCodingLayers
				break
			}
			var ok bool
			if payload, ok = d.layer(doc, payload, c, limit); !ok {
				return nil, false
			}
			last = c
		}
	}
	// This is gzip that was applied twice or not announced.
	for bytes.HasPrefix(payload, gzipMagic) && (html || last == codingGzip) && layers < maxCodings {
		layers++
		out, ok := d.layer(doc, payload, codingGzip, limit)
		if !ok {
			return nil, false
		}
		doc.Flags |= FlagCodingOdd
		if payload = out; doc.Flags&FlagCodingBad != 0 {
			break
		}
	}
	if len(payload) > limit {
		payload = payload[:limit]
		doc.Flags |= FlagPayloadOverLimit
	}
	return payload, true
}

// layer undoes one coding. A payload that does not look coded is left unchanged.
func (d *Decoder) layer(doc *Document, payload []byte, c coding, limit int) ([]byte, bool) {
	if len(bytes.TrimLeft(payload, "\r\n")) == 0 {
		return payload, true
	}
	if !looksCoded(payload, c) {
		// Some crawlers store the decoded body with the original header, and some
		// store line ends before a coded body.
		trimmed := bytes.TrimLeft(payload, "\r\n")
		if len(trimmed) == len(payload) || !looksCoded(trimmed, c) {
			doc.Flags |= FlagCodingUndone
			return payload, true
		}
		payload = trimmed
	}
	// The two buffers are used in turn, because the payload may lie in the other one.
	d.turn ^= 1
	buf := &d.content[d.turn]
	out, err := d.codings.inflate((*buf)[:0], payload, c, limit)
	*buf = out
	switch {
	case len(out) == 0 && err != nil:
		if (c == codingBrotli || c == codingDeflate) && charset.IsText(payload) {
			doc.Flags |= FlagCodingUndone
			return payload, true
		}
		doc.Flags |= FlagCodingBad
		return payload, charset.IsText(payload)
	case err != nil:
		doc.Flags |= FlagCodingCut
	case len(out) > limit:
		out = out[:limit]
		doc.Flags |= FlagPayloadOverLimit
	}
	return out, true
}

// looksCoded reports whether the payload may have this coding, judging by its first
// bytes.
func looksCoded(b []byte, c coding) bool {
	switch c {
	case codingGzip:
		return bytes.HasPrefix(b, gzipMagic[:2])
	case codingZstd:
		return bytes.HasPrefix(b, zstdMagic) || len(b) >= 4 && b[0]&0xf0 == 0x50 && bytes.HasPrefix(b[1:], []byte{0x2a, 0x4d, 0x18})
	}
	return !charset.IsHTML(b)
}

// An empty deflate stream that sets all tables, and the same as a gzip member and
// as a zlib stream.
const (
	emptyRaw  = "\x05\xc0\x81\x00\x00\x00\x00\x00\x90\xff\x6a\x04"
	emptyGzip = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff" + emptyRaw + "\x00\x00\x00\x00\x00\x00\x00\x00"
	emptyZlib = "\x78\x9c" + emptyRaw + "\x00\x00\x00\x01"
)

// prime reads an empty stream to its end.
func (k *codings) prime(r io.Reader) {
	var none [1]byte
	r.Read(none[:])
}

func zlibHeader(b []byte) bool {
	return len(b) >= 2 && b[0]&0x0f == 8 && b[0]>>4 <= 7 && (uint(b[0])<<8|uint(b[1]))%31 == 0
}

// inflate appends the decoded payload to dst, at most limit+1 bytes of it. An error means
// that the payload is damaged after the bytes that were appended.
func (k *codings) inflate(dst, payload []byte, c coding, limit int) ([]byte, error) {
	if c == codingDeflate && !zlibHeader(payload) {
		return appendAll(dst, k.rawReader(payload), limit)
	}
	r, err := k.reader(payload, c)
	if err != nil {
		return dst, err
	}
	dst, err = appendAll(dst, r, limit)
	if c == codingDeflate && len(dst) == 0 && err != nil {
		// A raw stream can begin like a zlib header by chance.
		return appendAll(dst, k.rawReader(payload), limit)
	}
	if c == codingGzip && err == gzip.ErrHeader && len(dst) > 0 {
		err = nil // only the bytes after the last complete member are wrong
	}
	return dst, err
}

// reader returns the decompressor of a coding over the payload.
func (k *codings) reader(payload []byte, c coding) (r io.Reader, err error) {
	switch c {
	case codingGzip:
		return k.gzipReader(payload)
	case codingDeflate:
		return k.zlibReader(payload)
	}
	k.src.Reset(payload)
	if c == codingBrotli {
		if k.brotli == nil {
			k.brotli = brotli.NewReader(&k.src)
			return k.brotli, nil
		}
		return k.brotli, k.brotli.Reset(&k.src)
	}
	if k.zstd == nil {
		k.zstd, err = zstd.NewReader(&k.src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxContentWindow))
		return k.zstd, err
	}
	return k.zstd, k.zstd.Reset(&k.src)
}

func (k *codings) gzipReader(payload []byte) (io.Reader, error) {
	if k.gzip == nil {
		k.gzip = new(gzip.Reader)
	}
	k.src.Reset([]byte(emptyGzip))
	if err := k.gzip.Reset(&k.src); err != nil {
		return nil, err
	}
	k.prime(k.gzip)
	k.src.Reset(payload)
	return k.gzip, k.gzip.Reset(&k.src)
}

func (k *codings) zlibReader(payload []byte) (_ io.Reader, err error) {
	k.src.Reset([]byte(emptyZlib))
	if k.zlib == nil {
		k.zlib, err = zlib.NewReader(&k.src)
	} else {
		err = k.zlib.(zlib.Resetter).Reset(&k.src, nil)
	}
	if err != nil {
		return nil, err
	}
	k.prime(k.zlib)
	k.src.Reset(payload)
	return k.zlib, k.zlib.(zlib.Resetter).Reset(&k.src, nil)
}

// rawReader returns the decompressor of a deflate stream without zlib header.
func (k *codings) rawReader(payload []byte) io.Reader {
	k.src.Reset([]byte(emptyRaw))
	if k.flate == nil {
		k.flate = flate.NewReader(&k.src)
	} else {
		k.flate.(flate.Resetter).Reset(&k.src, nil)
	}
	k.prime(k.flate)
	k.src.Reset(payload)
	k.flate.(flate.Resetter).Reset(&k.src, nil)
	return k.flate
}

// appendAll reads r into dst until r ends or fails, or until dst holds more than limit
// bytes.
func appendAll(dst []byte, r io.Reader, limit int) ([]byte, error) {
	for idle := 0; len(dst) <= limit; {
		if cap(dst)-len(dst) < 512 {
			grown := make([]byte, len(dst), min(max(2*cap(dst), 64<<10), limit+512+1))
			copy(grown, dst)
			dst = grown
		}
		n, err := r.Read(dst[len(dst):min(cap(dst), limit+1)])
		dst = dst[:len(dst)+n]
		if err == io.EOF {
			return dst, nil
		}
		if n == 0 && err == nil {
			if idle++; idle > 100 {
				err = io.ErrNoProgress
			}
		}
		if err != nil {
			return dst, err
		}
	}
	return dst, nil
}
