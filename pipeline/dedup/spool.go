package dedup

import (
	"bufio"
	"fmt"
	"os"
)

const spoolBuffer = 256 << 10

// spool is a temporary file that is written from its beginning and then read anywhere.
type spool struct {
	file *os.File
	w    *bufio.Writer
	size int64
}

func newSpool(dir string) (*spool, error) {
	file, err := os.CreateTemp(dir, "")
	if err != nil {
		return nil, fmt.Errorf("make a temporary file: %w", err)
	}
	return &spool{file: file, w: bufio.NewWriterSize(file, spoolBuffer)}, nil
}

func (s *spool) write(b []byte) error {
	s.size += int64(len(b))
	if _, err := s.w.Write(b); err != nil {
		return fmt.Errorf("write a temporary file: %w", err)
	}
	return nil
}

// flush ends writing.
func (s *spool) flush() error {
	if err := s.w.Flush(); err != nil {
		return fmt.Errorf("write a temporary file: %w", err)
	}
	return nil
}

func (s *spool) readAt(b []byte, at int64) error {
	if _, err := s.file.ReadAt(b, at); err != nil {
		return fmt.Errorf("read a temporary file: %w", err)
	}
	return nil
}

// close closes the file, which is deleted with its folder.
func (s *spool) close() { _ = s.file.Close() }
