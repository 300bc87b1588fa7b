// Package extsort sorts any number of rows in bounded memory: an external merge sort.
//
//	s := extsort.Sorter[T]{Codec: codec, Compare: compare}
//	defer s.Close()
//	for ... {
//		err := s.Add(&row)
//	}
//	for row, err := range s.Sorted(ctx) {
//		...
//	}
//
// Rows that fit in memory are sorted there. Further rows are written to temporary files as
// sorted runs, which are merged. The libraries that do this bound the number of rows in
// memory and not their bytes, and open all runs at a time; a row here may be as large as a
// hostile page makes it, and there may be billions of rows.
//
// This package is internal to Winnow and may change in any release.
package extsort

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/klauspost/compress/s2"
)

const (
	// defaultRows of a table take some 30 MB.
	defaultRows = 50_000
	// weightBytes bounds what the rows in memory refer to. The number of rows is bounded
	// too, but a row with the spans of a hostile page may be large.
	weightBytes = 32 << 20
	// fanIn is the largest number of runs of one generation. That many runs are merged
	// into one run of the next generation. An open run takes some 150 kB, so sorting 50
	// million rows takes less than 10 MB for open runs and writes each row twice.
	fanIn = 32
	// blockRows is the number of rows in a block of memory. One long slice would take
	// twice the memory while it grows.
	blockRows = 1024
	// runBlock is the unit of compression of a run. The reader of a run holds two of them.
	runBlock = 64 << 10
)

// Codec writes rows to temporary files and reads them again. The tables of package
// columnar are codecs.
type Codec[T any] interface {
	// Pack appends a row to b.
	Pack(b []byte, row *T) []byte
	// Unpack reads what Pack appended into row, which holds the row that was read before.
	Unpack(b []byte, row *T) error
	// Weight is the number of bytes that a row refers to: its strings and lists.
	Weight(row *T) int
}

// Sorter sorts rows. Those that compare equal keep the order in which they were added. The
// caller sets the exported fields before the first call of Add, and calls Close at the end.
type Sorter[T any] struct {
	Codec   Codec[T]
	Compare func(a, b *T) int
	Rows    int    // rows kept in memory, with at most 32 MB that they refer to; default 50,000
	Dir     string // folder for temporary files; "" is that of the system

	blocks [][]T // blocks of blockRows rows, with room for n rows and perhaps more
	n      int
	weight int   // bytes that the rows in memory refer to
	runs   []run // oldest first; a younger run never has a higher generation
}

// run holds sorted rows in a temporary file: an s2 stream of packed rows, each preceded by
// its length. A Parquet file would need about 7 MB while it is read, for a batch of rows
// and the pages of every column, and a sort reads all of its runs at a time.
type run struct {
	file *os.File
	// generation is the number of times that its rows were merged.
	generation int
}

// source returns the next of sorted rows, which is valid until the next call, or nil after
// the last one.
type source[T any] func() (*T, error)

// Add adds a copy of a row.
func (s *Sorter[T]) Add(row *T) error {
	weight := s.Codec.Weight(row)
	if s.n > 0 && (s.n >= cmp.Or(s.Rows, defaultRows) || s.weight+weight > weightBytes) {
		if err := s.spill(); err != nil {
			return fmt.Errorf("sort in temporary files: %w", err)
		}
	}
	if s.n == len(s.blocks)*blockRows {
		s.blocks = append(s.blocks, make([]T, blockRows))
	}
	*s.row(s.n) = *row
	s.n++
	s.weight += weight
	return nil
}

// Sorted yields all rows in order; it may be called again. A row is valid until the next
// one. An error, which may be that of ctx, is the last value.
func (s *Sorter[T]) Sorted(ctx context.Context) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		next := s.merge(s.runs, s.memory())
		for n := 0; ; n++ {
			row, err := next()
			if n%blockRows == 0 && ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			if err != nil {
				yield(nil, fmt.Errorf("sort in temporary files: %w", err))
				return
			}
			if row == nil || !yield(row, nil) {
				return
			}
		}
	}
}

// Close frees the memory and removes the temporary files.
func (s *Sorter[T]) Close() {
	for _, r := range s.runs {
		r.file.Close() // nothing is lost, because it has no name any more
	}
	s.runs, s.blocks, s.n, s.weight = nil, nil, 0, 0
}

// Sorted yields rows in the order of compare, as a Sorter does. An error of rows is the
// last value.
func Sorted[T any](ctx context.Context, rows iter.Seq2[*T, error], codec Codec[T], compare func(a, b *T) int) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		s := Sorter[T]{Codec: codec, Compare: compare}
		defer s.Close()
		for row, err := range rows {
			if err == nil {
				err = s.Add(row)
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
		s.Sorted(ctx)(yield)
	}
}

