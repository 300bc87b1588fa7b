package main

import (
	"fmt"
	"io"

	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/pipeline/warc/check"
)

// secondReader reads an archive while it is written, with a reader that is not
// Winnow's own, so that an archive which only Winnow could read is never kept.
type secondReader struct {
	*io.PipeWriter
	done    chan struct{} // closed when the reading has ended
	account check.Account // valid then, and
	err     error
}

// newSecondReader begins to read what is written to it. close must be called.
func newSecondReader() *secondReader {
	r, w := io.Pipe()
	s := &secondReader{PipeWriter: w, done: make(chan struct{})}
	go func() {
		defer close(s.done)
		s.account, s.err = check.Read(r, nil)
		r.CloseWithError(s.err) // the writer learns of it at its next write
	}()
	return s
}

// confirm waits for the reader to reach the end of the archive, and compares what
// it has seen with the number of documents written.
func (s *secondReader) confirm(documents int64) error {
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

// close ends the reading wherever it is.
func (s *secondReader) close() {
	s.CloseWithError(io.ErrUnexpectedEOF)
	<-s.done
}
