package compact

import (
	"container/heap"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/winnow/winnow/schemas/columnar"
)

const (
	// sortBytes bounds the strings and lists of the rows in memory. The number of rows
	// is bounded too, but a row with the spans of a hostile page may be large.
	sortBytes = 32 << 20
	// fanIn is the largest number of runs of one generation. That many runs are merged
	// into one run of the next generation. An open run takes some 150 kB, so sorting 50
	// million rows takes less than 10 MB for open runs and writes each row twice.
	fanIn = 32
	// blockRows is the number of rows in a block of memory. One long slice would take
	// twice the memory while it grows.
	blockRows = 1024
)

// sorter sorts rows of a table in bounded memory. Rows that fit are sorted in memory.
// Further rows are spilled to temporary files as sorted runs and merged. Rows that
// compare equal keep the order in which they were added. The caller closes the sorter
// after use. A row that sorted yields is valid until the next one.
type sorter[T any] struct {
	table   *columnar.Table[T]
	compare func(a, b *T) int
	limit   int    // rows in memory
	dir     string // for temporary files

	blocks [][]T // blocks of blockRows rows, with room for n rows and perhaps more
	n      int
	weight int    // bytes of strings and lists of the rows in memory
	runs   []*run // oldest first; a younger run never has a higher generation
}

// at returns row i of the rows in memory.
func (s *sorter[T]) at(i int) *T { return &s.blocks[i/blockRows][i%blockRows] }

func (s *sorter[T]) add(row *T) error {
	weight := s.table.Weight(row)
	if s.n > 0 && (s.n >= s.limit || s.weight+weight > sortBytes) {
		if err := s.spill(); err != nil {
			return fmt.Errorf("compact: sort %s: %w", s.table.Name(), err)
		}
	}
	if s.n == len(s.blocks)*blockRows {
		s.blocks = append(s.blocks, make([]T, blockRows))
	}
	*s.at(s.n) = *row
	s.n++
	s.weight += weight
	return nil
}

// memory yields the rows in memory, in order. It sorts their indices, because rows are
// large. The indices also decide the order of equal rows.
func (s *sorter[T]) memory(yield func(*T, error) bool) {
	order := make([]int32, s.n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		if c := s.compare(s.at(int(a)), s.at(int(b))); c != 0 {
			return c
		}
		return int(a - b)
	})
	for _, i := range order {
		if !yield(s.at(int(i)), nil) {
			return
		}
	}
}

// spill writes the rows in memory to a run. When there are fanIn runs of one
// generation, it merges them into one.
func (s *sorter[T]) spill() error {
	r, err := writeRun(s.table, s.dir, 0, s.memory)
	if err != nil {
		return err
	}
	s.runs = append(s.runs, r)
	for _, b := range s.blocks {
		clear(b) // the strings can then be collected
	}
	s.n, s.weight = 0, 0
	for {
		last := s.runs[max(0, len(s.runs)-fanIn):]
		if len(last) < fanIn || last[0].generation != last[fanIn-1].generation {
			return nil
		}
		r, err := writeRun(s.table, s.dir, last[0].generation+1, func(yield func(*T, error) bool) {
			if err := s.merge(last, nil, func(row *T) bool { return yield(row, nil) }); err != nil {
				yield(nil, err)
			}
		})
		if err != nil {
			return err
		}
		for _, old := range last {
			old.close()
		}
		s.runs = append(s.runs[:len(s.runs)-fanIn], r)
	}
}

func (s *sorter[T]) close() {
	for _, r := range s.runs {
		r.close()
	}
	s.runs, s.blocks, s.n = nil, nil, 0
}

// sorted yields all rows in order.
func (s *sorter[T]) sorted(ctx context.Context) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		n, on := 0, true
		err := s.merge(s.runs, s.memory, func(row *T) bool {
			if n%blockRows == 0 && ctx.Err() != nil {
				return false
			}
			n++
			on = yield(row, nil)
			return on
		})
		if err == nil {
			err = context.Cause(ctx)
		}
		if err != nil && on {
			yield(nil, fmt.Errorf("compact: sort %s: %w", s.table.Name(), err))
		}
	}
}

// merge yields the rows of runs, oldest first, and of the memory, whose rows were added
// last.
func (s *sorter[T]) merge(runs []*run, memory iter.Seq2[*T, error], yield func(*T) bool) error {
	if len(runs) == 0 {
		for row := range memory {
			if !yield(row) {
				break
			}
		}
		return nil
	}
	h := mergeHeap[T]{compare: s.compare}
	defer h.stop()
	for i, r := range runs {
		if err := h.open(i, readRun(s.table, r)); err != nil {
			return err
		}
	}
	if memory != nil {
		if err := h.open(len(runs), memory); err != nil {
			return err
		}
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
	seq  int // number of the run; earlier runs have earlier rows
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

// advance replaces the run on top by its next row.
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

// Len, Less, Swap, Push and Pop implement heap.Interface.
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