// row returns row i of the rows in memory.
func (s *Sorter[T]) row(i int) *T { return &s.blocks[i/blockRows][i%blockRows] }

// memory sorts the rows in memory. It sorts their indices, because rows are large. The
// indices also decide the order of equal rows.
func (s *Sorter[T]) memory() source[T] {
	order := make([]int32, s.n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		if c := s.Compare(s.row(int(a)), s.row(int(b))); c != 0 {
			return c
		}
		return int(a - b)
	})
	return func() (row *T, err error) {
		if len(order) > 0 {
			row, order = s.row(int(order[0])), order[1:]
		}
		return row, nil
	}
}

// spill writes the rows in memory to a run. When there are fanIn runs of one generation,
// it merges them into one.
func (s *Sorter[T]) spill() error {
	if err := s.write(0, s.memory()); err != nil {
		return err
	}
	for _, b := range s.blocks {
		clear(b) // the strings can then be collected
	}
	s.n, s.weight = 0, 0
	for {
		first := len(s.runs) - fanIn
		if first < 0 || s.runs[first].generation != s.runs[len(s.runs)-1].generation {
			return nil
		}
		merged := slices.Clone(s.runs[first:])
		if err := s.write(merged[0].generation+1, s.merge(merged, nil)); err != nil {
			return err
		}
		for _, r := range merged {
			r.file.Close()
		}
		s.runs = slices.Delete(s.runs, first, first+fanIn)
	}
}

// write adds a run of rows.
func (s *Sorter[T]) write(generation int, next source[T]) error {
	file, err := os.CreateTemp(s.Dir, "winnow-sort-*")
	if err != nil {
		return err
	}
	os.Remove(file.Name()) // the file exists until it is closed, so a crash leaves no file
	w := s2.NewWriter(file, s2.WriterBlockSize(runBlock), s2.WriterConcurrency(1))
	var packed, b []byte
	for {
		row, err := next()
		if err == nil && row == nil {
			break
		}
		if err == nil {
			packed = s.Codec.Pack(packed[:0], row)
			b = append(binary.AppendUvarint(b[:0], uint64(len(packed))), packed...)
			_, err = w.Write(b)
		}
		if err != nil {
			file.Close()
			return err
		}
	}
	if err := w.Close(); err != nil {
		file.Close()
		return err
	}
	s.runs = append(s.runs, run{file, generation})
	return nil
}

// read returns the rows of a run, from the first one on.
func (s *Sorter[T]) read(r run) source[T] {
	in := s2.NewReader(io.NewSectionReader(r.file, 0, 1<<62), s2.ReaderMaxBlockSize(runBlock), s2.ReaderAllocBlock(runBlock))
	var row T
	var b []byte
	return func() (*T, error) {
		n, err := binary.ReadUvarint(in)
		if err == io.EOF {
			return nil, nil
		}
		if err == nil {
			b = slices.Grow(b[:0], int(n))[:n]
			_, err = io.ReadFull(in, b)
		}
		if err == nil {
			err = s.Codec.Unpack(b, &row)
		}
		if err != nil {
			return nil, fmt.Errorf("read a temporary file: %w", err)
		}
		return &row, nil
	}
}

// merge returns the rows of runs, oldest first, and of memory, which were added last.
func (s *Sorter[T]) merge(runs []run, memory source[T]) source[T] {
	if len(runs) == 0 {
		return memory
	}
	var sources []source[T]
	var due []int // sources of which the next row is not known
	for i, r := range runs {
		sources, due = append(sources, s.read(r)), append(due, i)
	}
	if memory != nil {
		sources, due = append(sources, memory), append(due, len(runs))
	}
	rows := make([]*T, len(sources)) // the next row of each source
	var order []int                  // sources of which it is known; that of the smallest row is last
	return func() (*T, error) {
		for _, i := range due {
			row, err := sources[i]()
			if err != nil {
				return nil, err
			}
			if row == nil {
				continue
			}
			rows[i] = row
			at, _ := slices.BinarySearchFunc(order, i, func(other, i int) int {
				return cmp.Or(s.Compare(row, rows[other]), cmp.Compare(i, other)) // earlier sources have earlier rows
			})
			order = slices.Insert(order, at, i)
		}
		last := len(order) - 1
		if last < 0 {
			return nil, nil
		}
		due, order = append(due[:0], order[last]), order[:last]
		return rows[due[0]], nil
	}
}
