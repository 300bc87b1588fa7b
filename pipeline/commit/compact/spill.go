package compact

import (
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/klauspost/compress/s2"

	"github.com/winnow/winnow/schemas/columnar"
)

// run holds sorted rows in a temporary file: an s2 stream of packed rows
// (columnar.Table.Pack), each preceded by its length. A Parquet file would need about
// 7 MB while it is read, for a batch of rows and the pages of every column, and a sort
// reads all of its runs at a time. Packed rows are also written and read three times as
// fast.
type run struct {
	file *os.File
	// generation is the number of times that its rows were merged.
	generation int
}

// runBlock is the unit of compression. The reader of a run holds two of them.
const runBlock = 64 << 10

// writeRun writes rows to a new temporary file in dir.
func writeRun[T any](table *columnar.Table[T], dir string, generation int, rows iter.Seq2[*T, error]) (*run, error) {
	file, err := os.CreateTemp(dir, "winnow-sort-*")
	if err != nil {
		return nil, err
	}
	os.Remove(file.Name()) // the file exists until it is closed, so a crash leaves no file
	r := &run{file, generation}
	w := s2.NewWriter(file, s2.WriterBlockSize(runBlock), s2.WriterConcurrency(1))
	var b, head []byte
	for row, err := range rows {
		if err != nil {
			r.close()
			return nil, err
		}
		b = table.Pack(b[:0], row)
		head = binary.AppendUvarint(head[:0], uint64(len(b)))
		if _, err = w.Write(head); err == nil {
			_, err = w.Write(b)
		}
		if err != nil {
			r.close()
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *run) close() { r.file.Close() }

// readRun yields the rows of a run. A row is valid until the next one.
func readRun[T any](table *columnar.Table[T], r *run) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		// Each reader has its own offset, because a run is read again after a merge
		// that ended early.
		file := io.NewSectionReader(r.file, 0, 1<<62)
		in := s2.NewReader(file, s2.ReaderMaxBlockSize(runBlock), s2.ReaderAllocBlock(runBlock))
		var row T
		var b []byte
		for {
			n, err := binary.ReadUvarint(in)
			if err == io.EOF {
				return
			}
			if err == nil {
				b = grown(b, int(n))
				_, err = io.ReadFull(in, b)
			}
			if err == nil {
				err = table.Unpack(b, &row)
			}
			if err != nil {
				yield(nil, fmt.Errorf("temporary file: %w", err))
				return
			}
			if !yield(&row, nil) {
				return
			}
		}
	}
}

// grown returns b with length n.
func grown(b []byte, n int) []byte {
	if n > cap(b) {
		return make([]byte, n, 2*n)
	}
	return b[:n]
}
