package warc

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

var gzipMagic = []byte{0x1f, 0x8b, 8}

// Flags of a gzip member header (RFC 1952, 2.3.1).
const (
	flagHeaderCRC = 1 << 1
	flagExtra     = 1 << 2
	flagName      = 1 << 3
	flagComment   = 1 << 4
	flagReserved  = 0xe0
)

// maxMemberHeader bounds the optional fields of a member. The gzip packages
// refuse names of 512 bytes and more, which is why the header is parsed here
// and only the deflate stream is handed to a decoder.
const maxMemberHeader = 128 << 10

// answer is the result of a test on a prefix of a header or of content.
type answer uint8

const (
	no   answer = iota
	yes         // the given bytes suffice, and the test succeeds
	more        // the given bytes do not suffice to decide
)

// memberHeader returns the length of the header of the gzip member that b begins
// with. Modification time, extra flags, operating system and header checksum are not
// checked, because real writers put arbitrary values there.
func memberHeader(b []byte) (n int, a answer) {
	if len(b) < 10 {
		if bytes.HasPrefix(b, gzipMagic[:min(len(b), 3)]) {
			return 0, more
		}
		return 0, no
	}
	if !bytes.HasPrefix(b, gzipMagic) || b[3]&flagReserved != 0 {
		return 0, no
	}
	n = 10
	if b[3]&flagExtra != 0 {
		if len(b) < n+2 {
			return 0, more
		}
		n += 2 + int(binary.LittleEndian.Uint16(b[n:]))
	}
	for _, flag := range [...]byte{flagName, flagComment} {
		if b[3]&flag == 0 {
			continue
		}
		if n > len(b) {
			return 0, headerMore(len(b))
		}
		end := bytes.IndexByte(b[n:], 0)
		if end < 0 {
			return 0, headerMore(len(b))
		}
		n += end + 1
	}
	if b[3]&flagHeaderCRC != 0 {
		n += 2
	}
	if n > maxMemberHeader {
		return 0, no
	}
	if n > len(b) {
		return 0, more
	}
	return n, yes
}

func headerMore(have int) answer {
	if have >= maxMemberHeader {
		return no
	}
	return more
}

var errChecksum = errors.New("checksum or size differs")

// inflater decodes the deflate stream and the trailer of one gzip member after
// another. It consumes exactly the member's bytes.
type inflater struct {
	br     *bufio.Reader
	flate  flater
	digest uint32
	size   uint32
}

// reset begins a member whose header br has just passed.
func (z *inflater) reset(br *bufio.Reader) {
	z.br, z.digest, z.size = br, 0, 0
	z.flate.reset(br)
}

// Read returns io.EOF only at the end of a complete member.
func (z *inflater) Read(p []byte) (int, error) {
	n, err := z.flate.r.Read(p)
	z.digest = crc32.Update(z.digest, crc32.IEEETable, p[:n])
	z.size += uint32(n)
	if err != io.EOF {
		return n, err
	}
	var trailer [8]byte
	if _, err := io.ReadFull(z.br, trailer[:]); err != nil {
		return n, io.ErrUnexpectedEOF
	}
	if binary.LittleEndian.Uint32(trailer[:]) != z.digest || binary.LittleEndian.Uint32(trailer[4:]) != z.size {
		return n, errChecksum
	}
	return n, io.EOF
}

const (
	// probeInput is how many bytes of a deflate stream a probe may read. They are
	// enough for the output of any usual encoder to yield probeOutput bytes, and few
	// enough that a file of nothing but member headers is scanned in seconds.
	probeInput = 1 << 10
	// probeOutput is how many bytes of content a probe decodes. They are more than
	// startEOL line ends and a version line take.
	probeOutput = 512
)

// proberEnd says how the content of a probe ended.
type proberEnd uint8

const (
	proberOK    proberEnd = iota // the member is complete and its checksum is right
	proberShort                  // the input is used up; no damage was met so far
	proberBad                    // not a gzip member, or a damaged one
)

// prober inflates the first bytes of candidates for gzip members.
type prober struct {
	src   bytes.Reader
	flate flater
	out   [32 << 10]byte
}

func newProber() *prober { return new(prober) }

// content inflates the member that b begins with as far as possible. It reads at most
// probeInput bytes after the member's header. The result is valid until the next call.
func (p *prober) content(b []byte) ([]byte, proberEnd) {
	n, a := memberHeader(b)
	if a != yes {
		return nil, proberBad
	}
	rest := b[n:min(len(b), n+probeInput)]
	p.src.Reset(rest)
	p.flate.reset(&p.src)
	got, err := 0, error(nil)
	for err == nil && got < len(p.out) {
		var n int
		n, err = p.flate.r.Read(p.out[got:])
		got += n
	}
	content := p.out[:got]
	switch err {
	case nil, io.ErrUnexpectedEOF: // the output buffer is full, or the input is used up
		return content, proberShort
	case io.EOF:
	default:
		return content, proberBad
	}
	// The deflate stream ended within the input; is the trailer there too?
	trailer := rest[len(rest)-p.src.Len():]
	if len(trailer) < 8 {
		return content, proberShort
	}
	if binary.LittleEndian.Uint32(trailer) != crc32.ChecksumIEEE(content) ||
		binary.LittleEndian.Uint32(trailer[4:]) != uint32(len(content)) {
		return content, proberBad
	}
	return content, proberOK
}
