package pack

import (
	"fmt"
	"io"

	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/pipeline/warc/check"
)

// Check reads an archive while it is written, with a reader that is not Winnow's own, so
// that an archive which only Winnow could read is never kept. The bytes of the archive are
// written to it.
type Check struct {
	*io.PipeWriter
	done    chan struct{} // closed when the reading has ended
	account check.Account // valid when done is closed
	err     error
}

// NewCheck starts to read the bytes that are written to it. The caller must call Stop.
func NewCheck() *Check {
	r, w := io.Pipe()
	s := &Check{PipeWriter: w, done: make(chan struct{})}
	go func() {
		defer close(s.done)
		s.account, s.err = check.Read(r, nil)
		r.CloseWithError(s.err) // the writer gets the error at its next write
	}()
	return s
}

// Confirm waits until the reader has reached the end of the archive, and compares the
// documents that it read with the number of documents written.
func (s *Check) Confirm(documents int64) error {
	s.Close()
	<-s.done
	if s.err != nil {
		return fmt.Errorf("reading the archive back: %w", s.err)
	}
	if n := s.account.ByType[warc.TypeResponse]; n != documents {
		return fmt.Errorf("reading the archive back: it has %d pages of %d", n, documents)
	}
	return nil
}

// Stop ends the reading at any point.
func (s *Check) Stop() {
	s.CloseWithError(io.ErrUnexpectedEOF)
	<-s.done
}
