package compact

import (
	"log/slog"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/extsort"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// Compactor makes the tables of a run.
type Compactor struct {
	Store blob.Store   // the output folder
	Run   *schemas.Run // the run whose tables are made
	// Term is the term of the aggregator. It is a part of the names of its files
	// (schemas.PartName).
	Term int

	// SortRows is extsort.Sorter.Rows: rows that are held in memory while a table is
	// sorted. Further rows are written to the folder TempDir, by default that of the system.
	SortRows int
	TempDir  string
	Size     columnar.Size // size of the row groups of the files written
	Log      *slog.Logger
}

// New returns the Compactor of a run, with the default limits and without a log.
func New(store blob.Store, run *schemas.Run) *Compactor {
	return &Compactor{Store: store, Run: run, Size: columnar.PartSize, Log: slog.New(slog.DiscardHandler)}
}

// newSorter returns a sorter of the rows of a table. The caller closes it after use.
func newSorter[T any](c *Compactor, table *columnar.Table[T], compare func(a, b *T) int) *extsort.Sorter[T] {
	return &extsort.Sorter[T]{Codec: table, Compare: compare, Rows: c.SortRows, Dir: c.TempDir}
}

// Entry is an item of the plan that was accepted or given up.
type Entry struct {
	Item schemas.Item
	// Done is the report that was accepted. It is nil if the item's records belong to
	// other items, or if the item was given up.
	Done        *schemas.Done
	First, Next int64             // as reported, or -1
	Dead        bool              // it was given up
	Unverified  bool              // its records cannot be verified against the item before
	Lost        []schemas.Failure // rows for ranges of its file that are in no other table
}
