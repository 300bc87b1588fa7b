package compact

import (
	"context"
	"iter"

	"github.com/winnow/winnow/schemas/columnar"
)

// Sorted yields the rows that rows yields in the order of compare. Rows that compare
// equal keep their order. It holds a bounded number of rows in memory (SortRows), and
// needs temporary files for more. A row is valid until the next one. An error is the
// last value.
func Sorted[T any](ctx context.Context, table *columnar.Table[T], compare func(a, b *T) int, rows iter.Seq2[*T, error]) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		s := &sorter[T]{table: table, compare: compare, limit: SortRows}
		defer s.close()
		for row, err := range rows {
			if err == nil {
				err = s.add(row)
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
		s.sorted(ctx)(yield)
	}
}
