package warc

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// Source gives the bytes of one input file. It may be a local file (io.SectionReader),
// memory (bytes.Reader), or ranges of a remote object. It is read by one goroutine at a
// time, mostly forward in windows of 256 KiB.
type Source interface {
	io.ReaderAt
	Size() int64
}

// window is the size of one read. A large window suits remote ranges, and a small one
// suits the processor's cache. It must hold the longest gzip member header and the
// input of a probe.
const window = 256 << 10

// input is a buffered position in a Source. The buffer is a bufio.Reader because flate
// has a fast path for exactly that type, and because its position after a deflate
// stream is exact.
type input struct {
	src  Source
	size int64
	next int64 // offset of the next byte to fetch into br
	br   *bufio.Reader
	err  error // why the source could not be read
}

func newInput(src Source, at int64) *input {
	in := new(input)
	in.br = bufio.NewReaderSize(in, window)
	in.reset(src, at)
	return in
}

// reset continues at an offset of another source.
func (in *input) reset(src Source, at int64) {
	in.src, in.size, in.err = src, src.Size(), nil
	in.next = at
	in.br.Reset(in)
}

// release forgets the source. The input can be used again after reset.
func (in *input) release() { in.src, in.err = nil, nil }

// Read fetches from the source. Only the bufio.Reader calls it.
func (in *input) Read(p []byte) (int, error) {
	if in.err != nil {
		return 0, in.err
	}
	if rest := in.size - in.next; int64(len(p)) > rest {
		p = p[:max(rest, 0)]
	}
	if len(p) == 0 {
		return 0, io.EOF
	}
	n, err := in.src.ReadAt(p, in.next)
	in.next += int64(n)
	if n > 0 {
		return n, nil // a permanent error is returned by the next read
	}
	switch {
	case err == nil:
		err = io.ErrNoProgress
	case errors.Is(err, io.EOF):
		err = io.ErrUnexpectedEOF
	}
	in.err = fmt.Errorf("warc: read at %d of %d: %w", in.next, in.size, err)
	return 0, in.err
}

// offset returns the offset of the next byte that br delivers.
func (in *input) offset() int64 { return in.next - int64(in.br.Buffered()) }

// seek moves to an offset. It stays within the buffer if the offset lies ahead there.
func (in *input) seek(to int64) {
	if ahead := to - in.offset(); ahead >= 0 && ahead <= int64(in.br.Buffered()) {
		in.br.Discard(int(ahead))
		return
	}
	in.next = to
	in.br.Reset(in)
}

// peek returns the next n bytes without consuming them, at most window of them. It
// returns fewer only at the end of the file. The bytes are valid until the next call of
// any method.
func (in *input) peek(n int) ([]byte, error) {
	b, err := in.br.Peek(n)
	if in.err != nil {
		return nil, in.err
	}
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("warc: peek at %d: %w", in.offset(), err)
	}
	return b, nil
}
