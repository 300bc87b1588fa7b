package aggregate

import (
	"container/heap"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/winnow/winnow/schemas/columnar"
)

// sorter sorts rows of a table in bounded memory: as many as fit are sorted in
// place, more are spilled to temporary files as sorted runs and merged. Rows
// that compare equal keep the order in which they were added. Close it after
// use; rows of Sorted are valid until the next one.
type sorter[T any] struct {
	table   *columnar.Table[T]
	compare func(a, b *T) int
	limit   int    // rows in memory
	dir     string // for temporary files

	rows []T
	runs []*os.File
}

func (s *sorter[T]) add(row *T) error {
	if len(s.rows) >= s.limit {
		if err := s.spill(); err != nil {
			return fmt.Errorf("aggregate: sort %s: %w", s.table.Name(), err)
		}
	}
	s.rows = append(s.rows, *row)
	return nil
}

// order is the sorted order of the rows in memory, as indices: rows are large,
// and the index also makes the order of equal rows.
func (s *sorter[T]) order() []int32 {
	order := make([]int32, len(s.rows))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		if c := s.compare(&s.rows[a], &s.rows[b]); c != 0 {
			return c
		}
		return int(a - b)
	})
	return order
}

// spill writes the rows in memory to a run.
func (s *sorter[T]) spill() error {
	file, err := os.CreateTemp(s.dir, "winnow-sort-*.parquet")
	if err != nil {
		return err
	}
	os.Remove(file.Name()) // it lives as long as it is open; a crash leaves nothing
	s.runs = append(s.runs, file)
	w, err := columnar.NewWriter(s.table, file, "", "", columnar.ShardSize)
	if err != nil {
		return err
	}
	for _, i := range s.order() {
		if err := w.Append(&s.rows[i]); err != nil {
			return err
		}
	}
	clear(s.rows) // lets go of their strings
	s.rows = s.rows[:0]
	return w.Close()
}

func (s *sorter[T]) close() {
	for _, f := range s.runs {
		f.Close()
	}
	s.runs, s.rows = nil, nil
}

// sorted yields all rows in order.
func (s *sorter[T]) sorted(ctx context.Context) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		if err := s.merge(ctx, func(row *T) bool { return yield(row, nil) }); err != nil {
			yield(nil, fmt.Errorf("aggregate: sort %s: %w", s.table.Name(), err))
		}
	}
}

func (s *sorter[T]) merge(ctx context.Context, yield func(*T) bool) error {
	memory := func(yield func(*T, error) bool) {
		for _, i := range s.order() {
			if !yield(&s.rows[i], nil) {
				return
			}
		}
	}
	if len(s.runs) == 0 {
		for row := range memory {
			if !yield(row) {
				return nil
			}
		}
		return nil
	}
	h := mergeHeap[T]{compare: s.compare}
	defer h.stop()
	for i, file := range s.runs {
		size, err := file.Seek(0, io.SeekEnd)
		if err != nil {
			return err
		}
		r, err := columnar.NewReader(s.table, file, size)
		if err != nil {
			return err
		}
		if err := h.open(i, r.All(ctx)); err != nil {
			return err
		}
	}
	// The rows in memory came last.
	if err := h.open(len(s.runs), memory); err != nil {
		return err
	}
	heap.Init(&h)
	for h.Len() > 0 {
		if !yield(h.runs[0].row) {
			return nil
		}
		if err := h.advance(); err != nil {
			return err
		}
	}
	return nil
}

// mergeHeap holds the next row of each run, the smallest on top.
type mergeHeap[T any] struct {
	compare func(a, b *T) int
	runs    []mergeRun[T]
}

type mergeRun[T any] struct {
	row  *T
	seq  int // of the run: earlier rows have earlier runs
	next func() (*T, error, bool)
	stop func()
}

// open adds a run, unless it is empty.
func (h *mergeHeap[T]) open(seq int, rows iter.Seq2[*T, error]) error {
	next, stop := iter.Pull2(rows)
	row, err, ok := next()
	if !ok || err != nil {
		stop()
		return err
	}
	h.runs = append(h.runs, mergeRun[T]{row, seq, next, stop})
	return nil
}

// advance moves the run on top to its next row.
func (h *mergeHeap[T]) advance() error {
	top := &h.runs[0]
	row, err, ok := top.next()
	switch {
	case err != nil:
		return err
	case !ok:
		top.stop()
		heap.Pop(h)
	default:
		top.row = row
		heap.Fix(h, 0)
	}
	return nil
}

func (h *mergeHeap[T]) stop() {
	for i := range h.runs {
		h.runs[i].stop()
	}
}

// Len, Less, Swap, Push and Pop are container/heap's.
func (h *mergeHeap[T]) Len() int { return len(h.runs) }

func (h *mergeHeap[T]) Less(i, j int) bool {
	a, b := &h.runs[i], &h.runs[j]
	if c := h.compare(a.row, b.row); c != 0 {
		return c < 0
	}
	return a.seq < b.seq
}

func (h *mergeHeap[T]) Swap(i, j int) { h.runs[i], h.runs[j] = h.runs[j], h.runs[i] }

func (h *mergeHeap[T]) Push(x any) { h.runs = append(h.runs, x.(mergeRun[T])) }

func (h *mergeHeap[T]) Pop() any {
	last := h.runs[len(h.runs)-1]
	h.runs = h.runs[:len(h.runs)-1]
	return last
}
